// The runtime file's header and what reader and writer must agree on. docs/file_format.md says it in words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/clip.h"
#include "sinew/math.h"
#include "sinew/skeleton.h"

namespace sinew::detail {

static_assert(std::endian::native == std::endian::little, "the file's arrays are read in place and are little-endian");

/// A byte above 127, line ends of both kinds and an end-of-file mark: transfers that change text spoil it at once.
inline constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'S', 'N', 'W', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kUnstable = 1;  // a flag: no promise that later builds read this version

struct FileHeader {
  std::array<std::uint8_t, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t flags = kUnstable;
  std::uint64_t file_size = 0;         // bytes, header included
  std::uint64_t directory_offset = 0;  // a multiple of 64
  std::uint64_t directory_size = 0;    // bytes
  std::array<std::uint8_t, 24> reserved = {};
};
static_assert(sizeof(FileHeader) == kAlignment && offsetof(FileHeader, reserved) == 40);

constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// What the padding of a pose's streams holds: the identity.
inline constexpr std::array<float, kStreams> kIdentityStreams = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

/// Rotations must have this length, weights this sum; what float arithmetic leaves is far smaller.
inline constexpr float kUnitTolerance = 1e-3f;
inline constexpr float kSumTolerance = 1e-5f;

/// Rows of a group's keys.
constexpr std::size_t rows_per_key(Interpolation interpolation) {
  return interpolation == Interpolation::cubicspline ? 3 : 1;
}

/// Start of bucket `b` of `count` equal shares of a list of key times.
inline double bucket_start(std::span<const float> times, std::size_t b, std::size_t count) {
  return times.front() + (double(times.back()) - times.front()) * (double(b) / double(count));
}

}  // namespace sinew::detail
