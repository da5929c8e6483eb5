// Walk and run. Feet are planned first (planted, rolling off, swinging); hips and spine ride on them; legs follow by
// inverse kinematics.
#include <cmath>

#include "biped/motion.h"

namespace sinew::biped {
namespace {

/// One cycle of a gait. Phases are shares of a cycle, counted from the foot's own touch-down.
struct Gait {
  float period;                       ///< seconds
  float stride;                       ///< metres a cycle
  float ahead;                        ///< of the hips, metres, where a foot comes down
  float narrow;                       ///< metres that each foot steps inside its bind place
  float yaw;                          ///< of the feet, outward, radians
  float release;                      ///< phase at which the foot leaves the ground
  float flat, heel, tip;              ///< phases: the sole is down, the heel rises, the toes tip
  float toes_up, heel_up, tip_angle;  ///< radians at touch-down, at release, at release
};

Contact contact_at(const Gait& g, float phase) {
  Contact c;
  c.toes_up = g.toes_up * (1 - ease(0, g.flat, phase));
  if (phase < g.flat) return c;
  c.toes_up = 0;
  // The heel starts slowly and leaves fast.
  const float rise = std::fmax(0.0f, (phase - g.heel) / (g.release - g.heel));
  const float tip = std::fmax(0.0f, (phase - g.tip) / (g.release - g.tip));
  c.heel_up = g.heel_up * rise * rise;
  c.tip = g.tip_angle * tip * tip;
  return c;
}

/// What a swinging foot is interpolated by: pitch angles instead of rotations.
struct Swing {
  Vec3 ankle{0.0f};
  float foot = 0, toes = 0;
  friend Swing operator+(Swing a, Swing b) { return {a.ankle + b.ankle, a.foot + b.foot, a.toes + b.toes}; }
  friend Swing operator-(Swing a, Swing b) { return {a.ankle - b.ankle, a.foot - b.foot, a.toes - b.toes}; }
  friend Swing operator*(Swing a, float k) { return {a.ankle * k, a.foot * k, a.toes * k}; }
  friend Swing operator/(Swing a, float k) { return a * (1 / k); }
};

class Feet {
 public:
  Feet(const Skeleton& skeleton, const Gait& gait, std::vector<Knot<Swing>> air)
      : skeleton_(skeleton), gait_(gait), air_(std::move(air)) {}

  /// The left foot when its own phase is `phase` (may exceed 1) and the hips are at z = stride * phase.
  FootPlace at(float phase) const {
    const float cycle = std::floor(phase), local = phase - cycle;
    FootPlace out;
    if (local < gait_.release) {
      out = planted(skeleton_, shift(), gait_.yaw, contact_at(gait_, local));
    } else {
      const Swing s = swing(local);
      out.ankle = s.ankle;
      out.foot = about_y(gait_.yaw) * about_x(s.foot);
      out.toes = about_y(gait_.yaw) * about_x(s.toes);
    }
    out.ankle.z += cycle * gait_.stride;
    return out;
  }

 private:
  Vec3 shift() const { return {-gait_.narrow, 0, gait_.ahead - skeleton_.bind[joint(kLeft, kFoot)].position.z}; }
  Swing on_ground(float phase, float cycle) const {
    const Contact c = contact_at(gait_, phase);
    const FootPlace p = planted(skeleton_, shift(), gait_.yaw, c);
    return {p.ankle + Vec3(0, 0, cycle * gait_.stride), c.tip + c.heel_up - c.toes_up, c.tip - c.toes_up};
  }
  Swing swing(float phase) const {
    constexpr float kStep = 1e-3f;
    const Swing from = on_ground(gait_.release, 0), to = on_ground(0, 1);
    std::vector<Knot<Swing>> knots{{gait_.release, from}};
    for (Knot<Swing> k : air_) {
      // Knots are given from the hips' even progress, so that they read like a picture of the runner.
      k.value.ankle += Vec3(from.ankle.x, 0, gait_.stride * k.time);
      knots.push_back(k);
    }
    knots.push_back({1, to});
    const Swing leaving = (from - on_ground(gait_.release - kStep, 0)) / kStep;
    const Swing landing = (on_ground(kStep, 1) - to) / kStep;
    return curve(knots, leaving, landing, phase);
  }

