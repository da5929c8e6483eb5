#include <cmath>

#include "sinew/math.h"

namespace sinew {

DualQuaternion to_dual_quaternion(Quat rotation, Vec3 translation) {
  const Vec3 half = 0.5f * translation;
  return {rotation, quat_xyzw(half.x, half.y, half.z, 0) * rotation};
}

DualQuaternion blend(std::span<const DualQuaternion> transforms, std::span<const float> weights) {
  std::size_t pivot = 0;
  for (std::size_t i = 1; i < weights.size(); ++i)
    if (std::fabs(weights[i]) > std::fabs(weights[pivot])) pivot = i;
  double sum[8] = {};
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    const auto& [r, d] = transforms[i];
    const double w = dot(r, transforms[pivot].real) < 0 ? -double(weights[i]) : double(weights[i]);
    const float parts[] = {r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w};
    for (int c = 0; c < 8; ++c) sum[c] += w * double(parts[c]);
  }
  double square = 0, mixed = 0;
  for (int c = 0; c < 4; ++c) square += sum[c] * sum[c], mixed += sum[c] * sum[4 + c];
  if (!(square > 0) || !std::isfinite(square) || !std::isfinite(mixed)) return {};
  // What of the dual part lies along the real one is no translation.
  const double along = mixed / square, scale = 1 / std::sqrt(square);
  float out[8];
  for (int c = 0; c < 4; ++c) {
    out[c] = float(sum[c] * scale);
    out[4 + c] = float((sum[4 + c] - along * sum[c]) * scale);
  }
  return {quat_xyzw(out[0], out[1], out[2], out[3]), quat_xyzw(out[4], out[5], out[6], out[7])};
}

Vec3 translation(const DualQuaternion& q) {
  const Quat t = q.dual * conjugate(q.real);
  return {2 * t.x, 2 * t.y, 2 * t.z};
}

Vec3 transform_point(const DualQuaternion& q, Vec3 p) { return rotate(q.real, p) + translation(q); }

Affine to_affine(const DualQuaternion& q) { return to_affine(Transform{translation(q), q.real, Vec3(1)}); }

}  // namespace sinew
