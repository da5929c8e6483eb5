#include <algorithm>
#include <cmath>
#include <cstring>

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

/// In several accumulators, so that no step waits for the one before it.
template <class T>
HWY_INLINE T greatest_of(std::span<const T> values) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kWays = 4;
  const std::size_t lanes = hn::Lanes(d), count = values.size();
  hn::Vec<decltype(d)> top[kWays] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + kWays * lanes <= count; i += kWays * lanes)
    for (std::size_t way = 0; way < kWays; ++way)
      top[way] = hn::Max(top[way], hn::LoadU(d, values.data() + i + way * lanes));
  alignas(64) T each[HWY_LANES(T)];
  hn::Store(hn::Max(hn::Max(top[0], top[1]), hn::Max(top[2], top[3])), d, each);
  T out = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) out = std::max(out, each[lane]);
  for (; i < count; ++i) out = std::max(out, values[i]);
  return out;
}

HWY_ATTR std::uint32_t greatest_index(std::span<const std::uint32_t> values) { return greatest_of(values); }
HWY_ATTR std::uint16_t greatest_joint(std::span<const std::uint16_t> values) { return greatest_of(values); }

#if HWY_TARGET != HWY_SCALAR

constexpr std::size_t kBlock = JointRuns::kBlock;
constexpr std::size_t kMostFours = 2;  // of influences; vertices with more are left to the caller
using Lanes = hn::CappedTag<float, kBlock>;
using Indices = hn::RebindToUnsigned<Lanes>;
using Floats = hn::Vec<Lanes>;

/// Influences of a block's vertices, four a vertex: where they lie if they lie so, else a copy, filled up with zeros.
template <class T>
class Fours {
 public:
  /// `count` vertices of `k` influences; beyond them, zeros.
  HWY_INLINE Fours(const T* values, std::size_t k, std::size_t count) : first_(values) {
    if (k == 4 && count == kBlock) return;
    first_ = copy_;
    std::memset(copy_, 0, sizeof copy_);
    if (k == 4) {
      std::memcpy(copy_, values, 4 * count * sizeof(T));
      return;
    }
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t i = 0; i < k; ++i) copy_[i / 4 * 4 * kBlock + 4 * v + i % 4] = values[v * k + i];
  }
  Fours(const Fours&) = delete;
  /// Of the block's vertex `v` and those behind it.
  HWY_INLINE const T* at(std::size_t four, std::size_t v) const { return first_ + four * 4 * kBlock + 4 * v; }

 private:
  const T* first_;
  alignas(64) T copy_[kMostFours * 4 * kBlock];
};

/// Blocks of 16 vertices.
template <std::size_t kFours>
HWY_INLINE bool sound_blocks(const float* weights, std::size_t k, std::size_t blocks, float tolerance) {
  const Lanes d;
  // A little less than is allowed: what is close to the bound, the caller looks at.
  const Floats least = hn::Set(d, 1 - 0.9f * tolerance), most = hn::Set(d, 1 + 0.9f * tolerance);
  auto sound = hn::Le(least, most);
  for (std::size_t block = 0; block < blocks; ++block) {
    const Fours<float> fours(weights + block * kBlock * k, k, kBlock);
    for (std::size_t v = 0; v < kBlock; v += hn::Lanes(d)) {
      Floats before = most, sum = hn::Zero(d);
      for (std::size_t four = 0; four < kFours; ++four) {
        Floats a, b, c, e;
        hn::LoadInterleaved4(d, fours.at(four, v), a, b, c, e);
        sound = hn::And(sound, hn::And(hn::Le(a, before), hn::Le(b, a)));
        sound = hn::And(sound, hn::And(hn::Le(c, b), hn::Le(e, c)));
        sum = hn::Add(sum, hn::Add(hn::Add(a, b), hn::Add(c, e)));
        before = e;
      }
      sound = hn::And(sound, hn::Ge(before, hn::Zero(d)));
      sound = hn::And(sound, hn::And(hn::Ge(sum, least), hn::Le(sum, most)));
    }
  }
  return hn::AllTrue(d, sound);
}

/// `kFours` fours of a lane's vertices.
template <std::size_t kFours>
struct Influences {
  Floats weights[4 * kFours];
  hn::Vec<Indices> joints[4 * kFours];

  HWY_INLINE Influences(const Fours<float>& weight_fours, const Fours<std::uint16_t>& joint_fours, std::size_t v) {
    const Indices du;
    for (std::size_t four = 0; four < kFours; ++four) {
      Floats* const w = weights + 4 * four;
      hn::LoadInterleaved4(Lanes(), weight_fours.at(four, v), w[0], w[1], w[2], w[3]);
      // Two joints a lane.
      hn::Vec<Indices> pairs[2];
      const auto* const both = reinterpret_cast<const std::uint32_t*>(joint_fours.at(four, v));
      hn::LoadInterleaved2(du, both, pairs[0], pairs[1]);
      for (std::size_t i = 0; i < 4; ++i)
        joints[4 * four + i] = i % 2 ? hn::ShiftRight<16>(pairs[i / 2]) : hn::And(pairs[i / 2], hn::Set(du, 0xffffu));
    }
  }
};

