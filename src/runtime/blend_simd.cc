#include <algorithm>
#include <cmath>

#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/blend_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kLanes>;
using V = hn::Vec<Floats>;

/// Under this share of the layers' weights a joint has none: squares of it are still numbers that a root can be taken
/// of.
constexpr float kNoWeight = 1e-15f;

/// Room for the sums of twice as many joints as there are lanes.
constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3;

HWY_INLINE const float* streams(const Pose& pose) { return pose.stream(Stream::tx).data(); }
HWY_INLINE V load(const float* at, std::size_t stride, Stream s) {
  return hn::Load(Floats(), at + std::size_t(s) * stride);
}

/// Sums of vectors and of a quaternion under way, for as many joints as there are lanes.
struct Joints {
  V tx, ty, tz, rx, ry, rz, rw, sx, sy, sz;
};

/// A pose times a weight.
HWY_INLINE Joints weighed(const float* at, std::size_t stride, V weight) {
  const auto stream = [&](Stream s) { return hn::Mul(load(at, stride, s), weight); };
  return {stream(Stream::tx), stream(Stream::ty), stream(Stream::tz), stream(Stream::rx), stream(Stream::ry),
          stream(Stream::rz), stream(Stream::rw), stream(Stream::sx), stream(Stream::sy), stream(Stream::sz)};
}

/// Adds a pose times a weight, its rotation on the hemisphere of the sum.
HWY_INLINE void add_pose(const float* at, std::size_t stride, V weight, Joints& sum) {
  const Floats d;
  const V x = load(at, stride, Stream::rx), y = load(at, stride, Stream::ry);
  const V z = load(at, stride, Stream::rz), w = load(at, stride, Stream::rw);
  // In two halves, which is a shorter way to wait. From 0 on, so that no product alone makes a zero negative: its sign
  // is all that counts.
  const V zero = hn::Zero(d);
  const V dot =
      hn::Add(hn::MulAdd(sum.rx, x, hn::MulAdd(sum.ry, y, zero)), hn::MulAdd(sum.rz, z, hn::MulAdd(sum.rw, w, zero)));
  const V turned = hn::Xor(weight, hn::And(dot, hn::SignBit(d)));
  sum.rx = hn::MulAdd(x, turned, sum.rx);
  sum.ry = hn::MulAdd(y, turned, sum.ry);
  sum.rz = hn::MulAdd(z, turned, sum.rz);
  sum.rw = hn::MulAdd(w, turned, sum.rw);
  sum.tx = hn::MulAdd(load(at, stride, Stream::tx), weight, sum.tx);
  sum.ty = hn::MulAdd(load(at, stride, Stream::ty), weight, sum.ty);
  sum.tz = hn::MulAdd(load(at, stride, Stream::tz), weight, sum.tz);
  sum.sx = hn::MulAdd(load(at, stride, Stream::sx), weight, sum.sx);
  sum.sy = hn::MulAdd(load(at, stride, Stream::sy), weight, sum.sy);
  sum.sz = hn::MulAdd(load(at, stride, Stream::sz), weight, sum.sz);
}

/// The rest rotation where `found` is false; the rest of the transform as well if it is `whole`.
template <class M>
HWY_INLINE void rest_unless(M found, const float* rest, std::size_t stride, bool whole, Joints& joints) {
  const auto choose = [&](V& value, Stream s) {
    value = hn::IfThenElse(found, value, hn::LoadU(Floats(), rest + std::size_t(s) * stride));
  };
  choose(joints.rx, Stream::rx), choose(joints.ry, Stream::ry);
  choose(joints.rz, Stream::rz), choose(joints.rw, Stream::rw);
  if (!whole) return;
  choose(joints.tx, Stream::tx), choose(joints.ty, Stream::ty), choose(joints.tz, Stream::tz);
  choose(joints.sx, Stream::sx), choose(joints.sy, Stream::sy), choose(joints.sz, Stream::sz);
}

/// Divides vectors by their sum of weights; a rotation is made unit length later.
HWY_INLINE void divide(V total, const float* rest, std::size_t stride, Joints& sum) {
  const Floats d;
  const V one = hn::Set(d, 1.0f);
  const auto found = hn::Gt(total, hn::Set(d, kNoWeight));
  const V share = hn::Div(one, hn::IfThenElse(found, total, one));
  sum.tx = hn::Mul(sum.tx, share), sum.ty = hn::Mul(sum.ty, share), sum.tz = hn::Mul(sum.tz, share);
  sum.sx = hn::Mul(sum.sx, share), sum.sy = hn::Mul(sum.sy, share), sum.sz = hn::Mul(sum.sz, share);
  if (!hn::AllTrue(d, found)) rest_unless(found, rest, stride, true, sum);
}

