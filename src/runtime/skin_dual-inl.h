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
#include <cstring>
#include <span>

#include "runtime/skin_unshared-inl.h"
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

/// Sums of real and of dual parts, vertex after vertex, as components.
HWY_INLINE Duals components(const float (&reals)[4 * kWidth], const float (&duals)[4 * kWidth]) {
  const Lanes d;
  Duals out;
  hn::LoadInterleaved4(d, reals, out.q[0], out.q[1], out.q[2], out.q[3]);
  hn::LoadInterleaved4(d, duals, out.q[4], out.q[5], out.q[6], out.q[7]);
  return out;
}

/// Dual quaternions of vertices that have their joints each.
class OwnDuals {
 public:
  HWY_INLINE OwnDuals(const Mesh& mesh, std::span<const DualQuaternion> rigid) : mesh_(mesh), rigid_(rigid) {}

  /// To be called before a run of so many vertices: where they are many beside the pairs of entries, it is found which
  /// entries agree in sign, once for all instead of for each vertex.
  HWY_INLINE void prepare(std::size_t vertices) {
    constexpr std::size_t kPairs = 32;  // take about as long as one vertex
    const std::size_t entries = mesh_.palette_limit;
    if (!signs_ && entries <= kMost && kPairs * vertices >= entries * entries) find_signs();
  }

  /// Of kWidth vertices from `first` on, of which `count` exist; the others are the last one again.
  HWY_INLINE Duals blend(std::size_t first, std::size_t count) const {
    Duals out;
    if (HWY_LIKELY(signs_ && mesh_.influence_count == 4 && count >= kWidth && sum<4>(first, out))) return out;
    blend_any(first, count, out);
    return out;
  }

 private:
  static constexpr std::size_t kMost = 256;  // entries
  static constexpr std::size_t kNumbers = 8;

  HWY_NOINLINE void find_signs() {
    const Lanes d;
    const std::size_t count = mesh_.palette_limit;
    alignas(64) float reals[4][kMost] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const Quat& q = rigid_[i].real;
      reals[0][i] = q.x, reals[1][i] = q.y, reals[2][i] = q.z, reals[3][i] = q.w;
      std::memcpy(entries_ + kNumbers * i, &rigid_[i], sizeof rigid_[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Quat& q = rigid_[i].real;
      apart_[i] = 0;
      for (std::size_t first = 0; first < count; first += kWidth) {
        const auto at = [&](std::size_t c) HWY_ATTR { return hn::Load(d, reals[c] + first); };
        const Floats dot = hn::MulAdd(
            hn::Set(d, q.x), at(0),
            hn::MulAdd(hn::Set(d, q.y), at(1), hn::MulAdd(hn::Set(d, q.z), at(2), hn::Mul(hn::Set(d, q.w), at(3)))));
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, hn::Lt(dot, hn::Zero(d)), bits);
        std::uint64_t word;
        std::memcpy(&word, bits, sizeof word);
        apart_[i] |= word << first % 64;
      }
    }
    signs_ = true;
  }

  /// kCount, or where that is 0 what the mesh has.
  template <std::size_t kCount>
  HWY_INLINE std::size_t influences() const {
    return kCount != 0 ? kCount : mesh_.influence_count;
  }

