#include "sinew/math.h"

#include <algorithm>
#include <cmath>

namespace sinew {

Quat quat_axis_angle(Vec3 axis, float radians) {
  const double length = std::hypot(double(axis.x), double(axis.y), double(axis.z));
  if (!(length > 0)) return {};
  const double s = std::sin(0.5 * radians) / length;
  return quat_xyzw(float(axis.x * s), float(axis.y * s), float(axis.z * s), float(std::cos(0.5 * radians)));
}

Quat operator*(Quat a, Quat b) {
  return quat_xyzw(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

Quat normalize(Quat q) {
  // Double precision: squares of tiny or huge components neither vanish nor overflow.
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0) || !std::isfinite(length)) return {};
  return quat_xyzw(float(x / length), float(y / length), float(z / length), float(w / length));
}

Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0f * glm::cross(u, v);
  return v + q.w * t + glm::cross(u, t);
}

float angle(Quat q) { return 2.0f * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::fabs(q.w)); }

Quat slerp(Quat a, Quat b, float t) {
  if (dot(a, b) < 0) b = -b;
  // The angle from sum and difference keeps its precision near 0 and needs no clamp, unlike acos(dot).
  const double ax = a.x, ay = a.y, az = a.z, aw = a.w, bx = b.x, by = b.y, bz = b.z, bw = b.w;
  const double difference =
      std::sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz) + (aw - bw) * (aw - bw));
  const double sum =
      std::sqrt((ax + bx) * (ax + bx) + (ay + by) * (ay + by) + (az + bz) * (az + bz) + (aw + bw) * (aw + bw));
  const double theta = 2.0 * std::atan2(difference, sum);
  const double s = std::sin(theta);
  double ka = 1.0 - t, kb = t;  // the limit for two equal rotations
  if (s > 1e-12) {
    ka = std::sin(ka * theta) / s;
    kb = std::sin(kb * theta) / s;
  }
  const double x = ka * ax + kb * bx, y = ka * ay + kb * by, z = ka * az + kb * bz, w = ka * aw + kb * bw;
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0)) return a;
  return quat_xyzw(float(x / length), float(y / length), float(z / length), float(w / length));
}

Affine operator*(const Affine& a, const Affine& b) {
  Affine out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      out.rows[r][c] = a.rows[r][0] * b.rows[0][c] + a.rows[r][1] * b.rows[1][c] + a.rows[r][2] * b.rows[2][c] +
                       (c == 3 ? a.rows[r][3] : 0.0f);
    }
  }
  return out;
}

Vec3 transform_point(const Affine& m, Vec3 p) {
  Vec3 out;
  for (int r = 0; r < 3; ++r) out[r] = m.rows[r][0] * p.x + m.rows[r][1] * p.y + m.rows[r][2] * p.z + m.rows[r][3];
  return out;
}

Vec3 transform_vector(const Affine& m, Vec3 v) {
  Vec3 out;
  for (int r = 0; r < 3; ++r) out[r] = m.rows[r][0] * v.x + m.rows[r][1] * v.y + m.rows[r][2] * v.z;
  return out;
}

namespace {

/// Determinant and cofactors (row-major) of the 3x3 part.
double cofactors(const Affine& m, double (&c)[3][3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c[i][j] = double(m.rows[i1][j1]) * m.rows[i2][j2] - double(m.rows[i1][j2]) * m.rows[i2][j1];
    }
  }
  return m.rows[0][0] * c[0][0] + m.rows[0][1] * c[0][1] + m.rows[0][2] * c[0][2];
}

}  // namespace

std::optional<Affine> inverse(const Affine& m) {
  double c[3][3];
  const double d = cofactors(m, c);
  if (d == 0 || !std::isfinite(d) || !is_finite(m)) return std::nullopt;
  Affine out;
  for (int i = 0; i < 3; ++i) {
    double t = 0;
    for (int j = 0; j < 3; ++j) {
      const double value = c[j][i] / d;
      out.rows[i][j] = float(value);
      t -= value * m.rows[j][3];
    }
    out.rows[i][3] = float(t);
  }
  if (!is_finite(out)) return std::nullopt;
  return out;
}

float determinant(const Affine& m) {
  double c[3][3];
  return float(cofactors(m, c));
}

bool is_finite(const Affine& m) {
  for (const auto& row : m.rows)
    for (float value : row)
      if (!std::isfinite(value)) return false;
  return true;
}

Affine to_affine(const Transform& t) {
  const Quat& q = t.rotation;
  const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  Affine out;
  const float rotation[3][3] = {
      {1 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1 - (xx + yy)}};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out.rows[r][c] = rotation[r][c] * t.scale[c];
    out.rows[r][3] = t.translation[r];
  }
  return out;
}

