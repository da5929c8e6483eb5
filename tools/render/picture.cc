#include "render/picture.h"

#include <algorithm>
#include <cstring>

#include "render/font.h"

namespace sinew::render {

namespace {

/// Bytes that begin a character: UTF-8's others are left out.
bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

void blend(std::uint8_t* pixel, Rgba colour) {
  const int a = colour[3];
  for (int i = 0; i < 3; ++i) pixel[i] = static_cast<std::uint8_t>((pixel[i] * (255 - a) + colour[i] * a + 127) / 255);
  pixel[3] = static_cast<std::uint8_t>(pixel[3] + (255 - pixel[3]) * a / 255);
}

}  // namespace

Picture::Picture(std::uint32_t w, std::uint32_t h, Rgba colour) : width(w), height(h), pixels(std::size_t(w) * h * 4) {
  for (std::size_t i = 0; i < pixels.size(); i += 4) std::memcpy(&pixels[i], colour.data(), 4);
}

void paste(Picture& onto, const Picture& what, std::uint32_t x, std::uint32_t y) {
  if (x >= onto.width) return;
  const std::uint32_t columns = std::min(what.width, onto.width - x);
  for (std::uint32_t row = 0; row < what.height && y + row < onto.height; ++row)
    std::memcpy(onto.at(x, y + row), what.at(0, row), std::size_t(columns) * 4);
}

void fill(Picture& onto, int x, int y, int width, int height, Rgba colour) {
  const int right = std::min<int>(x + width, static_cast<int>(onto.width)),
            bottom = std::min<int>(y + height, static_cast<int>(onto.height));
  for (int row = std::max(y, 0); row < bottom; ++row)
    for (int column = std::max(x, 0); column < right; ++column)
      blend(onto.at(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)), colour);
}

void write_text(Picture& onto, int x, int y, std::string_view text, Rgba colour, int scale) {
  for (const char c : text) {
    if (!begins(c)) continue;
    const Glyph& glyph = glyph_of(c);
    for (int column = 0; column < 5; ++column)
      for (int row = 0; row < 8; ++row)
        if (glyph[static_cast<std::size_t>(column)] & (1 << row))
          fill(onto, x + column * scale, y + row * scale, scale, scale, colour);
    x += kGlyphWidth * scale;
  }
}

int text_width(std::string_view text, int scale) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), begins)) * kGlyphWidth * scale;
}

std::string_view fitting(std::string_view text, int width, int scale) {
  while (!text.empty() && text_width(text, scale) > width) {
    std::size_t end = text.size() - 1;
    while (end > 0 && !begins(text[end])) --end;
    text = text.substr(0, end);
  }
  return text;
}

}  // namespace sinew::render
