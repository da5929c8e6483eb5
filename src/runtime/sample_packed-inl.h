// Packed tracks at a time: from their numbers to values.
#if defined(SINEW_RUNTIME_SAMPLE_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SAMPLE_PACKED_INL_H_
#undef SINEW_RUNTIME_SAMPLE_PACKED_INL_H_
#else
#define SINEW_RUNTIME_SAMPLE_PACKED_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/packed_numbers-inl.h"
#include "runtime/packed_tracks.h"
#include "runtime/sample_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// How far both frames and the time are from the segment's knots.
struct PackedShares {
  float first, second, time, factor;
  explicit PackedShares(const detail::PackedPlace& place)
      : first(float(place.row) / float(place.length)),
        second(float(place.row + 1) / float(place.length)),
        time((float(place.row) + place.factor) / float(place.length)),
        factor(place.factor) {}
};

/// Modified Rodrigues parameters of two frames to the rotation between them.
HWY_INLINE Quats between(const V (&a)[3], const V (&b)[3], const SineRatio& to_a, const SineRatio& to_b) {
  const D d;
  const V one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
  const V na = hn::MulAdd(a[0], a[0], hn::MulAdd(a[1], a[1], hn::Mul(a[2], a[2])));
  const V nb = hn::MulAdd(b[0], b[0], hn::MulAdd(b[1], b[1], hn::Mul(b[2], b[2])));
  // (2 u, 1 - n) / (1 + n), both with one division.
  const V la = hn::Add(one, na), lb = hn::Add(one, nb), inverse = hn::Div(one, hn::Mul(la, lb));
  const V ia = hn::Mul(inverse, lb), ib = hn::Mul(inverse, la), da = hn::Mul(two, ia), db = hn::Mul(two, ib);
  const Quats qa{hn::Mul(a[0], da), hn::Mul(a[1], da), hn::Mul(a[2], da), hn::Mul(hn::Sub(one, na), ia)};
  const Quats qb{hn::Mul(b[0], db), hn::Mul(b[1], db), hn::Mul(b[2], db), hn::Mul(hn::Sub(one, nb), ib)};
  return slerp(qa, qb, to_a, to_b);
}

HWY_INLINE Quats product(const Quats& a, const Quats& b) {
  return {
      hn::MulAdd(a.w, b.x, hn::MulAdd(a.x, b.w, hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)))),
      hn::MulAdd(a.w, b.y, hn::MulAdd(a.y, b.w, hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)))),
      hn::MulAdd(a.w, b.z, hn::MulAdd(a.z, b.w, hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y)))),
      hn::NegMulAdd(a.z, b.z, hn::NegMulAdd(a.y, b.y, hn::NegMulAdd(a.x, b.x, hn::Mul(a.w, b.w)))),
  };
}

HWY_INLINE void packed_rotations(const detail::PackedSection& section, const PackedShares& shares, PackedReader& reader,
                                 Pose& pose) {
  const D d;
  const SineRatio to_a(1 - shares.factor), to_b(shares.factor);
  const std::size_t stride = pose.stream(Stream::rx).size(), count = section.targets.size();
  PackedNumbers<3> in;
  for (std::size_t first = 0; first < count; first += kLanes) {
    reader.begin_block<3>(section, first);
    Destination<4> out(pose.stream(Stream::rx).data(), stride, section.targets.data() + first, count - first,
                       pose.joint_count());
    for (std::size_t i = 0; i < std::min(kLanes, count - first); i += hn::Lanes(d)) {
      reader.read<3>(section, first, i, in);
      V a[3], b[3];
      for (std::size_t c = 0; c < 3; ++c) {
        const V step = hn::Load(d, section.steps.data() + 3 * first + c * kLanes + i);
        const V at_first = hn::Add(in.knots[c], in.residuals[c]),
                at_second = hn::Add(in.knots[c], in.next_residuals[c]);
        a[c] = hn::Mul(step, hn::MulAdd(in.rises[c], hn::Set(d, shares.first), at_first));
        b[c] = hn::Mul(step, hn::MulAdd(in.rises[c], hn::Set(d, shares.second), at_second));
      }
      const Quats q = product(load_quats(section.centres.data() + 4 * first + i), between(a, b, to_a, to_b));
      out.put(0, i, q.x), out.put(1, i, q.y), out.put(2, i, q.z), out.put(3, i, q.w);
    }
    out.finish();
  }
}

/// Translations, scales (C = 3) or channels (C = 1).
template <std::size_t C>
HWY_INLINE void packed_numbers(const detail::PackedSection& section, const PackedShares& shares, PackedReader& reader,
                               float* streams, std::size_t stride, std::size_t size) {
  const D d;
  const std::size_t count = section.targets.size();
  PackedNumbers<C> in;
  for (std::size_t first = 0; first < count; first += kLanes) {
    reader.begin_block<C>(section, first);
    Destination<C> out(streams, stride, section.targets.data() + first, count - first, size);
    for (std::size_t i = 0; i < std::min(kLanes, count - first); i += hn::Lanes(d)) {
      reader.read<C>(section, first, i, in);
      for (std::size_t c = 0; c < C; ++c) {
        const V a = in.residuals[c], b = in.next_residuals[c];
        const V residual = hn::MulAdd(hn::Sub(b, a), hn::Set(d, shares.factor), a);
        const V number = hn::MulAdd(in.rises[c], hn::Set(d, shares.time), hn::Add(in.knots[c], residual));
        const std::size_t at = C * first + c * kLanes + i;
        out.put(c, i,
                hn::MulAdd(number, hn::Load(d, section.steps.data() + at), hn::Load(d, section.centres.data() + at)));
      }
    }
    out.finish();
  }
}

/// Of tracks that do not move: C numbers a target, to streams `stride` apart.
template <std::size_t C>
HWY_INLINE void packed_constants(const detail::PackedSection& section, float* streams, std::size_t stride) {
  const float* from = section.constants.data();
  for (const std::uint32_t target : section.constant_targets)
    for (std::size_t c = 0; c < C; ++c) streams[c * stride + target] = *from++;
}

HWY_ATTR void sample_packed(const detail::PackedTracks& tracks, float time, Pose& pose) {
  const std::size_t stride = pose.stream(Stream::tx).size(), joints = pose.joint_count(),
                    channels = pose.channel_count();
  float* const rotations = pose.stream(Stream::rx).data();
  float* const translations = pose.stream(Stream::tx).data();
  float* const scales = pose.stream(Stream::sx).data();
  float* const weights = pose.channels().data();
  const auto& [r, t, s, w] = tracks.sections;
  if (tracks.base.empty()) {
    packed_constants<4>(r, rotations, stride);
    packed_constants<3>(t, translations, stride);
    packed_constants<3>(s, scales, stride);
  }
  packed_constants<1>(w, weights, 0);
  if (!tracks.moves()) return;
  const detail::PackedPlace at = detail::place(tracks, time);
  const PackedShares shares(at);
  PackedReader reader(tracks, at);
  packed_rotations(r, shares, reader, pose);
  packed_numbers<3>(t, shares, reader, translations, stride, joints);
  packed_numbers<3>(s, shares, reader, scales, stride, joints);
  packed_numbers<1>(w, shares, reader, weights, padded(channels), channels);
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
