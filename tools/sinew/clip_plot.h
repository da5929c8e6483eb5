// Clips as a drawing: how far each strays over time, and which joints its bytes are for.
#pragma once

#include <string>
#include <vector>

#include "sinew/compress.h"

namespace sinew::tool {

inline constexpr const char* kPlotHelp = "Draw errors over time, and bytes by joint, as SVG";

struct PlottedClip {
  const Clip* clip = nullptr;  ///< as it is stored
  const ClipError* error = nullptr;
};
/// SVG. `tolerance` in the file's units, metres.
std::string plot_svg(const std::string& title, const Character& character, double tolerance,
                     const std::vector<PlottedClip>& clips);
/// Whether a plot can have that name. Errors are `bad_argument`.
Result<void> check_plot_name(const std::string& path);

/// Bytes of a clip that are one joint's, or the morph weights' of one node, by what they are for.
struct JointBytes {
  std::string name;
  double parameters = 0, knots = 0, widths = 0, residuals = 0, keys = 0;
  double sum() const { return parameters + knots + widths + residuals + keys; }
};
/// Most bytes first; what no joint has alone comes last, as `shared`, so that all of them are the clip's bytes.
std::vector<JointBytes> bytes_by_joint(const Character& character, const Clip& clip);

}  // namespace sinew::tool
