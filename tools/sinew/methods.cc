#include "methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/picture.h"
#include "svg.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr float kMillimetresInOne = 1000;  // in a metre, glTF's unit

/// The curves' colours, in the order of the methods.
constexpr std::string_view kStrokes[] = {"#c62828", "#1565c0", "#2e9e6b", "#ef8e1d"};

/// Of what a curve shows.
struct Panel {
  const char* title;
  double (*value)(const LimbShape&);
};
constexpr Panel kPanels[] = {
    {"thinnest limb, % of its radius at rest", [](const LimbShape& s) { return 100 * s.thinnest; }},
    {"bulge, % of the limb's width", [](const LimbShape& s) { return 100 * s.bulge; }},
    {"volume, % of that at rest", [](const LimbShape& s) { return 100 * s.volume.value_or(1); }}};

struct Range {
  double low, high;
};

Range range_of(const Panel& panel, const std::vector<MethodRun>& runs) {
  Range out{1e30, -1e30};
  for (const MethodRun& run : runs)
    for (const LimbShape& shape : run.shapes)
      out.low = std::min(out.low, panel.value(shape)), out.high = std::max(out.high, panel.value(shape));
  const double pad = std::max(0.05 * (out.high - out.low), 0.05);
  return {std::max(out.low - pad, 0.0), out.high + pad};
}

}  // namespace

MethodSummary summarize(const MethodRun& run, const std::vector<float>& times) {
  MethodSummary out;
  bool first = true;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const LimbShape& shape = run.shapes[i];
    if (shape.thinnest < out.worst.thinnest || out.worst.thin_joint == kNone)
      out.worst.thinnest = shape.thinnest, out.worst.thin_joint = shape.thin_joint, out.thin_time = times[i];
    if (shape.bulge > out.worst.bulge)
      out.worst.bulge = shape.bulge, out.worst.bulge_joint = shape.bulge_joint, out.bulge_time = times[i];
    if (!shape.volume) continue;
    out.least_volume = first ? *shape.volume : std::min(out.least_volume, *shape.volume);
    out.most_volume = first ? *shape.volume : std::max(out.most_volume, *shape.volume);
    out.worst.volume = out.least_volume;
    first = false;
  }
  return out;
}

MethodsPicture::MethodsPicture(std::vector<MethodRun>& runs, std::size_t clip, const RenderPlan& plan,
                               const std::vector<float>& times)
    : runs_(&runs), clip_(clip), plan_(plan), times_(times), viewpoint_(new_viewpoint(runs[0].actor, plan)) {}

Result<MethodsPicture> MethodsPicture::create(const gpu::Context& context, std::vector<MethodRun>& runs,
                                              std::size_t clip, const RenderPlan& plan,
                                              const std::vector<float>& times) {
  Result<MethodsPicture> made(MethodsPicture(runs, clip, plan, times));
  for (const MethodRun& run : runs) {
    Result<Difference> difference = Difference::create(runs[0].actor, run.actor);
    if (!difference) return Unexpected(difference.error());
    made->differences_.push_back(std::move(*difference));
    Result<render::Renderer> renderer = render::Renderer::create(context, plan.width, plan.height);
    if (!renderer) return Unexpected(renderer.error());
    if (const Result<void> loaded = renderer->load(run.actor.shapes(), run.actor.materials()); !loaded)
      return Unexpected(loaded.error());
    made->renderers_.push_back(std::move(*renderer));
  }
  made->viewpoint_ = made->seen(times);
  float largest = 0;
  const float size = runs[0].actor.character().size();
  for (const float time : times) {
    for (MethodRun& run : runs) run.actor.pose(made->moment(run, time));
    for (std::size_t i = 1; i < runs.size(); ++i)
      for (const std::vector<float>& part : made->differences_[i].shares(runs[0].actor, runs[i].actor))
        for (const float share : part)
          largest = std::max(largest, share * kMillimetresInOne * (size > 0 ? size : 1.0f));
  }
  made->top_ = round_scale(largest);
  return made;
}

Moment MethodsPicture::moment(const MethodRun& run, float time) const {
  return {&run.actor.character().clips()[clip_], time};
}

Viewpoint MethodsPicture::seen(std::span<const float> times) {
  Viewpoint out = new_viewpoint((*runs_)[0].actor, plan_);
  for (const float time : times)
    for (MethodRun& run : *runs_) run.actor.pose(moment(run, time)), out.look_at(run.actor);
  return out;
}

std::uint32_t MethodsPicture::width(bool film) const {
  return plan_.width * static_cast<std::uint32_t>(film ? pictures() : times_.size());
}
std::uint32_t MethodsPicture::height(bool film) const {
  return plan_.height * static_cast<std::uint32_t>(film ? 1 : pictures());
}

