// The anatomy: a slim adult of 1.8 m. Numbers are metres in model space, or in the frame that a part names.
#include "biped/field.h"

namespace sinew::biped {
namespace {

const Vec3 kLeftward{1, 0, 0};

/// A limb of two parts as one loft: its sections follow the bent line, so that no joint shows a seam. Stations run over
/// the whole limb; their shifts count from the line.
Loft limb(Vec3 begin, Vec3 middle, Vec3 end, Vec3 x_hint, std::vector<Station> stations, float cap) {
  const Vec3 y = glm::normalize(end - begin), x = glm::normalize(x_hint - glm::dot(x_hint, y) * y),
             z = glm::cross(x, y);
  const float length = glm::length(end - begin), bend_at = glm::dot(middle - begin, y) / length;
  const Vec3 aside = middle - begin - bend_at * length * y;
  for (Station& s : stations) {
    const float share = s.at < bend_at ? s.at / bend_at : (1 - s.at) / (1 - bend_at);
    s.shift_x += share * glm::dot(aside, x), s.shift_z += share * glm::dot(aside, z);
  }
  return Loft(begin, end, x, std::move(stations), cap);
}

void add_trunk(Field& field) {
  // From the crotch to the neck; `at` runs over 0.65 m.
  field.add(Loft({0, 0.850f, 0}, {0, 1.500f, 0}, kLeftward,
                 {{0.00f, 0.110f, 0.085f, 0, -0.006f},
                  {0.11f, 0.150f, 0.099f, 0, -0.008f},
                  {0.23f, 0.153f, 0.102f, 0, -0.002f},
                  {0.35f, 0.137f, 0.095f, 0, 0.005f},
                  {0.44f, 0.133f, 0.095f, 0, 0.004f},
                  {0.57f, 0.148f, 0.104f, 0, -0.002f},
                  {0.70f, 0.166f, 0.112f, 0, -0.010f},
                  {0.81f, 0.157f, 0.101f, 0, -0.018f},
                  {0.90f, 0.118f, 0.078f, 0, -0.026f},
                  {1.00f, 0.060f, 0.050f, 0, -0.032f}},
                 0.030f),
            0.0f);
  // The chest, and its end in the front of the shoulder.
  field.add(Loft({0.072f, 1.340f, 0.056f}, {0.086f, 0.058f, 0.040f}, quat_axis_angle({0, 0, 1}, 0.25f)), 0.050f);
  field.add(Loft({0.105f, 1.385f, 0.034f}, {0.188f, 1.420f, -0.004f}, {0, 0, 1},
                 {{0, 0.030f, 0.050f}, {1, 0.040f, 0.048f}}, 0.03f),
            0.050f);
  // The shoulder blade, and what ties it to the arm.
  field.add(Loft({0.082f, 1.345f, -0.082f}, {0.066f, 0.090f, 0.042f}), 0.060f);
  field.add(Loft({0.100f, 1.385f, -0.080f}, {0.185f, 1.415f, -0.050f}, {0, 0, 1},
                 {{0, 0.030f, 0.048f}, {1, 0.036f, 0.046f}}, 0.03f),
            0.075f);
  // The broad muscle of the back, buttocks, and what joins the thighs.
  field.add(Loft({0.118f, 1.262f, -0.036f}, {0.046f, 0.105f, 0.062f}, quat_axis_angle({0, 0, 1}, -0.14f)), 0.060f);
  field.add(Loft({0.074f, 0.892f, -0.056f}, {0.080f, 0.086f, 0.066f}, quat_axis_angle({1, 0, 0}, 0.2f)), 0.050f);
  field.add(Loft({0, 0.866f, 0.010f}, {0.066f, 0.054f, 0.074f}), 0.060f);
  // A shallow furrow down the spine.
  field.carve(
      Loft({0, 1.02f, -0.122f}, {0, 1.36f, -0.152f}, kLeftward, {{0, 0.010f, 0.010f}, {1, 0.010f, 0.010f}}, 0.05f),
      0.05f);
}

void add_neck(Field& field) {
  field.add(Loft({0, 1.420f, -0.040f}, {0, 1.600f, -0.008f}, kLeftward,
                 {{0, 0.070f, 0.062f}, {0.5f, 0.057f, 0.056f}, {1, 0.055f, 0.058f}}, 0.03f),
            0.050f);
  // From the neck to the tip of the shoulder.
  field.add(Loft({0.020f, 1.505f, -0.044f}, {0.165f, 1.448f, -0.034f}, {0, 0, 1},
                 {{0, 0.036f, 0.040f}, {0.5f, 0.036f, 0.026f}, {1, 0.040f, 0.028f}}, 0.03f),
            0.085f);
}

void add_head(Field& field) {
  field.add(Loft({0, 1.702f, -0.014f}, {0.0765f, 0.098f, 0.0980f}), 0.050f);                                  // skull
  field.add(Loft({0, 1.660f, 0.024f}, {0.0635f, 0.074f, 0.068f}), 0.035f);                                    // face
  field.add(Loft({0, 1.606f, 0.042f}, {0.046f, 0.027f, 0.046f}, quat_axis_angle({1, 0, 0}, 0.16f)), 0.040f);  // jaw
  field.add(Loft({0, 1.593f, 0.074f}, {0.020f, 0.016f, 0.015f}), 0.030f);                                     // chin
  field.add(Loft({0.043f, 1.662f, 0.054f}, {0.018f, 0.016f, 0.018f}), 0.035f);                                // cheek
  field.carve(Loft({0.033f, 1.689f, 0.102f}, {0.021f, 0.012f, 0.019f}, quat_axis_angle({0, 1, 0}, 0.3f)),
              0.024f);  // eye socket
  field.add(Loft({0, 1.702f, 0.080f}, {0, 1.656f, 0.098f}, kLeftward,
                 {{0, 0.0085f, 0.012f}, {0.7f, 0.0105f, 0.013f}, {1, 0.0130f, 0.013f}}, 0.009f),
            0.018f);                                                       // nose
  field.add(Loft({0, 1.621f, 0.078f}, {0.024f, 0.011f, 0.011f}), 0.030f);  // mouth
  field.add(Loft({0.077f, 1.674f, -0.016f}, {0.0095f, 0.032f, 0.020f},
                 quat_axis_angle({0, 1, 0}, -0.40f) * quat_axis_angle({1, 0, 0}, -0.15f)),
            0.012f);  // ear
}

void add_arm(Field& field, const Skeleton& s) {
  const Frame &upper = s.bind[joint(kLeft, kUpperArm)], &fore = s.bind[joint(kLeft, kForearm)],
              &hand = s.bind[joint(kLeft, kHand)];
  // X goes inward, Z to the thumb: biceps in front (+Z), triceps behind.
  field.add(limb(upper.position, fore.position, hand.position, rotate(upper.rotation, kLeftward),
                 {{0.00f, 0.043f, 0.048f},
                  {0.13f, 0.044f, 0.049f},
                  {0.26f, 0.042f, 0.049f, 0, 0.002f},
                  {0.39f, 0.038f, 0.044f, 0, 0.002f},
                  {0.48f, 0.0345f, 0.037f},
                  {0.53f, 0.034f, 0.037f, 0, 0.001f},
                  {0.60f, 0.0365f, 0.041f, 0, 0.003f},
                  {0.68f, 0.0365f, 0.0405f, 0, 0.003f},
                  {0.80f, 0.031f, 0.034f, 0, 0.001f},
                  {0.92f, 0.0235f, 0.029f},
                  {1.00f, 0.021f, 0.028f}},
                 0.03f),
            0.040f);
  field.add(Loft(upper.position + Vec3(0.012f, -0.014f, 0), {0.052f, 0.084f, 0.058f}, upper.rotation),
            0.030f);  // deltoid
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
                 {{0.0f, 0.020f, 0.027f}, {0.3f, 0.0185f, 0.032f}, {0.65f, 0.0155f, 0.038f}, {1.0f, 0.0115f, 0.0400f}},
                 0.012f),
            0.018f);
  // The balls of thumb and little finger.
  field.add(Loft(in_hand(s, {0.009f, 0.034f, 0.018f}), {0.012f, 0.032f, 0.016f},
                 hand.rotation * quat_axis_angle({1, 0, 0}, 0.45f)),
            0.014f);
  field.add(Loft(in_hand(s, {0.009f, 0.042f, -0.022f}), {0.012f, 0.034f, 0.013f}, hand.rotation), 0.014f);
  const float radii[kFingerCount][4] = {{0.0110f, 0.0124f, 0.0108f, 0.0090f},
                                        {0.0100f, 0.0092f, 0.0080f, 0.0068f},
                                        {0.0102f, 0.0094f, 0.0082f, 0.0068f},
                                        {0.0097f, 0.0090f, 0.0078f, 0.0066f},
                                        {0.0086f, 0.0078f, 0.0068f, 0.0058f}};
  for (int f = 0; f < kFingerCount; ++f) {
    std::vector<Field::Piece> pieces;
    for (int k = 0; k < 3; ++k) {
      const Frame& part = s.bind[joint(kLeft, phalanx(f, k))];
      Vec3 begin = part.position;
      const Vec3 end = k < 2 ? s.bind[joint(kLeft, phalanx(f, k + 1))].position : s.finger_tips[f];
      const float r0 = radii[f][k], r1 = radii[f][k + 1];
      // The tip's cap is round; the length of a phalanx counts to the end of the flesh.
      const float cap = k < 2 ? r1 : r1 * 0.95f;
      const Vec3 axis = glm::normalize(end - begin);
      pieces.push_back({Loft(begin, k < 2 ? end : end - axis * cap, rotate(part.rotation, kLeftward),
                             {{0, r0, r0}, {0.5f, 0.49f * (r0 + r1), 0.49f * (r0 + r1)}, {1, r1, r1}}, cap),
                        0.004f});
    }
    if (f == 0) {
      // The thumb's first bone lies in the flesh of the palm.
      constexpr float kThumbMelt = 0.022f;
      field.add(std::move(pieces.front().loft), kThumbMelt);
      pieces.erase(pieces.begin());
    }
    field.add_branch(std::move(pieces), 0.006f);
  }
}

