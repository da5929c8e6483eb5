#include "offline/twist_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::detail {

TwistPoint hermite(const std::array<TwistPoint, 4>& p, double u) {
  const double u2 = u * u, u3 = u2 * u;
  return p[0] * (2 * u3 - 3 * u2 + 1) + p[1] * (u3 - 2 * u2 + u) + p[2] * (3 * u2 - 2 * u3) + p[3] * (u3 - u2);
}

TwistPoint hermite_slope(const std::array<TwistPoint, 4>& p, double u) {
  const double u2 = u * u;
  return p[0] * (6 * u2 - 6 * u) + p[1] * (3 * u2 - 4 * u + 1) + p[2] * (6 * u - 6 * u2) + p[3] * (3 * u2 - 2 * u);
}

namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
// A swing by half a turn leaves no twist to be told: both parts vanish. So near to it, within 2.3 degrees, the twist
// may be anything and changes fast.
constexpr double kNoTwist = 0.02;

TwistPoint point_of(const Limb& limb, Quatd rotation) {
  const Quatd turned = rotation * limb.from_bound;
  return {dot(Vec3d{turned.x, turned.y, turned.z}, limb.axis), turned.w};
}

bool is_no_twist(TwistPoint p) { return std::hypot(p.s, p.c) < kNoTwist; }

/// The twist of a point that is nearest to another angle, of those a full turn apart: q and -q are one rotation.
double twist_near(TwistPoint p, double angle) {
  const double found = 2 * std::atan2(p.s, p.c);
  return found + kFullTurn * std::round((angle - found) / kFullTurn);
}

/// The same, but the angle itself where there is no twist.
double followed_twist(TwistPoint p, double angle) { return is_no_twist(p) ? angle : twist_near(p, angle); }

}  // namespace

TwistSegment::TwistSegment(const Limb& limb, Quatd from, Quatd to, double start)
    : is_spline_(false), spline_{point_of(limb, from), {0, 0}, point_of(limb, to), {0, 0}} {
  const Quatd less = {from.x - to.x, from.y - to.y, from.z - to.z, from.w - to.w},
              more = {from.x + to.x, from.y + to.y, from.z + to.z, from.w + to.w};
  arc_ = 2 * std::atan2(std::sqrt(dot(less, less)), std::sqrt(dot(more, more)));
  follow(start);
}

TwistSegment::TwistSegment(const std::array<TwistPoint, 4>& spline, double start) : is_spline_(true), spline_(spline) {
  follow(start);
}

void TwistSegment::follow(double start) {
  followed_[0] = start;
  TwistPoint before = point(0);
  for (std::size_t i = 1; i <= kSteps; ++i) {
    const TwistPoint now = point(double(i) / kSteps);
    followed_[i] = followed_twist(now, followed_[i - 1]);
    // Twists count twice: a quarter of a turn of the point is half a turn.
    steep_[i - 1] = is_no_twist(before) || is_no_twist(now) || before.s * now.s + before.c * now.c < 0;
    before = now;
  }
}

std::size_t TwistSegment::step_of(double u) const {
  return std::min(std::size_t(std::max(u * kSteps, 0.0)), kSteps - 1);
}

TwistPoint TwistSegment::point(double u) const {
  if (is_spline_) return hermite(spline_, u);
  constexpr double kShort = 1e-9;
  if (arc_ < kShort) return spline_[0] * (1 - u) + spline_[2] * u;
  return (spline_[0] * std::sin((1 - u) * arc_) + spline_[2] * std::sin(u * arc_)) * (1 / std::sin(arc_));
}

double TwistSegment::angle(double u) const {
  const std::size_t i = step_of(u);
  const double straight = std::lerp(followed_[i], followed_[i + 1], u * kSteps - double(i));
  return steep_[i] ? straight : twist_near(point(u), straight);
}

double TwistSegment::slope(double u) const {
  const std::size_t i = step_of(u);
  if (steep_[i]) return (followed_[i + 1] - followed_[i]) * kSteps;
  const TwistPoint p = point(u), d = hermite_slope(spline_, u);
  return 2 * (d.s * p.c - p.s * d.c) / (p.s * p.s + p.c * p.c);
}

namespace {

/// Makes a track's keys into keys of the twist, with more between them where straight lines or cubics would stray.
class CurveFit {
 public:
  CurveFit(const Limb& limb, const Scene::Track& track, std::span<const float> times)
      : limb_(limb), track_(track), times_(times) {
    // One key is a constant, whatever its interpolation.
    curve_.interpolation = times.size() == 1 ? Interpolation::step : track.interpolation;
  }

  TwistCurve run() {
    Quatd before = rotation(0);
    double angle = followed_twist(point_of(limb_, before), 0);
    curve_.keys.push_back({times_[0], angle, 0, 0});
    for (std::size_t i = 1; i < times_.size(); ++i) {
      Quatd now = rotation(i);
      if (curve_.interpolation == Interpolation::linear && dot(before, now) < 0) now = -now;  // slerp's shorter arc
      if (curve_.interpolation == Interpolation::step) {
        angle = followed_twist(point_of(limb_, now), angle);
        curve_.keys.push_back({times_[i], angle, 0, 0});
      } else {
        angle = add_segment(curve_.interpolation == Interpolation::linear ? TwistSegment(limb_, before, now, angle)
                                                                          : TwistSegment(spline(i), angle),
                            i);
      }
      before = now;
    }
    curve_.added = curve_.keys.size() - times_.size();
    return std::move(curve_);
  }

