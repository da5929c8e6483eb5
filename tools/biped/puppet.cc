#include "biped/puppet.h"

#include <algorithm>
#include <cmath>

namespace sinew::biped {
namespace {

/// Where two limbs of lengths `a` and `b` have their joint when they go from `from` to `to`, bent to the side of
/// `pole`.
Vec3 middle_joint(Vec3 from, Vec3 to, float a, float b, Vec3 pole) {
  const Vec3 line = to - from;
  // A limb is never quite straight: the direction of its bend would be lost.
  const float reach = std::clamp(glm::length(line), std::fabs(a - b) + 1e-3f, (a + b) * 0.9995f);
  const Vec3 along = glm::normalize(line), side = glm::normalize(pole - glm::dot(pole, along) * along);
  const float x = (a * a - b * b + reach * reach) / (2 * reach);
  return from + x * along + std::sqrt(std::max(0.0f, a * a - x * x)) * side;
}

}  // namespace

Puppet::Puppet(const Skeleton& skeleton) : skeleton_(&skeleton), hips_(skeleton.rest[kHips].translation) {
  for (int i = 0; i < kJointCount; ++i) local_[i] = skeleton.rest[i].rotation;
}

Frame Puppet::model(int row) const {
  const int parent = skeleton_->parents[row];
  if (parent < 0) return {hips_, local_[row]};
  const Frame up = model(parent);
  return {up.position + rotate(up.rotation, skeleton_->rest[row].translation), normalize(up.rotation * local_[row])};
}

void Puppet::face(int row, Quat model_rotation) {
  const int parent = skeleton_->parents[row];
  local_[row] = parent < 0 ? model_rotation : normalize(conjugate(model(parent).rotation) * model_rotation);
}

void Puppet::pelvis(Vec3 shift, Bend bend) {
  hips_ = skeleton_->rest[kHips].translation + shift;
  turn(kHips, bend.quat());
}

void Puppet::chest(Bend bend) {
  const float third = 1.0f / 3;
  for (int row : {kSpine, kChest, kUpperChest})
    turn(row, Bend{bend.pitch * third, bend.yaw * third, bend.roll * third}.quat());
}

void Puppet::look(Bend bend) {
  const Quat chest = model(kUpperChest).rotation, goal = bend.quat();
  face(kNeck, slerp(chest, goal, 0.5f));
  face(kHead, goal);
}

void Puppet::arm(Side side, const ArmTurn& a) {
  turn(joint(side, kShoulder), side == kLeft ? about_z(a.raise) : mirrored(about_z(a.raise)));
  Quat chest = model(kUpperChest).rotation;
  if (side == kRight) chest = mirrored(chest);
  const Quat hanging = quat_from_y_and_x(-kY, -kX);
  const Quat upper = chest * about_x(-a.swing) * about_z(a.abduct) * hanging * about_y(a.twist);
  const Quat fore = upper * about_x(a.elbow) * about_y(a.pronate);
  const Quat hand = fore * about_z(-a.wrist) * about_x(a.tilt);
  const auto put = [&](int limb, Quat q) { face(joint(side, limb), normalize(side == kLeft ? q : mirrored(q))); };
  put(kUpperArm, upper), put(kForearm, fore), put(kHand, hand);
}

void Puppet::bend_chain(Side side, Chain chain, Vec3 target, Vec3 pole) {
  const int upper = joint(side, chain.upper), lower = joint(side, chain.lower);
  const Vec3 from = model(upper).position;
  const float a = glm::length(skeleton_->rest[lower].translation),
              b = glm::length(skeleton_->rest[lower + 1].translation);
  const Vec3 middle = middle_joint(from, target, a, b, pole);
  // Both limbs turn about X, which is at right angles to the plane of the limb. The right side is built mirrored.
  const auto frame = [&](Vec3 y) {
    const Vec3 line = middle - from;
    if (side == kLeft) return quat_from_y_and_x(y, glm::cross(pole, line));
    return mirrored(quat_from_y_and_x(mirrored(y), glm::cross(mirrored(pole), mirrored(line))));
  };
  face(upper, frame(middle - from));
  face(lower, frame(target - middle));
}

void Puppet::reach(Side side, Vec3 wrist, Vec3 elbow, Vec3 palm, Vec3 hand) {
  bend_chain(side, {kUpperArm, kForearm}, wrist, elbow);
  const int row = joint(side, kForearm);
  const Quat fore = model(row).rotation;
  if (hand == Vec3(0)) hand = rotate(fore, kY);
  const Quat goal =
      side == kLeft ? quat_from_y_and_x(hand, palm) : mirrored(quat_from_y_and_x(mirrored(hand), mirrored(palm)));
  // The forearm takes most of the hand's turn about its own axis, as radius and ulna do.
  constexpr float kShare = 0.7f;
  const Quat between = conjugate(fore) * goal;
  const float twist = std::remainder(2 * std::atan2(between.y, between.w), kTurn);
  face(row, normalize(fore * about_y(twist * kShare)));
  face(joint(side, kHand), goal);
}

void Puppet::curl(Side side, int finger, float amount) {
  const float closed[2][3] = {{0.35f, 0.60f, 0.95f}, {1.25f, 1.55f, 0.95f}};
  // The thumb lies down against the fingers before it bends over them.
  const float fold = finger == 0 ? -0.55f : 0.0f;
  for (int k = 0; k < 3; ++k) {
    const Quat q = about_x(k == 0 ? fold * amount : 0.0f) * about_z(-closed[finger == 0 ? 0 : 1][k] * amount);
    turn(joint(side, phalanx(finger, k)), side == kLeft ? q : mirrored(q));
  }
}

void Puppet::grip(Side side, float fingers, float thumb) {
  for (int f = 0; f < kFingerCount; ++f) curl(side, f, f == 0 ? thumb : fingers);
}

void Puppet::step(Side side, const FootPlace& place, Vec3 knee) {
  const FootPlace p = side == kLeft ? place : mirrored(place);
  bend_chain(side, {kUpperLeg, kLowerLeg}, p.ankle, side == kLeft ? knee : mirrored(knee));
  face(joint(side, kFoot), normalize(p.foot * skeleton_->bind[joint(side, kFoot)].rotation));
  face(joint(side, kToes), normalize(p.toes * skeleton_->bind[joint(side, kToes)].rotation));
}

FootPlace planted(const Skeleton& skeleton, Vec3 shift, float yaw, Contact contact) {
  const Vec3 ankle = skeleton.bind[joint(kLeft, kFoot)].position, ball = skeleton.bind[joint(kLeft, kToes)].position;
  // Contact points under the foot.
  const Vec3 heel{ankle.x, 0, kHeelZ}, tip{ball.x, 0, kToeZ};
  const Quat toes = about_x(contact.tip - contact.toes_up),
             foot = about_x(contact.tip + contact.heel_up - contact.toes_up);
  Vec3 place;
  if (contact.toes_up > 0) {
    place = heel + rotate(foot, ankle - heel);
  } else {
    const Vec3 raised = tip + rotate(toes, ball - tip);
    place = raised + rotate(foot, ankle - ball);
  }
  // The foot turns on its ball.
  const Quat turn = about_y(yaw);
  return {shift + ball + rotate(turn, place - ball), turn * foot, turn * toes};
}

FootPlace mirrored(const FootPlace& p) { return {mirrored(p.ankle), mirrored(p.foot), mirrored(p.toes)}; }

}  // namespace sinew::biped
