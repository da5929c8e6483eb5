// The checks of `sinew demo`: laws that hold for every right pipeline, measured on the built-in character.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "input.h"

namespace sinew::tool {

struct Check {
  std::string measured, limit;
  bool passed = false;
};

/// Files that the demo wrote.
struct DemoFiles {
  std::filesystem::path glb, sinew, posed, baked;
};
/// The moment that is in `DemoFiles::posed` and `baked`.
Moment posed_moment(const Character& character);

struct DemoCheck {
  std::string name;
  std::function<Check()> measure;
};
/// In the order of the pipeline. `built` is the character as written and opened in memory; both must outlive the list.
std::vector<DemoCheck> demo_checks(const Input& built, const DemoFiles& files);

}  // namespace sinew::tool
