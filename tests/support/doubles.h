// Small double-precision vectors and matrices of the tests: written apart from the library's maths, which they judge.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/math.h"

namespace sinew::test {

using DVec3 = std::array<double, 3>;
using DVec4 = std::array<double, 4>;  ///< also a quaternion x, y, z, w

/// Rows of three and a translation; the identity by default.
struct DAffine {
  double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

inline DVec3 to_double(const Vec3& v) { return {v.x, v.y, v.z}; }
inline DVec4 to_double(const Vec4& v) { return {v.x, v.y, v.z, v.w}; }
inline DVec4 to_double(const Quat& q) { return {q.x, q.y, q.z, q.w}; }
inline DAffine to_double(const Affine& a) {
  DAffine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.m[r][c] = a.rows[r][c];
  return out;
}

inline double dot(const DVec3& a, const DVec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const DVec3& a) { return std::sqrt(dot(a, a)); }
inline DVec3 minus(const DVec3& a, const DVec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline double distance(const DVec3& a, const DVec3& b) { return length(minus(a, b)); }
/// Unit length; a zero vector stays zero.
inline DVec3 unit(DVec3 a) {
  const double l = length(a);
  if (l > 0)
    for (double& x : a) x /= l;
  return a;
}

inline DAffine multiply(const DAffine& a, const DAffine& b) {
  DAffine out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      out.m[r][c] = c == 3 ? a.m[r][3] : 0;
      for (int k = 0; k < 3; ++k) out.m[r][c] += a.m[r][k] * b.m[k][c];
    }
  }
  return out;
}
inline DVec3 linear_part(const DAffine& a, const DVec3& v) {
  DVec3 out{};
  for (int r = 0; r < 3; ++r) out[r] = a.m[r][0] * v[0] + a.m[r][1] * v[1] + a.m[r][2] * v[2];
  return out;
}
inline DVec3 point(const DAffine& a, const DVec3& p) {
  DVec3 out = linear_part(a, p);
  for (int r = 0; r < 3; ++r) out[r] += a.m[r][3];
  return out;
}
inline DVec3 origin_of(const DAffine& a) { return {a.m[0][3], a.m[1][3], a.m[2][3]}; }

/// Cofactors of the 3x3 part: det(a) times its inverse transpose.
inline DAffine cofactors(const DAffine& a) {
  DAffine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      out.m[r][c] = a.m[(r + 1) % 3][(c + 1) % 3] * a.m[(r + 2) % 3][(c + 2) % 3] -
                    a.m[(r + 1) % 3][(c + 2) % 3] * a.m[(r + 2) % 3][(c + 1) % 3];
  return out;
}
inline double determinant(const DAffine& a) {
  const DAffine c = cofactors(a);
  return a.m[0][0] * c.m[0][0] + a.m[0][1] * c.m[0][1] + a.m[0][2] * c.m[0][2];
}
/// Not for singular matrices: the entries then are not finite.
inline DAffine inverse(const DAffine& a) {
  const DAffine c = cofactors(a);
  const double d = determinant(a);
  DAffine out;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) out.m[r][k] = c.m[k][r] / d;
  const DVec3 t = linear_part(out, origin_of(a));
  for (int r = 0; r < 3; ++r) out.m[r][3] = -t[r];
  return out;
}
/// Root of the sum of squares of the 3x3 part.
inline double frobenius(const DAffine& a) {
  double sum = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum += a.m[r][c] * a.m[r][c];
  return std::sqrt(sum);
}

}  // namespace sinew::test