/// By root and division, which are the same on every machine; estimates are not. Rotations on one hemisphere cannot
/// cancel out: the square of their sum is no less than the sum of their squares. Only rotations of no length at all
/// come to nothing.
HWY_INLINE void to_unit(const float* rest, std::size_t stride, Joints& joints) {
  const Floats d;
  V& x = joints.rx;
  V& y = joints.ry;
  V& z = joints.rz;
  V& w = joints.rw;
  const V square = hn::Add(hn::MulAdd(x, x, hn::Mul(y, y)), hn::MulAdd(z, z, hn::Mul(w, w)));
  const V share = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(square));
  x = hn::Mul(x, share), y = hn::Mul(y, share), z = hn::Mul(z, share), w = hn::Mul(w, share);
  const auto found = hn::Gt(square, hn::Zero(d));
  if (!hn::AllTrue(d, found)) rest_unless(found, rest, stride, false, joints);
}

/// Brings a difference of that weight onto the joints; rotations are left with any length. `negative`: takes it away.
HWY_INLINE void add_difference(const float* at, std::size_t stride, V weight, bool negative, Joints& joints) {
  const Floats d;
  const V one = hn::Set(d, 1.0f);
  const V signed_weight = negative ? hn::Neg(weight) : weight;
  joints.tx = hn::MulAdd(load(at, stride, Stream::tx), signed_weight, joints.tx);
  joints.ty = hn::MulAdd(load(at, stride, Stream::ty), signed_weight, joints.ty);
  joints.tz = hn::MulAdd(load(at, stride, Stream::tz), signed_weight, joints.tz);

  const V dw = load(at, stride, Stream::rw);
  const V turned = hn::Xor(signed_weight, hn::And(dw, hn::SignBit(d)));  // the shorter arc; the conjugate, if negative
  const V x = hn::Mul(load(at, stride, Stream::rx), turned), y = hn::Mul(load(at, stride, Stream::ry), turned);
  const V z = hn::Mul(load(at, stride, Stream::rz), turned);
  const V w = hn::MulAdd(hn::Sub(hn::Abs(dw), one), weight, one);
  const V jx = joints.rx, jy = joints.ry, jz = joints.rz, jw = joints.rw;
  joints.rx = hn::MulAdd(jw, x, hn::MulAdd(jx, w, hn::NegMulAdd(jz, y, hn::Mul(jy, z))));
  joints.ry = hn::MulAdd(jw, y, hn::MulAdd(jy, w, hn::NegMulAdd(jx, z, hn::Mul(jz, x))));
  joints.rz = hn::MulAdd(jw, z, hn::MulAdd(jz, w, hn::NegMulAdd(jy, x, hn::Mul(jx, y))));
  joints.rw = hn::NegMulAdd(jx, x, hn::NegMulAdd(jy, y, hn::NegMulAdd(jz, z, hn::Mul(jw, w))));

  const auto scale = [&](V& value, Stream s) {
    const V factor = hn::MulAdd(hn::Sub(load(at, stride, s), one), weight, one);
    value =
        negative ? hn::IfThenElse(hn::Eq(factor, hn::Zero(d)), value, hn::Div(value, factor)) : hn::Mul(value, factor);
  };
  scale(joints.sx, Stream::sx), scale(joints.sy, Stream::sy), scale(joints.sz, Stream::sz);
}

HWY_INLINE void store(const Joints& joints, float* at, std::size_t stride) {
  const V values[kStreams] = {joints.tx, joints.ty, joints.tz, joints.rx, joints.ry,
                              joints.rz, joints.rw, joints.sx, joints.sy, joints.sz};
  for (std::size_t i = 0; i < kStreams; ++i) hn::Store(values[i], Floats(), at + i * stride);
}

/// `weight`, times the mask's values there if there is a mask.
HWY_INLINE V weight_at(float weight, const float* mask, std::size_t at) {
  const Floats d;
  const V all = hn::Set(d, weight);
  return mask ? hn::Mul(all, hn::Load(d, mask + at)) : all;
}

