// sinew compare --methods: ways of skinning beside one another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render_options.h"

namespace sinew::tool {

struct CompareMethodsOptions {
  InputOptions input;
  std::vector<std::string> methods;
  std::optional<std::string> clip;  ///< by name or index; the one that twists farthest
  std::string plot;
  RenderOptions picture;
  bool json = false;
};
int compare_methods(const CompareMethodsOptions& options, const RenderPlan& plan);

}  // namespace sinew::tool
