// The biped's joints: names, parents and the bind pose.
#pragma once

#include <array>
#include <string>

#include "sinew/math.h"

namespace sinew::biped {

/// Joints on the plane of symmetry, from the pelvis up.
enum Spine { kHips, kSpine, kChest, kUpperChest, kNeck, kHead };
inline constexpr int kSpineCount = kHead + 1;
/// Joints that each side has; fingers have three joints each, thumb first.
enum Limb {
  kShoulder,
  kUpperArm,
  kForearm,
  kHand,
  kThumb,
  kIndex = kThumb + 3,
  kMiddle = kIndex + 3,
  kRing = kMiddle + 3,
  kPinky = kRing + 3,
  kUpperLeg = kPinky + 3,
  kLowerLeg,
  kFoot,
  kToes
};
inline constexpr int kLimbCount = kToes + 1;
enum Side { kLeft, kRight };

inline constexpr int kJointCount = kSpineCount + 2 * kLimbCount;
inline constexpr int kFingerCount = 5;
/// The joint of a finger (thumb 0 to little finger 4); `k` 0 at the hand, 2 at the tip.
constexpr int phalanx(int finger, int k) { return kThumb + 3 * finger + k; }
/// Row of a side's joint.
constexpr int joint(Side side, int limb) { return kSpineCount + side * kLimbCount + limb; }
/// Row of the same joint on the other side; joints of the spine are their own mirror.
constexpr int mirrored(int row) {
  return row < kSpineCount ? row : row < kSpineCount + kLimbCount ? row + kLimbCount : row - kLimbCount;
}

/// Mirrors at the plane x = 0. A mirrored joint's frame keeps Y along the limb.
constexpr Vec3 mirrored(Vec3 v) { return {-v.x, v.y, v.z}; }
constexpr Quat mirrored(Quat q) { return quat_xyzw(q.x, -q.y, -q.z, q.w); }

/// A joint's frame in model space in the bind pose. Spine: the axes of the model. Limbs: Y along the limb. Legs: X to
/// the left, so that +X bends the knee and -X lifts the thigh. Arms, in the left frame: X into the palm, Z to the
/// thumb, so that +X bends the elbow and -Z closes the fingers.
struct Frame {
  Vec3 position{0.0f};
  Quat rotation;
};

struct Skeleton {
  std::array<std::string, kJointCount> names;
  std::array<int, kJointCount> parents;     ///< -1 for the hips
  std::array<Frame, kJointCount> bind;      ///< model space
  std::array<Transform, kJointCount> rest;  ///< parent space, the same pose as `bind`
  /// End of each finger's last phalanx on the left, model space.
  std::array<Vec3, kFingerCount> finger_tips;
};

/// The rotation whose columns are orthonormal: Y along `y`, X as near to `x_hint` as can be.
Quat quat_from_y_and_x(Vec3 y, Vec3 x_hint);
Skeleton make_skeleton();

/// Where the ground meets the left foot in the bind pose, model space, metres.
inline constexpr float kHeelZ = -0.060f, kBallZ = 0.105f, kToeZ = 0.172f;

}  // namespace sinew::biped
