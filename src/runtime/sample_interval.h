// Where a time falls in a group of tracks: the rows of keys about it and their weights.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/clip.h"

namespace sinew {

/// Last key with time <= t, by the bucket table and a binary search; t is not before the first key. The table is a
/// hint: where rounding put `t` into a neighbouring bucket, the search widens to the whole list.
inline std::size_t seek(const ClipGroup& group, float t) {
  const std::span<const float> times = group.times;
  const float first = times.front(), last = times.back();
  std::size_t low = 0, high = times.size();
  if (const std::size_t count = group.buckets.size(); count > 1 && last > first) {
    const double share = std::min(1.0, double(t - first) / double(last - first));  // far past the end it counts no more
    const std::size_t bucket = std::min(count - 1, std::size_t(share * double(count)));
    const std::size_t from = group.buckets[bucket];
    const std::size_t to = bucket + 1 < count ? group.buckets[bucket + 1] + std::size_t{1} : high;
    if (times[from] <= t) low = from;
    if (to < high && times[to] > t) high = to;
  }
  return std::size_t(std::upper_bound(times.begin() + low, times.begin() + high, t) - times.begin()) - 1;
}

/// The same key, from the last one: a few steps forward cost less than a search.
inline std::size_t step_or_seek(const ClipGroup& group, float t, std::uint32_t& cursor) {
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

inline Interval locate(const ClipGroup& group, float t, std::uint32_t* cursor) {
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

}  // namespace sinew