/// What follows the sum of the layers: masks, additive layers, unit length, padding.
template <bool kMasked, bool kAdditive>
HWY_INLINE void finish(const BlendJob& job, std::size_t at, std::size_t stride, V total, Joints& sum) {
  const Floats d;
  const std::size_t count = job.pose->joint_count();
  const float* const rest = job.skeleton->rest.data() + at;
  if constexpr (kMasked) divide(total, rest, stride, sum);
  if constexpr (kAdditive) {
    for (const AdditiveLayer& layer : job.additive) {
      if (layer.weight == 0) continue;
      const V weight = weight_at(std::abs(layer.weight), layer.mask ? layer.mask->joints().data() : nullptr, at);
      add_difference(streams(layer.pose->difference) + at, stride, weight, layer.weight < 0, sum);
      to_unit(rest, stride, sum);
    }
  } else {
    to_unit(rest, stride, sum);
  }
  // Padding of a pose is the identity, as that of the rest streams is; a mean of identities may be off by a bit.
  if (at + hn::Lanes(d) > count) rest_unless(hn::FirstN(d, count > at ? count - at : 0), rest, stride, true, sum);
  store(sum, job.pose->stream(Stream::tx).data() + at, stride);
}

/// All streams of as many joints as there are lanes, or of twice as many, from `at` on: every layer is read once, every
/// stream written once. Two at a time, since a rotation waits for the sum of those before it.
template <bool kMasked, bool kAdditive, bool kTwo>
HWY_INLINE void blend_joints(const BlendJob& job, float scale, std::size_t at, std::size_t stride) {
  const std::size_t next = at + hn::Lanes(Floats());
  const auto weight_of = [&](const BlendLayer& layer, std::size_t where) {
    return weight_at(layer.weight * scale, kMasked && layer.mask ? layer.mask->joints().data() : nullptr, where);
  };
  const float* const first = streams(*job.layers[0].pose);
  V total = weight_of(job.layers[0], at), next_total = total;
  Joints sum = weighed(first + at, stride, total), next_sum = sum;
  if constexpr (kTwo) {
    next_total = weight_of(job.layers[0], next);
    next_sum = weighed(first + next, stride, next_total);
  }
  for (const BlendLayer& layer : job.layers.subspan(1)) {
    if (layer.weight == 0) continue;
    const V weight = weight_of(layer, at);
    if constexpr (kMasked) total = hn::Add(total, weight);
    add_pose(streams(*layer.pose) + at, stride, weight, sum);
    if constexpr (kTwo) {
      const V next_weight = weight_of(layer, next);
      if constexpr (kMasked) next_total = hn::Add(next_total, next_weight);
      add_pose(streams(*layer.pose) + next, stride, next_weight, next_sum);
    }
  }
  finish<kMasked, kAdditive>(job, at, stride, total, sum);
  if constexpr (kTwo) finish<kMasked, kAdditive>(job, next, stride, next_total, next_sum);
}

/// Rest values of the channels from `at` on, where `found` is false; the skeleton's are not padded.
template <class M>
HWY_NOINLINE V rest_channels_unless(M found, V value, std::span<const float> rest, std::size_t at) {
  alignas(64) float values[kLanes] = {};
  std::copy_n(rest.data() + at, std::min(rest.size() - at, hn::Lanes(Floats())), values);
  return hn::IfThenElse(found, value, hn::Load(Floats(), values));
}

template <bool kMasked>
HWY_INLINE void blend_channels(const BlendJob& job, float scale) {
  const Floats d;
  const std::span<float> out = job.pose->channels();
  for (std::size_t at = 0; at < out.size(); at += hn::Lanes(d)) {
    V sum = hn::Zero(d), total = hn::Zero(d);
    for (const BlendLayer& layer : job.layers) {
      if (layer.weight == 0) continue;
      const float* const mask = kMasked && layer.mask ? layer.mask->channels().data() : nullptr;
      const V weight = weight_at(layer.weight * scale, mask, at);
      if constexpr (kMasked) total = hn::Add(total, weight);
      sum = hn::MulAdd(hn::Load(d, layer.pose->channels().data() + at), weight, sum);
    }
    if constexpr (kMasked) {
      const V one = hn::Set(d, 1.0f);
      const auto found = hn::Gt(total, hn::Set(d, kNoWeight));
      sum = hn::Div(sum, hn::IfThenElse(found, total, one));
      if (!hn::AllTrue(d, found)) sum = rest_channels_unless(found, sum, job.skeleton->rest_channels, at);
    }
    for (const AdditiveLayer& layer : job.additive) {
      if (layer.weight == 0) continue;
      const V weight = weight_at(layer.weight, layer.mask ? layer.mask->channels().data() : nullptr, at);
      sum = hn::MulAdd(hn::Load(d, layer.pose->difference.channels().data() + at), weight, sum);
    }
    hn::Store(sum, d, out.data() + at);
  }
}

