#include "offline/reduce_keys.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "offline/compress_maths.h"

namespace sinew::detail {
namespace {

constexpr std::size_t kLongest = 512;   // keys left out in a row: the work stays in proportion
constexpr double kCosineOfThird = 0.5;  // of half the angle, a third of a circle

class Reducer {
 public:
  Reducer(const std::vector<float>& times, const Scene::Track& track, double allowed)
      : times_(times), track_(track), width_(track.values.size() / times.size()), allowed_(allowed) {}

  std::vector<std::size_t> kept() const {
    std::vector<std::size_t> out = {0};
    const std::size_t last = times_.size() - 1;
    while (out.back() < last) {
      const std::size_t from = out.back();
      std::size_t to = from + 1;
      while (to < last && to - from < kLongest && spans(from, to + 1)) ++to;
      out.push_back(to);
    }
    return out;
  }

 private:
  const float* value(std::size_t key) const { return track_.values.data() + key * width_; }
  Quatd rotation(std::size_t key) const {
    const float* v = value(key);
    return unit({double(v[0]), double(v[1]), double(v[2]), double(v[3])});
  }
  /// Whether the keys between these two can go.
  bool spans(std::size_t from, std::size_t to) const {
    if (track_.interpolation == Interpolation::step)
      return std::equal(value(to - 1), value(to - 1) + width_, value(from));
    if (track_.path == Path::rotation) {
      // From each key to the next the way is the shorter one: the angles between must not add up to more than half a turn.
      const Quatd a = rotation(from), b = rotation(to), middle = rotation((from + to) / 2);
      if (std::fabs(dot(a, b)) < kCosineOfThird || std::fabs(dot(a, middle)) < kCosineOfThird) return false;
    }
    for (std::size_t key = from + 1; key < to; ++key)
      if (!on_line(from, to, key)) return false;
    return true;
  }
  bool on_line(std::size_t from, std::size_t to, std::size_t key) const {
    const double span = double(times_[to]) - double(times_[from]);
    const double share = (double(times_[key]) - double(times_[from])) / span;
    if (track_.path == Path::rotation) {
      const Quatd turn = conjugate(slerp(rotation(from), rotation(to), share)) * rotation(key);
      return 4 * length(rodrigues(turn.w < 0 ? -turn : turn)) <= allowed_;
    }
    for (std::size_t c = 0; c < width_; ++c) {
      const double a = double(value(from)[c]), b = double(value(to)[c]);
      if (!(std::fabs(a + (b - a) * share - double(value(key)[c])) <= allowed_)) return false;
    }
    return true;
  }

  const std::vector<float>& times_;
  const Scene::Track& track_;
  std::size_t width_;
  double allowed_;
};

}  // namespace

void reduce_keys(std::vector<float>& times, Scene::Track& track, double allowed) {
  if (times.size() < 3 || track.interpolation == Interpolation::cubicspline ||
      std::adjacent_find(times.begin(), times.end()) != times.end())
    return;
  const std::size_t width = track.values.size() / times.size();
  const std::vector<std::size_t> kept = Reducer(times, track, allowed).kept();
  std::vector<float> new_times, values;
  for (const std::size_t key : kept) {
    new_times.push_back(times[key]);
    values.insert(values.end(), track.values.begin() + std::ptrdiff_t(key * width),
                  track.values.begin() + std::ptrdiff_t((key + 1) * width));
  }
  times = std::move(new_times);
  track.values = std::move(values);
}

}  // namespace sinew::detail