void add_leg(Field& field, const Skeleton& s) {
  const Vec3 hip = s.bind[joint(kLeft, kUpperLeg)].position, knee = s.bind[joint(kLeft, kLowerLeg)].position,
             ankle = s.bind[joint(kLeft, kFoot)].position;
  // It begins thin inside the pelvis and runs down: its Z points back.
  field.add(limb(hip + Vec3(-0.014f, 0.070f, 0), knee, ankle, kLeftward,
                 {{0.00f, 0.030f, 0.040f},
                  {0.08f, 0.056f, 0.072f},
                  {0.17f, 0.074f, 0.085f},
                  {0.28f, 0.0745f, 0.084f, 0, -0.003f},
                  {0.40f, 0.065f, 0.074f, 0, -0.007f},
                  {0.49f, 0.055f, 0.062f, 0, -0.004f},
                  {0.55f, 0.0505f, 0.057f, 0, 0.000f},
                  {0.60f, 0.049f, 0.055f, 0, 0.008f},
                  {0.70f, 0.052f, 0.058f, 0, 0.018f},
                  {0.79f, 0.045f, 0.051f, 0, 0.015f},
                  {0.89f, 0.034f, 0.040f, 0, 0.008f},
                  {0.96f, 0.031f, 0.037f, 0, 0.004f},
                  {1.00f, 0.032f, 0.037f, 0, 0.002f}},
                 0.03f),
            0.050f);
  field.add(Loft(knee + Vec3(0, 0.002f, 0.036f), {0.028f, 0.036f, 0.020f}), 0.030f);  // knee cap
}

void add_foot(Field& field, const Skeleton& s) {
  const Vec3 ankle = s.bind[joint(kLeft, kFoot)].position, ball = s.bind[joint(kLeft, kToes)].position;
  // From heel to toes; then the instep, from the ankle down to the ball.
  field.add(Loft({ankle.x, 0.033f, -0.044f}, {ball.x, 0.014f, 0.150f}, kLeftward,
                 {{0.00f, 0.031f, 0.036f},
                  {0.30f, 0.033f, 0.032f, 0.002f, 0},
                  {0.55f, 0.039f, 0.027f, 0.002f, 0},
                  {0.80f, 0.045f, 0.021f},
                  {1.00f, 0.038f, 0.014f}},
                 0.030f),
            0.035f);
  field.add(Loft({ankle.x, 0.080f, -0.016f}, {ball.x - 0.004f, 0.030f, 0.090f}, kLeftward,
                 {{0, 0.032f, 0.036f}, {0.5f, 0.032f, 0.026f}, {1, 0.034f, 0.016f}}, 0.02f),
            0.030f);
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
