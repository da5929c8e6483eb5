#include "offline/clip_times.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

namespace sinew::detail {
namespace {

std::size_t track_count(const ClipGroup& group) {
  return group.rotations.size() + group.translations.size() + group.scales.size() + group.channels.size();
}

/// Intervals worth trying, the longest first.
std::vector<double> intervals_between(const std::set<float>& times) {
  const double span = double(*times.rbegin()) - double(*times.begin());
  std::vector<double> gaps;
  for (auto t = std::next(times.begin()); t != times.end(); ++t) gaps.push_back(double(*t) - double(*std::prev(t)));
  std::sort(gaps.begin(), gaps.end());
  std::vector<double> out = {span / double(times.size() - 1), gaps.front()};
  for (const std::size_t share : {100, 10, 2}) out.push_back(gaps[gaps.size() / share]);
  for (const double rate : {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0}) out.push_back(1 / rate);
  // One that divides the span evenly is sharper than one between two floats.
  for (std::size_t i = out.size(); i-- > 0;) out.push_back(span / std::max(1.0, std::nearbyint(span / out[i])));
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

/// The intervals at which all times are what frames of a grid round to, frame 0 being at `origin` and the first time at frame
/// `offset`; the middle one of them, or 0 if there is none.
double common_interval(const std::set<float>& times, const TimeGrid& grid, double origin, double offset) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (const float t : times) {
    const double frame = offset + std::nearbyint((double(t) - grid.first) / grid.interval);
    if (frame == 0) continue;
    const double below = double(std::nextafter(t, -std::numeric_limits<float>::infinity()));
    const double above = double(std::nextafter(t, std::numeric_limits<float>::infinity()));
    const double a = ((double(t) + below) / 2 - origin) / frame, b = ((double(t) + above) / 2 - origin) / frame;
    low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
  }
  return low < high && std::isfinite(high) ? low + (high - low) / 2 : 0;
}

/// Keys are floats, so first, last and interval are a little off. If all times fit one interval exactly, it is taken: counted
/// from the first key, or from 0.
void sharpen(TimeGrid& grid, const std::set<float>& times) {
  const double offset = std::nearbyint(grid.first / grid.interval);
  if (const double interval = common_interval(times, grid, grid.first, 0); interval > 0) {
    grid.interval = interval;
  } else if (const double from_zero = common_interval(times, grid, 0, offset); from_zero > 0) {
    grid.interval = from_zero;
    grid.first = offset * from_zero;
  }
}

}  // namespace

bool TimeGrid::has(float time) const {
  if (time == last || steps == 0) return time == last;
  const double at = std::nearbyint((double(time) - first) / interval);
  // A thousandth of a frame, and what float times are rounded by.
  const double slack = 1e-3 * interval + 2.4e-7 * std::max(std::fabs(first), std::fabs(double(time)));
  return at >= 0 && at < double(steps) && std::fabs(first + interval * at - double(time)) <= slack;
}

bool TimeGrid::has_exactly(float time) const {
  if (time == last || steps == 0) return time == last;
  const double at = std::nearbyint((double(time) - first) / interval);
  return at >= 0 && at < double(steps) && this->time(std::uint32_t(at)) == time;
}

std::uint32_t TimeGrid::frame_before(float time) const {
  const double at = std::floor((double(time) - first) / interval);
  auto frame = std::uint32_t(std::clamp(at, 0.0, double(steps - 1)));
  while (frame > 0 && this->time(frame) > time) --frame;
  while (frame + 1 < steps && this->time(frame + 1) <= time) ++frame;
  return frame;
}

bool fits(const ClipGroup& group, const TimeGrid& grid) {
  return grid.steps <= 32 * group.times.size() + 512 &&
         std::ranges::all_of(group.times, [&](float t) { return grid.has(t); });
}

bool glides(const ClipGroup& group) {
  return group.interpolation != Interpolation::step &&
         std::adjacent_find(group.times.begin(), group.times.end()) == group.times.end();
}

TimeGrid find_grid(const Clip& clip, std::span<const std::size_t> groups) {
  std::set<float> times;
  for (const std::size_t g : groups) times.insert(clip.groups[g].times.begin(), clip.groups[g].times.end());
  TimeGrid best;
  if (times.empty()) return best;
  best.first = double(*times.begin());
  best.last = *times.rbegin();
  if (times.size() == 1) return best;
  // Eight frames a key at most, or so: a stray key must not ask for millions.
  const double span = double(best.last) - best.first, limit = 8.0 * double(times.size()) + 64;
  std::size_t most = 0;
  for (const double interval : intervals_between(times)) {  // fewest frames first
    const double steps = std::max(1.0, std::ceil(span / interval - 1e-3));
    if (!(steps <= limit)) continue;
    const TimeGrid grid{best.first, interval, std::uint32_t(steps), best.last};
    std::size_t tracks = 0;
    for (const std::size_t g : groups)
      if (fits(clip.groups[g], grid)) tracks += track_count(clip.groups[g]);
    if (tracks > most) most = tracks, best = grid;
  }
  if (best.steps == 0) {  // no group has all its keys on any
    best.last = *times.begin();
    return best;
  }
  std::set<float> on_grid;
  for (const float t : times)
    if (best.has(t) &&
        (t != best.last || std::fabs(best.first + best.interval * best.steps - double(t)) <= 1e-3 * best.interval))
      on_grid.insert(t);
  sharpen(best, on_grid);
  return best;
}

std::vector<float> times_to_watch(const Clip& clip) {
  std::vector<std::size_t> gliding;
  std::set<float> times;
  for (std::size_t g = 0; g < clip.groups.size(); ++g) {
    times.insert(clip.groups[g].times.begin(), clip.groups[g].times.end());
    if (glides(clip.groups[g])) gliding.push_back(g);
  }
  const TimeGrid grid = find_grid(clip, gliding);
  for (std::uint32_t f = 0; f <= grid.steps && !gliding.empty(); ++f) times.insert(grid.time(f));
  if (times.empty()) times.insert(clip.first_key);
  std::vector<float> out;
  for (const float t : times) {
    if (!out.empty()) {
      const float half = float((double(out.back()) + double(t)) / 2);
      if (half > out.back() && half < t) out.push_back(half);
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace sinew::detail
