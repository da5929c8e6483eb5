#include "sinew/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/doubles.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::kPi;
using test::radians;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-6f) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

/// The same rotation: q and -q count as one.
void expect_same_rotation(Quat a, Quat b, float tolerance = 1e-6f) { EXPECT_NEAR(std::fabs(dot(a, b)), 1, tolerance); }

float length(Quat q) { return std::sqrt(dot(q, q)); }

Quat random_rotation(std::mt19937& random) {
  std::normal_distribution<float> normal;
  return normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
}

TEST(Math, MakersSayWhereTheScalarIs) {
  EXPECT_EQ(Quat().w, 1);
  const Quat q = quat_xyzw(1, 2, 3, 4);
  EXPECT_EQ(q.x, 1);
  EXPECT_EQ(q.y, 2);
  EXPECT_EQ(q.z, 3);
  EXPECT_EQ(q.w, 4);
  EXPECT_EQ(quat_wxyz(4, 1, 2, 3), q);
}

TEST(Math, AxisAngleIsRightHandedAndNeedsNoUnitAxis) {
  expect_near(rotate(quat_axis_angle({0, 0, 1}, kPi / 2), {1, 0, 0}), {0, 1, 0});
  expect_near(rotate(quat_axis_angle({0, 250, 0}, kPi / 2), {0, 0, 1}), {1, 0, 0});
  expect_near(rotate(quat_axis_angle({1e-30f, 0, 0}, kPi / 2), {0, 1, 0}), {0, 0, 1});
  EXPECT_EQ(quat_axis_angle({0, 0, 0}, 1), Quat());
}

TEST(Math, ProductTurnsByTheSecondFactorFirst) {
  const Quat z = quat_axis_angle({0, 0, 1}, kPi / 2), x = quat_axis_angle({1, 0, 0}, kPi / 2);
  expect_near(rotate(x * z, {1, 0, 0}), {0, 0, 1});  // z: to +Y, then x: to +Z
  expect_near(rotate(z * x, {1, 0, 0}), {0, 1, 0});  // x leaves it, then z: to +Y
  expect_near(rotate(conjugate(x) * x, {1, 2, 3}), {1, 2, 3});
}

TEST(Math, NormalizeTakesAnyFiniteLength) {
  for (float scale : {1e-30f, 1e-3f, 1.0f, 1e30f}) {
    const Quat q = normalize(quat_xyzw(0, 3 * scale, 0, 4 * scale));
    EXPECT_FLOAT_EQ(q.y, 0.6f) << scale;
    EXPECT_FLOAT_EQ(q.w, 0.8f) << scale;
  }
  EXPECT_EQ(normalize(quat_xyzw(0, 0, 0, 0)), Quat());
  EXPECT_EQ(normalize(quat_xyzw(0, kInfinity, 0, 1)), Quat());
  EXPECT_EQ(normalize(quat_xyzw(0, kNaN, 0, 1)), Quat());
}

TEST(Math, AngleIsTheSameForBothSigns) {
  for (float degrees : {0.01f, 1.0f, 90.0f, 179.0f, 180.0f}) {
    const Quat q = quat_axis_angle({1, 2, -2}, radians(degrees));
    EXPECT_NEAR(angle(q), radians(degrees), 1e-6f);
    EXPECT_EQ(angle(q), angle(-q));
  }
  EXPECT_EQ(angle(Quat()), 0);
  EXPECT_NEAR(angle(quat_axis_angle({0, 1, 0}, radians(350))), radians(10), 1e-6f);
}

TEST(Math, SlerpEndsAtItsInputs) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Quat a = random_rotation(random), b = random_rotation(random);
    expect_same_rotation(slerp(a, b, 0), a);
    expect_same_rotation(slerp(a, b, 1), b);
    EXPECT_GT(dot(slerp(a, b, 0), a), 0) << "at 0 the first input with its own sign";
  }
}

TEST(Math, SlerpTakesTheShorterArc) {
  const Quat a, b = quat_axis_angle({0, 0, 1}, radians(20));
  EXPECT_NEAR(angle(slerp(a, -b, 0.5f)), radians(10), 1e-6f);
  EXPECT_NEAR(angle(slerp(-a, b, 0.5f)), radians(10), 1e-6f);
  EXPECT_NEAR(angle(slerp(a, quat_axis_angle({0, 0, 1}, radians(350)), 0.5f)), radians(5), 1e-6f);
}

