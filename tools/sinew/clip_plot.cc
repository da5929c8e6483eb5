#include "clip_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "costs.h"
#include "packing.h"
#include "svg.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr double kMargin = 16, kHead = 66, kPanelHead = 26, kAxis = 34, kGap = 34;
constexpr double kCurveLeft = 74, kCurveWidth = 500, kCurveHeight = 260;
constexpr double kBarLeft = 790, kBarWidth = 300, kBarRow = 15, kPlotWidth = 1180;
constexpr std::size_t kMostBars = 24;
constexpr std::string_view kGrid = "#ddd", kInk = "#333", kFaint = "#666", kLimit = "#c62828", kCurve = "#1565c0";

/// The parts of a bar, in the order in which they stand.
struct Kind {
  const char* name;
  const char* colour;
  double JointBytes::*bytes;
};
constexpr Kind kKinds[] = {{"constants and ranges", "#8e8e8e", &JointBytes::parameters},
                           {"knots", "#1565c0", &JointBytes::knots},
                           {"widths", "#90caf9", &JointBytes::widths},
                           {"residuals", "#2e9e6b", &JointBytes::residuals},
                           {"keys", "#ef8e1d", &JointBytes::keys}};

/// A frame with axes: from numbers to places.
struct Axes {
  double left, top, first, last, high;  // seconds, millimetres
  double x(double seconds) const {
    return left + (last > first ? (seconds - first) / (last - first) : 0.5) * kCurveWidth;
  }
  double y(double mm) const { return top + kCurveHeight * (1 - mm / high); }
};

void draw_axes(Svg& svg, const Axes& axes) {
  const double bottom = axes.top + kCurveHeight;
  for (const double mm : ticks(0, axes.high, 4)) {
    svg.line(axes.left, axes.y(mm), axes.left + kCurveWidth, axes.y(mm), kGrid);
    svg.text(axes.left - 6, axes.y(mm) + 4, rounded(mm, 4), {.anchor = "end", .fill = kFaint});
  }
  for (const double t : ticks(axes.first, axes.last, 8)) {
    svg.line(axes.x(t), bottom, axes.x(t), bottom + 4, kFaint);
    svg.text(axes.x(t), bottom + 16, rounded(t, 4), {.anchor = "middle", .fill = kFaint});
  }
  svg.text(axes.left + kCurveWidth / 2, bottom + 31, "time, s", {.anchor = "middle", .fill = kFaint});
  svg.text(axes.left - 6, axes.top - 6, "error, mm", {.anchor = "end", .fill = kFaint});
}

/// The largest of each pixel's errors, for thousands of points would only make the file large.
std::vector<std::pair<double, double>> curve_points(const ClipError& error, const Axes& axes) {
  std::vector<std::pair<double, double>> out;
  const bool all = error.times.size() <= 2 * static_cast<std::size_t>(kCurveWidth);
  for (std::size_t i = 0; i < error.times.size(); ++i) {
    const double x = axes.x(static_cast<double>(error.times[i]));
    const double y = axes.y(static_cast<double>(error.errors[i]) * 1000);
    if (all || out.empty() || std::floor(x) > std::floor(out.back().first)) {
      out.emplace_back(x, y);
    } else if (y < out.back().second) {
      out.back().second = y;
    }
  }
  return out;
}

void draw_curve(Svg& svg, double top, const ClipError& error, double tolerance) {
  if (error.times.empty()) return;
  constexpr double kRoom = 1.15;
  const double limit = tolerance * 1000;
  const Axes axes{kCurveLeft, top, static_cast<double>(error.times.front()), static_cast<double>(error.times.back()),
                  kRoom * std::max(limit, error.largest * 1000)};
  draw_axes(svg, axes);
  svg.path(curve_points(error, axes), kCurve);
  if (error.times.size() == 1) svg.box(axes.x(axes.first) - 2, axes.y(error.largest * 1000) - 2, 4, 4, kCurve);
  svg.line(axes.left, axes.y(limit), axes.left + kCurveWidth, axes.y(limit), kLimit, "5 3");
  svg.text(axes.left + kCurveWidth, axes.y(limit) - 5, fmt::format("tolerance {} mm", rounded(limit)),
           {.anchor = "end", .fill = kLimit});
}

