// The options of sinew render, as given and as understood.
#pragma once

#include <optional>
#include <string>

#include "input.h"
#include "render/camera.h"
#include "render_file.h"

namespace sinew::tool {

struct RenderOptions {
  InputOptions input;
  MomentOptions moment;
  std::string output, size, camera, background;
  std::optional<std::string> weights, compare, focus;
  std::optional<double> fps;  ///< of a film; 30
  std::optional<int> times;   ///< of a sheet; 6
  bool film = false, sheet = false, skeleton = false, wireframe = false, heat = false, no_ground = false, json = false;
};
void add_render_options(CLI::App& verb, RenderOptions& options);

/// What can be understood without a file.
struct RenderPlan {
  PictureKind kind = PictureKind::png;
  std::uint32_t width = 0, height = 0;  ///< of a cell: the picture, or its part in a sheet or comparison
  render::Direction direction;
  Vec4 bottom{0.0f}, top{0.0f};  ///< background, linear, alpha multiplied in
  bool ground = true;
  double fps = 30;
};
/// All errors are `bad_argument`.
Result<RenderPlan> understand(const RenderOptions& options);

}  // namespace sinew::tool
