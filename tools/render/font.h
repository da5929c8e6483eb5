// A font of 5 x 8 dots for labels.
#pragma once

#include <array>
#include <cstdint>

namespace sinew::render {

/// Columns from the left; the lowest bit is the top dot. The eighth row is for tails.
using Glyph = std::array<std::uint8_t, 5>;
/// Of a character of ASCII; a box for all others.
const Glyph& glyph_of(char c);

}  // namespace sinew::render
