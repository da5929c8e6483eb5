// SVG: a drawing of rectangles, lines and text, as the XML of a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::tool {

/// Lengths in pixels from the top left corner; colours as CSS has them.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);
  void box(double x, double y, double width, double height, std::string_view fill);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke, std::string_view dashes = {});
  void path(const std::vector<std::pair<double, double>>& points, std::string_view stroke);
  struct Type {
    double size = 11;
    std::string_view anchor = "start";  ///< start, middle or end
    std::string_view fill = "#333";
    bool bold = false;
  };
  /// On a white rim, so that lines behind it leave it legible.
  void text(double x, double y, std::string_view text, const Type& type);
  /// All of it. Nothing more can be added.
  std::string finish() { return std::move(out_) + "</svg>\n"; }

 private:
  std::string out_;
};

/// About `count` round numbers from 0 or above `low` to at most `high`.
std::vector<double> ticks(double low, double high, int count);

}  // namespace sinew::tool