  /// Of kWidth vertices. False where some joint of a vertex is on the other side of its strongest: the sum is then wrong.
  /// Entries whose places differ by 64 count as one for that, at worst vertices take the longer way.
  template <std::size_t kCount>
  HWY_INLINE bool sum(std::size_t first, Duals& out) const {
    const std::size_t k = influences<kCount>();
    const std::uint16_t* joints = mesh_.joints.data() + k * first;
    const float* weights = mesh_.weights.data() + k * first;
    std::uint64_t apart = 0;  // its lowest bit
    const auto look = [&](const std::uint16_t* j, const float* w) HWY_ATTR {
      for (std::size_t i = 1; i < k; ++i) apart |= apart_[j[0]] >> j[i] % 64;
      if (HWY_UNLIKELY(k > 1 && w[1] == w[0])) apart |= 1;  // which is the strongest takes a closer look
    };
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    const hn::FixedTag<float, kNumbers> d;
    using Entry = hn::Vec<decltype(d)>;
    const auto row = [&](std::size_t v) HWY_ATTR {
      const std::uint16_t* const j = joints + k * v;
      const float* const w = weights + k * v;
      look(j, w);
      Entry one = hn::Mul(hn::Set(d, w[0]), hn::Load(d, entries_ + kNumbers * j[0]));
      for (std::size_t i = 1; i < k; ++i)
        one = hn::MulAdd(hn::Set(d, w[i]), hn::Load(d, entries_ + kNumbers * j[i]), one);
      return one;
    };
    Floats *const r = out.q, *const e = out.q + 4;
#if HWY_TARGET == HWY_AVX3
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) {
      const __m512 p = _mm512_insertf32x8(_mm512_castps256_ps512(row(v).raw), row(v + 4).raw, 1),
                   q = _mm512_insertf32x8(_mm512_castps256_ps512(row(v + 8).raw), row(v + 12).raw, 1);
      r[v] = Floats{_mm512_shuffle_f32x4(p, q, 0x88)};
      e[v] = Floats{_mm512_shuffle_f32x4(p, q, 0xdd)};
    }
#else
    for (std::size_t v = 0; v < 4; ++v) {
      const Entry p = row(v), q = row(v + 4);
      r[v] = hn::ConcatLowerLower(d, q, p);
      e[v] = hn::ConcatUpperUpper(d, q, p);
    }
#endif
    transpose(Lanes(), r[0], r[1], r[2], r[3]);
    transpose(Lanes(), e[0], e[1], e[2], e[3]);
#else
    const hn::CappedTag<float, 4> d;
    constexpr std::size_t kStep = hn::MaxLanes(hn::CappedTag<float, 4>());
    alignas(64) float sums[2][4 * kWidth];
    for (std::size_t v = 0; v < kWidth; ++v, joints += k, weights += k) {
      look(joints, weights);
      for (std::size_t c = 0; c < kNumbers; c += kStep) {
        auto one = hn::Mul(hn::Set(d, weights[0]), hn::Load(d, entries_ + kNumbers * joints[0] + c));
        for (std::size_t i = 1; i < k; ++i)
          one = hn::MulAdd(hn::Set(d, weights[i]), hn::Load(d, entries_ + kNumbers * joints[i] + c), one);
        hn::Store(one, d, sums[c / 4] + 4 * v + c % 4);
      }
    }
    out = components(sums[0], sums[1]);
#endif
    return (apart & 1) == 0;
  }

  HWY_NOINLINE void blend_any(std::size_t first, std::size_t count, Duals& out) const {
    if (signs_ && count >= kWidth && mesh_.influence_count != 4 && sum<0>(first, out)) return;
    const hn::CappedTag<float, 4> d;
    constexpr std::size_t kStep = hn::MaxLanes(hn::CappedTag<float, 4>());
    using Part = hn::Vec<hn::CappedTag<float, 4>>;
    const std::size_t k = mesh_.influence_count;
    alignas(64) float sums[2][4 * kWidth] = {};
    for (std::size_t v = 0; v < kWidth; ++v) {
      const std::size_t at = (first + std::min(v, count - 1)) * k;
      const std::uint16_t* const joints = mesh_.joints.data() + at;
      const float* const weights = mesh_.weights.data() + at;
      std::size_t pivot = joints[0];  // of equally strong ones the lowest entry
      for (std::size_t i = 1; i < k && weights[i] == weights[0]; ++i) pivot = std::min(pivot, std::size_t(joints[i]));
      const float* const strongest = &rigid_[pivot].real.x;
      for (std::size_t i = 0; i < k; ++i) {
        const float *const real = &rigid_[joints[i]].real.x, *const dual = &rigid_[joints[i]].dual.x;
        Part along = hn::Zero(d);
        for (std::size_t c = 0; c < 4; c += kStep)
          along = hn::MulAdd(hn::LoadU(d, real + c), hn::LoadU(d, strongest + c), along);
        along = hn::SumOfLanes(d, along);
        Part weight = hn::Set(d, weights[i]);
        weight = hn::IfThenElse(hn::Lt(along, hn::Zero(d)), hn::Neg(weight), weight);
        for (std::size_t c = 0; c < 4; c += kStep) {
          float *const r = sums[0] + 4 * v + c, *const e = sums[1] + 4 * v + c;
          hn::Store(hn::MulAdd(weight, hn::LoadU(d, real + c), hn::Load(d, r)), d, r);
          hn::Store(hn::MulAdd(weight, hn::LoadU(d, dual + c), hn::Load(d, e)), d, e);
        }
      }
    }
    out = components(sums[0], sums[1]);
  }

  const Mesh& mesh_;
  std::span<const DualQuaternion> rigid_;
  bool signs_ = false;
  std::uint64_t apart_[kMost];  // of each entry, a bit each: those on the other side of it
  alignas(64) float entries_[kNumbers * kMost];
};

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
