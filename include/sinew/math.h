// Maths: unit quaternion, dual quaternion, slerp, local transform (TRS), affine 3x4 matrix (joint matrix, skinning matrix, global / world / model-space transform).
#pragma once

#include <cstddef>
#include <glm/ext/matrix_float4x4.hpp>
#include <glm/ext/vector_float2.hpp>
#include <glm/ext/vector_float3.hpp>
#include <glm/ext/vector_float4.hpp>
#include <glm/geometric.hpp>
#include <optional>
#include <span>

namespace sinew {

using Vec2 = glm::vec2;
using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using Mat4 = glm::mat4;  // column-major, column vectors: `m * v`

/// Rotation as a quaternion `x, y, z, w` (glTF's order); the identity by default. Made by the named
/// makers below only: textbooks and GLM put `w` first, so four bare floats do not compile.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  constexpr Quat() = default;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat quat_xyzw(float x, float y, float z, float w) {
  Quat q;
  q.x = x, q.y = y, q.z = z, q.w = w;
  return q;
}
constexpr Quat quat_wxyz(float w, float x, float y, float z) { return quat_xyzw(x, y, z, w); }
/// Right-handed turn of `radians` about `axis`, which need not have unit length; a zero axis gives the identity.
Quat quat_axis_angle(Vec3 axis, float radians);

/// Hamilton product: `a * b` turns by `b` first, then by `a`.
Quat operator*(Quat a, Quat b);
constexpr Quat operator-(Quat q) { return quat_xyzw(-q.x, -q.y, -q.z, -q.w); }
/// The inverse of a unit quaternion.
constexpr Quat conjugate(Quat q) { return quat_xyzw(-q.x, -q.y, -q.z, q.w); }
constexpr float dot(Quat a, Quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
/// Unit length; zero or non-finite length gives the identity.
Quat normalize(Quat q);
/// `v` turned by the unit quaternion `q`.
Vec3 rotate(Quat q, Vec3 v);
/// Angle of a rotation in radians, 0 to pi, the same for q and -q: 2 atan2(|xyz|, |w|).
float angle(Quat q);
/// Spherical linear interpolation along the shorter arc (glTF 2.0, appendix C; Shoemake 1985): `a` at
/// t = 0, `b` (or -b) at t = 1, constant angular speed between. Unit inputs give unit output, also where
/// the two are equal, nearly equal or opposite. `t` outside 0 to 1 is not clamped.
Quat slerp(Quat a, Quat b, float t);

/// A local transform, parent space: scale first, then rotation, then translation (glTF's T * R * S).
/// Kept apart because matrices cannot be interpolated.
struct Transform {
  Vec3 translation{0.0f};
  Quat rotation;
  Vec3 scale{1.0f};
  friend bool operator==(const Transform&, const Transform&) = default;
};

/// Affine matrix of three rows of four floats, row-major: row r is (m[r][0], m[r][1], m[r][2] | m[r][3]), the
/// last entry the translation; the fourth row (0, 0, 0, 1) is understood. The identity by default. 48 bytes,
/// as `VkTransformMatrixKHR`, three std430 `vec4`, and Embree's FLOAT3X4_ROW_MAJOR. Products read by matching
/// neighbours: `model_from_joint * joint_from_mesh`.
struct alignas(16) Affine {
  float rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// `a * b`: `b` is applied first.
Affine operator*(const Affine& a, const Affine& b);
Vec3 transform_point(const Affine& m, Vec3 p);
/// Without the translation (w = 0).
Vec3 transform_vector(const Affine& m, Vec3 v);
/// The full affine inverse, right under any scale and shear, computed in double precision; nothing where the
/// matrix is singular or not finite.
std::optional<Affine> inverse(const Affine& m);
float determinant(const Affine& m);
bool is_finite(const Affine& m);

/// T * R * S as one matrix.
Affine to_affine(const Transform& t);
/// The transform nearest to a matrix, and how far the matrix is from it.
struct Decomposed {
  Transform transform;  ///< rotation proper; a mirroring matrix gets a negative x scale
  float residual = 0;   ///< largest entry of |rebuilt - given| of the 3x3 part over its largest entry: shear
};
/// Translation, rotation and scale of a matrix. A column of zero length gives scale 0 and an arbitrary axis.
Decomposed decompose(const Affine& m);

/// A rigid transform as a unit dual quaternion: `dual` is half the translation, as a pure quaternion, times `real` (Kavan
/// et al. 2008). The identity by default; both signs of all eight numbers stand for the same transform. 32 bytes, two
/// std430 `vec4`.
struct DualQuaternion {
  Quat real, dual = quat_xyzw(0, 0, 0, 0);
  friend constexpr bool operator==(const DualQuaternion&, const DualQuaternion&) = default;
};
/// Turns by the unit quaternion `rotation`, then moves.
DualQuaternion to_dual_quaternion(Quat rotation, Vec3 translation);
constexpr DualQuaternion operator-(const DualQuaternion& q) { return {-q.real, -q.dual}; }
/// The weighted sum of transforms, of unit length again: dual quaternion linear blending. Of the two signs of each the
/// one nearer to that of the greatest weight counts, so that signs in the input change nothing. Weights need not sum to 1;
/// as many as transforms. Where all are 0 or one is not finite, the identity.
DualQuaternion blend(std::span<const DualQuaternion> transforms, std::span<const float> weights);
/// The translation of a unit dual quaternion.
Vec3 translation(const DualQuaternion& q);
Vec3 transform_point(const DualQuaternion& q, Vec3 p);
Affine to_affine(const DualQuaternion& q);

/// GLM's 4x4 is the only matrix type that converts: `glm::mat4x3` and `glm::mat3x4` are too easy to transpose.
Mat4 to_mat4(const Affine& m);
/// Drops the fourth row, which must be (0, 0, 0, 1) to mean the same.
Affine from_mat4(const Mat4& m);
template <class T>
Affine from_mat4(const T&) = delete;

// GLM's macros can change these layouts; sinew's files and shaders depend on them.
static_assert(sizeof(Vec2) == 8 && sizeof(Vec3) == 12 && sizeof(Vec4) == 16 && sizeof(Mat4) == 64,
              "sinew needs GLM's packed float vectors: do not define GLM_FORCE_DEFAULT_ALIGNED_GENTYPES");
static_assert(offsetof(Vec3, y) == 4 && offsetof(Vec3, z) == 8);
static_assert(sizeof(Quat) == 16 && offsetof(Quat, w) == 12);
static_assert(sizeof(Transform) == 40 && sizeof(Affine) == 48 && sizeof(DualQuaternion) == 32);

}  // namespace sinew
