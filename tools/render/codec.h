// Codec: PNG, JPEG and WebP into pictures, and pictures into PNG and WebP.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "render/picture.h"
#include "sinew/result.h"

namespace sinew::render {

/// A picture of more pixels than this is refused before memory is taken for it.
inline constexpr std::size_t kPixelLimit = std::size_t(1) << 26;

/// By content. Error: no such format, or broken, or too large.
Result<Picture> decode(std::span<const std::byte> bytes);

Result<std::vector<std::byte>> encode_png(const Picture& picture);
/// Lossy at a quality that shows no fault at its own size; alpha is kept.
Result<std::vector<std::byte>> encode_webp(const Picture& picture);

}  // namespace sinew::render
