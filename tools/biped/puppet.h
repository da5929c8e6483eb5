// A pose of the biped in the making: joints are turned by what they mean, hands and feet are put where they belong.
#pragma once

#include <array>

#include "biped/skeleton.h"

namespace sinew::biped {

inline constexpr float kTurn = 6.28318531f;  ///< radians
inline constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
/// Turns about the axes of a joint or of the model, in radians.
inline Quat about_x(float a) { return quat_axis_angle(kX, a); }
inline Quat about_y(float a) { return quat_axis_angle(kY, a); }
inline Quat about_z(float a) { return quat_axis_angle(kZ, a); }

/// Turns of the trunk in radians: forward bend, turn to the left, lean to the right.
struct Bend {
  float pitch = 0, yaw = 0, roll = 0;
  Quat quat() const { return about_y(yaw) * about_x(pitch) * about_z(-roll); }
};

/// An arm seen from the chest, radians; all zero: it hangs straight down, the palm to the thigh.
struct ArmTurn {
  float swing = 0;    ///< forward
  float abduct = 0;   ///< away from the body
  float twist = 0;    ///< of the upper arm: turns the bent forearm inward
  float elbow = 0;    ///< bend
  float pronate = 0;  ///< of the forearm: the thumb inward
  float wrist = 0;    ///< bend into the palm
  float raise = 0;    ///< of the shoulder
  float tilt = 0;     ///< of the hand to the thumb
};

/// A foot on its way, model space, seen from the bind pose: where the ankle is, how foot and toes are turned.
struct FootPlace {
  Vec3 ankle;
  Quat foot, toes;
};

class Puppet {
 public:
  explicit Puppet(const Skeleton& skeleton);

  const Skeleton& skeleton() const { return *skeleton_; }
  Vec3 hips() const { return hips_; }
  Quat rotation(int row) const { return local_[row]; }  ///< parent space
  Frame model(int row) const;                           ///< model space, of the pose

  /// Hips: moved from their bind place (metres), turned.
  void pelvis(Vec3 shift, Bend bend);
  /// The chest against the pelvis, shared out along the spine.
  void chest(Bend bend);
  /// The head against the model: where it looks, whatever the chest does. The neck takes half of the way.
  void look(Bend bend);
  /// From the rest rotation, about the joint's own axes.
  void turn(int row, Quat delta) { local_[row] = normalize(skeleton_->rest[row].rotation * delta); }
  void face(int row, Quat model_rotation);

  void arm(Side side, const ArmTurn& turn);
  /// Puts the wrist at a place; the elbow goes to the side of `elbow`, the palm looks to `palm`, the hand points along
  /// `hand`, or straight on from the forearm where that is zero. All in model space.
  void reach(Side side, Vec3 wrist, Vec3 elbow, Vec3 palm, Vec3 hand = Vec3(0));
  /// Closes the hand: 0 flat as in the bind pose, 1 a fist.
  void grip(Side side, float fingers, float thumb);
  /// One finger of the five, thumb first, as `grip`.
  void curl(Side side, int finger, float amount);
  /// Puts the foot; the knee goes to the side of `knee` (model space, left; mirrored for the right leg).
  void step(Side side, const FootPlace& place, Vec3 knee = {0.10f, 0, 1});

 private:
  struct Chain {
    int upper, lower;
  };
  void bend_chain(Side side, Chain chain, Vec3 target, Vec3 pole);

  const Skeleton* skeleton_;
  Vec3 hips_;
  std::array<Quat, kJointCount> local_;
};

/// Contact of a foot with the ground, radians. It rolls: over the heel (toes up), flat, over the ball (heel up while
/// the toes stay), over the tip of the toes.
struct Contact {
  float toes_up = 0, heel_up = 0, tip = 0;
};
/// The left foot in contact: moved from its bind place by `shift` on the ground, turned to the left by `yaw`.
FootPlace planted(const Skeleton& skeleton, Vec3 shift, float yaw, Contact contact);
FootPlace mirrored(const FootPlace& place);

}  // namespace sinew::biped
