// Dual quaternions, the palettes made of them, and vertices skinned by them: known answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sinew/sinew.h"
#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::CaughtContracts;
using test::load;
using test::Loaded;
using test::must;

void expect_near(Vec3 a, Vec3 b, float tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(DualQuaternions, TurnThenMove) {
  const Quat turn = quat_axis_angle({1, 2, -1}, 2.3f);
  const Vec3 move(3, -4, 0.5f), p(0.2f, 0.7f, -1.1f);
  const DualQuaternion q = to_dual_quaternion(turn, move);
  expect_near(transform_point(q, p), rotate(turn, p) + move, 2e-6f);
  expect_near(translation(q), move, 2e-6f);
  const Affine same = to_affine({move, turn, Vec3(1)});
  expect_near(transform_point(to_affine(q), p), transform_point(same, p), 2e-6f);
  expect_near(transform_point(-q, p), transform_point(q, p), 1e-6f);
  EXPECT_EQ(transform_point(DualQuaternion{}, p), p);
}

/// Shoulder 90 degrees about Z, the elbow, one unit along the arm, 30 more.
std::vector<DualQuaternion> arm() {
  const Quat shoulder = test::about_z(90), elbow = shoulder * test::about_z(30);
  // The elbow's bind place goes where the upper arm takes it.
  const Vec3 bind(1, 0, 0), place = rotate(shoulder, bind);
  return {to_dual_quaternion(shoulder, Vec3(0)), to_dual_quaternion(elbow, place - rotate(elbow, bind))};
}

TEST(DualQuaternions, BlendOfAnArm) {
  std::vector<DualQuaternion> q = arm();
  const std::vector<float> half = {0.5f, 0.5f};
  const Vec3 p(1.2f, 0, 0), expected(-0.05176f, 1.19319f, 0);
  expect_near(transform_point(blend(q, half), p), expected, 1e-5f);
  for (DualQuaternion& one : q) {
    one = -one;
    expect_near(transform_point(blend(q, half), p), expected, 1e-5f);
  }
  // Without a look at signs a flipped one gives another transform.
  q = arm();
  const auto minus = [](Quat a, Quat b) { return quat_xyzw(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); };
  const Quat real = minus(q[1].real, q[0].real), dual = minus(q[1].dual, q[0].dual);
  const float length = std::sqrt(dot(real, real));
  const DualQuaternion wrong = {normalize(real),
                                quat_xyzw(dual.x / length, dual.y / length, dual.z / length, dual.w / length)};
  expect_near(transform_point(wrong, p), {0.05176f, 0.80681f, 0}, 1e-5f);
}

TEST(DualQuaternions, BlendIsOfUnitLengthAndWithoutInputTheIdentity) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 100; ++round) {
    std::vector<DualQuaternion> q;
    std::vector<float> weights;
    for (int i = 0; i < 5; ++i) {
      const Quat turn = normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
      q.push_back(to_dual_quaternion(turn, {normal(random), normal(random), normal(random)}));
      weights.push_back(std::fabs(normal(random)));
    }
    const DualQuaternion out = blend(q, weights);
    EXPECT_NEAR(dot(out.real, out.real), 1, 1e-6f);
    EXPECT_NEAR(dot(out.real, out.dual), 0, 1e-6f);
  }
  EXPECT_EQ(blend({}, {}), DualQuaternion());
  const std::vector<DualQuaternion> one(2, arm()[1]);
  EXPECT_EQ(blend(one, std::vector<float>{0, 0}), DualQuaternion());
  EXPECT_EQ(blend(one, std::vector<float>{1, NAN}), DualQuaternion());
}

/// All stages of a scene at a time of its first clip.
struct Skinned {
  Loaded loaded;
  Instance instance;

  explicit Skinned(const Scene& scene, float time, SkinMethod method, const WriteOptions& options = {})
      : loaded(must(load(scene, options))), instance(loaded.character) {
    if (!loaded.character.clips().empty())
      run(SampleJob{loaded.character.clips()[0], loaded.character.skeleton(), time, instance.pose});
    skin(method);
  }
  void skin(SkinMethod method) {
    run(InstanceJob{.character = loaded.character, .instance = instance, .method = method});
  }
  std::vector<Vec3> positions() const {  // in the source's order
    const Mesh& mesh = loaded.character.meshes()[0];
    std::vector<Vec3> out(mesh.vertex_count());
    for (std::size_t v = 0; v < out.size(); ++v) out[mesh.source_vertices[v]] = instance.vertices[0].positions()[v];
    return out;
  }
};