template <bool kMasked, bool kAdditive>
HWY_INLINE void blend_all(const BlendJob& job, float scale) {
  const std::size_t stride = padded(job.pose->joint_count());
  std::size_t at = 0;
  if constexpr (kManyRegisters) {
    const std::size_t two = 2 * hn::Lanes(Floats());
    for (; at + two <= stride; at += two) blend_joints<kMasked, kAdditive, true>(job, scale, at, stride);
  }
  for (; at < stride; at += hn::Lanes(Floats())) blend_joints<kMasked, kAdditive, false>(job, scale, at, stride);
  blend_channels<kMasked>(job, scale);
}

HWY_ATTR void blend(const BlendJob& job, float scale, bool masked, bool additive) {
  if (masked)
    additive ? blend_all<true, true>(job, scale) : blend_all<true, false>(job, scale);
  else
    additive ? blend_all<false, true>(job, scale) : blend_all<false, false>(job, scale);
}

HWY_ATTR void difference(const Pose& pose, const Pose& reference, Pose& difference) {
  const Floats d;
  const std::size_t stride = padded(pose.joint_count());
  for (std::size_t at = 0; at < stride; at += hn::Lanes(d)) {
    const float* const p = streams(pose) + at;
    const float* const r = streams(reference) + at;
    const auto minus = [&](Stream s) { return hn::Sub(load(p, stride, s), load(r, stride, s)); };
    const auto over = [&](Stream s) {
      const V ratio = hn::Div(load(p, stride, s), load(r, stride, s));
      // What is not finite is not less than infinity.
      const auto finite = hn::Lt(hn::Abs(ratio), hn::Inf(d));
      return hn::IfThenElse(finite, ratio, hn::Set(d, 1.0f));
    };
    const V px = load(p, stride, Stream::rx), py = load(p, stride, Stream::ry), pz = load(p, stride, Stream::rz),
            pw = load(p, stride, Stream::rw);
    const V rx = load(r, stride, Stream::rx), ry = load(r, stride, Stream::ry), rz = load(r, stride, Stream::rz),
            rw = load(r, stride, Stream::rw);
    // conjugate(r) * p
    const V x = hn::Sub(hn::NegMulAdd(ry, pz, hn::Mul(rw, px)), hn::NegMulAdd(rz, py, hn::Mul(rx, pw)));
    const V y = hn::Sub(hn::NegMulAdd(rz, px, hn::Mul(rw, py)), hn::NegMulAdd(rx, pz, hn::Mul(ry, pw)));
    const V z = hn::Sub(hn::NegMulAdd(rx, py, hn::Mul(rw, pz)), hn::NegMulAdd(ry, px, hn::Mul(rz, pw)));
    const V w = hn::Add(hn::MulAdd(rx, px, hn::Mul(rw, pw)), hn::MulAdd(ry, py, hn::Mul(rz, pz)));
    store({minus(Stream::tx), minus(Stream::ty), minus(Stream::tz), x, y, z, w, over(Stream::sx), over(Stream::sy),
           over(Stream::sz)},
          difference.stream(Stream::tx).data() + at, stride);
  }
  const float* const p = pose.channels().data();
  const float* const r = reference.channels().data();
  for (std::size_t at = 0; at < pose.channel_count(); at += hn::Lanes(d))
    hn::Store(hn::Sub(hn::Load(d, p + at), hn::Load(d, r + at)), d, difference.channels().data() + at);
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(blend);
HWY_EXPORT(difference);

void blend(const BlendJob& job, float scale, bool masked, bool additive) {
  HWY_DYNAMIC_DISPATCH(blend)(job, scale, masked, additive);
}

void difference(const Pose& pose, const Pose& reference, Pose& out) {
  HWY_DYNAMIC_DISPATCH(difference)(pose, reference, out);
}

}  // namespace sinew::kernels
#endif
