// The anatomy: a slim adult of 1.8 m. Numbers are metres in model space, or in the frame that a part names.
#include "biped/field.h"

namespace sinew::biped {
namespace {

const Vec3 kLeftward{1, 0, 0};

void add_trunk(Field& field) {
  // From the crotch to the collar bones; `at` runs over 0.60 m.
  field.add(Loft({0, 0.850f, 0}, {0, 1.450f, 0}, kLeftward,
                 {{0.00f, 0.150f, 0.092f, 0, -0.010f}, {0.12f, 0.164f, 0.106f, 0, -0.012f},
                  {0.25f, 0.153f, 0.103f, 0, -0.004f}, {0.38f, 0.135f, 0.093f, 0, 0.004f},
                  {0.48f, 0.132f, 0.092f, 0, 0.003f}, {0.62f, 0.146f, 0.104f, 0, -0.003f},
                  {0.76f, 0.160f, 0.113f, 0, -0.010f}, {0.88f, 0.150f, 0.100f, 0, -0.018f},
                  {1.00f, 0.110f, 0.068f, 0, -0.024f}},
                 0.045f),
            0.0f);
  // Chest, shoulder blades, the broad muscle of the back, buttocks.
  field.add(Loft({0.076f, 1.325f, 0.052f}, {0.084f, 0.056f, 0.046f}, quat_axis_angle({0, 0, 1}, 0.22f)), 0.045f);
  field.add(Loft({0.084f, 1.330f, -0.080f}, {0.066f, 0.085f, 0.046f}), 0.050f);
  field.add(Loft({0.112f, 1.240f, -0.036f}, {0.050f, 0.110f, 0.062f}, quat_axis_angle({0, 0, 1}, -0.16f)), 0.060f);
  field.add(Loft({0.076f, 0.898f, -0.058f}, {0.084f, 0.088f, 0.070f}, quat_axis_angle({1, 0, 0}, 0.2f)), 0.045f);
  // A shallow furrow down the spine and one down the breast bone.
  field.carve(Loft({0, 1.02f, -0.122f}, {0, 1.36f, -0.152f}, kLeftward, {{0, 0.010f, 0.010f}, {1, 0.010f, 0.010f}}, 0.05f), 0.05f);
}

void add_neck(Field& field) {
  field.add(Loft({0, 1.420f, -0.040f}, {0, 1.600f, -0.008f}, kLeftward,
                 {{0, 0.070f, 0.062f}, {0.5f, 0.057f, 0.056f}, {1, 0.055f, 0.058f}}, 0.03f),
            0.050f);
  // From the neck to the tip of the shoulder.
  field.add(Loft({0.020f, 1.505f, -0.044f}, {0.165f, 1.448f, -0.034f}, {0, 0, 1},
                 {{0, 0.036f, 0.040f}, {0.5f, 0.036f, 0.028f}, {1, 0.040f, 0.030f}}, 0.03f),
            0.060f);
  // Collar bone.
  field.add(Loft({0.025f, 1.437f, 0.036f}, {0.150f, 1.455f, 0.004f}, {0, 0, 1}, {{0, 0.010f, 0.010f}, {1, 0.013f, 0.013f}}, 0.01f),
            0.030f);
}

void add_head(Field& field) {
  field.add(Loft({0, 1.700f, -0.014f}, {0.0775f, 0.100f, 0.0985f}), 0.030f);                               // skull
  field.add(Loft({0, 1.655f, 0.022f}, {0.064f, 0.068f, 0.070f}), 0.035f);                                  // face
  field.add(Loft({0, 1.602f, 0.040f}, {0.044f, 0.026f, 0.050f}, quat_axis_angle({1, 0, 0}, 0.12f)), 0.035f);  // jaw
  field.add(Loft({0, 1.592f, 0.078f}, {0.020f, 0.016f, 0.016f}), 0.025f);                                  // chin
  field.add(Loft({0.040f, 1.660f, 0.062f}, {0.020f, 0.018f, 0.018f}), 0.028f);                              // cheek
  field.carve(Loft({0.032f, 1.687f, 0.104f}, {0.019f, 0.012f, 0.018f}), 0.022f);                            // eye socket
  field.add(Loft({0.010f, 1.706f, 0.080f}, {0.046f, 1.707f, 0.064f}, {0, 0, 1}, {{0, 0.010f, 0.008f}, {1, 0.010f, 0.008f}}, 0.01f),
            0.022f);                                                                                        // brow
  field.add(Loft({0.031f, 1.686f, 0.074f}, {0.0135f, 0.0115f, 0.0125f}), 0.006f);                           // eye
  field.add(Loft({0, 1.697f, 0.084f}, {0, 1.654f, 0.106f}, kLeftward,
                 {{0, 0.008f, 0.010f}, {0.7f, 0.011f, 0.012f}, {1, 0.0145f, 0.012f}}, 0.008f),
            0.014f);                                                                                        // nose
  field.add(Loft({0, 1.6235f, 0.088f}, {0.024f, 0.0055f, 0.0085f}), 0.012f);                                // lips
  field.add(Loft({0, 1.6140f, 0.086f}, {0.021f, 0.0060f, 0.0080f}), 0.010f);
  field.add(Loft({0.080f, 1.672f, -0.014f}, {0.010f, 0.032f, 0.019f},
                 quat_axis_angle({0, 1, 0}, -0.35f) * quat_axis_angle({1, 0, 0}, -0.15f)),
            0.010f);                                                                                        // ear
}

void add_arm(Field& field, const Skeleton& s) {
  const Frame &upper = s.bind[joint(kLeft, kUpperArm)], &fore = s.bind[joint(kLeft, kForearm)],
              &hand = s.bind[joint(kLeft, kHand)];
  const Vec3 x_upper = rotate(upper.rotation, kLeftward), x_fore = rotate(fore.rotation, kLeftward);
  // X goes inward, Z to the thumb: biceps in front (+Z), triceps behind.
  field.add(Loft(upper.position, fore.position, x_upper,
                 {{0.0f, 0.046f, 0.052f}, {0.25f, 0.045f, 0.050f, 0, -0.001f}, {0.45f, 0.043f, 0.050f, 0, 0.002f},
                  {0.65f, 0.039f, 0.046f, 0, 0.002f}, {0.85f, 0.036f, 0.038f}, {1.0f, 0.034f, 0.036f}},
                 0.035f),
            0.040f);
  field.add(Loft(upper.position + Vec3(0.014f, -0.012f, 0), {0.054f, 0.080f, 0.060f}, upper.rotation), 0.030f);  // deltoid
  field.add(Loft(fore.position, hand.position, x_fore,
                 {{0.0f, 0.034f, 0.036f}, {0.14f, 0.038f, 0.042f, 0, 0.003f}, {0.28f, 0.038f, 0.043f, 0, 0.004f},
                  {0.50f, 0.034f, 0.037f, 0, 0.002f}, {0.75f, 0.026f, 0.030f}, {0.92f, 0.0215f, 0.0275f},
                  {1.0f, 0.021f, 0.028f}},
                 0.02f),
            0.012f);
}

/// A point of the hand's frame in model space.
Vec3 in_hand(const Skeleton& s, Vec3 p) {
  const Frame& hand = s.bind[joint(kLeft, kHand)];
  return hand.position + rotate(hand.rotation, p);
}

void add_hand(Field& field, const Skeleton& s) {
  const Frame& hand = s.bind[joint(kLeft, kHand)];
  const Vec3 x = rotate(hand.rotation, kLeftward);
  field.add(Loft(in_hand(s, {0, -0.01f, 0}), in_hand(s, {0, 0.090f, -0.001f}), x,
                 {{0.0f, 0.020f, 0.027f}, {0.3f, 0.0185f, 0.032f}, {0.65f, 0.0155f, 0.038f}, {1.0f, 0.0115f, 0.0400f}}, 0.012f),
            0.018f);
  // The balls of thumb and little finger.
  field.add(Loft(in_hand(s, {0.010f, 0.034f, 0.023f}), {0.014f, 0.030f, 0.016f},
                 hand.rotation * quat_axis_angle({1, 0, 0}, 0.45f)),
            0.014f);
  field.add(Loft(in_hand(s, {0.009f, 0.042f, -0.022f}), {0.012f, 0.034f, 0.013f}, hand.rotation), 0.014f);
  const float radii[kFingerCount][4] = {{0.0135f, 0.0120f, 0.0108f, 0.0090f}, {0.0100f, 0.0092f, 0.0080f, 0.0068f},
                                        {0.0102f, 0.0094f, 0.0082f, 0.0068f}, {0.0097f, 0.0090f, 0.0078f, 0.0066f},
                                        {0.0086f, 0.0078f, 0.0068f, 0.0058f}};
  for (int f = 0; f < kFingerCount; ++f) {
    std::vector<Field::Piece> pieces;
    for (int k = 0; k < 3; ++k) {
      const Frame& phalanx = s.bind[joint(kLeft, kThumb + 3 * f + k)];
      Vec3 begin = phalanx.position;
      const Vec3 end = k < 2 ? s.bind[joint(kLeft, kThumb + 3 * f + k + 1)].position : s.finger_tips[f];
      const float r0 = radii[f][k], r1 = radii[f][k + 1];
      // The tip's cap is round; the length of a phalanx counts to the end of the flesh.
      const float cap = k < 2 ? r1 : r1 * 0.95f;
      const Vec3 axis = glm::normalize(end - begin);
      pieces.push_back({Loft(begin, k < 2 ? end : end - axis * cap, rotate(phalanx.rotation, kLeftward),
                             {{0, r0, r0}, {0.5f, 0.49f * (r0 + r1), 0.49f * (r0 + r1)}, {1, r1, r1}}, cap),
                        0.004f});
    }
    field.add_branch(std::move(pieces), f == 0 ? 0.014f : 0.006f);
  }
}

void add_leg(Field& field, const Skeleton& s) {
  const Vec3 hip = s.bind[joint(kLeft, kUpperLeg)].position, knee = s.bind[joint(kLeft, kLowerLeg)].position,
             ankle = s.bind[joint(kLeft, kFoot)].position;
  field.add(Loft(hip + Vec3(-0.004f, 0, 0), knee, kLeftward,
                 {{0.0f, 0.068f, 0.080f, 0, 0.000f}, {0.20f, 0.075f, 0.086f, 0, 0.000f}, {0.45f, 0.070f, 0.080f, 0, -0.006f},
                  {0.70f, 0.057f, 0.065f, 0, -0.006f}, {0.88f, 0.049f, 0.054f, 0, -0.002f}, {1.0f, 0.047f, 0.051f, 0, 0.000f}},
                 0.04f),
            0.050f);
  // The loft runs down: its Z points back.
  field.add(Loft(knee, ankle, kLeftward,
                 {{0.0f, 0.046f, 0.050f, 0, 0.002f}, {0.12f, 0.048f, 0.053f, 0, 0.008f}, {0.30f, 0.052f, 0.058f, 0, 0.018f},
                  {0.50f, 0.046f, 0.052f, 0, 0.016f}, {0.75f, 0.034f, 0.040f, 0, 0.008f}, {0.92f, 0.030f, 0.038f, 0, 0.004f},
                  {1.0f, 0.031f, 0.040f, 0, 0.002f}},
                 0.025f),
            0.015f);
  field.add(Loft(knee + Vec3(0, 0.004f, 0.034f), {0.030f, 0.040f, 0.018f}), 0.025f);  // knee cap
}

void add_foot(Field& field, const Skeleton& s) {
  const Vec3 ankle = s.bind[joint(kLeft, kFoot)].position, ball = s.bind[joint(kLeft, kToes)].position;
  field.add(Loft({ankle.x, 0.032f, -0.042f}, {0.030f, 0.036f, 0.036f}), 0.030f);  // heel
  // Instep, from the ankle down to the ball; then the ball and the toes. X is up here.
  field.add(Loft({ankle.x, 0.058f, -0.010f}, {ball.x, 0.024f, 0.120f}, kLeftward,
                 {{0, 0.033f, 0.036f}, {0.5f, 0.037f, 0.030f}, {1, 0.046f, 0.020f}}, 0.02f),
            0.025f);
  field.add(Loft({ankle.x + 0.008f, 0.020f, -0.030f}, {ball.x + 0.003f, 0.018f, 0.100f}, kLeftward,
                 {{0, 0.026f, 0.020f}, {0.5f, 0.032f, 0.018f}, {1, 0.044f, 0.018f}}, 0.02f),
            0.020f);
  field.add(Loft({ball.x + 0.002f, 0.014f, 0.120f}, {ball.x - 0.002f, 0.012f, 0.156f}, kLeftward,
                 {{0, 0.045f, 0.018f}, {1, 0.036f, 0.013f}}, 0.022f),
            0.020f);
  field.stand_on_ground(0.010f);
}

}  // namespace

Field make_body(const Skeleton& skeleton) {
  Field field;
  add_trunk(field);
  add_neck(field);
  add_head(field);
  add_leg(field, skeleton);
  add_foot(field, skeleton);
  add_arm(field, skeleton);
  add_hand(field, skeleton);
  return field;
}

}  // namespace sinew::biped