/// The block of a run: `length` vertices of the mesh against the run's rows, which may be read 16 floats further.
template <std::size_t kFours>
HWY_INLINE hn::Mask<Lanes> block_agrees(const Fours<float>& weights, const Fours<std::uint16_t>& mesh_joints,
                                        std::span<const std::uint16_t> joints, const float* rows, std::size_t length) {
  const Lanes d;
  const Indices du;
  const Floats zero = hn::Zero(d);
  auto agrees = hn::Eq(zero, zero);
  for (std::size_t v = 0; v < length; v += hn::Lanes(d)) {
    const Influences<kFours> own(weights, mesh_joints, v);
    const auto in_run = hn::FirstN(d, length - v);
    hn::Mask<Lanes> known[4 * kFours];
    for (std::size_t i = 0; i < 4 * kFours; ++i) known[i] = hn::Eq(own.weights[i], zero);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const auto joint = hn::Set(du, std::uint32_t(joints[j]));
      Floats expected = zero;  // the sum that scalar code makes, in its order: equal to the bit
      for (std::size_t i = 0; i < 4 * kFours; ++i) {
        const auto here = hn::RebindMask(d, hn::Eq(own.joints[i], joint));
        known[i] = hn::Or(known[i], here);
        expected = hn::Add(expected, hn::IfThenElseZero(here, own.weights[i]));
      }
      if (j == 0) continue;  // its weight is what the others leave
      const Floats said = hn::IfThenElseZero(in_run, hn::LoadU(d, rows + (j - 1) * length + v));
      agrees = hn::And(agrees, hn::Eq(said, expected));  // neither where it is no number
    }
    for (std::size_t i = 0; i < 4 * kFours; ++i) agrees = hn::And(agrees, known[i]);
  }
  return agrees;
}

template <std::size_t kFours>
HWY_INLINE bool blocks_agree(const Mesh& mesh, std::size_t begin, std::size_t end,
                             std::span<const std::uint16_t> joints, const float* rows) {
  const Lanes d;
  const std::size_t k = mesh.influence_count;
  auto agrees = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (std::size_t v = begin; v < end; v += kBlock) {
    const std::size_t length = std::min(kBlock, end - v);
    const Fours<float> weights(mesh.weights.data() + v * k, k, length);
    const Fours<std::uint16_t> mesh_joints(mesh.joints.data() + v * k, k, length);
    agrees = hn::And(agrees, block_agrees<kFours>(weights, mesh_joints, joints, rows, length));
    rows += length * (joints.size() - 1);
  }
  return hn::AllTrue(d, agrees);
}

#endif

HWY_ATTR bool sound_weights(std::span<const float> weights, std::size_t k, float tolerance) {
#if HWY_TARGET == HWY_SCALAR
  (void)weights, (void)k, (void)tolerance;
  return false;  // the caller looks at each vertex
#else
  if (k > 4 * kMostFours) return false;
  const std::size_t blocks = weights.size() / (kBlock * k);
  bool rest = true;
  for (std::size_t i = blocks * kBlock * k; i < weights.size(); i += k) {
    float sum = 0, before = 2;
    for (const float weight : weights.subspan(i, k)) {
      rest = rest && weight >= 0 && weight <= before;
      sum += before = weight;
    }
    rest = rest && std::fabs(sum - 1) <= 0.9f * tolerance;
  }
  if (!rest) return false;
  return k > 4 ? sound_blocks<2>(weights.data(), k, blocks, tolerance)
               : sound_blocks<1>(weights.data(), k, blocks, tolerance);
#endif
}

HWY_ATTR bool run_agrees(const Mesh& mesh, std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                         const float* rows) {
#if HWY_TARGET == HWY_SCALAR
  (void)mesh, (void)begin, (void)end, (void)joints, (void)rows;
  return false;  // the caller looks at each vertex
#else
  const std::size_t k = mesh.influence_count;
  if (k > 4 * kMostFours) return false;
  return k > 4 ? blocks_agree<2>(mesh, begin, end, joints, rows) : blocks_agree<1>(mesh, begin, end, joints, rows);
#endif
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(all_finite);
HWY_EXPORT(unit_rotations);
HWY_EXPORT(greatest_index);
HWY_EXPORT(greatest_joint);
HWY_EXPORT(sound_weights);
HWY_EXPORT(run_agrees);

bool all_finite(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(all_finite)(values); }

bool unit_rotations(const float* blocks, std::size_t count, float tolerance) {
  return HWY_DYNAMIC_DISPATCH(unit_rotations)(blocks, count, tolerance);
}

std::uint32_t greatest(std::span<const std::uint32_t> values) { return HWY_DYNAMIC_DISPATCH(greatest_index)(values); }

std::uint16_t greatest(std::span<const std::uint16_t> values) { return HWY_DYNAMIC_DISPATCH(greatest_joint)(values); }

bool sound_weights(std::span<const float> weights, std::size_t k, float tolerance) {
  return HWY_DYNAMIC_DISPATCH(sound_weights)(weights, k, tolerance);
}

bool run_agrees(const Mesh& mesh, std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                const float* rows) {
  return HWY_DYNAMIC_DISPATCH(run_agrees)(mesh, begin, end, joints, rows);
}

}  // namespace sinew::kernels
#endif
