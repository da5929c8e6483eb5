// Weighted sums of palette entries for vertices that share their joints.
#if defined(SINEW_RUNTIME_SKIN_SHARED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_SHARED_INL_H_
#undef SINEW_RUNTIME_SKIN_SHARED_INL_H_
#else
#define SINEW_RUNTIME_SKIN_SHARED_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/skin_vertices-inl.h"
#include "sinew/joint_runs.h"
#include "sinew/math.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// The joints of a run: the first one's entry, and what the others' differ from it by. As weights sum to 1, the first
/// weight is not needed: entry 0 + sum of weight i * (entry i - entry 0).
struct SharedJoints {
  alignas(64) float entries[12 * JointRuns::kMostJoints];
  std::size_t count;

  HWY_INLINE SharedJoints(const Affine* palette, std::span<const std::uint16_t> joints) : count(joints.size()) {
    const hn::CappedTag<float, 4> d;
    const float* first = palette[joints[0]].rows[0];
    for (std::size_t i = 0; i < 12; i += hn::Lanes(d)) hn::Store(hn::Load(d, first + i), d, entries + i);
    for (std::size_t j = 1; j < count; ++j) {
      const float* other = palette[joints[j]].rows[0];
      for (std::size_t i = 0; i < 12; i += hn::Lanes(d))
        hn::Store(hn::Sub(hn::Load(d, other + i), hn::Load(d, first + i)), d, entries + 12 * j + i);
    }
  }

  /// Weights of joint j (from 1 on) of the block's vertices at weights[(j - 1) * row].
  HWY_INLINE Matrices blended(const float* HWY_RESTRICT weights, std::size_t row) const {
    const Lanes d;
    Matrices sum;
    for (std::size_t i = 0; i < 12; ++i) sum.m[i] = hn::Set(d, entries[i]);
    const float* HWY_RESTRICT entry = entries + 12;
    for (std::size_t j = 1; j < count; ++j, weights += row, entry += 12) {
      const Floats weight = hn::LoadU(d, weights);
      for (std::size_t i = 0; i < 12; ++i) sum.m[i] = hn::MulAdd(weight, hn::Set(d, entry[i]), sum.m[i]);
    }
    return sum;
  }
};

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