Result<std::vector<render::Picture>> MethodsPicture::draw(float time, const Viewpoint& from) {
  std::vector<MethodRun>& runs = *runs_;
  for (MethodRun& run : runs) run.actor.pose(moment(run, time));
  const float size = runs[0].actor.character().size(), scale = kMillimetresInOne * (size > 0 ? size : 1.0f);
  std::vector<std::vector<float>> apart = differences_[0].shares(runs[0].actor, runs[0].actor);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const std::vector<std::vector<float>> own = differences_[i].shares(runs[0].actor, runs[i].actor);
    for (std::size_t part = 0; part < own.size(); ++part)
      for (std::size_t v = 0; v < own[part].size(); ++v) apart[part][v] = std::max(apart[part][v], own[part][v]);
  }
  std::vector<std::vector<render::Rgba>> hot;
  float largest = 0;
  for (const std::vector<float>& part : apart) {
    hot.emplace_back();
    for (const float share : part)
      hot.back().push_back(ramp(share * scale / top_)), largest = std::max(largest, share * scale);
  }
  render::Look look = look_of(from, plan_);
  look.ground_y = viewpoint_.ground();
  const int letters = std::max(1, static_cast<int>(std::min(plan_.width, plan_.height)) / 300);
  std::vector<render::Picture> out;
  for (std::size_t i = 0; i < pictures(); ++i) {
    const bool heat = i == runs.size();
    const std::size_t of = heat ? 0 : i;
    if (heat) runs[0].actor.paint(hot);
    Result<render::Picture> picture = renderers_[of].draw(runs[of].actor.moved(), look);
    if (heat) runs[0].actor.paint({});
    if (!picture) return Unexpected(picture.error());
    const std::string title = heat ? fmt::format("apart from {}", runs[0].name) : runs[i].name;
    const std::string note = heat     ? fmt::format("{} mm at most; red: {} mm", rounded(largest), rounded(top_))
                             : i == 0 ? fmt::format("{:.3f} s", time)
                                      : std::string();
    write_labels(*picture, title, note, plan_, letters);
    out.push_back(std::move(*picture));
  }
  return out;
}

Result<render::Picture> MethodsPicture::sheet() {
  render::Picture out(width(false), height(false));
  for (std::size_t column = 0; column < times_.size(); ++column) {
    const Result<std::vector<render::Picture>> drawn = draw(times_[column], seen({&times_[column], 1}));
    if (!drawn) return Unexpected(drawn.error());
    for (std::size_t row = 0; row < pictures(); ++row)
      render::paste(out, (*drawn)[row], plan_.width * static_cast<std::uint32_t>(column),
                    plan_.height * static_cast<std::uint32_t>(row));
  }
  return out;
}

Result<render::Picture> MethodsPicture::frame(float time) {
  render::Picture out(width(true), height(true));
  const Result<std::vector<render::Picture>> drawn = draw(time, viewpoint_);
  if (!drawn) return Unexpected(drawn.error());
  for (std::size_t i = 0; i < pictures(); ++i)
    render::paste(out, (*drawn)[i], plan_.width * static_cast<std::uint32_t>(i), 0);
  return out;
}

std::string methods_svg(const std::string& title, const std::vector<MethodRun>& runs, const std::vector<float>& times) {
  constexpr double kSide = 74, kWide = 620, kTall = 170, kTop = 70, kStep = 250;
  constexpr std::string_view kLines = "#ddd", kPale = "#666";
  const bool volume = runs[0].shapes[0].volume.has_value();
  const std::size_t panels = volume ? 3 : 2;
  Svg svg(kSide + kWide + 30, kTop + kStep * static_cast<double>(panels), title);
  svg.text(16, 26, title, {.size = 15, .bold = true});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double x = kSide + 110 * static_cast<double>(i);
    svg.line(x, 42, x + 22, 42, kStrokes[i % std::size(kStrokes)]);
    svg.text(x + 28, 46, runs[i].name, {});
  }
  const double first = static_cast<double>(times.front()), span = std::max(double(times.back()) - first, 1e-9);
  for (std::size_t p = 0; p < panels; ++p) {
    const double top = kTop + kStep * static_cast<double>(p) + 14;
    const Range range = range_of(kPanels[p], runs);
    const auto y = [&](double v) { return top + kTall * (1 - (v - range.low) / (range.high - range.low)); };
    const auto x = [&](double t) { return kSide + kWide * (t - first) / span; };
    svg.text(kSide, top - 6, kPanels[p].title, {.bold = true});
    for (const double v : ticks(range.low, range.high, 4)) {
      svg.line(kSide, y(v), kSide + kWide, y(v), kLines);
      svg.text(kSide - 6, y(v) + 4, rounded(v, 4), {.anchor = "end", .fill = kPale});
    }
    for (const double t : ticks(first, first + span, 8)) {
      svg.line(x(t), top + kTall, x(t), top + kTall + 4, kPale);
      svg.text(x(t), top + kTall + 16, rounded(t, 4), {.anchor = "middle", .fill = kPale});
    }
    svg.text(kSide + kWide / 2, top + kTall + 32, "time, s", {.anchor = "middle", .fill = kPale});
    for (std::size_t i = 0; i < runs.size(); ++i) {
      std::vector<std::pair<double, double>> points;
      for (std::size_t k = 0; k < times.size(); ++k)
        points.emplace_back(x(static_cast<double>(times[k])), y(kPanels[p].value(runs[i].shapes[k])));
      svg.path(points, kStrokes[i % std::size(kStrokes)]);
    }
  }
  return svg.finish();
}

}  // namespace sinew::tool
