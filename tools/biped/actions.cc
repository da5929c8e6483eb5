// Clips on the spot: idle, jump, wave, aim, punch.
#include <cmath>

#include "biped/motion.h"

namespace sinew::biped {
namespace {

/// Both feet flat at a distance from the bind place.
void stand(Puppet& p, float apart, float yaw) {
  const FootPlace foot = planted(p.skeleton(), {apart, 0, 0}, yaw, {});
  p.step(kLeft, foot, {std::sin(yaw) + 0.05f, 0, 1});
  p.step(kRight, foot, {std::sin(yaw) + 0.05f, 0, 1});
}

constexpr ArmTurn kRelaxed{
    .swing = 0.05f, .abduct = 0.14f, .twist = 0.15f, .elbow = 0.30f, .pronate = 0.30f, .wrist = 0.10f, .raise = -0.05f};

}  // namespace

Motion idle(const Skeleton&) {
  constexpr float kPeriod = 4.0f;
  const auto pose = [](float time, Puppet& p) {
    const float a = kTurn * time / kPeriod, sway = std::sin(a), breath = 0.5f - 0.5f * std::cos(2 * a);
    p.pelvis({0.020f * sway, -0.014f - 0.003f * sway * sway, 0.004f * std::sin(2 * a + 1)},
             {.pitch = 0.02f, .yaw = 0.03f * std::sin(a + 0.4f), .roll = -0.028f * sway});
    p.chest({.pitch = 0.03f - 0.030f * breath, .yaw = -0.02f * std::sin(a + 0.4f), .roll = 0.035f * sway});
    p.look({.pitch = 0.03f + 0.02f * std::sin(a + 2), .yaw = 0.10f * std::sin(a - 0.8f), .roll = 0.01f * sway});
    for (const Side side : {kLeft, kRight}) {
      ArmTurn arm = kRelaxed;
      const float own = side == kLeft ? 1.0f : -1.0f;
      arm.raise += 0.03f * breath, arm.abduct += 0.015f * breath + 0.010f * own * sway,
          arm.swing += 0.015f * std::sin(a + own);
      p.arm(side, arm);
      p.grip(side, 0.24f + 0.02f * breath, 0.22f);
    }
    stand(p, 0.015f, 0.14f);
  };
  return {"idle", kPeriod, 30, true, {}, pose};
}

Motion jump(const Skeleton&) {
  // Up and down again on the spot: the flight is a free fall, from which the speeds at take-off and landing follow.
  constexpr float kCrouched = 0.42f, kOff = 0.65f, kDown = 1.10f, kAbsorbed = 1.32f, kEnd = 2.0f, kGravity = 9.81f;
  constexpr float kStand = -0.014f, kDeep = -0.33f, kLift = 0.055f;
  const auto pose = [](float time, Puppet& p) {
    const float air = kDown - kOff, speed = 0.5f * kGravity * air;
    const float since = time - kOff;
    float height;
    if (time <= kOff) {
      height = curve<float>({{0, kStand}, {kCrouched, kDeep}, {kOff, kLift}}, 0, speed, time);
    } else if (time < kDown) {
      height = kLift + speed * since - 0.5f * kGravity * since * since;
    } else {
      height = curve<float>({{kDown, kLift}, {kAbsorbed, -0.27f}, {kEnd, kStand}}, -speed, 0, time);
    }
    const float crouch = ease(0, kCrouched, time) - ease(kCrouched, kOff, time);
    const float landing = ease(kDown - 0.05f, kAbsorbed, time) - ease(kAbsorbed, kEnd - 0.1f, time);
    const float bend = crouch + 0.85f * landing;
    const float flight = ease(kOff - 0.05f, kOff + 0.2f, time) - ease(kDown - 0.15f, kDown, time);
    p.pelvis({0, height, -0.115f * bend + 0.015f * (ease(kCrouched, kOff, time) - ease(kOff, kDown, time))},
             {.pitch = 0.02f + 0.52f * bend});
    p.chest({.pitch = 0.03f + 0.36f * bend - 0.10f * flight});
    p.look({.pitch = 0.03f + 0.10f * bend - 0.12f * flight});
    const float arms_up = ease(kCrouched, kOff, time) - ease(kOff + 0.25f, kAbsorbed, time);
    const float back = ease(0.05f, kCrouched, time) - ease(kCrouched, kOff - 0.08f, time);
    for (const Side side : {kLeft, kRight}) {
      p.arm(side, {.swing = 0.05f - 0.95f * back + 2.35f * arms_up + 0.35f * landing,
                   .abduct = 0.14f + 0.20f * (arms_up + landing),
                   .twist = 0.15f,
                   .elbow = 0.30f + 0.25f * arms_up + 0.35f * landing,
                   .pronate = 0.30f,
                   .wrist = 0.10f - 0.05f * arms_up,
                   .raise = -0.05f + 0.40f * arms_up});
      p.grip(side, 0.24f + 0.2f * bend, 0.22f + 0.2f * bend);
    }
    // Off over ball and toes, in the air feet hang, down on the ball first.
    const float roll = time < kDown ? ease(kCrouched + 0.04f, kOff, time) : 1 - ease(kDown, kDown + 0.11f, time);
    FootPlace foot =
        planted(p.skeleton(), {0.015f, 0, 0}, 0.14f,
                {.heel_up = roll * 0.62f, .tip = time < kDown ? 0.30f * ease(kOff - 0.10f, kOff, time) : 0.0f});
    if (time > kOff && time < kDown) {
      const FootPlace land = planted(p.skeleton(), {0.015f, 0, 0}, 0.14f, {.heel_up = 0.62f});
      const float u = since / air, tuck = 0.09f * (1 - std::cos(kTurn * u)) * 0.5f;
      const float rise = speed * since - 0.5f * kGravity * since * since;
      foot.ankle = glm::mix(foot.ankle, land.ankle, ease(0, 1, u)) + Vec3(0, rise + tuck, -0.5f * tuck);
      const float point = 0.35f * std::sin(0.5f * kTurn * u);
      foot.foot = slerp(foot.foot, land.foot, ease(0, 1, u)) * about_x(point);
      foot.toes = slerp(foot.toes, land.toes, ease(0, 1, u)) * about_x(point + 0.55f * std::sin(0.5f * kTurn * u));
    }
    p.step(kLeft, foot, {0.25f, 0, 1});
    p.step(kRight, foot, {0.25f, 0, 1});
  };
  return {"jump", kEnd, 120, false, {}, pose};
}

Motion wave(const Skeleton&) {
  constexpr float kUp = 0.5f, kLower = 1.8f, kEnd = 2.4f;
  const auto pose = [](float time, Puppet& p) {
    const float up = ease(0, kUp, time) - ease(kLower, kEnd, time),
                swing = up * std::sin(kTurn * (time - kUp + 0.15f) / 0.44f);
    p.pelvis({0.018f * up, -0.014f, 0}, {.pitch = 0.02f, .roll = -0.03f * up});
    p.chest({.pitch = 0.03f, .yaw = -0.06f * up, .roll = -0.04f * up + 0.008f * swing});
    p.look({.pitch = 0.02f, .yaw = -0.05f * up, .roll = 0.05f * up});
    p.arm(kLeft, kRelaxed);
    p.grip(kLeft, 0.24f, 0.22f);
    const ArmTurn& r = kRelaxed;
    const auto to = [&](float rest, float raised) { return rest + (raised - rest) * up; };
    // The elbow comes up to the side and a little forward, so that the forearm stands without a hard twist of the arm.
    p.arm(kRight, {.swing = to(r.swing, 0.95f),
                   .abduct = to(r.abduct, 0.95f),
                   .twist = to(r.twist, -0.75f) - 0.10f * swing,
                   .elbow = to(r.elbow, 1.75f) + 0.12f * swing,
                   .pronate = to(r.pronate, 0.75f) + 0.10f * swing,
                   .wrist = to(r.wrist, -0.08f),
                   .raise = to(r.raise, 0.28f),
                   .tilt = 0.30f * swing});
    p.grip(kRight, to(0.24f, 0.05f), to(0.22f, 0.0f));
    stand(p, 0.015f, 0.14f);
  };
  return {"wave", kEnd, 30, false, {}, pose};
}

Motion aim(const Skeleton&) {
  constexpr float kPeriod = 2.0f;
  const auto pose = [](float time, Puppet& p) {
    const float a = kTurn * time / kPeriod, breath = std::sin(a);
    p.pelvis({0, -0.055f, -0.015f}, {.pitch = 0.10f, .yaw = -0.12f});
    p.chest({.pitch = 0.08f + 0.008f * breath, .yaw = 0.06f});
    p.look({.pitch = 0.05f, .roll = 0.02f});
    // A pistol in both hands, arms nearly straight: the right hand holds it, the left one holds the right one.
    const Vec3 sway{0.002f * std::sin(a + 0.5f), 0.004f * breath, 0};
    p.turn(joint(kRight, kShoulder), mirrored(about_x(0.10f) * about_z(0.06f)));
    p.turn(joint(kLeft, kShoulder), about_x(0.10f) * about_z(0.06f));
    p.reach(kRight, Vec3(-0.026f, 1.430f, 0.535f) + sway, {-0.9f, -1, 0}, {1, 0, -0.1f}, {0.10f, -0.06f, 1});
    p.reach(kLeft, Vec3(0.040f, 1.408f, 0.528f) + sway, {0.9f, -1, 0}, {-1, 0.25f, 0}, {-0.30f, 0.06f, 1});
    p.grip(kRight, 0.72f, 0.30f);
    p.curl(kRight, 1, 0.35f);
    p.grip(kLeft, 0.62f, 0.30f);
    p.step(kLeft, planted(p.skeleton(), {0.045f, 0, 0.11f}, 0.16f, {}), {0.25f, 0, 1});
    p.step(kRight, planted(p.skeleton(), {0.050f, 0, -0.11f}, 0.34f, {}), {0.40f, 0, 1});
  };
  return {"aim", kPeriod, 30, true, {}, pose};
}

Motion punch(const Skeleton&) {
  constexpr float kHit = 0.17f, kEnd = 0.40f;
  const auto pose = [](float time, Puppet& p) {
    const float load = ease(0, 0.06f, time) - ease(0.06f, 0.12f, time),
                hit = ease(0.04f, kHit, time) - ease(kHit + 0.03f, kEnd, time);
    p.pelvis({-0.01f + 0.02f * hit, -0.075f, -0.01f - 0.02f * load + 0.080f * hit},
             {.pitch = 0.06f, .yaw = -0.50f - 0.08f * load + 0.62f * hit});
    p.chest({.pitch = 0.12f + 0.05f * hit, .yaw = -0.10f - 0.10f * load + 0.52f * hit});
    p.look({.pitch = 0.10f, .yaw = -0.05f});
    // Fists by the chin; the right one goes straight out at the height of a chin and turns palm down.
    const Vec3 guard_left{0.10f, 1.405f, 0.300f}, guard_right{-0.095f, 1.395f, 0.190f}, target{-0.03f, 1.405f, 0.725f};
    p.turn(joint(kLeft, kShoulder), about_z(0.08f));
    p.turn(joint(kRight, kShoulder), mirrored(about_x(0.18f * hit) * about_z(0.08f + 0.10f * hit)));
    p.reach(kLeft, guard_left + Vec3(0.01f, 0.01f, -0.06f) * hit, {0.40f, -1, -0.1f}, {-0.85f, -0.1f, -0.5f});
    p.reach(kRight, glm::mix(guard_right + Vec3(-0.01f, -0.02f, -0.045f) * load, target, hit),
            glm::mix(Vec3(-0.40f, -1, -0.1f), Vec3(-1, -0.70f, 0), hit),
            glm::mix(Vec3(0.85f, -0.1f, -0.5f), Vec3(0.30f, -1, 0), hit));
    for (const Side side : {kLeft, kRight}) p.grip(side, 0.98f, 0.95f);
    p.step(kLeft, planted(p.skeleton(), {0.00f, 0, 0.21f}, 0.05f, {}), {0.2f, 0, 1});
    p.step(kRight, planted(p.skeleton(), {0.05f, 0, -0.19f}, 0.50f, {.heel_up = 0.22f + 0.45f * hit}), {0.45f, 0, 1});
  };
  return {"punch", kEnd, 60, false, {}, pose};
}

}  // namespace sinew::biped
