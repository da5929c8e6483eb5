// Picture: pixels in memory, and what is drawn on them without a device: other pictures, boxes, labels.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew::render {

using Rgba = std::array<std::uint8_t, 4>;  // sRGB, alpha not multiplied in

/// Rows from the top, 4 bytes a pixel.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Picture() = default;
  Picture(std::uint32_t w, std::uint32_t h, Rgba colour = {0, 0, 0, 0});
  std::uint8_t* at(std::uint32_t x, std::uint32_t y) { return &pixels[(std::size_t(y) * width + x) * 4]; }
  const std::uint8_t* at(std::uint32_t x, std::uint32_t y) const { return &pixels[(std::size_t(y) * width + x) * 4]; }
};

/// Copies a picture; what lies outside is left out.
void paste(Picture& onto, const Picture& what, std::uint32_t x, std::uint32_t y);
/// Blends a colour over a box.
void fill(Picture& onto, int x, int y, int width, int height, Rgba colour);

inline constexpr int kGlyphWidth = 6, kGlyphHeight = 9;  // with the space between letters and lines, at scale 1
/// ASCII; each other character of UTF-8 is drawn as a box. What lies outside is left out.
void write_text(Picture& onto, int x, int y, std::string_view text, Rgba colour, int scale = 1);
/// Pixels that the text takes.
int text_width(std::string_view text, int scale = 1);
/// As much of the text as fits, from its start.
std::string_view fitting(std::string_view text, int width, int scale = 1);

}  // namespace sinew::render
