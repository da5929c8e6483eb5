#include "sinew/sample.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/contract.h"

namespace sinew {
namespace {

/// Last key with time <= t, by the bucket table and a binary search; t is not before the first key. The table is a
/// hint: where rounding put `t` into a neighbouring bucket, the search widens to the whole list.
std::size_t seek(const ClipGroup& group, float t) {
  const std::span<const float> times = group.times;
  const float first = times.front(), last = times.back();
  std::size_t low = 0, high = times.size();
  if (const std::size_t count = group.buckets.size(); count > 1 && last > first) {
    const std::size_t bucket =
        std::min(count - 1, std::size_t(double(t - first) / double(last - first) * double(count)));
    const std::size_t from = group.buckets[bucket];
    const std::size_t to = bucket + 1 < count ? group.buckets[bucket + 1] + std::size_t{1} : high;
    if (times[from] <= t) low = from;
    if (to < high && times[to] > t) high = to;
  }
  return std::size_t(std::upper_bound(times.begin() + low, times.begin() + high, t) - times.begin()) - 1;
}

/// The same key, from the last one: a few steps forward cost less than a search.
std::size_t step_or_seek(const ClipGroup& group, float t, std::uint32_t& cursor) {
  constexpr int kSteps = 3;
  const std::span<const float> times = group.times;
  std::size_t key = std::min<std::size_t>(cursor, times.size() - 1);
  bool found = false;
  if (times[key] <= t) {
    for (int i = 0; i <= kSteps && !found; ++i) {
      if (key + 1 == times.size() || times[key + 1] > t)
        found = true;
      else
        ++key;
    }
  }
  if (!found) key = seek(group, t);
  cursor = std::uint32_t(key);
  return key;
}

/// What a group's tracks give at one time: `a`, or between the rows of two keys.
struct Interval {
  Interpolation interpolation = Interpolation::step;
  const float* a = nullptr;            // values of the earlier key; the result itself for step
  const float* b = nullptr;            // values of the later key
  const float* out_tangent = nullptr;  // of the earlier key
  const float* in_tangent = nullptr;   // of the later key
  float factor = 0;
  float wa = 0, wout = 0, wb = 0, win = 0;  // Hermite weights
};

Interval locate(const ClipGroup& group, float t, std::uint32_t* cursor) {
  const std::size_t row = group.row_floats();
  const bool cubic = group.interpolation == Interpolation::cubicspline;
  const auto value = [&](std::size_t key) { return group.keys.data() + (cubic ? 3 * key + 1 : key) * row; };
  Interval out;
  if (t < group.times.front()) {
    out.a = value(0);
    return out;
  }
  const std::size_t key = cursor ? step_or_seek(group, t, *cursor) : seek(group, t);
  out.a = value(key);
  const float t0 = group.times[key];
  if (key + 1 == group.times.size() || t == t0 || group.interpolation == Interpolation::step) return out;
  const float span = group.times[key + 1] - t0;  // > 0: `key` is the last one at or before t
  out.interpolation = group.interpolation;
  out.factor = (t - t0) / span;
  out.b = value(key + 1);
  if (cubic) {
    out.out_tangent = out.a + row;
    out.in_tangent = out.b - row;
    const double u = out.factor, u2 = u * u, u3 = u2 * u;
    out.wa = float(2 * u3 - 3 * u2 + 1);
    out.wout = float(span * (u3 - 2 * u2 + u));
    out.wb = float(-2 * u3 + 3 * u2);
    out.win = float(span * (u3 - u2));
  }
  return out;
}

/// One component of one track; `i` is its place in a row.
float component(const Interval& in, std::size_t i) {
  switch (in.interpolation) {
    case Interpolation::step:
      return in.a[i];
    case Interpolation::linear:
      return in.a[i] + (in.b[i] - in.a[i]) * in.factor;
    case Interpolation::cubicspline:
      return in.wa * in.a[i] + in.wout * in.out_tangent[i] + in.wb * in.b[i] + in.win * in.in_tangent[i];
  }
  return in.a[i];
}

Quat quat_at(const float* row, std::size_t i) {
  return quat_xyzw(row[i], row[i + kLanes], row[i + 2 * kLanes], row[i + 3 * kLanes]);
}

void sample_rotations(const Interval& in, std::span<const std::uint32_t> joints, Pose& pose) {
  const std::span<float> x = pose.stream(Stream::rx), y = pose.stream(Stream::ry), z = pose.stream(Stream::rz),
                         w = pose.stream(Stream::rw);
  for (std::size_t track = 0; track < joints.size(); ++track) {
    const std::size_t i = track / kLanes * 4 * kLanes + track % kLanes;
    Quat q;
    switch (in.interpolation) {
      case Interpolation::step:
        q = quat_at(in.a, i);
        break;
      case Interpolation::linear:
        q = slerp(quat_at(in.a, i), quat_at(in.b, i), in.factor);
        break;
      case Interpolation::cubicspline:
        q = normalize(quat_xyzw(component(in, i), component(in, i + kLanes), component(in, i + 2 * kLanes),
                                component(in, i + 3 * kLanes)));
        break;
    }
    const std::uint32_t joint = joints[track];
    x[joint] = q.x, y[joint] = q.y, z[joint] = q.z, w[joint] = q.w;
  }
}

/// Translations or scales: three streams from `first` on.
void sample_vectors(const Interval& in, std::span<const std::uint32_t> joints, std::size_t section, Stream first,
                    Pose& pose) {
  float* streams[3];
  for (std::size_t c = 0; c < 3; ++c) streams[c] = pose.stream(Stream(std::size_t(first) + c)).data();
  for (std::size_t track = 0; track < joints.size(); ++track) {
    const std::size_t i = section + track / kLanes * 3 * kLanes + track % kLanes;
    for (std::size_t c = 0; c < 3; ++c) streams[c][joints[track]] = component(in, i + c * kLanes);
  }
}

}  // namespace

void run(const SampleJob& job) {
  const Clip& clip = *job.clip;
  const Skeleton& skeleton = *job.skeleton;
  Pose& pose = *job.pose;
  SINEW_CONTRACT(clip.skeleton_id == skeleton.id && clip.joint_count == skeleton.joint_count() &&
                     clip.channel_count == skeleton.channel_count(),
                 "SampleJob.clip: made for another skeleton than SampleJob.skeleton");
  SINEW_CONTRACT(pose.made_for(skeleton), "SampleJob.pose: made for another skeleton than SampleJob.skeleton");
  SINEW_CONTRACT(std::isfinite(job.time), "SampleJob.time: %g is not finite", double(job.time));
  SINEW_CONTRACT(job.cursors.empty() || job.cursors.size() >= clip.groups.size(),
                 "SampleJob.cursors: %zu given, the clip has %zu groups", job.cursors.size(), clip.groups.size());
  pose.set_rest(skeleton);
  const std::span<float> channels = pose.channels();
  for (std::size_t g = 0; g < clip.groups.size(); ++g) {
    const ClipGroup& group = clip.groups[g];
    const Interval in = locate(group, job.time, job.cursors.empty() ? nullptr : &job.cursors[g]);
    std::size_t section = 0;
    sample_rotations(in, group.rotations, pose);
    section += 4 * padded(group.rotations.size());
    sample_vectors(in, group.translations, section, Stream::tx, pose);
    section += 3 * padded(group.translations.size());
    sample_vectors(in, group.scales, section, Stream::sx, pose);
    section += 3 * padded(group.scales.size());
    for (std::size_t track = 0; track < group.channels.size(); ++track)
      channels[group.channels[track]] = component(in, section + track);
  }
}

}  // namespace sinew
