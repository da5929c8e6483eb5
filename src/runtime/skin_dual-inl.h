// Weighted sums of dual quaternions, and the matrices that they stand for.
#if defined(SINEW_RUNTIME_SKIN_DUAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_DUAL_INL_H_
#undef SINEW_RUNTIME_SKIN_DUAL_INL_H_
#else
#define SINEW_RUNTIME_SKIN_DUAL_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/skin_vertices-inl.h"
#include "sinew/joint_runs.h"
#include "sinew/math.h"
#include "sinew/mesh.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// Sums of kWidth vertices, not of unit length: real x y z w, dual x y z w.
struct Duals {
  Floats q[8];
  HWY_INLINE Duals() {}
};

/// Divided by the real part's square instead of by its length: no root is needed (Kavan et al. 2008, algorithm 1).
HWY_INLINE Matrices matrices_of(const Duals& sum) {
  const Lanes d;
  const Floats one = hn::Set(d, 1.0f);
  const Floats *q = sum.q, *e = sum.q + 4;
  const Floats square = hn::MulAdd(q[0], q[0], hn::MulAdd(q[1], q[1], hn::MulAdd(q[2], q[2], hn::Mul(q[3], q[3]))));
  const Floats s = hn::Div(hn::Set(d, 2.0f), square);
  const Floats x = hn::Mul(q[0], s), y = hn::Mul(q[1], s), z = hn::Mul(q[2], s);
  const Floats xx = hn::Mul(q[0], x), yy = hn::Mul(q[1], y), zz = hn::Mul(q[2], z);
  const Floats wx = hn::Mul(q[3], x), wy = hn::Mul(q[3], y), wz = hn::Mul(q[3], z);
  Matrices out;
  out.m[0] = hn::Sub(one, hn::Add(yy, zz));
  out.m[1] = hn::MulSub(q[0], y, wz);
  out.m[2] = hn::MulAdd(q[0], z, wy);
  out.m[4] = hn::MulAdd(q[0], y, wz);
  out.m[5] = hn::Sub(one, hn::Add(xx, zz));
  out.m[6] = hn::MulSub(q[1], z, wx);
  out.m[8] = hn::MulSub(q[0], z, wy);
  out.m[9] = hn::MulAdd(q[1], z, wx);
  out.m[10] = hn::Sub(one, hn::Add(xx, yy));
  const auto moved = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Floats turned = hn::MulSub(q[b], e[c], hn::Mul(q[c], e[b]));
    return hn::Mul(s, hn::MulAdd(q[3], e[a], hn::NegMulAdd(e[3], q[a], turned)));
  };
  out.m[3] = moved(0, 1, 2), out.m[7] = moved(1, 2, 0), out.m[11] = moved(2, 0, 1);
  return out;
}

/// The joints of a run, as SharedJoints has them. Signs are those of the first one, which serves every vertex where all
/// agree with one another: then the strongest one's sign would give the same, or all eight numbers' opposite.
struct SharedDuals {
  static constexpr std::size_t kNumbers = 8;
  alignas(64) float entries[kNumbers * JointRuns::kMostJoints];
  std::size_t count;
  bool agree = true;

  HWY_INLINE SharedDuals(const DualQuaternion* rigid, std::span<const std::uint16_t> joints) : count(joints.size()) {
    Quat reals[JointRuns::kMostJoints];
    const DualQuaternion& first = rigid[joints[0]];
    for (std::size_t j = 0; j < count; ++j) {
      const DualQuaternion& own = rigid[joints[j]];
      const DualQuaternion q = dot(own.real, first.real) < 0 ? -own : own;
      for (std::size_t k = 1; k < j; ++k) agree = agree && dot(q.real, reals[k]) >= 0;
      reals[j] = q.real;
      const Quat r = q.real, e = q.dual, r0 = first.real, e0 = first.dual;
      float* const to = entries + kNumbers * j;
      const bool whole = j == 0;
      to[0] = whole ? r.x : r.x - r0.x, to[1] = whole ? r.y : r.y - r0.y, to[2] = whole ? r.z : r.z - r0.z;
      to[3] = whole ? r.w : r.w - r0.w, to[4] = whole ? e.x : e.x - e0.x, to[5] = whole ? e.y : e.y - e0.y;
      to[6] = whole ? e.z : e.z - e0.z, to[7] = whole ? e.w : e.w - e0.w;
    }
  }

