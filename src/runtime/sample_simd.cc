#include <algorithm>
#include <cmath>

#include "runtime/kernels.h"
#include "runtime/sample_interval.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/sample_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "runtime/sample_packed-inl.h"
#include "runtime/sample_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// One component of one interpolated track a lane; `at` is its place in a row.
HWY_INLINE V component(const Interval& in, std::size_t at) {
  const D d;
  const V a = hn::Load(d, in.a + at);
  if (in.interpolation == Interpolation::step) return a;
  const V b = hn::Load(d, in.b + at);
  if (in.interpolation == Interpolation::linear) return hn::MulAdd(hn::Sub(b, a), hn::Set(d, in.factor), a);
  const V out = hn::Load(d, in.out_tangent + at), into = hn::Load(d, in.in_tangent + at);
  const V values = hn::MulAdd(a, hn::Set(d, in.wa), hn::Mul(b, hn::Set(d, in.wb)));
  return hn::MulAdd(out, hn::Set(d, in.wout), hn::MulAdd(into, hn::Set(d, in.win), values));
}

HWY_INLINE void sample_rotations(const Interval& in, std::span<const std::uint32_t> joints, Pose& pose) {
  const D d;
  const SineRatio to_a(1 - in.factor), to_b(in.factor);
  const std::size_t stride = pose.stream(Stream::rx).size();
  for (std::size_t first = 0; first < joints.size(); first += kLanes) {
    Destination<4> out(pose.stream(Stream::rx).data(), stride, joints.data() + first, joints.size() - first,
                       pose.joint_count());
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
      const std::size_t at = 4 * first + i;
      const Quats q = in.interpolation == Interpolation::linear
                          ? slerp(load_quats(in.a + at), load_quats(in.b + at), to_a, to_b)
                      : in.interpolation == Interpolation::step
                          ? load_quats(in.a + at)
                          : unit({component(in, at), component(in, at + kLanes), component(in, at + 2 * kLanes),
                                  component(in, at + 3 * kLanes)});
      out.put(0, i, q.x), out.put(1, i, q.y), out.put(2, i, q.z), out.put(3, i, q.w);
    }
    out.finish();
  }
}

/// Translations, scales (C = 3) or channels (C = 1), whose tracks begin at `section` in a row.
template <std::size_t C>
HWY_INLINE void sample_numbers(const Interval& in, std::span<const std::uint32_t> targets, std::size_t section,
                               float* streams, std::size_t stride, std::size_t count) {
  const D d;
  for (std::size_t first = 0; first < targets.size(); first += kLanes) {
    Destination<C> out(streams, stride, targets.data() + first, targets.size() - first, count);
    for (std::size_t c = 0; c < C; ++c)
      for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d))
        out.put(c, i, component(in, section + C * first + c * kLanes + i));
    out.finish();
  }
}

HWY_ATTR void sample(const Clip& clip, const Skeleton& skeleton, float time, std::uint32_t* cursors, Pose& pose) {
  const std::size_t stride = pose.stream(Stream::tx).size();
  const float* const base = clip.packed && !clip.packed->base.empty() ? clip.packed->base.data() : skeleton.rest.data();
  const auto rest = [&](Stream first, std::size_t count, bool all) {
    if (!all) std::copy_n(base + std::size_t(first) * stride, count * stride, pose.stream(first).data());
  };
  rest(Stream::tx, 3, clip.all_translations);
  rest(Stream::rx, 4, clip.all_rotations);
  rest(Stream::sx, 3, clip.all_scales);
  std::copy(skeleton.rest_channels.begin(), skeleton.rest_channels.end(), pose.channels().begin());
  if (clip.packed) sample_packed(*clip.packed, time, pose);
  for (std::size_t g = 0; g < clip.groups.size(); ++g) {
    const ClipGroup& group = clip.groups[g];
    const Interval in = locate(group, time, cursors ? cursors + g : nullptr);
    sample_rotations(in, group.rotations, pose);
    std::size_t section = 4 * padded(group.rotations.size());
    sample_numbers<3>(in, group.translations, section, pose.stream(Stream::tx).data(), stride, pose.joint_count());
    section += 3 * padded(group.translations.size());
    sample_numbers<3>(in, group.scales, section, pose.stream(Stream::sx).data(), stride, pose.joint_count());
    section += 3 * padded(group.scales.size());
    sample_numbers<1>(in, group.channels, section, pose.channels().data(), padded(pose.channel_count()),
                      pose.channel_count());
  }
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(sample);

void sample(const Clip& clip, const Skeleton& skeleton, float time, std::uint32_t* cursors, Pose& pose) {
  HWY_DYNAMIC_DISPATCH(sample)(clip, skeleton, time, cursors, pose);
}

}  // namespace sinew::kernels
#endif
