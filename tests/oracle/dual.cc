#include "oracle/dual.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::test {
namespace {

/// Eigenvectors (columns) and eigenvalues of a symmetric matrix, by Jacobi's rotations.
void diagonalize(DAffine a, DAffine& vectors, DVec3& values) {
  vectors = {};
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (std::fabs(a.m[p][q]) < 1e-300) continue;
        const double theta = 0.5 * std::atan2(2 * a.m[p][q], a.m[q][q] - a.m[p][p]);
        DAffine turn;
        turn.m[p][p] = turn.m[q][q] = std::cos(theta);
        turn.m[p][q] = std::sin(theta), turn.m[q][p] = -std::sin(theta);
        DAffine back = turn;
        std::swap(back.m[p][q], back.m[q][p]);
        a = multiply(back, multiply(a, turn));
        vectors = multiply(vectors, turn);
      }
    }
  }
  for (int i = 0; i < 3; ++i) values[std::size_t(i)] = a.m[i][i];
}

DAffine transposed(const DAffine& a) {
  DAffine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out.m[r][c] = a.m[c][r];
  return out;
}

/// The rotation of the polar decomposition: a * (a^T a)^(-1/2), turned round where `a` mirrors.
DAffine rotation_of(const DAffine& a) {
  DAffine vectors, roots;
  DVec3 values;
  diagonalize(multiply(transposed(a), a), vectors, values);
  for (int i = 0; i < 3; ++i) roots.m[i][i] = 1 / std::sqrt(values[std::size_t(i)]);
  DAffine out = multiply(a, multiply(vectors, multiply(roots, transposed(vectors))));
  const double sign = determinant(a) < 0 ? -1 : 1;
  for (auto& row : out.m)
    for (int c = 0; c < 3; ++c) row[c] *= sign;
  for (auto& row : out.m) row[3] = 0;
  return out;
}

/// Of a rotation, by its trace where that is large, else by the axis.
DVec4 quaternion_of(const DAffine& a) {
  const double trace = a.m[0][0] + a.m[1][1] + a.m[2][2];
  DVec4 q{};
  if (trace > 0) {
    q = {a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1], 1 + trace};
  } else {
    std::size_t i = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (a.m[k][k] > a.m[i][i]) i = k;
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + a.m[i][i] - a.m[j][j] - a.m[k][k];
    q[j] = a.m[j][i] + a.m[i][j];
    q[k] = a.m[k][i] + a.m[i][k];
    q[3] = a.m[k][j] - a.m[j][k];
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& c : q) c /= length;
  return q;
}

DVec4 product(const DVec4& a, const DVec4& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
DVec4 conjugate(const DVec4& q) { return {-q[0], -q[1], -q[2], q[3]}; }
double dot4(const DVec4& a, const DVec4& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

/// Entry of the nearest ancestor that the skin lists, by walking up; -1: none.
int parent_entry(const Skin& skin, const Skeleton& skeleton, std::size_t entry) {
  for (std::int32_t j = skeleton.parents[skin.joints[entry]]; j >= 0; j = skeleton.parents[std::size_t(j)])
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
      if (skin.joints[i] == std::uint32_t(j)) return int(i);
  return -1;
}

}  // namespace

DualParts dual_parts(const Skin& skin, const Skeleton& skeleton, std::span<const Affine> palette) {
  const std::size_t count = skin.joints.size();
  DualParts out{std::vector<DAffine>(count), std::vector<DAffine>(count)};
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return skin.joints[a] < skin.joints[b]; });
  for (const std::size_t i : order) {
    const DAffine matrix = to_double(palette[i]);
    DAffine linear = matrix;
    for (auto& row : linear.m) row[3] = 0;
    DAffine rotation = rotation_of(linear), stretch = multiply(transposed(rotation), linear);
    const int parent = parent_entry(skin, skeleton, i);
    if (parent >= 0) {
      const DVec3 joint = origin_of(inverse(to_double(skin.inverse_bind_matrices[i])));
      const DVec3 kept = minus(point(out.stretch[std::size_t(parent)], joint), linear_part(stretch, joint));
      for (std::size_t r = 0; r < 3; ++r) stretch.m[r][3] = kept[r];
    }
    const DVec3 moved = minus(origin_of(matrix), linear_part(rotation, origin_of(stretch)));
    for (std::size_t r = 0; r < 3; ++r) rotation.m[r][3] = moved[r];
    out.rigid[i] = rotation, out.stretch[i] = stretch;
  }
  return out;
}

DAffine dual_blend(const DualParts& parts, std::span<const std::uint16_t> joints, std::span<const float> weights,
                   bool sign_test) {
  std::size_t pivot = 0;
  for (std::size_t i = 1; i < weights.size(); ++i)
    if (weights[i] > weights[pivot] || (weights[i] == weights[pivot] && joints[i] < joints[pivot])) pivot = i;
  const DVec4 strongest = quaternion_of(parts.rigid[joints[pivot]]);
  DVec4 real{}, dual{};
  DAffine stretch;
  for (auto& row : stretch.m) std::fill(std::begin(row), std::end(row), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const DAffine& rigid = parts.rigid[joints[i]];
    const DVec4 q = quaternion_of(rigid);
    const DVec4 e = product({rigid.m[0][3] / 2, rigid.m[1][3] / 2, rigid.m[2][3] / 2, 0}, q);
    const double w = sign_test && dot4(q, strongest) < 0 ? -double(weights[i]) : double(weights[i]);
    for (std::size_t c = 0; c < 4; ++c) real[c] += w * q[c], dual[c] += w * e[c];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) stretch.m[r][c] += double(weights[i]) * parts.stretch[joints[i]].m[r][c];
  }
  // Of unit length as a dual number: the dual part keeps nothing along the real one.
  const double square = dot4(real, real), length = std::sqrt(square), along = dot4(real, dual) / square;
  for (std::size_t c = 0; c < 4; ++c) dual[c] = (dual[c] - along * real[c]) / length;
  for (double& c : real) c /= length;
  const DVec4 translation = product(dual, conjugate(real));
  DAffine out;
  for (std::size_t c = 0; c < 3; ++c) {
    DVec4 axis{};
    axis[c] = 1;
    const DVec4 turned = product(product(real, axis), conjugate(real));
    for (std::size_t r = 0; r < 3; ++r) out.m[r][c] = turned[r];
    out.m[c][3] = 2 * translation[c];
  }
  return multiply(out, stretch);
}

}  // namespace sinew::test
