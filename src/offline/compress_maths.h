// Double-precision maths of compression. Sums, products, quotients and square roots only, which every machine rounds alike:
// the same scene gives the same bytes everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/math.h"

namespace sinew::detail {

struct Vec3d {
  double x = 0, y = 0, z = 0;
  double& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
};
inline Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }

struct Quatd {
  double x = 0, y = 0, z = 0, w = 1;
};
inline Quatd operator-(Quatd q) { return {-q.x, -q.y, -q.z, -q.w}; }
inline Quatd conjugate(Quatd q) { return {-q.x, -q.y, -q.z, q.w}; }
inline double dot(Quatd a, Quatd b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline Quatd operator*(Quatd a, Quatd b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline Quatd unit(Quatd q) {
  const double square = dot(q, q);
  if (!(square > 0)) return {};
  const double scale = 1 / std::sqrt(square);
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

/// Along the shorter arc, for t from 0 to 1. The arc is halved until its series ends soon.
inline Quatd slerp(Quatd a, Quatd b, double t) {
  if (dot(a, b) < 0) b = -b;
  while (t != 0 && t != 1 && dot(a, b) < 0.9) {
    const Quatd middle = unit({a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w});
    if (t < 0.5)
      b = middle, t = 2 * t;
    else
      a = middle, t = 2 * t - 1;
  }
  // sin(t angle) / sin(angle) as a series in x = sin^2(angle / 2): t 2F1(1 + t, 1 - t; 3/2; x).
  const double x = std::max(0.0, 0.5 - 0.5 * dot(a, b));
  const auto ratio = [x](double share) {
    double term = share, sum = share;
    for (int n = 1; n <= 12; ++n) sum += term *= (double(n) * n - share * share) / (n * (n + 0.5)) * x;
    return sum;
  };
  const double wa = ratio(1 - t), wb = ratio(t);
  return unit({a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb});
}

/// Modified Rodrigues parameters: tan of a quarter of the angle, along the axis. No angle is a weak spot up to three
/// quarters of a turn, past the half turn they are greater than 1 (Schaub and Junkins 1996).
inline Vec3d rodrigues(Quatd q) {
  const double scale = 1 / (1 + q.w);
  return {q.x * scale, q.y * scale, q.z * scale};
}
inline Quatd from_rodrigues(Vec3d u) {
  const double square = dot(u, u), scale = 1 / (1 + square);
  return {2 * u.x * scale, 2 * u.y * scale, 2 * u.z * scale, (1 - square) * scale};
}

/// Rows of three, and a last column.
struct Affined {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};
inline Vec3d transform(const Affined& a, Vec3d p) {
  return {a.m[0][0] * p.x + a.m[0][1] * p.y + a.m[0][2] * p.z + a.m[0][3],
          a.m[1][0] * p.x + a.m[1][1] * p.y + a.m[1][2] * p.z + a.m[1][3],
          a.m[2][0] * p.x + a.m[2][1] * p.y + a.m[2][2] * p.z + a.m[2][3]};
}
inline Affined operator*(const Affined& a, const Affined& b) {
  Affined out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      out.m[r][c] = a.m[r][0] * b.m[0][c] + a.m[r][1] * b.m[1][c] + a.m[r][2] * b.m[2][c] + (c == 3 ? a.m[r][3] : 0);
  return out;
}
inline Affined widened(const Affine& a) {
  Affined out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.m[r][c] = double(a.rows[r][c]);
  return out;
}
inline Vec3d widened(Vec3 v) { return {double(v.x), double(v.y), double(v.z)}; }
/// With unit length.
inline Quatd widened(Quat q) { return unit({double(q.x), double(q.y), double(q.z), double(q.w)}); }
inline Affined affine(Vec3d t, Quatd q, Vec3d s);
inline Affined widened(const Transform& t) {
  return affine(widened(t.translation), widened(t.rotation), widened(t.scale));
}

/// Of the matrices' numbers: what it makes of a point is how far the two are apart there.
inline Affined operator-(Affined a, const Affined& b) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) a.m[r][c] -= b.m[r][c];
  return a;
}
inline Affined affine(Vec3d t, Quatd q, Vec3d s) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return {{{(1 - 2 * (y * y + z * z)) * s.x, 2 * (x * y - w * z) * s.y, 2 * (x * z + w * y) * s.z, t.x},
           {2 * (x * y + w * z) * s.x, (1 - 2 * (x * x + z * z)) * s.y, 2 * (y * z - w * x) * s.z, t.y},
           {2 * (x * z - w * y) * s.x, 2 * (y * z + w * x) * s.y, (1 - 2 * (x * x + y * y)) * s.z, t.z}}};
}

}  // namespace sinew::detail
