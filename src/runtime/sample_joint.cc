#include "sinew/sample_joint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/contract.h"
#include "runtime/packed_tracks.h"
#include "runtime/sample_interval.h"

namespace sinew {
namespace {

using Numbers = std::array<float, 4>;

/// The joint's place among those driven, or -1.
std::ptrdiff_t find_target(std::span<const std::uint32_t> targets, std::uint32_t joint) {
  const auto at = std::ranges::lower_bound(targets, joint);
  return at != targets.end() && *at == joint ? at - targets.begin() : -1;
}

Quat quat_of(const Numbers& n) { return quat_xyzw(n[0], n[1], n[2], n[3]); }
void put(Transform& out, std::size_t section, const Numbers& n) {
  if (section == 0)
    out.rotation = quat_of(n);
  else
    (section == 1 ? out.translation : out.scale) = {n[0], n[1], n[2]};
}

/// A track whose components stand kLanes apart in the rows of an interval, `at` numbers from their beginning.
Numbers between_keys(const Interval& in, std::size_t at, std::size_t components) {
  const auto row = [&](const float* values) {
    Numbers out{};
    for (std::size_t c = 0; c < components; ++c) out[c] = values[at + c * kLanes];
    return out;
  };
  const Numbers a = row(in.a);
  if (in.interpolation == Interpolation::step) return a;
  const Numbers b = row(in.b);
  Numbers out{};
  if (in.interpolation == Interpolation::linear && components == 4) {
    const Quat q = slerp(quat_of(a), quat_of(b), in.factor);
    return {q.x, q.y, q.z, q.w};
  }
  if (in.interpolation == Interpolation::linear) {
    for (std::size_t c = 0; c < components; ++c) out[c] = a[c] + (b[c] - a[c]) * in.factor;
    return out;
  }
  const Numbers from = row(in.out_tangent), into = row(in.in_tangent);
  for (std::size_t c = 0; c < components; ++c)
    out[c] = a[c] * in.wa + from[c] * in.wout + b[c] * in.wb + into[c] * in.win;
  if (components < 4) return out;
  const Quat q = normalize(quat_of(out));
  return {q.x, q.y, q.z, q.w};
}

void sample_group(const ClipGroup& group, std::uint32_t joint, float time, Transform& out) {
  const std::span<const std::uint32_t> targets[] = {group.rotations, group.translations, group.scales};
  std::size_t section_at = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    const std::size_t components = s == 0 ? 4 : 3;
    if (const std::ptrdiff_t found = find_target(targets[s], joint); found >= 0) {
      const auto track = std::size_t(found);
      const std::size_t at = section_at + track / kLanes * components * kLanes + track % kLanes;
      put(out, s, between_keys(locate(group, time, nullptr), at, components));
    }
    section_at += components * padded(targets[s].size());
  }
}

/// Bits of the residuals of tracks before `track` of a section, and its own.
struct ResidualBits {
  std::size_t before = 0;
  std::array<unsigned, 3> own{};
};
ResidualBits residual_bits(const detail::PackedTracks& tracks, const detail::PackedBits& bits, std::size_t section,
                           std::size_t track) {
  std::size_t number = 0;
  for (std::size_t s = 0; s < section; ++s) number += detail::section_components(s) * tracks.sections[s].targets.size();
  number += detail::section_components(section) * track;
  const auto width = [&](std::size_t i) {
    return unsigned(detail::kResidualBits[bits.codes[i / 2] >> (4 * (i % 2)) & 15]);
  };
  ResidualBits out;
  for (std::size_t i = 0; i < number; ++i) out.before += width(i);
  for (std::size_t c = 0; c < detail::section_components(section); ++c) out.own[c] = width(number + c);
  return out;
}

double signed_bits(const std::uint8_t* bytes, std::size_t at, unsigned width) {
  const std::uint64_t top = std::uint64_t{1} << width;
  return double(std::int64_t(detail::read_bits(bytes, at) & (top - 1)) - std::int64_t(top >> 1));
}

/// Three components in steps, at the earlier frame and the later one.
struct Frames {
  std::array<double, 3> earlier{}, later{};
};
Frames frames_of(const detail::PackedTracks& tracks, const detail::PackedPlace& place, std::size_t section,
                 std::size_t track) {
  const detail::PackedBits bits(tracks, place.segment);
  const detail::PackedSection& in = tracks.sections[section];
  const ResidualBits residuals = residual_bits(tracks, bits, section, track);
  const std::size_t row_bits = tracks.segments[place.segment].row_bits;
  Frames out;
  std::size_t residual_at = residuals.before;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t at = track / kLanes * 3 * kLanes + c * kLanes + track % kLanes;
    const double knot = signed_bits(bits.knots, in.knot_starts[at], in.knot_widths[at]);
    const double next = signed_bits(bits.next_knots, in.knot_starts[at], in.knot_widths[at]);
    const auto frame = [&](std::uint32_t row) {
      const double line = knot + (next - knot) * double(row) / double(place.length);
      if (row == 0 || row == place.length) return line;
      return line + signed_bits(bits.residuals, (row - 1) * row_bits + residual_at, residuals.own[c]);
    };
    out.earlier[c] = frame(place.row), out.later[c] = frame(place.row + 1);
    residual_at += residuals.own[c];
  }
  return out;
}