TEST(Math, SlerpOfEqualAndOppositeQuaternionsIsThatRotation) {
  const Quat a = quat_axis_angle({1, 1, 0}, 1);
  for (float t : {0.0f, 0.3f, 1.0f}) {
    expect_same_rotation(slerp(a, a, t), a, 1e-7f);
    expect_same_rotation(slerp(a, -a, t), a, 1e-7f);
  }
}

TEST(Math, SlerpKeepsItsPrecisionNearZero) {
  for (float small : {1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f}) {
    const Quat q = slerp(Quat(), quat_axis_angle({0, 0, 1}, small), 0.25f);
    EXPECT_NEAR(2 * q.z, small / 4, small * 1e-5f) << small;
    EXPECT_NEAR(length(q), 1, 1e-7f);
  }
}

TEST(Math, SlerpOfHalfATurnStaysUnit) {
  const Quat half = quat_axis_angle({0, 1, 0}, kPi);
  for (float t : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
    const Quat q = slerp(Quat(), half, t);
    EXPECT_NEAR(length(q), 1, 1e-7f);
    EXPECT_NEAR(angle(q), t * kPi, 1e-6f);
  }
}

TEST(Math, SlerpOutsideZeroToOneGoesOn) {
  EXPECT_NEAR(angle(slerp(Quat(), quat_axis_angle({0, 0, 1}, radians(40)), 1.5f)), radians(60), 1e-6f);
}

TEST(Math, AffineScalesThenTurnsThenMoves) {
  const Affine m = to_affine({{1, 0, 0}, quat_axis_angle({0, 0, 1}, kPi / 2), {2, 1, 1}});
  expect_near(transform_point(m, {1, 0, 0}), {1, 2, 0});
  expect_near(transform_vector(m, {1, 0, 0}), {0, 2, 0});
  const Affine rigid = to_affine({{}, quat_axis_angle({1, 2, 3}, 2), Vec3(1.0f)});
  expect_near(transform_vector(rigid, {3, -1, 2}), rotate(quat_axis_angle({1, 2, 3}, 2), {3, -1, 2}), 2e-6f);
}

TEST(Math, AffineProductAppliesTheSecondFactorFirst) {
  const Affine move = test::translation({1, 2, 3}),
               turn = to_affine({{}, quat_axis_angle({0, 0, 1}, kPi / 2), Vec3(1.0f)});
  expect_near(transform_point(turn * move, {0, 0, 0}), {-2, 1, 3});
  expect_near(transform_point(move * turn, {1, 0, 0}), {1, 3, 3});
  EXPECT_EQ(Affine() * move, move);
  EXPECT_EQ(move * Affine(), move);
}

/// Largest entry of m * inverse(m) - 1.
float inverse_error(const Affine& m) {
  const auto i = inverse(m);
  EXPECT_TRUE(i.has_value());
  if (!i) return kInfinity;
  const Affine product = m * *i;
  float worst = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) worst = std::max(worst, std::fabs(product.rows[r][c] - (r == c ? 1.0f : 0.0f)));
  return worst;
}

TEST(Math, InverseUndoesScaleAndShear) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(0.5f, 2.0f);
  for (int i = 0; i < 200; ++i) {
    Affine m = to_affine({{uniform(random), uniform(random), uniform(random)},
                          random_rotation(random),
                          {uniform(random), -uniform(random), uniform(random)}});
    m.rows[0][1] += 0.3f * uniform(random);
    m.rows[1][2] -= 0.2f * uniform(random);
    if (std::fabs(determinant(m)) < 0.05f) continue;
    EXPECT_LT(inverse_error(m), 2e-5f);
  }
}

TEST(Math, InverseOfSmallAndLargeScales) {
  for (float scale : {1e-10f, 1e-4f, 1e4f, 1e10f}) {
    const auto i = inverse(to_affine({{0, scale, 0}, quat_axis_angle({0, 1, 0}, 1), Vec3(scale)}));
    ASSERT_TRUE(i) << scale;
    EXPECT_NEAR(transform_point(*i, {0, scale, 0}).y, 0, 1e-6f);
    EXPECT_NEAR(i->rows[1][1] * scale, 1, 1e-6f);
  }
}

TEST(Math, SingularAndNonFiniteMatricesHaveNoInverse) {
  EXPECT_FALSE(inverse(to_affine({{1, 2, 3}, {}, {1, 0, 1}})));
  EXPECT_FALSE(inverse(to_affine({{}, {}, Vec3(0.0f)})));
  Affine m;
  m.rows[1][2] = kNaN;
  EXPECT_FALSE(inverse(m));
  m = {};
  m.rows[2][3] = kInfinity;
  EXPECT_FALSE(inverse(m));
}