TEST(DualSkin, OfTheArmsVertices) {
  Scene scene = test::two_joints();
  scene.nodes[0].rest.rotation = test::about_z(90);
  scene.nodes[1].rest.rotation = test::about_z(30);
  Skinned s(scene, 0, SkinMethod::dual_quaternion);
  expect_near(s.positions()[1], {-0.05176f, 1.19319f, 0}, 1e-5f);
  const std::vector<Vec3> dual = s.positions();
  s.skin(SkinMethod::linear);
  expect_near(s.positions()[1], {-0.05f, 1.18660f, 0}, 1e-5f);
  for (const std::size_t whole : {0, 2, 3, 4}) expect_near(s.positions()[whole], dual[whole], 1e-6f);
}

/// Least distance of a ring's vertices to the tube's axis, over the radius.
float radius_kept(const std::vector<Vec3>& positions, std::size_t ring) {
  float least = 1e9f;
  for (std::size_t v = 12 * ring; v < 12 * (ring + 1); ++v)
    least = std::min(least, std::hypot(positions[v].y, positions[v].z) / 0.25f);
  return least;
}

TEST(DualSkin, KeepsATwistedTubesRadius) {
  constexpr std::size_t kMiddle = 10;
  const std::int32_t joints[] = {0, 1};
  WriteOptions options;
  options.dual_joints = joints;
  struct Step {
    float degrees, linear;
  };
  for (const auto [degrees, linear] :
       {Step{90, 0.7071f}, Step{120, 0.5f}, Step{150, 0.2588f}, Step{170, 0.0872f}, Step{180, 0}}) {
    SCOPED_TRACE(degrees);
    Skinned s(test::tube(), degrees / 180, SkinMethod::linear, options);
    EXPECT_NEAR(radius_kept(s.positions(), kMiddle), linear, 1e-4f);
    s.skin(SkinMethod::dual_quaternion);
    const std::vector<Vec3> dual = s.positions();
    for (std::size_t ring = 0; ring < 21; ++ring) EXPECT_GE(radius_kept(dual, ring), 0.999f) << ring;
    s.skin(SkinMethod::mixed);
    for (std::size_t ring = 0; ring < 21; ++ring) EXPECT_GE(radius_kept(s.positions(), ring), 0.99f) << ring;
  }
}

TEST(DualSkin, MixedIsLinearWhereNothingIsChosen) {
  Skinned s(test::tube(), 0.5f, SkinMethod::linear);
  const std::vector<Vec3> linear = s.positions();
  s.skin(SkinMethod::mixed);
  EXPECT_EQ(s.positions(), linear);
}

/// Between the methods a vertex lies where its share says, and a share of 0 or 1 is the method itself, to the bit.
TEST(DualSkin, MixedGoesFromOneMethodToTheOther) {
  Scene scene = test::tube();
  std::vector<float>& shares = scene.meshes[0].primitives[0].dual_weights;
  for (std::size_t v = 0; v < 21 * 12; ++v) shares.push_back(std::clamp(float(v / 12) / 10 - 0.5f, 0.0f, 1.0f));
  Skinned s(scene, 0.6f, SkinMethod::linear);
  const std::vector<Vec3> linear = s.positions();
  s.skin(SkinMethod::dual_quaternion);
  const std::vector<Vec3> dual = s.positions();
  s.skin(SkinMethod::mixed);
  const std::vector<Vec3> mixed = s.positions();
  for (std::size_t v = 0; v < shares.size(); ++v)
    expect_near(mixed[v], linear[v] + shares[v] * (dual[v] - linear[v]), 1e-6f);
}

TEST(DualSkin, OfEqualMatricesIsThatTransform) {
  Scene scene = test::tube();
  scene.clips.clear();
  scene.nodes[0].rest = {{1, -2, 3}, quat_axis_angle({1, 1, 1}, 2), Vec3(1)};
  const Affine moved = to_affine(scene.nodes[0].rest);
  const std::vector<Vec3> rest = scene.meshes[0].primitives[0].positions;
  Skinned s(scene, 0, SkinMethod::dual_quaternion);
  for (std::size_t v = 0; v < rest.size(); ++v) expect_near(s.positions()[v], transform_point(moved, rest[v]), 3e-6f);
}

/// An armature's scale: all of the character is scaled, and linear and dual quaternion skinning agree in a rigid pose.
TEST(DualSkin, KeepsTheScaleOfAWholeCharacter) {
  for (const Vec3 scale : {Vec3(0.25f), Vec3(100), Vec3(1, 2, 0.5f), Vec3(-1, 1, 1)}) {
    Scene scene = test::tube();
    scene.nodes[0].rest.scale = scale;
    Skinned s(scene, 0, SkinMethod::linear);
    const std::vector<Vec3> linear = s.positions();
    s.skin(SkinMethod::dual_quaternion);
    EXPECT_FALSE(s.instance.dual_palettes[0].stretch().empty());
    const float size = 2 * std::max({std::fabs(scale.x), scale.y, scale.z});
    for (std::size_t v = 0; v < linear.size(); ++v) expect_near(s.positions()[v], linear[v], 1e-6f * size);
  }
}

