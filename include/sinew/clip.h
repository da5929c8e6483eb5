// Clip: an animation as the runtime plays it, keyframes in groups of tracks with equal times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/bytes.h"
#include "sinew/scene.h"

namespace sinew {
namespace detail {
struct PackedTracks;
}

/// Tracks with the same key times and interpolation. Row k of `keys` holds the values of key k of all tracks: four
/// sections (rotations, translations, scales, channels), each in blocks of 16 tracks, a block being 4, 3, 3 or 1 runs
/// of 16 floats, one a component. Cubicspline has three rows a key: in-tangent, value, out-tangent.
struct ClipGroup {
  Interpolation interpolation = Interpolation::linear;
  std::span<const float> times;              ///< seconds, not decreasing, at least one
  std::span<const std::uint32_t> buckets;    ///< last key at or before the start of each of so many equal spans of time
  std::span<const std::uint32_t> rotations;  ///< joints driven, one a track, without padding; so are the next
  std::span<const std::uint32_t> translations, scales;
  std::span<const std::uint32_t> channels;  ///< pose channels driven
  std::span<const float> keys;
  std::size_t row_floats() const {
    return 4 * padded(rotations.size()) + 3 * padded(translations.size()) + 3 * padded(scales.size()) +
           padded(channels.size());
  }
};

/// An animation: key data in groups. What no track drives keeps the rest value.
struct Clip {
  std::string_view name;
  std::uint64_t id = 0;  ///< of its content and place; no two clips of a character share one
  std::uint64_t skeleton_id = 0;
  std::int32_t source_clip = kNone;
  float first_key = 0;    ///< seconds; need not be 0
  float duration = 0;     ///< seconds; the time of the last key
  float wrap_period = 0;  ///< seconds after which a loop repeats; 0: none
  std::span<const ClipGroup> groups;
  const detail::PackedTracks* packed = nullptr;      ///< tracks that `compress` packed; null: none
  std::span<const std::uint8_t> packed_bytes;        ///< they as stored (docs/compression.md)
  std::uint32_t joint_count = 0, channel_count = 0;  ///< of its skeleton; `open` fills them in, and these:
  bool all_rotations = false, all_translations = false, all_scales = false;  ///< whether tracks write every joint
};

}  // namespace sinew
