// Laws of slerp, over many random pairs of rotations, near and far.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "oracle/oracle.h"
#include "sinew/math.h"
#include "support/doubles.h"
#include "support/scenes.h"

namespace sinew {
namespace {

constexpr unsigned kSlerpSeed = 99;
constexpr int kPairs = 20'000;

class SlerpLaw : public ::testing::Test {
 protected:
  SlerpLaw() : random(kSlerpSeed) { RecordProperty("seed", int(kSlerpSeed)); }
  Quat turn() {
    std::normal_distribution<float> normal;
    return normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
  }
  float factor() { return std::uniform_real_distribution<float>(0, 1)(random); }
  /// A rotation at any distance from another, down to what floats cannot tell apart.
  Quat near(Quat q) {
    std::normal_distribution<float> normal;
    const Vec3 axis(normal(random), normal(random), normal(random));
    return normalize(quat_axis_angle(axis, test::kPi * std::pow(10.0f, -7 * factor())) * q);
  }
  std::mt19937 random;
};

float off(Quat a, Quat b) {
  const Quat s = dot(a, b) < 0 ? -b : b;
  return std::sqrt((a.x - s.x) * (a.x - s.x) + (a.y - s.y) * (a.y - s.y) + (a.z - s.z) * (a.z - s.z) +
                   (a.w - s.w) * (a.w - s.w));
}

TEST_F(SlerpLaw, OutputIsOfUnitLength) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn(), q = slerp(a, b, factor());
    ASSERT_NEAR(dot(q, q), 1, 3e-7f);
  }
}

TEST_F(SlerpLaw, BothEndsAreTheInputs) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn();
    ASSERT_LE(off(slerp(a, b, 0), a), 2e-7f);
    ASSERT_LE(off(slerp(a, b, 1), b), 2e-7f);
  }
}

TEST_F(SlerpLaw, SignsOfTheInputsDoNotMatter) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn();
    if (std::fabs(dot(a, b)) < 1e-5f) continue;  // half a turn: both ways are as short
    const float t = factor();
    const Quat q = slerp(a, b, t);
    ASSERT_LE(off(slerp(-a, b, t), q), 1e-6f);
    ASSERT_LE(off(slerp(a, -b, t), q), 1e-6f);
    ASSERT_LE(off(slerp(-a, -b, t), q), 1e-6f);
  }
}

TEST_F(SlerpLaw, BackwardsIsTheSameArc) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn();
    const float t = factor();
    ASSERT_LE(off(slerp(a, b, t), slerp(b, a, 1 - t)), 1e-6f);
  }
}

TEST_F(SlerpLaw, TheAngleGrowsEvenly) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn();
    const float whole = angle(conjugate(a) * b), t = factor();
    ASSERT_LE(whole, test::kPi + 1e-5f);
    ASSERT_NEAR(angle(conjugate(a) * slerp(a, b, t)), t * whole, 2e-6f);
  }
}

TEST_F(SlerpLaw, TurningBothTurnsTheResult) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn(), r = turn();
    if (std::fabs(dot(a, b)) < 1e-5f) continue;
    const float t = factor();
    ASSERT_LE(off(normalize(r * slerp(a, b, t)), slerp(r * a, r * b, t)), 2e-6f);
  }
}

TEST_F(SlerpLaw, AgreesWithDoublePrecision) {
  for (int i = 0; i < kPairs; ++i) {
    const Quat a = turn(), b = i % 2 ? near(a) : turn();
    if (std::fabs(dot(a, b)) < 1e-5f) continue;
    const float t = factor();
    const test::DVec4 wanted = test::oracle_slerp(test::to_double(a), test::to_double(b), t),
                      got = test::to_double(slerp(a, b, t));
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += (wanted[k] - got[k]) * (wanted[k] - got[k]);
    ASSERT_LE(std::sqrt(square), 2e-7);
  }
}

}  // namespace
}  // namespace sinew