TEST(Math, DeterminantIsTheScaleOfVolumes) {
  EXPECT_NEAR(determinant(to_affine({{7, 8, 9}, quat_axis_angle({1, 0, 1}, 2), {2, 3, 4}})), 24, 1e-4f);
  EXPECT_NEAR(determinant(to_affine({{}, {}, {-1, 1, 1}})), -1, 1e-6f);
}

TEST(Math, FiniteLooksAtEveryEntry) {
  EXPECT_TRUE(is_finite(Affine()));
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      Affine m;
      m.rows[r][c] = kNaN;
      EXPECT_FALSE(is_finite(m)) << r << c;
      m.rows[r][c] = -kInfinity;
      EXPECT_FALSE(is_finite(m)) << r << c;
    }
  }
}

float largest_difference(const Affine& a, const Affine& b) {
  float worst = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) worst = std::max(worst, std::fabs(a.rows[r][c] - b.rows[r][c]));
  return worst;
}

TEST(Math, DecomposeGivesBackWhatWasComposed) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(0.1f, 3.0f);
  for (int i = 0; i < 500; ++i) {
    const Transform t{{uniform(random), -uniform(random), 0},
                      random_rotation(random),
                      {uniform(random), uniform(random), uniform(random)}};
    const Decomposed d = decompose(to_affine(t));
    expect_near(d.transform.translation, t.translation);
    expect_near(d.transform.scale, t.scale, 3e-6f);
    expect_same_rotation(d.transform.rotation, t.rotation, 2e-6f);
    EXPECT_LT(d.residual, 1e-6f);
  }
}

TEST(Math, DecomposeOfAMirrorNegatesTheXScale) {
  for (Vec3 scale : {Vec3(-1, 1, 1), Vec3(1, -2, 1), Vec3(1, 1, -3), Vec3(-1, -2, -3)}) {
    const Affine m = to_affine({{1, 2, 3}, quat_axis_angle({1, 2, 2}, 1), scale});
    const Decomposed d = decompose(m);
    EXPECT_LT(d.transform.scale.x, 0);
    EXPECT_GT(d.transform.scale.y, 0);
    EXPECT_GT(d.transform.scale.z, 0);
    EXPECT_LT(largest_difference(to_affine(d.transform), m), 2e-6f);
    EXPECT_LT(d.residual, 1e-6f);
  }
}

TEST(Math, DecomposeSeesATinyMirror) {
  for (float scale : {1e-4f, 1e-10f, 1e-16f, 1e-20f}) {
    const Decomposed d = decompose(to_affine({{}, quat_axis_angle({1, 2, 2}, 1), {scale, -scale, scale}}));
    EXPECT_LT(d.transform.scale.x, 0) << scale;
    EXPECT_LT(d.residual, 1e-6f) << scale;
  }
}

TEST(Math, DecomposeOfAMatrixWithoutVolume) {
  for (Vec3 scale :
       {Vec3(0, 2, 3), Vec3(2, 0, 3), Vec3(2, 3, 0), Vec3(2, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 2), Vec3(0)}) {
    const Affine m = to_affine({{4, 5, 6}, quat_axis_angle({3, 1, 2}, 2), scale});
    const Decomposed d = decompose(m);
    EXPECT_NEAR(length(d.transform.rotation), 1, 1e-6f);
    EXPECT_LT(largest_difference(to_affine(d.transform), m), 2e-6f) << scale.x << scale.y << scale.z;
  }
}

TEST(Math, DecomposeTellsShear) {
  Affine m;
  m.rows[0][1] = 0.5f;
  EXPECT_GT(decompose(m).residual, 0.1f);
  m.rows[0][1] = 1e-7f;
  EXPECT_LT(decompose(m).residual, 1e-6f);
}

TEST(Math, Mat4HasColumnsWhereAffineHasRows) {
  Affine m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) m.rows[r][c] = float(10 * r + c);
  const Mat4 g = to_mat4(m);
  EXPECT_EQ(g[3][1], 13) << "column 3, row 1";
  EXPECT_EQ(g[0][2], 20);
  EXPECT_EQ(g[3], Vec4(3, 13, 23, 1));
  EXPECT_EQ(from_mat4(g), m);
}

TEST(Math, TransformPointAgreesWithDoublePrecision) {
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 200; ++i) {
    const Affine m = to_affine({{normal(random), normal(random), normal(random)}, random_rotation(random), {1, 2, 3}});
    const Vec3 p{normal(random), normal(random), normal(random)};
    EXPECT_LT(
        test::distance(test::point(test::to_double(m), test::to_double(p)), test::to_double(transform_point(m, p))),
        1e-5);
  }
}

}  // namespace
}  // namespace sinew