namespace {

/// Quaternion of a rotation matrix given by its columns; the largest component first, so that no root is of a
/// small number (Shepperd 1978).
Quat quat_from_columns(const double (&c)[3][3]) {
  const double xx = c[0][0], yy = c[1][1], zz = c[2][2];
  double q[4];
  if (xx + yy + zz > 0) {
    q[3] = 1 + xx + yy + zz, q[0] = c[1][2] - c[2][1], q[1] = c[2][0] - c[0][2], q[2] = c[0][1] - c[1][0];
  } else if (xx >= yy && xx >= zz) {
    q[0] = 1 + xx - yy - zz, q[1] = c[0][1] + c[1][0], q[2] = c[0][2] + c[2][0], q[3] = c[1][2] - c[2][1];
  } else if (yy >= zz) {
    q[1] = 1 - xx + yy - zz, q[0] = c[0][1] + c[1][0], q[2] = c[1][2] + c[2][1], q[3] = c[2][0] - c[0][2];
  } else {
    q[2] = 1 - xx - yy + zz, q[0] = c[0][2] + c[2][0], q[1] = c[1][2] + c[2][1], q[3] = c[0][1] - c[1][0];
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) return {};
  return quat_xyzw(float(q[0] / length), float(q[1] / length), float(q[2] / length), float(q[3] / length));
}

void cross(const double (&a)[3], const double (&b)[3], double (&out)[3]) {
  for (int i = 0; i < 3; ++i) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/// Unit length; false where there is nothing to normalise.
bool unit(double (&v)[3]) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 1e-30)) return false;
  for (double& x : v) x /= length;
  return true;
}

}  // namespace

Decomposed decompose(const Affine& m) {
  Decomposed out;
  for (int r = 0; r < 3; ++r) out.transform.translation[r] = m.rows[r][3];
  double c[3][3];  // columns
  double length[3], largest = 0;
  for (int j = 0; j < 3; ++j) {
    for (int r = 0; r < 3; ++r) {
      c[j][r] = m.rows[r][j];
      largest = std::max(largest, std::fabs(c[j][r]));
    }
    length[j] = std::sqrt(c[j][0] * c[j][0] + c[j][1] * c[j][1] + c[j][2] * c[j][2]);
  }
  double unused[3][3];
  if (cofactors(m, unused) < 0) length[0] = -length[0];  // in double: a float would lose the sign of a tiny volume
  // Columns of no length take any direction that completes the frame.
  int known = 0, missing = 0;
  for (int j = 0; j < 3; ++j) {
    out.transform.scale[j] = float(length[j]);
    const double sign = length[j] < 0 ? -1 : 1;
    for (double& x : c[j]) x *= sign;
    if (unit(c[j]))
      ++known;
    else
      missing = j, out.transform.scale[j] = 0;
  }
  if (known == 2) {
    cross(c[(missing + 1) % 3], c[(missing + 2) % 3], c[missing]);
  } else if (known < 2) {
    int j = 0;
    while (j < 2 && out.transform.scale[j] == 0) ++j;
    if (known == 0) c[j][0] = 0, c[j][1] = 0, c[j][2] = 0, c[j][j] = 1;
    const int a = (j + 1) % 3, b = (j + 2) % 3;
    int axis = 0;  // the world axis that the known column is farthest from
    for (int i = 1; i < 3; ++i)
      if (std::fabs(c[j][i]) < std::fabs(c[j][axis])) axis = i;
    double helper[3] = {0, 0, 0};
    helper[axis] = 1;
    cross(c[j], helper, c[a]);
    unit(c[a]);
    cross(c[j], c[a], c[b]);
  }
  // Rotation: the frame made orthogonal, so that a little shear does not distort the quaternion.
  double x[3] = {c[0][0], c[0][1], c[0][2]}, y[3], z[3];
  cross(x, c[1], z);
  if (!unit(z)) std::copy(c[2], c[2] + 3, z);
  cross(z, x, y);
  double frame[3][3];
  std::copy(x, x + 3, frame[0]), std::copy(y, y + 3, frame[1]), std::copy(z, z + 3, frame[2]);
  out.transform.rotation = quat_from_columns(frame);
  const Affine rebuilt = to_affine(out.transform);
  double worst = 0;
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::fabs(double(rebuilt.rows[r][j]) - m.rows[r][j]));
  out.residual = largest > 0 ? float(worst / largest) : 0.0f;
  return out;
}

Mat4 to_mat4(const Affine& m) {
  Mat4 out(1.0f);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out[c][r] = m.rows[r][c];
  return out;
}

Affine from_mat4(const Mat4& m) {
  Affine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) out.rows[r][c] = m[c][r];
  return out;
}

}  // namespace sinew
