// Source and compressed side by side, and a heat map of how far vertices are apart, as a sheet of times or film frames.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "promise.h"
#include "render_shots.h"

namespace sinew::tool {

/// What is compared: a clip of both characters, and what was measured of it.
struct ComparedClip {
  std::vector<Actor>& actors;  ///< source, compressed
  SourceAndBuilt::Pair pair;
  const ClipError& error;
  double tolerance = 0;  ///< metres
};

class ComparePicture {
 public:
  /// The context must outlive it. `times`: all that will be drawn.
  static Result<ComparePicture> create(const gpu::Context& context, const ComparedClip& compared,
                                       const RenderPlan& plan, const std::vector<float>& times);
  /// A column a time: source, compressed, heat map; below them the scale.
  Result<render::Picture> sheet();
  /// The same of one time in a row.
  Result<render::Picture> frame(float time);
  /// Of a sheet or a frame.
  std::uint32_t width(bool film) const;
  std::uint32_t height(bool film) const;

 private:
  ComparePicture(const ComparedClip& compared, const RenderPlan& plan, const std::vector<float>& times);
  Viewpoint seen(std::span<const float> times);
  /// Distances in millimetres, of both as they are posed now.
  std::vector<std::vector<float>> distances_apart() const;
  Result<std::vector<render::Picture>> draw(float time, const Viewpoint& from);
  void write_scale(render::Picture& picture) const;
  int text_scale() const;
  std::uint32_t footer() const;

  ComparedClip compared_;
  RenderPlan plan_;
  std::vector<float> times_;
  Viewpoint viewpoint_;  // of all times
  std::optional<Difference> difference_;
  std::vector<render::Renderer> renderers_;  // one an actor
  float top_ = 0;                            // of the scale, millimetres
};

/// So many times of the clip, at equal steps, one of them moved to where the largest error is.
std::vector<float> sheet_times(const Clip& clip, const ClipError& error, std::size_t count);

}  // namespace sinew::tool
