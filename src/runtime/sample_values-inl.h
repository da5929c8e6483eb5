// What keyframes and packed tracks have in common: slerp of a vector of quaternions, and where values go.
#if defined(SINEW_RUNTIME_SAMPLE_VALUES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SAMPLE_VALUES_INL_H_
#undef SINEW_RUNTIME_SAMPLE_VALUES_INL_H_
#else
#define SINEW_RUNTIME_SAMPLE_VALUES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sinew/bytes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kLanes>;
using V = hn::Vec<D>;

/// Where a block of up to kLanes tracks is written: pose streams of C components, by joint.
template <std::size_t C>
class Destination {
 public:
  Destination(float* HWY_RESTRICT first_stream, std::size_t stride, const std::uint32_t* HWY_RESTRICT joints,
              std::size_t tracks, std::size_t joint_count)
      : streams_(first_stream), stride_(stride), joints_(joints), count_(std::min(tracks, kLanes)) {
    // Joints increase, so the ends tell whether they are one run. A shorter block does as well where only padding
    // follows in the streams: its own padding is the identity too.
    const std::size_t base = joints[0], last = joints[count_ - 1];
    run_ = last - base == count_ - 1 && (count_ == kLanes || (last + 1 == joint_count && base + kLanes <= stride));
  }
  /// Lanes from `lane` on.
  HWY_INLINE void put(std::size_t component, std::size_t lane, V value) {
    const D d;
    if (run_)
      hn::StoreU(value, d, streams_ + component * stride_ + joints_[0] + lane);
    else
      hn::Store(value, d, apart_ + component * kLanes + lane);
  }
  HWY_INLINE void finish() const {
    if (run_) return;
    for (std::size_t i = 0; i < count_; ++i) {
      float* const to = streams_ + joints_[i];
      for (std::size_t c = 0; c < C; ++c) to[c * stride_] = apart_[c * kLanes + i];
    }
  }

 private:
  float* streams_;
  std::size_t stride_;
  const std::uint32_t* joints_;
  std::size_t count_;
  bool run_;
  alignas(64) float apart_[C * kLanes];
};

/// sin(factor * angle) / sin(angle) for angles of 4D unit vectors from 0 to 90 degrees, given x = sin^2(angle / 2): by its
/// series in x where all angles are small, whose coefficients depend on the factor alone.
class SineRatio {
 public:
  static constexpr std::size_t kTerms = 6;
  /// 1 / (n (n + 1/2))
  static constexpr double kShares[kTerms] = {1 / 1.5, 1 / 5.0, 1 / 10.5, 1 / 18.0, 1 / 27.5, 1 / 39.0};
  static constexpr float kSmall = 0.06f;  // 28 degrees, between keys 57 degrees apart: the rest is below 6e-9
  explicit SineRatio(float factor) : factor_(factor) {
    // 2F1(1 + f, 1 - f; 3/2; x) times f. Products only: a chain of divisions would be the longest wait of a short clip.
    const double square = double(factor) * double(factor);
    double c = factor;
    for (std::size_t k = 0; k < kTerms; ++k) {
      terms_[k] = float(c);
      const double n = double(k) + 1;
      c *= (n * n - square) * kShares[k];
    }
  }
  HWY_INLINE V small(V x) const {
    const D d;
    V sum = hn::Set(d, terms_[kTerms - 1]);
    for (std::size_t k = kTerms - 1; k-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, terms_[k]));
    return sum;
  }
  float factor() const { return factor_; }

 private:
  float factor_;
  float terms_[kTerms];
};

/// c[0] + c[1] x + …
template <std::size_t N>
HWY_INLINE V polynomial(V x, const float (&c)[N]) {
  const D d;
  V sum = hn::Set(d, c[N - 1]);
  for (std::size_t k = N - 1; k-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, c[k]));
  return sum;
}

/// From 0 to 90 degrees; to 1e-8.
HWY_INLINE V sine(V angle) {
  static constexpr float kSine[] = {1.0f, -0.16666658f, 0.008333051f, -0.00019809046f, 2.6051662e-06f};
  return hn::Mul(angle, polynomial(hn::Mul(angle, angle), kSine));
}

/// The weights of two unit quaternions at an angle whose half has a sine of square x, for angles up to 90 degrees.
HWY_INLINE void slerp_weights(V x, const SineRatio& to_a, const SineRatio& to_b, V& wa, V& wb) {
  const D d;
  wa = to_a.small(x);
  wb = to_b.small(x);
  const auto small = hn::Lt(x, hn::Set(d, SineRatio::kSmall));
  if (HWY_LIKELY(hn::AllTrue(d, small))) return;
  // asin(s) / s in s^2, up to s^2 = 1/2; to 4e-9.
  static constexpr float kArcsine[] = {1.0f,          0.16666608f, 0.07503074f,  0.04403984f, 0.036227997f,
                                       -0.008811485f, 0.11168556f, -0.14124756f, 0.12660423f};
  const V s = hn::Sqrt(x), half = hn::Mul(s, polynomial(x, kArcsine)), angle = hn::Add(half, half);
  const V whole = hn::Mul(hn::Add(s, s), hn::Sqrt(hn::Sub(hn::Set(d, 1.0f), x)));  // sin(angle)
  wa = hn::IfThenElse(small, wa, hn::Div(sine(hn::Mul(angle, hn::Set(d, to_a.factor()))), whole));
  wb = hn::IfThenElse(small, wb, hn::Div(sine(hn::Mul(angle, hn::Set(d, to_b.factor()))), whole));
}

struct Quats {
  V x, y, z, w;
};

HWY_INLINE Quats load_quats(const float* HWY_RESTRICT block) {
  const D d;
  return {hn::Load(d, block), hn::Load(d, block + kLanes), hn::Load(d, block + 2 * kLanes),
          hn::Load(d, block + 3 * kLanes)};
}

/// Along the shorter arc.
HWY_INLINE Quats slerp(const Quats& a, const Quats& b, const SineRatio& to_a, const SineRatio& to_b) {
  const D d;
  const V dot = hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, hn::Mul(a.w, b.w))));
  const V half = hn::Set(d, 0.5f);
  const V x = hn::Max(hn::NegMulAdd(half, hn::Abs(dot), half), hn::Zero(d));
  V wa, wb;
  slerp_weights(x, to_a, to_b, wa, wb);
  wb = hn::IfThenElse(hn::Lt(dot, hn::Zero(d)), hn::Neg(wb), wb);
  const auto mix = [&](V from, V to) { return hn::MulAdd(from, wa, hn::Mul(to, wb)); };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)};
}

/// Unit length; the identity where it has none.
HWY_INLINE Quats unit(const Quats& q) {
  const D d;
  const V square = hn::MulAdd(q.x, q.x, hn::MulAdd(q.y, q.y, hn::MulAdd(q.z, q.z, hn::Mul(q.w, q.w))));
  const V one = hn::Set(d, 1.0f), scale = hn::Div(one, hn::Sqrt(square));
  const auto sound = hn::And(hn::Gt(square, hn::Set(d, 1e-30f)), hn::Lt(square, hn::Set(d, 1e30f)));
  const auto of = [&](V v, V otherwise) { return hn::IfThenElse(sound, hn::Mul(v, scale), otherwise); };
  const V zero = hn::Zero(d);
  return {of(q.x, zero), of(q.y, zero), of(q.z, zero), of(q.w, one)};
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