/// A joint that is scaled and twisted turns about its own place, not about a point somewhere: a wrist far from the origin.
TEST(DualSkin, AScaledJointTurnsAboutItsPlace) {
  Scene scene = test::tube();
  for (Vec3& p : scene.meshes[0].primitives[0].positions) p.y += 5;
  scene.nodes[0].rest.translation.y = 5;
  for (Affine& m : scene.skins[0].inverse_bind_matrices) m = m * test::translation({0, -5, 0});
  for (const float scale : {1.0f, 1.5f}) {
    scene.nodes[1].rest.scale = Vec3(scale);
    Skinned s(scene, 170.0f / 180, SkinMethod::dual_quaternion);
    std::vector<Vec3> positions = s.positions();
    for (std::size_t ring = 0; ring < 21; ++ring) {
      const float share = std::clamp((float(ring) / 10) - 0.5f, 0.0f, 1.0f), expected = 1 + share * (scale - 1);
      for (std::size_t v = 12 * ring; v < 12 * (ring + 1); ++v)
        EXPECT_NEAR(std::hypot(positions[v].y - 5, positions[v].z) / 0.25f, expected, 2e-4f) << ring;
    }
  }
}

TEST(DualPalettes, AreTheMatricesInTwoSteps) {
  Scene scene = test::chain(6);
  scene.nodes[1].rest.scale = {1.5f, 0.7f, 1};
  scene.nodes[3].rest.scale = Vec3(0.5f);
  scene.nodes[4].rest.scale = {1, 0, 1};  // flat
  Skinned s(scene, 0.4f, SkinMethod::dual_quaternion);
  const DualPalette& dual = s.instance.dual_palettes[0];
  const Skin& skin = s.loaded.character.skins()[0];
  ASSERT_EQ(dual.stretch().size(), skin.joints.size());
  for (std::size_t i = 0; i < dual.size(); ++i) {
    SCOPED_TRACE(i);
    const Affine product = to_affine(dual.rigid()[i]) * dual.stretch()[i];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c)
        EXPECT_NEAR(product.rows[r][c], s.instance.palettes[0].matrices()[i].rows[r][c], 1e-5f);
    if (skin.parents[i] == kNone) continue;
    const Affine mesh_from_joint = *inverse(skin.inverse_bind_matrices[i]);
    const Vec3 joint = transform_point(mesh_from_joint, Vec3(0));
    expect_near(transform_point(dual.stretch()[i], joint),
                transform_point(dual.stretch()[std::size_t(skin.parents[i])], joint), 1e-5f);
  }
}

TEST(DualPalettes, TellWhatIsRigid) {
  Skinned s(test::chain(40), 0.7f, SkinMethod::dual_quaternion);
  EXPECT_TRUE(s.instance.dual_palettes[0].stretch().empty());
}

TEST(DualDeathTest, WhatIsMissingIsRefused) {
  Skinned s(test::tube(), 0.5f, SkinMethod::linear);
  const Character& c = s.loaded.character;
  const Mesh& mesh = c.meshes()[0];
  Vertices out(mesh);
  SkinJob job{.mesh = mesh, .palette = s.instance.palettes[0].matrices(), .output = out, .method = SkinMethod::mixed};
  EXPECT_DEATH(run(job), "SkinJob.dual");
  CaughtContracts caught;
  run(job);
  EXPECT_TRUE(caught.took("SkinJob.dual: none"));
  const std::uint32_t one_joint[] = {0};
  Skin small = c.skins()[0];
  small.joints = one_joint;
  DualPalette too_small(small);
  job.dual = &too_small;
  run(job);
  EXPECT_TRUE(caught.took("SkinJob.dual: 1 entries"));
  Skin orphaned = c.skins()[0];
  orphaned.parents_first = {};
  DualPalette dual(orphaned);
  run(PaletteJob{.skin = orphaned,
                 .model_from_joint = s.instance.model_from_joint,
                 .palette = s.instance.palettes[0].matrices(),
                 .dual = &dual});
  EXPECT_TRUE(caught.took("PaletteJob.skin: its parents"));
  run(PaletteJob{.skin = c.skins()[0],
                 .model_from_joint = s.instance.model_from_joint,
                 .palette = s.instance.palettes[0].matrices(),
                 .dual = &too_small});
  EXPECT_TRUE(caught.took("PaletteJob.dual"));
}

}  // namespace
}  // namespace sinew
