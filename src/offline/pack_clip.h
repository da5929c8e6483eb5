// Bits of a packed clip (docs/compression.md): tracks whose numbers are decided, to bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "offline/compress_maths.h"
#include "runtime/packed_tracks.h"

namespace sinew::detail {

/// A track that moves. What it wants of each component in each frame, in steps from its centre, is rounded by the packer.
struct MovingTrack {
  std::uint32_t target = 0;
  std::uint32_t mean = 0;         ///< rotations: packed
  std::array<float, 3> centre{};  ///< others
  std::array<std::uint8_t, 3> codes{};
  std::array<std::vector<double>, 3> wanted;
};
struct ConstantTrack {
  std::uint32_t target = 0;
  std::uint64_t rotation = 0;    ///< packed
  std::array<float, 3> value{};  ///< others
};

struct PackPlan {
  std::uint32_t frame_count = 1;
  double first = 0, seconds_per_frame = 0;
  float last = 0;
  int length_exponent = 0;
  std::size_t joint_count = 0, channel_count = 0;
  std::array<std::vector<MovingTrack>, kSections> moving;  ///< by target, as are the next
  std::array<std::vector<ConstantTrack>, kSections> constant;
};

/// A component's numbers in segments of 1 << shift frames: the knots' own, and elsewhere the residual to the line between
/// knots.
struct Rounded {
  std::vector<std::int32_t> numbers;
  std::vector<double> reached;  ///< what a reader makes of them
  unsigned knot_bits = 0;       ///< of the widest knot
  bool fits = true;             ///< in the bits that there are
};
void round_numbers(std::span<const double> wanted, unsigned shift, Rounded& out);
/// The place of a frame in its segment, 0 for knots, and the segment's length.
struct FramePlace {
  std::uint32_t start, row, length;
};
FramePlace frame_place(std::uint32_t frame, std::uint32_t frame_count, unsigned shift);

/// The nearest that there is.
std::uint32_t pack_mean(Quatd q);
std::uint64_t pack_constant(Quatd q);
/// The largest step of a code that is not above `step`, or code 0.
std::uint8_t step_code(int exponent, double step, unsigned greatest);

std::vector<std::uint8_t> pack(const PackPlan& plan, unsigned shift);
/// Bytes of `pack`, without making them.
std::size_t packed_size(const PackPlan& plan, unsigned shift);

}  // namespace sinew::detail
