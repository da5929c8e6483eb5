#include "biped/skeleton.h"

namespace sinew::biped {
namespace {

const char* const kSpineNames[kSpineCount] = {"hips", "spine", "chest", "upper_chest", "neck", "head"};
// Metres, model space. The back of a standing person is a flat S.
const Vec3 kSpinePlaces[kSpineCount] = {{0, 0.975f, -0.005f}, {0, 1.065f, -0.012f}, {0, 1.185f, -0.018f},
                                        {0, 1.310f, -0.026f}, {0, 1.478f, -0.030f}, {0, 1.585f, -0.008f}};

struct Named {
  const char* name;
  int parent;  ///< a Limb, or -1 - Spine
};
const Named kLimbs[kLimbCount] = {{"shoulder", -1 - kUpperChest},
                                  {"upper_arm", kShoulder},
                                  {"forearm", kUpperArm},
                                  {"hand", kForearm},
                                  {"thumb_01", kHand},
                                  {"thumb_02", kThumb},
                                  {"thumb_03", kThumb + 1},
                                  {"index_01", kHand},
                                  {"index_02", kIndex},
                                  {"index_03", kIndex + 1},
                                  {"middle_01", kHand},
                                  {"middle_02", kMiddle},
                                  {"middle_03", kMiddle + 1},
                                  {"ring_01", kHand},
                                  {"ring_02", kRing},
                                  {"ring_03", kRing + 1},
                                  {"pinky_01", kHand},
                                  {"pinky_02", kPinky},
                                  {"pinky_03", kPinky + 1},
                                  {"upper_leg", -1 - kHips},
                                  {"lower_leg", kUpperLeg},
                                  {"foot", kLowerLeg},
                                  {"toes", kFoot}};

// Left side, metres, model space. Knee and elbow are a little bent, so that each knows its way to bend.
const Vec3 kShoulderPlace{0.030f, 1.445f, 0.000f}, kUpperArmPlace{0.178f, 1.430f, -0.028f};
const Vec3 kUpperArmAxis{0.70f, -0.71f, -0.04f}, kForearmAxis{0.68f, -0.70f, 0.20f}, kHandAxis{0.68f, -0.70f, 0.16f};
constexpr float kUpperArmLength = 0.285f, kForearmLength = 0.255f;
const Vec3 kHipPlace{0.094f, 0.925f, 0.000f}, kKneePlace{0.102f, 0.500f, 0.012f}, kAnklePlace{0.106f, 0.085f, -0.022f};
const Vec3 kBallPlace{0.112f, 0.022f, kBallZ}, kToeTip{0.114f, 0.014f, kToeZ};

/// A finger in the hand's frame, metres: first joint (into the palm, along the hand, to the thumb), the lengths of its
/// phalanges, its spread to the thumb's side, its curl into the palm at the three joints (radians).
struct FingerSpec {
  Vec3 base;
  float lengths[3];
  float spread;
  float curl[3];
};
const FingerSpec kFingers[kFingerCount] = {
    {{0.009f, 0.022f, 0.020f}, {0.046f, 0.033f, 0.028f}, 0.82f, {0.18f, 0.10f, 0.10f}},
    {{0.000f, 0.091f, 0.0285f}, {0.043f, 0.026f, 0.023f}, 0.12f, {0.10f, 0.10f, 0.08f}},
    {{-0.002f, 0.094f, 0.0075f}, {0.047f, 0.029f, 0.024f}, 0.01f, {0.10f, 0.12f, 0.08f}},
    {{-0.001f, 0.089f, -0.0135f}, {0.043f, 0.027f, 0.023f}, -0.10f, {0.12f, 0.12f, 0.08f}},
    {{0.002f, 0.080f, -0.0330f}, {0.034f, 0.021f, 0.020f}, -0.22f, {0.14f, 0.12f, 0.08f}}};

void place_fingers(Skeleton& s) {
  const Frame& hand = s.bind[joint(kLeft, kHand)];
  for (int f = 0; f < kFingerCount; ++f) {
    const FingerSpec& spec = kFingers[f];
    Vec3 place = hand.position + rotate(hand.rotation, spec.base);
    // Spread turns about X (the palm's normal), curl about -Z.
    Quat turn = hand.rotation * quat_axis_angle({1, 0, 0}, spec.spread);
    // The thumb's nail looks to the side: it closes across the palm.
    if (f == 0) turn = turn * quat_axis_angle({0, 1, 0}, 0.55f);
    for (int k = 0; k < 3; ++k) {
      turn = turn * quat_axis_angle({0, 0, -1}, spec.curl[k]);
      s.bind[joint(kLeft, phalanx(f, k))] = {place, turn};
      place += rotate(turn, {0, spec.lengths[k], 0});
    }
    s.finger_tips[f] = place;
  }
}

void place_left(Skeleton& s) {
  auto& bind = s.bind;
  const Vec3 forward{0, 0, 1}, left{1, 0, 0};
  const auto arm = [&](Vec3 axis) { return quat_from_y_and_x(axis, glm::cross(axis, forward)); };
  bind[joint(kLeft, kShoulder)] = {kShoulderPlace, arm(kUpperArmPlace - kShoulderPlace)};
  bind[joint(kLeft, kUpperArm)] = {kUpperArmPlace, arm(kUpperArmAxis)};
  const Vec3 elbow = kUpperArmPlace + kUpperArmLength * glm::normalize(kUpperArmAxis);
  bind[joint(kLeft, kForearm)] = {elbow, arm(kForearmAxis)};
  const Vec3 wrist = elbow + kForearmLength * glm::normalize(kForearmAxis);
  bind[joint(kLeft, kHand)] = {wrist, arm(kHandAxis)};
  place_fingers(s);
  bind[joint(kLeft, kUpperLeg)] = {kHipPlace, quat_from_y_and_x(kKneePlace - kHipPlace, left)};
  bind[joint(kLeft, kLowerLeg)] = {kKneePlace, quat_from_y_and_x(kAnklePlace - kKneePlace, left)};
  bind[joint(kLeft, kFoot)] = {kAnklePlace, quat_from_y_and_x(kBallPlace - kAnklePlace, left)};
  bind[joint(kLeft, kToes)] = {kBallPlace, quat_from_y_and_x(kToeTip - kBallPlace, left)};
}

}  // namespace

Quat quat_from_y_and_x(Vec3 y, Vec3 x_hint) {
  y = glm::normalize(y);
  const Vec3 x = glm::normalize(x_hint - glm::dot(x_hint, y) * y), z = glm::cross(x, y);
  Affine m;
  for (int r = 0; r < 3; ++r) m.rows[r][0] = x[r], m.rows[r][1] = y[r], m.rows[r][2] = z[r];
  return decompose(m).transform.rotation;
}

Skeleton make_skeleton() {
  Skeleton s;
  for (int i = 0; i < kSpineCount; ++i) {
    s.names[i] = kSpineNames[i], s.parents[i] = i - 1, s.bind[i].position = kSpinePlaces[i];
  }
  place_left(s);
  for (int i = 0; i < kLimbCount; ++i) {
    const int parent = kLimbs[i].parent;
    for (Side side : {kLeft, kRight}) {
      s.names[joint(side, i)] = std::string(side == kLeft ? "left_" : "right_") + kLimbs[i].name;
      s.parents[joint(side, i)] = parent < 0 ? -1 - parent : joint(side, parent);
    }
    const Frame& left = s.bind[joint(kLeft, i)];
    s.bind[joint(kRight, i)] = {mirrored(left.position), mirrored(left.rotation)};
  }
  for (int i = 0; i < kJointCount; ++i) {
    const Frame& frame = s.bind[i];
    Transform& rest = s.rest[i];
    rest = {frame.position, frame.rotation, Vec3(1)};
    if (s.parents[i] < 0) continue;
    const Frame& parent = s.bind[s.parents[i]];
    rest.translation = rotate(conjugate(parent.rotation), frame.position - parent.position);
    rest.rotation = normalize(conjugate(parent.rotation) * frame.rotation);
  }
  return s;
}

}  // namespace sinew::biped
