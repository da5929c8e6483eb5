#include <cmath>

#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/open_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Numbers = hn::ScalableTag<float>;
using Bits = hn::RebindToUnsigned<Numbers>;

/// Ones in the exponent's place where it is that of infinity or of what is no number.
HWY_INLINE hn::Vec<Bits> exponents_full(hn::Vec<Bits> bits) {
  const hn::Vec<Bits> full = hn::Set(Bits(), 0x7f800000u);
  return hn::VecFromMask(Bits(), hn::Eq(hn::And(bits, full), full));
}

HWY_INLINE bool finite(const float* values, std::size_t count) {
  const Bits d;
  const std::size_t lanes = hn::Lanes(d);
  const auto* const bits = reinterpret_cast<const std::uint32_t*>(values);
  hn::Vec<Bits> bad = hn::Zero(d), bad2 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    bad = hn::Or(bad, exponents_full(hn::LoadU(d, bits + i)));
    bad2 = hn::Or(bad2, exponents_full(hn::LoadU(d, bits + i + lanes)));
  }
  bool sound = hn::AllTrue(d, hn::Eq(hn::Or(bad, bad2), hn::Zero(d)));
  for (; i < count; ++i) sound = sound && std::isfinite(values[i]);
  return sound;
}

HWY_ATTR bool all_finite(std::span<const float> values) { return finite(values.data(), values.size()); }

HWY_ATTR bool unit_rotations(const float* blocks, std::size_t count, float tolerance) {
  const hn::CappedTag<float, kLanes> d;
  // A little less than is allowed: what is close to the bound, the caller looks at.
  const auto least = hn::Set(d, (1 - 0.99f * tolerance) * (1 - 0.99f * tolerance));
  const auto most = hn::Set(d, (1 + 0.99f * tolerance) * (1 + 0.99f * tolerance));
  auto sound = hn::Ge(least, least);
  for (std::size_t block = 0; block < count; ++block, blocks += 4 * kLanes)
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
      const auto x = hn::Load(d, blocks + i), y = hn::Load(d, blocks + kLanes + i);
      const auto z = hn::Load(d, blocks + 2 * kLanes + i), w = hn::Load(d, blocks + 3 * kLanes + i);
      const auto square = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, hn::Mul(w, w))));
      sound = hn::And(sound, hn::And(hn::Ge(square, least), hn::Le(square, most)));  // neither where it is no number
    }
  return hn::AllTrue(d, sound);
}

HWY_ATTR bool sound_weights(std::span<const float> weights, float tolerance) {
#if HWY_TARGET == HWY_SCALAR
  (void)weights, (void)tolerance;
  return false;  // the caller looks at each vertex
#else
  const hn::CappedTag<float, kLanes> d;
  // The first of each four has none before it; the sum bounds it.
  alignas(64) static constexpr float kFirst[kLanes] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};
  const auto first = hn::Load(d, kFirst), zero = hn::Zero(d);
  const auto least = hn::Set(d, 1 - 0.9f * tolerance), most = hn::Set(d, 1 + 0.9f * tolerance);
  auto sound = hn::Eq(zero, zero);
  const std::size_t lanes = hn::Lanes(d), whole = weights.size() - weights.size() % kLanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto w = hn::Load(d, weights.data() + i);
    const auto before = hn::Add(hn::Shuffle2103(w), first);  // w3 + 2, w0, w1, w2
    const auto pairs = hn::Add(w, hn::Shuffle2301(w)), sum = hn::Add(pairs, hn::Shuffle1032(pairs));
    sound = hn::And(sound, hn::And(hn::Ge(w, zero), hn::Le(w, before)));
    sound = hn::And(sound, hn::And(hn::Ge(sum, least), hn::Le(sum, most)));
  }
  bool rest = true;
  for (const float* w = weights.data() + whole; w != weights.data() + weights.size(); w += 4) {
    const float sum = w[0] + w[1] + w[2] + w[3];
    rest = rest && w[0] >= w[1] && w[1] >= w[2] && w[2] >= w[3] && w[3] >= 0 && std::fabs(sum - 1) <= 0.9f * tolerance;
  }
  return rest && hn::AllTrue(d, sound);
#endif
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(all_finite);
HWY_EXPORT(unit_rotations);
HWY_EXPORT(sound_weights);

bool all_finite(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(all_finite)(values); }

bool unit_rotations(const float* blocks, std::size_t count, float tolerance) {
  return HWY_DYNAMIC_DISPATCH(unit_rotations)(blocks, count, tolerance);
}

bool sound_weights(std::span<const float> weights, float tolerance) {
  return HWY_DYNAMIC_DISPATCH(sound_weights)(weights, tolerance);
}

}  // namespace sinew::kernels
#endif
