// What laws are tried on: the assets, the built-in character and scenes in code.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "sinew/scene.h"

namespace sinew::test {

/// A scene by name, made when it is needed.
struct Subject {
  std::string name;  ///< letters, digits and underscores
  std::function<Scene()> scene;
};
/// All of them; without the shared folder only those made in code.
std::vector<Subject> subjects();
/// For INSTANTIATE_TEST_SUITE_P.
template <class Info>
std::string subject_name(const Info& info) {
  return info.param.name;
}
/// How GoogleTest prints one.
void PrintTo(const Subject& subject, std::ostream* out);

}  // namespace sinew::test
