// The twist of a joint over a track of rotations: an angle that is followed, not taken anew at each time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "offline/compress_maths.h"
#include "offline/twist_detail.h"
#include "sinew/scene.h"

namespace sinew::detail {

/// What of a rotation its twist depends on: the part of its quaternion along the axis and the scalar part. The twist is
/// twice this point's angle from the second axis, whatever the point's length; both are linear in the quaternion.
struct TwistPoint {
  double s = 0, c = 1;
};
inline TwistPoint operator+(TwistPoint a, TwistPoint b) { return {a.s + b.s, a.c + b.c}; }
inline TwistPoint operator*(TwistPoint a, double k) { return {a.s * k, a.c * k}; }

/// A cubic from p0 to p1 by glTF's rule, tangents times the duration of the segment, at u from 0 to 1; and its slope.
TwistPoint hermite(const std::array<TwistPoint, 4>& p0_m0_p1_m1, double u);
TwistPoint hermite_slope(const std::array<TwistPoint, 4>& p0_m0_p1_m1, double u);

/// Twist between two keys, as a player interpolates the joint there.
class TwistSegment {
 public:
  /// Straight from one quaternion to another on the same half of the sphere. `start`: the twist at its beginning.
  TwistSegment(const Limb& limb, Quatd from, Quatd to, double start);
  /// A spline.
  TwistSegment(const std::array<TwistPoint, 4>& spline, double start);

  double angle(double u) const;  ///< radians, followed from `start`
  double slope(double u) const;  ///< radians a unit of u
  bool is_steep() const { return std::ranges::find(steep_, true) != steep_.end(); }

 private:
  TwistPoint point(double u) const;
  std::size_t step_of(double u) const;
  void follow(double start);

  bool is_spline_;
  std::array<TwistPoint, 4> spline_;  ///< or, where it is none, the two ends in [0] and [2]
  double arc_ = 0;                    ///< between the two quaternions, radians
  static constexpr std::size_t kSteps = 32;
  std::array<double, kSteps + 1> followed_;  ///< twist at even steps
  std::array<bool, kSteps> steep_{};  ///< steps in which it turns by more than half a turn: a swing by half a turn
                                      ///< is passed, where it spins round once for nothing. A straight line there
};

/// A key of a twist joint's track: an angle, and of a spline its slopes.
struct TwistKey {
  float time = 0;                      ///< seconds
  double angle = 0;                    ///< radians
  double in_slope = 0, out_slope = 0;  ///< radians a second
};

struct TwistCurve {
  Interpolation interpolation = Interpolation::linear;
  std::vector<TwistKey> keys;
  std::size_t added = 0;  ///< keys that are not the track's
  bool steep = false;     ///< somewhere the joint is bent by half a turn, which leaves no twist to be told
};
/// Keys of a track that has at least one; `values` are as many as they should be.
TwistCurve twist_curve(const Limb& limb, const Scene::Track& track, std::span<const float> times);

inline constexpr double kTwistTolerance = 0.01 * 3.14159265358979323846 / 180;  // radians

}  // namespace sinew::detail