/// At most so many rows: the rest in one.
std::vector<JointBytes> fewer(std::vector<JointBytes> rows) {
  if (rows.size() <= kMostBars + 1) return rows;
  JointBytes rest;
  rest.name = fmt::format("{} others", rows.size() - kMostBars);
  for (auto row = rows.begin() + kMostBars - 1; row != rows.end() - 1; ++row)
    for (const Kind& kind : kKinds) rest.*kind.bytes += (*row).*kind.bytes;
  rows.erase(rows.begin() + kMostBars - 1, rows.end() - 1);
  rows.insert(rows.end() - 1, rest);
  return rows;
}

/// A long name's start; its column is so wide.
std::string name_to_fit(const std::string& name) {
  constexpr std::size_t kLetters = 26;
  if (name.size() <= kLetters) return name;
  std::size_t end = kLetters - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // whole characters of UTF-8
  return name.substr(0, end) + "…";
}

void draw_bars(Svg& svg, double top, const std::vector<JointBytes>& rows) {
  double most = 1;
  for (const JointBytes& row : rows) most = std::max(most, row.sum());
  double y = top;
  for (const JointBytes& row : rows) {
    svg.text(kBarLeft - 6, y + kBarRow - 4, name_to_fit(row.name), {.anchor = "end"});
    double x = kBarLeft;
    for (const Kind& kind : kKinds) {
      const double width = row.*kind.bytes / most * kBarWidth;
      if (width > 0) svg.box(x, y + 2, width, kBarRow - 4, kind.colour);
      x += width;
    }
    svg.text(x + 6, y + kBarRow - 4, fmt::format("{} B", grouped(static_cast<std::uint64_t>(row.sum() + 0.5))),
             {.fill = kFaint});
    y += kBarRow;
  }
}

void draw_legend(Svg& svg, double y) {
  svg.text(kBarLeft - 190, y, "bytes by joint:", {.bold = true});
  double x = kBarLeft - 90;
  for (const Kind& kind : kKinds) {
    svg.box(x, y - 9, 10, 10, kind.colour);
    svg.text(x + 14, y, kind.name, {.fill = kFaint});
    x += 34 + 6.4 * static_cast<double>(std::string_view(kind.name).size());
  }
}

double panel_height(std::size_t bars) {
  return kPanelHead + std::max(kCurveHeight + kAxis, kBarRow * static_cast<double>(bars)) + kGap;
}

}  // namespace

std::string plot_svg(const std::string& title, const Character& character, double tolerance,
                     const std::vector<PlottedClip>& clips) {
  std::vector<std::vector<JointBytes>> bars;
  double height = kHead;
  for (const PlottedClip& plotted : clips) {
    bars.push_back(fewer(bytes_by_joint(character, *plotted.clip)));
    height += panel_height(bars.back().size());
  }
  Svg svg(kPlotWidth, height + kMargin, title);
  svg.text(kMargin, 26, title, {.size = 15, .bold = true});
  svg.text(kMargin, 48, "largest error of any vertex or point about a joint, over time", {.fill = kFaint});
  draw_legend(svg, 48);
  double top = kHead;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const ClipError& error = *clips[i].error;
    svg.text(kMargin, top + 12, clip_name(*clips[i].clip), {.size = 13, .bold = true});
    svg.text(kCurveLeft + kCurveWidth, top + 12,
             fmt::format("at most {} mm, at {:.3f} s", millimetres(error.largest), error.seconds),
             {.anchor = "end", .fill = kInk});
    svg.text(kBarLeft, top + 12, fmt::format("{} bytes", grouped(clip_bytes(*clips[i].clip))), {});
    draw_curve(svg, top + kPanelHead + 8, error, tolerance);
    draw_bars(svg, top + kPanelHead, bars[i]);
    top += panel_height(bars[i].size());
  }
  return svg.finish();
}

Result<void> check_plot_name(const std::string& path) {
  if (path.empty() || path.ends_with(".svg") || path.ends_with(".SVG")) return {};
  return fail(ErrorCode::bad_argument, "--plot", fmt::format("{} does not end in .svg", in_quotes(path)),
              "a plot is an SVG: give a name that ends so");
}

}  // namespace sinew::tool
