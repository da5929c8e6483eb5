#include "compare_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/picture.h"
#include "text.h"

namespace sinew::tool {

namespace {

using render::Picture;
using render::Rgba;

constexpr std::size_t kPictures = 3;  // of a time
constexpr float kMillimetre = 1000;
constexpr Rgba kPaper{240, 241, 243, 255}, kDark{25, 28, 34, 255};

}  // namespace

ComparePicture::ComparePicture(const ComparedClip& compared, const RenderPlan& plan, const std::vector<float>& times)
    : compared_(compared), plan_(plan), times_(times), viewpoint_(new_viewpoint(compared.actors[0], plan)) {
  // One scale for all clips that keep their promise, so that pictures of several can be compared.
  const auto tolerance = static_cast<float>(compared.tolerance), largest = static_cast<float>(compared.error.largest);
  top_ = kMillimetre * (largest <= tolerance ? tolerance : round_scale(largest));
}

Result<ComparePicture> ComparePicture::create(const gpu::Context& context, const ComparedClip& compared,
                                              const RenderPlan& plan, const std::vector<float>& times) {
  Result<ComparePicture> made(ComparePicture(compared, plan, times));
  Result<Difference> difference = Difference::create(compared.actors[0], compared.actors[1]);
  if (!difference) return Unexpected(difference.error());
  made->difference_ = std::move(*difference);
  made->viewpoint_ = made->seen(times);
  for (const Actor& actor : compared.actors) {
    Result<render::Renderer> renderer = render::Renderer::create(context, plan.width, plan.height);
    if (!renderer) return Unexpected(renderer.error());
    // A .sinew has no materials: it is drawn in the source's, so that only what moves can differ.
    if (const Result<void> loaded = renderer->load(actor.shapes(), compared.actors[0].materials()); !loaded)
      return Unexpected(loaded.error());
    made->renderers_.push_back(std::move(*renderer));
  }
  return made;
}

Viewpoint ComparePicture::seen(std::span<const float> times) {
  Viewpoint out = new_viewpoint(compared_.actors[0], plan_);
  for (const float time : times) {
    compared_.actors[0].pose({compared_.pair.source, time});
    out.look_at(compared_.actors[0]);
  }
  return out;
}

std::vector<std::vector<float>> ComparePicture::distances_apart() const {
  const float size = compared_.actors[0].character().size();
  std::vector<std::vector<float>> out = difference_->shares(compared_.actors[0], compared_.actors[1]);
  for (std::vector<float>& part : out)
    for (float& share : part) share *= kMillimetre * (size > 0 ? size : 1.0f);
  return out;
}

int ComparePicture::text_scale() const {
  return std::max(1, static_cast<int>(std::min(plan_.width, plan_.height)) / 300);
}

std::uint32_t ComparePicture::footer() const {
  const auto height = static_cast<std::uint32_t>((2 * render::kGlyphHeight + 16) * text_scale());
  return height + height % 2;  // MP4 needs even sizes
}

std::uint32_t ComparePicture::width(bool film) const {
  return plan_.width * static_cast<std::uint32_t>(film ? kPictures : times_.size());
}
std::uint32_t ComparePicture::height(bool film) const {
  return plan_.height * static_cast<std::uint32_t>(film ? 1 : kPictures) + footer();
}

Result<std::vector<Picture>> ComparePicture::draw(float time, const Viewpoint& from) {
  Actor &source = compared_.actors[0], &built = compared_.actors[1];
  source.pose({compared_.pair.source, time});
  built.pose({compared_.pair.built, time});
  std::vector<std::vector<Rgba>> hot;
  float largest = 0;
  for (const std::vector<float>& part : distances_apart()) {
    hot.emplace_back();
    for (const float distance : part)
      hot.back().push_back(ramp(distance / top_)), largest = std::max(largest, distance);
  }
  render::Look look = look_of(from, plan_);
  look.ground_y = viewpoint_.ground();
  const bool worst = time == compared_.error.seconds;
  const std::string titles[kPictures] = {"source", "compressed", "error of vertices"};
  const std::string notes[kPictures] = {fmt::format("{:.3f} s", time), "",
                                        rounded(largest) + " mm at most" + (worst ? ", the worst time" : "")};
  std::vector<Picture> out;
  for (std::size_t i = 0; i < kPictures; ++i) {
    if (i == 2) source.paint(hot);
    Result<Picture> picture = renderers_[i % 2].draw((i == 1 ? built : source).moved(), look);
    if (i == 2) source.paint({});
    if (!picture) return Unexpected(picture.error());
    write_labels(*picture, titles[i], notes[i], plan_, text_scale());
    out.push_back(std::move(*picture));
  }
  return out;
}

void ComparePicture::write_scale(Picture& picture) const {
  constexpr int kTicks = 4;
  const int scale = text_scale(), pad = 5 * scale, line = render::kGlyphHeight * scale;
  const int top = static_cast<int>(picture.height) - static_cast<int>(footer()), all = static_cast<int>(picture.width);
  render::fill(picture, 0, top, all, static_cast<int>(footer()), kPaper);
  const std::string unit = "error, mm";
  const int left = pad + render::text_width(unit, scale) + 2 * pad, room = all - left - 6 * pad;
  const int width = std::clamp(room / 2, 1, 320 * scale);
  render::write_text(picture, pad, top + pad, unit, kDark, scale);
  for (int x = 0; x < width; ++x)
    render::fill(picture, left + x, top + pad, 1, line, ramp(static_cast<float>(x) / static_cast<float>(width)));
  for (int i = 0; i <= kTicks; ++i) {
    const std::string text = rounded(static_cast<double>(top_) * i / kTicks);
    const int at = left + width * i / kTicks;
    render::fill(picture, at, top + pad + line, scale, 2 * scale, kDark);
    render::write_text(picture, at - render::text_width(text, scale) / 2, top + pad + line + 3 * scale, text, kDark,
                       scale);
  }
  const std::string worst =
      fmt::format("{}: {} mm at {:.3f} s, {}", clip_name(*compared_.pair.source), millimetres(compared_.error.largest),
                  compared_.error.seconds, where_text(compared_.actors[0].character(), compared_.error));
  const int from = left + width + 6 * pad;
  render::write_text(picture, from, top + pad, render::fitting(worst, all - from - pad, scale), kDark, scale);
}

Result<Picture> ComparePicture::sheet() {
  Picture out(width(false), height(false));
  for (std::size_t column = 0; column < times_.size(); ++column) {
    // From near by, for who walks through a clip is small in a picture of all of it.
    const Result<std::vector<Picture>> pictures = draw(times_[column], seen({&times_[column], 1}));
    if (!pictures) return Unexpected(pictures.error());
    for (std::size_t row = 0; row < kPictures; ++row)
      render::paste(out, (*pictures)[row], plan_.width * static_cast<std::uint32_t>(column),
                    plan_.height * static_cast<std::uint32_t>(row));
  }
  write_scale(out);
  return out;
}

Result<Picture> ComparePicture::frame(float time) {
  Picture out(width(true), height(true));
  const Result<std::vector<Picture>> pictures = draw(time, viewpoint_);
  if (!pictures) return Unexpected(pictures.error());
  for (std::size_t i = 0; i < kPictures; ++i)
    render::paste(out, (*pictures)[i], plan_.width * static_cast<std::uint32_t>(i), 0);
  write_scale(out);
  return out;
}

std::vector<float> sheet_times(const Clip& clip, const ClipError& error, std::size_t count) {
  std::vector<float> out = spread_times(clip, count);
  const auto nearest = std::ranges::min_element(out, {}, [&](float t) { return std::abs(t - error.seconds); });
  *nearest = error.seconds;
  return out;
}

}  // namespace sinew::tool
