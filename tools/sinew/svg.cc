#include "svg.h"

#include <fmt/format.h>

#include <cmath>

#include "text.h"

namespace sinew::tool {

namespace {

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : shown(text)) {  // XML has no control characters
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title) {
  out_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n",
      width, height, in_xml(title));
  box(0, 0, width, height, "#fff");
}

void Svg::box(double x, double y, double width, double height, std::string_view fill) {
  out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y, width,
                      height, fill);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, std::string_view dashes) {
  out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\"{}/>\n", x1, y1, x2,
                      y2, stroke, dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

void Svg::path(const std::vector<std::pair<double, double>>& points, std::string_view stroke) {
  out_ += "<polyline fill=\"none\" stroke-width=\"1.2\" stroke-linejoin=\"round\" stroke=\"" + std::string(stroke) +
          "\" points=\"";
  for (const auto& [x, y] : points) out_ += fmt::format("{:.2f},{:.2f} ", x, y);
  out_ += "\"/>\n";
}

void Svg::text(double x, double y, std::string_view text, const Type& type) {
  out_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{} stroke=\"#fff\" "
      "stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>\n",
      x, y, type.size, type.anchor, type.fill, type.bold ? " font-weight=\"bold\"" : "", in_xml(text));
}

std::vector<double> ticks(double low, double high, int count) {
  const double rough = (high - low) / count;
  if (!(rough > 0) || !std::isfinite(rough)) return {low};
  const double power = std::pow(10.0, std::floor(std::log10(rough))), rest = rough / power;
  const double step = power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
  std::vector<double> out;
  // Counted, for a sum of steps would not end where it should.
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) out.push_back(i * step);
  return out;
}

}  // namespace sinew::tool
