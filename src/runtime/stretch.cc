#include "runtime/stretch.h"

#include <cmath>
#include <optional>

namespace sinew::detail {
namespace {

using Double3 = glm::vec<3, double>;
using Double3x3 = glm::mat<3, 3, double>;

Double3x3 linear_part(const Affine& m) {
  Double3x3 out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[c][r] = double(m.rows[r][c]);
  return out;
}

/// The rotation nearest to a matrix: the limit of halving the way to the inverse transpose (Higham 1986). That of a
/// mirroring matrix is turned round, so that all of a mirrored character is treated alike. None where it flattens space.
std::optional<Double3x3> nearest_rotation(Double3x3 m) {
  constexpr int kSteps = 40;
  constexpr double kFlat = 1e-9, kEnough = 1e-14;
  const auto size = [](const Double3x3& a) {
    return glm::dot(a[0], a[0]) + glm::dot(a[1], a[1]) + glm::dot(a[2], a[2]);
  };
  const double length = std::sqrt(size(m));
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  m /= length;
  const double volume = glm::dot(m[0], glm::cross(m[1], m[2]));
  if (!(std::fabs(volume) > kFlat)) return std::nullopt;
  for (int step = 0; step < kSteps; ++step) {
    const Double3 a = glm::cross(m[1], m[2]), b = glm::cross(m[2], m[0]), c = glm::cross(m[0], m[1]);
    const double d = glm::dot(m[0], a);
    const Double3x3 next((m[0] + a / d) * 0.5, (m[1] + b / d) * 0.5, (m[2] + c / d) * 0.5);
    const double change = size(next - m);
    m = next;
    if (change < kEnough * kEnough) break;
  }
  return volume < 0 ? -m : m;
}

Double3x3 rotation_of(const Affine& matrix) {
  if (const auto nearest = nearest_rotation(linear_part(matrix))) return *nearest;
  return linear_part(to_affine(Transform{Vec3(0), decompose(matrix).transform.rotation, Vec3(1)}));
}

Quat quaternion_of(const Double3x3& rotation) {
  Affine m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m.rows[r][c] = float(rotation[c][r]);
  return decompose(m).transform.rotation;
}

}  // namespace

void split(const Skin& skin, std::span<const Affine> palette, std::span<DualQuaternion> rigid,
           std::span<Affine> stretch) {
  for (const std::uint32_t i : skin.parents_first) {
    const Affine& matrix = palette[i];
    const Double3x3 rotation = rotation_of(matrix), linear = glm::transpose(rotation) * linear_part(matrix);
    // Where the joint is in mesh space, and where its parent's stretch takes it. A root stretches about the origin, so
    // that a stretch of the whole character is the same one everywhere.
    const std::optional<Affine> mesh_from_joint = inverse(skin.inverse_bind_matrices[i]);
    Double3 offset(0);
    if (mesh_from_joint && skin.parents[i] != kNone) {
      const Vec3 joint(mesh_from_joint->rows[0][3], mesh_from_joint->rows[1][3], mesh_from_joint->rows[2][3]);
      offset = Double3(transform_point(stretch[std::size_t(skin.parents[i])], joint)) - linear * Double3(joint);
    }
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) stretch[i].rows[r][c] = float(linear[c][r]);
      stretch[i].rows[r][3] = float(offset[r]);
    }
    const Double3 moved(double(matrix.rows[0][3]), double(matrix.rows[1][3]), double(matrix.rows[2][3]));
    rigid[i] = to_dual_quaternion(quaternion_of(rotation), Vec3(moved - rotation * offset));
  }
}

}  // namespace sinew::detail
