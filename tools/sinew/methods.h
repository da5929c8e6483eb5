// Ways to the same vertices, over a clip: what each does to limbs and volume, and pictures of them side by side.
#pragma once

#include <string>
#include <vector>

#include "limbs.h"
#include "render_actor.h"
#include "render_options.h"
#include "render_shots.h"

namespace sinew::tool {

/// One way, and what was measured of it.
struct MethodRun {
  std::string name;  ///< as --methods has it
  Actor actor;
  std::vector<LimbShape> shapes;  ///< one a time
};

/// Of the shapes over a clip: the worst of each kind, and when.
struct MethodSummary {
  LimbShape worst;  ///< its volume: the least
  float thin_time = 0, bulge_time = 0;
  double least_volume = 1, most_volume = 1;
};
MethodSummary summarize(const MethodRun& run, const std::vector<float>& times);

/// The methods side by side, and how far vertices are from the first one's, as a sheet of times or a film.
class MethodsPicture {
 public:
  /// The context must outlive it, and so must the runs. `clip`: of each character's. `times`: all that will be drawn.
  static Result<MethodsPicture> create(const gpu::Context& context, std::vector<MethodRun>& runs, std::size_t clip,
                                       const RenderPlan& plan, const std::vector<float>& times);
  Result<render::Picture> sheet();
  Result<render::Picture> frame(float time);
  std::uint32_t width(bool film) const;
  std::uint32_t height(bool film) const;

 private:
  MethodsPicture(std::vector<MethodRun>& runs, std::size_t clip, const RenderPlan& plan,
                 const std::vector<float>& times);
  Viewpoint seen(std::span<const float> times);
  Moment moment(const MethodRun& run, float time) const;
  Result<std::vector<render::Picture>> draw(float time, const Viewpoint& from);
  std::size_t pictures() const { return runs_->size() + 1; }

  std::vector<MethodRun>* runs_;
  std::size_t clip_;
  RenderPlan plan_;
  std::vector<float> times_;
  Viewpoint viewpoint_;
  std::vector<Difference> differences_;  // from the first
  std::vector<render::Renderer> renderers_;
  float top_ = 0;  // of the heat's scale, millimetres
};

/// SVG of the thinnest limb, the bulge and the volume over time, a curve a method.
std::string methods_svg(const std::string& title, const std::vector<MethodRun>& runs, const std::vector<float>& times);

}  // namespace sinew::tool
