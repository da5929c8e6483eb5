// Camera: from where a character is seen, and how far away so that all of it is in the picture.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "sinew/math.h"

namespace sinew::render {

/// Degrees; azimuth 0 looks at the front (+Z), 90 at the character's left (+X); elevation 90 looks down.
struct Direction {
  float azimuth = 35, elevation = 12;
};

struct Camera {
  Vec3 eye{0.0f};
  Vec3 right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
  Mat4 clip_from_world{1.0f};
  float view_height = 1;  ///< of the picture, seen from a distance of 1
};

/// A box around points; empty at first.
struct Bounds {
  Vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};
  void add(Vec3 p) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
      high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
    }
  }
  bool empty() const { return low.x > high.x; }
  Vec3 centre() const { return (low + high) * 0.5f; }
  float diagonal() const { return empty() ? 0.0f : glm::length(high - low); }
};

/// Finds the nearest place from which all points that were added are seen: each side of the picture touches one of
/// them, but for a margin.
class Framing {
 public:
  /// `aspect`: width by height. `margin`: share of the picture that stays free at each side.
  Framing(Direction direction, float aspect, float margin = 0.06f);
  void add(Vec3 point);
  void add(std::span<const Vec3> points) {
    for (const Vec3& p : points) add(p);
  }
  const Bounds& bounds() const { return bounds_; }
  /// Forgets all points.
  void clear();
  /// Of two framings of one direction and aspect, one that sees what both see.
  void add(const Framing& other);
  Camera camera() const;

 private:
  Camera camera_;        // its axes
  float tan_x_, tan_y_;  // of half the angle of view, the margin taken off
  float aspect_;
  /// How far the points reach beyond planes through the origin, parallel to the sides of a view of so many steps of
  /// the whole angle. The last is the view; the others say where the middle is when only the other axis is filled.
  static constexpr int kSteps = 8;
  struct Reach {
    float right, left, top, bottom;
  };
  std::array<Reach, kSteps> reach_;
  /// Where on an axis to stand, at `z`, to have what reaches so far to both sides in the middle.
  float middle(float z, float tangent, float Reach::*high, float Reach::*low) const;
  Bounds bounds_;
};

/// Parallel view along `direction` of all of `bounds`: x and y from -1 to 1, z from 0 at its near side to 1 at its far
/// side, or that much `beyond` it.
Mat4 parallel_view(const Bounds& bounds, Vec3 direction, float beyond);

}  // namespace sinew::render
