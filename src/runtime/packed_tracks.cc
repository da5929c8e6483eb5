#include "runtime/packed_tracks.h"

#include <algorithm>
#include <bit>

namespace sinew::detail {
namespace {

/// Modified Rodrigues parameters (tan of a quarter of the angle, along the axis) of `bits` bits each, in [-1, 1].
Quat from_parameters(std::uint64_t packed, unsigned bits) {
  const double top = double((std::uint64_t{1} << bits) - 1);
  double u[3], square = 0;
  for (unsigned c = 0; c < 3; ++c) {
    const double number = double((packed >> (c * bits)) & ((std::uint64_t{1} << bits) - 1));
    u[c] = (2 * number - (top - 1)) / (top - 1);  // the middle number is 0, the greatest is not used
    square += u[c] * u[c];
  }
  const double scale = 1 / (1 + square);
  return quat_xyzw(float(2 * u[0] * scale), float(2 * u[1] * scale), float(2 * u[2] * scale),
                   float((1 - square) * scale));
}

}  // namespace

double packed_step(int exponent, unsigned code) {
  static constexpr double kEighths[] = {1,
                                        1.0905077326652577,
                                        1.189207115002721,
                                        1.2968395546510096,
                                        1.4142135623730951,
                                        1.5422108254079407,
                                        1.681792830507429,
                                        1.8340080864093424};
  // Of any exponent of 8 bits the power is a normal number, written as one.
  constexpr int kBias = 1023, kFractionBits = 52;
  return kEighths[code % 8] * std::bit_cast<double>(std::uint64_t(kBias + exponent + int(code / 8)) << kFractionBits);
}

Quat unpack_mean(std::uint32_t bits) { return from_parameters(bits, 10); }
Quat unpack_constant(std::uint64_t bits) { return from_parameters(bits, 21); }

PackedPlace place(const PackedTracks& tracks, float time) {
  const std::uint32_t steps = tracks.frame_count - 1;
  PackedPlace out;
  if (steps == 0) return out;
  const double at = (double(time) - tracks.first) * tracks.frames_per_second;
  std::uint32_t frame = std::uint32_t(std::clamp(at, 0.0, double(steps - 1)));
  // Frames are where keys were: at times that floats can hold.
  const auto frame_time = [&](std::uint32_t f) {
    return f == steps ? tracks.last_time : float(tracks.first + double(f) * tracks.seconds_per_frame);
  };
  float earlier = frame_time(frame), later = frame_time(frame + 1);
  if (time < earlier && frame > 0) later = earlier, earlier = frame_time(--frame);
  if (time >= later && frame + 1 < steps) earlier = later, later = frame_time(++frame + 1);
  out.segment = frame >> tracks.segment_shift;
  const auto start = std::uint32_t(out.segment << tracks.segment_shift);
  out.row = frame - start;
  out.length = std::min(std::uint32_t{1} << tracks.segment_shift, steps - start);
  out.factor = later > earlier ? std::clamp((time - earlier) / (later - earlier), 0.0f, 1.0f) : 0.0f;
  return out;
}

}  // namespace sinew::detail