  /// Weights of joint j (from 1 on) of the block's vertices at weights[(j - 1) * row].
  HWY_INLINE Duals blended(const float* HWY_RESTRICT weights, std::size_t row) const {
    const Lanes d;
    Duals sum;
    for (std::size_t i = 0; i < kNumbers; ++i) sum.q[i] = hn::Set(d, entries[i]);
    const float* HWY_RESTRICT entry = entries + kNumbers;
    for (std::size_t j = 1; j < count; ++j, weights += row, entry += kNumbers) {
      const Floats weight = hn::LoadU(d, weights);
      for (std::size_t i = 0; i < kNumbers; ++i) sum.q[i] = hn::MulAdd(weight, hn::Set(d, entry[i]), sum.q[i]);
    }
    return sum;
  }
};

/// Of kWidth vertices from `first` on, of which `count` exist; the others are the last one again.
HWY_INLINE Duals blended_duals(const Mesh& mesh, const DualQuaternion* rigid, std::size_t first, std::size_t count) {
  const hn::CappedTag<float, 4> d;
  constexpr std::size_t kStep = hn::MaxLanes(hn::CappedTag<float, 4>());
  using Part = hn::Vec<hn::CappedTag<float, 4>>;
  const std::size_t k = mesh.influence_count;
  alignas(64) float sums[2][4 * kWidth];
  for (std::size_t v = 0; v < kWidth; ++v) {
    const std::size_t at = (first + std::min(v, count - 1)) * k;
    const std::uint16_t* const joints = mesh.joints.data() + at;
    const float* const weights = mesh.weights.data() + at;
    std::size_t pivot = joints[0];  // of equally strong ones the lowest entry
    for (std::size_t i = 1; i < k && weights[i] == weights[0]; ++i) pivot = std::min(pivot, std::size_t(joints[i]));
    const float* const strongest = &rigid[pivot].real.x;
    for (std::size_t c = 0; c < 4; c += kStep) {
      hn::Store(hn::Zero(d), d, sums[0] + 4 * v + c);
      hn::Store(hn::Zero(d), d, sums[1] + 4 * v + c);
    }
    for (std::size_t i = 0; i < k; ++i) {
      const float *const real = &rigid[joints[i]].real.x, *const dual = &rigid[joints[i]].dual.x;
      Part along = hn::Zero(d);
      for (std::size_t c = 0; c < 4; c += kStep)
        along = hn::MulAdd(hn::Load(d, real + c), hn::Load(d, strongest + c), along);
      along = hn::SumOfLanes(d, along);
      Part weight = hn::Set(d, weights[i]);
      weight = hn::IfThenElse(hn::Lt(along, hn::Zero(d)), hn::Neg(weight), weight);
      for (std::size_t c = 0; c < 4; c += kStep) {
        float *const r = sums[0] + 4 * v + c, *const e = sums[1] + 4 * v + c;
        hn::Store(hn::MulAdd(weight, hn::Load(d, real + c), hn::Load(d, r)), d, r);
        hn::Store(hn::MulAdd(weight, hn::Load(d, dual + c), hn::Load(d, e)), d, e);
      }
    }
  }
  const Lanes lanes;
  Duals out;
  hn::LoadInterleaved4(lanes, sums[0], out.q[0], out.q[1], out.q[2], out.q[3]);
  hn::LoadInterleaved4(lanes, sums[1], out.q[4], out.q[5], out.q[6], out.q[7]);
  return out;
}

/// `a * b`: `b` is applied first.
HWY_INLINE Matrices product(const Matrices& a, const Matrices& b) {
  Matrices out;
  for (std::size_t r = 0; r < 12; r += 4) {
    for (std::size_t c = 0; c < 4; ++c)
      out.m[r + c] = hn::MulAdd(a.m[r], b.m[c], hn::MulAdd(a.m[r + 1], b.m[4 + c], hn::Mul(a.m[r + 2], b.m[8 + c])));
    out.m[r + 3] = hn::Add(out.m[r + 3], a.m[r + 3]);
  }
  return out;
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
