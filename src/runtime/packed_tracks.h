// Tracks at even times, packed to bits: the form that a clip's `packed` array holds (docs/compression.md says it in words), and
// what `open` unpacks of it for sampling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/bytes.h"
#include "sinew/character.h"

namespace sinew::detail {

/// The packed array begins with this.
struct PackedHeader {
  double first = 0, seconds_per_frame = 0;  // frame f is at the float nearest to first + f * seconds_per_frame
  float last = 0;                           // seconds; of the last frame, which may come earlier
  std::uint32_t frame_count = 1;
  std::int8_t length_exponent = 0;  // of 2: the step of code 0 of translations
  std::uint8_t segment_shift = 2;   // a segment is 1 << segment_shift frames long, the last one may be shorter
  std::uint8_t sets = 0;            // bit 2 * section: some tracks move; the next bit: some are constant
  std::uint8_t reserved = 0;
};
inline constexpr std::size_t kPackedHeaderBytes = 28;  // without what aligns the structure
static_assert(offsetof(PackedHeader, reserved) == kPackedHeaderBytes - 1);

/// Sections in the order in which they are stored; paths of the same number.
inline constexpr std::size_t kSections = 4;
inline constexpr std::array<Path, kSections> kSectionPaths = {Path::rotation, Path::translation, Path::scale,
                                                              Path::weights};
constexpr std::size_t section_components(std::size_t section) { return section == 3 ? 1 : 3; }

inline constexpr std::uint8_t kGreatestShift = 6;
/// Bits of a residual, by its code.
inline constexpr std::array<std::uint8_t, 16> kResidualBits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20};
/// Bits of a track's knot: so many at most a component, and for all of them, as many as its residuals can have.
inline constexpr unsigned kKnotBits = 24, kTrackKnotBits = 60;
/// A reader takes up to two registers of 64 bytes at a time: so many bytes of the file must follow.
inline constexpr std::size_t kReadAhead = 128;

/// Steps are eighths of octaves above a power of two.
double packed_step(int exponent, unsigned code);
inline constexpr int kAngularExponent = -30;                             // of rotations, scales and morph weights
inline constexpr unsigned kGreatestAngularCode = 8 * -kAngularExponent;  // a step of 1

/// 64 bits from bit `at` on, the lowest first.
inline std::uint64_t read_bits(const std::uint8_t* bytes, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, bytes + (at >> 3), sizeof word);
  // Of the ninth byte none where `at` begins a byte: shifted in two steps, for 64 at once is undefined.
  return word >> (at & 7) | std::uint64_t{bytes[(at >> 3) + 8]} << 1 << (63 - (at & 7));
}

/// One path's tracks.
struct PackedSection {
  std::span<std::uint32_t> targets;  // joints or channels that move, increasing
  /// In blocks of 16 tracks, component by component, aligned: what lattice numbers are multiplied by, and what is added. A
  /// rotation's centre is its mean, a quaternion.
  std::span<float> steps, centres;
  std::span<std::uint32_t> knot_starts, knot_widths;  // in bits, in the same blocks
  unsigned widest_knot = 0;
  std::span<std::uint32_t> constant_targets;  // increasing
  std::span<float> constants;                 // 4, 3, 3 or 1 a target
};

struct PackedSegment {
  std::uint32_t offset = 0;    // of its knots, in bytes from `data`; the next segment's knots end it
  std::uint32_t row_bits = 0;  // of one frame's residuals
};

struct PackedTracks {
  std::uint32_t frame_count = 1, segment_shift = 0;
  double first = 0, seconds_per_frame = 0, frames_per_second = 0;
  float first_time = 0, last_time = 0;  // of the first frame and the last one, seconds
  std::array<PackedSection, kSections> sections;
  /// The rest pose with the constants of joints in it, as streams; empty where there are too few for the memory that takes.
  std::span<float> base;
  const std::uint8_t* data = nullptr;
  std::uint32_t knot_bytes = 0, code_bytes = 0;  // of a row of knots; of a segment's codes
  std::span<PackedSegment> segments;             // and one more: the last row of knots
  std::size_t table_bytes = 0;                   // of all these tables, which lie in the character's memory

  bool moves() const { return !segments.empty(); }
};

/// A time among the frames: between two rows of one segment.
struct PackedPlace {
  std::size_t segment = 0;
  std::uint32_t row = 0, length = 1;  // of the earlier frame from the segment's knots on; frames of the segment
  float factor = 0;                   // towards the next frame
};
PackedPlace place(const PackedTracks& tracks, float time);

/// Where the bits of one segment lie.
struct PackedBits {
  const std::uint8_t *knots, *next_knots, *codes, *residuals;
  explicit PackedBits(const PackedTracks& tracks, std::size_t segment)
      : knots(tracks.data + tracks.segments[segment].offset),
        next_knots(tracks.data + tracks.segments[segment + 1].offset),
        codes(knots + tracks.knot_bytes),
        residuals(codes + tracks.code_bytes) {}
};

/// A rotation's mean: three components of 10 bits, modified Rodrigues parameters from -1 to 1.
Quat unpack_mean(std::uint32_t bits);
/// A constant rotation: the same with 21 bits each.
Quat unpack_constant(std::uint64_t bits);

}  // namespace sinew::detail