 private:
  /// As stored: of a spline also its tangents, `row` 0 and 2.
  Quatd stored(std::size_t key, std::size_t row) const {
    const std::size_t rows = track_.interpolation == Interpolation::cubicspline ? 3 : 1;
    const float* q = track_.values.data() + 4 * (rows * key + row);
    return {q[0], q[1], q[2], q[3]};
  }
  Quatd value(std::size_t key) const { return stored(key, track_.interpolation == Interpolation::cubicspline ? 1 : 0); }
  Quatd rotation(std::size_t key) const { return unit(value(key)); }

  /// The spline between two keys, its values made unit rotations and its tangents scaled with them, as `write` does.
  std::array<TwistPoint, 4> spline(std::size_t i) const {
    const double duration = double(times_[i]) - times_[i - 1];
    const auto scale = [this](std::size_t key) {
      const double square = dot(value(key), value(key));
      return square > 0 ? 1 / std::sqrt(square) : 1.0;
    };
    return {point_of(limb_, rotation(i - 1)), point_of(limb_, stored(i - 1, 2)) * (duration * scale(i - 1)),
            point_of(limb_, rotation(i)), point_of(limb_, stored(i, 0)) * (duration * scale(i))};
  }

  /// Keys of a segment, without that at its beginning. The twist at its end.
  double add_segment(const TwistSegment& segment, std::size_t i) {
    curve_.steep = curve_.steep || segment.is_steep();
    begin_ = times_[i - 1], duration_ = double(times_[i]) - times_[i - 1];
    const double last = segment.angle(1);
    TwistKey to{times_[i], last, 0, 0};
    if (duration_ > 0 && curve_.interpolation == Interpolation::cubicspline) {
      curve_.keys.back().out_slope = segment.slope(0) / duration_;
      to.in_slope = segment.slope(1) / duration_;
    }
    if (duration_ > 0) split(segment, curve_.keys.back(), to);
    curve_.keys.push_back(to);
    return last;
  }

  double where(float time) const { return (double(time) - begin_) / duration_; }

  /// Adds keys between two until the last twist joint keeps the tolerance.
  void split(const TwistSegment& segment, TwistKey from, const TwistKey& to) {
    if (straying(segment, from, to) <= kTwistTolerance) return;
    const float middle = float(0.5 * (double(from.time) + to.time));
    if (!(middle > from.time && middle < to.time)) return;  // nearer than floats tell apart
    TwistKey key{middle, segment.angle(where(middle)), 0, 0};
    if (curve_.interpolation == Interpolation::cubicspline)
      key.in_slope = key.out_slope = segment.slope(where(middle)) / duration_;
    split(segment, from, key);
    curve_.keys.push_back(key);
    split(segment, curve_.keys.back(), to);
  }

  /// How far the last twist joint is from where it should be, at the worst of some times between two keys.
  double straying(const TwistSegment& segment, const TwistKey& from, const TwistKey& to) const {
    constexpr int kLooks = 8;
    const double share = limb_.share(limb_.count), turn = std::fabs(to.angle - from.angle) * share;
    // Players take the shorter arc, and a cubic through almost opposite quaternions is no rotation half way.
    constexpr double kFarthest = 0.95 * std::numbers::pi;
    if (turn > kFarthest) return turn;
    double worst = 0;
    for (int look = 1; look < kLooks; ++look) {
      const double part = double(look) / kLooks;
      const double wanted = segment.angle(where(from.time) + (where(to.time) - where(from.time)) * part) * share;
      worst = std::max(worst, std::fabs(played(from, to, part, share) - wanted));
    }
    return worst;
  }

  double played(const TwistKey& from, const TwistKey& to, double part, double share) const {
    if (curve_.interpolation == Interpolation::linear) return std::lerp(from.angle, to.angle, part) * share;
    const double seconds = double(to.time) - from.time;
    const auto value = [&](const TwistKey& k) {
      return TwistPoint{std::sin(k.angle * share / 2), std::cos(k.angle * share / 2)};
    };
    const auto tangent = [&](const TwistKey& k, double slope) {
      return TwistPoint{std::cos(k.angle * share / 2), -std::sin(k.angle * share / 2)} * (slope * share / 2 * seconds);
    };
    const TwistPoint p =
        hermite({value(from), tangent(from, from.out_slope), value(to), tangent(to, to.in_slope)}, part);
    return twist_near(p, std::lerp(from.angle, to.angle, part) * share);
  }

  const Limb& limb_;
  const Scene::Track& track_;
  std::span<const float> times_;
  TwistCurve curve_;
  double begin_ = 0, duration_ = 0;
};

}  // namespace

TwistCurve twist_curve(const Limb& limb, const Scene::Track& track, std::span<const float> times) {
  return CurveFit(limb, track, times).run();
}

}  // namespace sinew::detail