  const Skeleton& skeleton_;
  Gait gait_;
  std::vector<Knot<Swing>> air_;
};

/// Feet of both sides at a phase of the left one.
void step_both(Puppet& puppet, const Feet& feet, const Gait& gait, float phase) {
  puppet.step(kLeft, feet.at(phase));
  FootPlace right = feet.at(phase + 0.5f);
  right.ankle.z -= 0.5f * gait.stride;
  puppet.step(kRight, right);
}

}  // namespace

Motion walk(const Skeleton& skeleton) {
  const Gait gait{.period = 1.04f,
                  .stride = 1.36f,
                  .ahead = 0.315f,
                  .narrow = 0.045f,
                  .yaw = 0.10f,
                  .release = 0.62f,
                  .flat = 0.10f,
                  .heel = 0.30f,
                  .tip = 0.54f,
                  .toes_up = 0.30f,
                  .heel_up = 0.62f,
                  .tip_angle = 0.30f};
  const Feet feet(skeleton, gait,
                  {{0.73f, {{0, 0.205f, -0.225f}, 0.60f, 0.55f}}, {0.86f, {{0, 0.125f, 0.155f}, -0.08f, -0.12f}}});
  const auto pose = [=](float time, Puppet& p) {
    const float phase = time / gait.period, a = kTurn * phase, s = std::sin(a), c = std::cos(a);
    // Lowest just after a foot came down, highest over the standing leg; over that leg to the side, too.
    const float late = kTurn * 0.03f;
    const Vec3 shift{0.020f * s, -0.030f - 0.018f * std::cos(2 * (a - late)),
                     gait.stride * phase + 0.010f * std::sin(2 * a)};
    p.pelvis(shift, {.pitch = 0.05f, .yaw = -0.10f * c, .roll = -0.055f * std::sin(a + 0.2f)});
    p.chest({.pitch = -0.01f, .yaw = 0.21f * c, .roll = 0.065f * std::sin(a + 0.2f)});
    p.look({.pitch = 0.03f + 0.015f * std::cos(2 * a), .yaw = 0.02f * c});
    // Arms go against the legs, a little late; the elbow bends on the way forward.
    for (const Side side : {kLeft, kRight}) {
      const float swing = std::cos(a - 0.25f) * (side == kLeft ? -1.0f : 1.0f);
      p.arm(side, {.swing = 0.06f + 0.40f * swing,
                   .abduct = 0.13f,
                   .twist = 0.10f,
                   .elbow = 0.36f + 0.17f * (swing - 0.2f),
                   .pronate = 0.25f,
                   .wrist = 0.12f,
                   .raise = -0.05f});
      p.grip(side, 0.26f, 0.25f);
    }
    step_both(p, feet, gait, phase);
  };
  return {"walk", gait.period, 60 / gait.period, true, {0, 0, gait.stride}, pose};
}

Motion run(const Skeleton& skeleton) {
  const Gait gait{.period = 0.70f,
                  .stride = 2.30f,
                  .ahead = 0.30f,
                  .narrow = 0.070f,
                  .yaw = 0.06f,
                  .release = 0.34f,
                  .flat = 0.05f,
                  .heel = 0.14f,
                  .tip = 0.28f,
                  .toes_up = 0.14f,
                  .heel_up = 0.72f,
                  .tip_angle = 0.32f};
  const Feet feet(skeleton, gait,
                  {{0.46f, {{0, 0.46f, -0.56f}, 1.35f, 1.15f}},
                   {0.62f, {{0, 0.53f, -0.16f}, 0.85f, 0.70f}},
                   {0.78f, {{0, 0.30f, 0.36f}, 0.05f, 0.00f}},
                   {0.90f, {{0, 0.17f, 0.44f}, -0.16f, -0.16f}}});
  const auto pose = [=](float time, Puppet& p) {
    const float phase = time / gait.period, a = kTurn * phase, s = std::sin(a - 0.5f), c = std::cos(a - 0.3f);
    // Lowest over the standing leg, highest in the air between two steps.
    const float lowest = kTurn * 0.16f;
    const Vec3 shift{0.010f * s, -0.045f - 0.034f * std::cos(2 * (a - lowest)), gait.stride * phase};
    p.pelvis(shift, {.pitch = 0.16f, .yaw = -0.16f * c, .roll = -0.06f * s});
    p.chest({.pitch = 0.06f, .yaw = 0.36f * c, .roll = 0.07f * s});
    p.look({.pitch = 0.06f + 0.02f * std::cos(2 * (a - lowest)), .yaw = 0.02f * c});
    for (const Side side : {kLeft, kRight}) {
      const float swing = std::cos(a - 0.45f) * (side == kLeft ? -1.0f : 1.0f);
      p.arm(side, {.swing = 0.02f + 0.72f * swing,
                   .abduct = 0.22f,
                   .twist = 0.38f + 0.10f * swing,
                   .elbow = 1.45f + 0.22f * swing,
                   .pronate = 0.15f,
                   .wrist = 0.05f,
                   .raise = 0.03f});
      p.grip(side, 0.55f, 0.6f);
    }
    step_both(p, feet, gait, phase);
  };
  return {"run", gait.period, 84 / gait.period, true, {0, 0, gait.stride}, pose};
}

}  // namespace sinew::biped