Numbers moving(const detail::PackedTracks& tracks, const detail::PackedPlace& place, std::size_t section,
               std::size_t track) {
  const detail::PackedSection& in = tracks.sections[section];
  const Frames frames = frames_of(tracks, place, section, track);
  const auto block = [&](std::size_t components, std::size_t c) {
    return track / kLanes * components * kLanes + c * kLanes + track % kLanes;
  };
  Numbers out{};
  if (section > 0) {
    for (std::size_t c = 0; c < 3; ++c) {
      const double number = frames.earlier[c] + (frames.later[c] - frames.earlier[c]) * double(place.factor);
      out[c] = float(number * double(in.steps[block(3, c)]) + double(in.centres[block(3, c)]));
    }
    return out;
  }
  const auto turn = [&](const std::array<double, 3>& numbers) {
    double u[3], square = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      u[c] = numbers[c] * double(in.steps[block(3, c)]);
      square += u[c] * u[c];
    }
    const double scale = 1 / (1 + square);
    return quat_xyzw(float(2 * u[0] * scale), float(2 * u[1] * scale), float(2 * u[2] * scale),
                     float((1 - square) * scale));
  };
  const Quat mean =
      quat_xyzw(in.centres[block(4, 0)], in.centres[block(4, 1)], in.centres[block(4, 2)], in.centres[block(4, 3)]);
  const Quat q = mean * slerp(turn(frames.earlier), turn(frames.later), place.factor);
  return {q.x, q.y, q.z, q.w};
}

void sample_packed(const detail::PackedTracks& tracks, std::uint32_t joint, float time, Transform& out) {
  const detail::PackedPlace place = detail::place(tracks, time);
  for (std::size_t s = 0; s < 3; ++s) {
    const detail::PackedSection& in = tracks.sections[s];
    if (const std::ptrdiff_t track = find_target(in.targets, joint); track >= 0)
      put(out, s, moving(tracks, place, s, std::size_t(track)));
    const std::size_t components = s == 0 ? 4 : 3;
    if (const std::ptrdiff_t track = find_target(in.constant_targets, joint); track >= 0) {
      Numbers numbers{};
      std::copy_n(in.constants.begin() + track * std::ptrdiff_t(components), components, numbers.begin());
      put(out, s, numbers);
    }
  }
}

}  // namespace

void run(const SampleJointJob& job) {
  const Clip& clip = *job.clip;
  const Skeleton& skeleton = *job.skeleton;
  SINEW_CONTRACT(clip.skeleton_id == skeleton.id && clip.joint_count == skeleton.joint_count(),
                 "SampleJointJob.clip: made for another skeleton than SampleJointJob.skeleton");
  SINEW_CONTRACT(job.joint < skeleton.joint_count(), "SampleJointJob.joint: %u, the skeleton has %zu", job.joint,
                 skeleton.joint_count());
  SINEW_CONTRACT(std::isfinite(job.time), "SampleJointJob.time: %g is not finite", double(job.time));
  Transform& out = *job.transform;
  out = skeleton.rest_transform(job.joint);
  if (clip.packed) sample_packed(*clip.packed, job.joint, job.time, out);
  for (const ClipGroup& group : clip.groups) sample_group(group, job.joint, job.time, out);
}

}  // namespace sinew
