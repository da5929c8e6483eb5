#include "sinew/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sinew/simd.h"
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

TEST(ModelDeathTest, ABufferTooSmallIsRefusedAndNotWritten) {
  const Loaded loaded = must(load(test::chain(4)));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose pose(skeleton);
  const Affine mark = test::translation({7, 7, 7});
  std::vector<Affine> matrices(skeleton.joint_count() - 1, mark);
  const ModelJob job{.skeleton = skeleton, .pose = pose, .model_from_joint = matrices};
  EXPECT_DEATH(run(job), "ModelJob.model_from_joint");
  CaughtContracts caught;
  run(job);
  EXPECT_TRUE(caught.took("ModelJob.model_from_joint"));
  for (const Affine& m : matrices) EXPECT_EQ(m, mark);
}

TEST(ModelDeathTest, APoseOfAnotherSkeletonIsRefused) {
  const Loaded loaded = must(load(test::chain(4))), other = must(load(test::two_joints()));
  const Pose pose(other.character.skeleton());
  std::vector<Affine> matrices(16);
  CaughtContracts caught;
  run(ModelJob{.skeleton = loaded.character.skeleton(), .pose = pose, .model_from_joint = matrices});
  EXPECT_TRUE(caught.took("ModelJob.pose"));
}

TEST(Model, IsTheProductFromTheRootDown) {
  Scene scene;
  test::add_node(scene, "root", kNone, {{1, 0, 0}, test::about_z(90), {2, 2, 2}});
  const int child = test::add_node(scene, "child", 0, {{3, 0, 0}, test::about_z(90), Vec3(1.0f)});
  const int other = test::add_node(scene, "other root", kNone, {{0, 7, 0}, {}, Vec3(1.0f)});
  for (int n : {child, other}) scene.nodes[n].mesh = 0;
  scene.meshes = test::morph_triangle(0).meshes;
  const test::Evaluated result = test::evaluate(scene);
  const test::DVec3 p =
      test::point(result.joints.at(child), {1, 0, 0});  // (3,1,0) in the root; turned: (-1,3,0) * 2 + (1,0,0)
  EXPECT_NEAR(p[0], -1, 1e-6);
  EXPECT_NEAR(p[1], 6, 1e-6);
  EXPECT_NEAR(test::origin_of(result.joints.at(other))[1], 7, 0);
}

TEST(Model, KeepsTheShearThatScaleAboveATurnMakes) {
  // A parent scaled (1,2,1), its child turned by 45 degrees: what TRS alone cannot say, the matrices do.
  Scene scene;
  test::add_node(scene, "parent", kNone, {{}, {}, {1, 2, 1}});
  test::add_node(scene, "child", 0, {{}, test::about_z(45), Vec3(1.0f)});
  scene.nodes[1].mesh = 0;
  scene.meshes = test::morph_triangle(0).meshes;
  const test::DVec3 p = test::point(test::evaluate(scene).joints.at(1), {1, 0, 0});
  EXPECT_NEAR(p[0], 0.70711, 1e-5);
  EXPECT_NEAR(p[1], 1.41421, 1e-5);
  EXPECT_NEAR(p[2], 0, 1e-6);
}

TEST(Model, WritesTheSkeletonsRowsAndNoMore) {
  const Loaded loaded = must(load(test::chain(3)));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose pose(skeleton);
  const Affine mark = test::translation({7, 7, 7});
  std::vector<Affine> matrices(skeleton.joint_count() + 2, mark);
  run(ModelJob{.skeleton = skeleton, .pose = pose, .model_from_joint = matrices});
  EXPECT_EQ(matrices[skeleton.joint_count()], mark);
  EXPECT_EQ(matrices[skeleton.joint_count() + 1], mark);
  EXPECT_NE(matrices[skeleton.joint_count() - 1], mark);
}

/// Nodes whose parents are what `parent_of` says (an earlier node, or -1), each moved by a clip.
template <class ParentOf>
Scene forest(int count, ParentOf parent_of) {
  Scene scene;
  Scene::Clip& clip = test::add_clip(scene, "still");
  for (int n = 0; n < count; ++n) {
    test::add_node(scene, "node", parent_of(n),
                   {{0.1f * float(n % 3), 1, 0}, test::about_z(float(n % 50)), Vec3(1.0f)});
    test::add_turn(clip, n, {0}, {float(n % 50)});
  }
  scene.nodes.back().mesh = 0;
  scene.meshes = test::morph_triangle(0).meshes;
  return scene;
}

void expect_products_on_every_target(const Scene& scene, const std::string& what) {
  const Loaded loaded = must(load(scene));
  const Skeleton& s = loaded.character.skeleton();
  ASSERT_EQ(s.joint_count(), scene.nodes.size()) << what;
  const Pose pose(s);
  std::vector<Affine> expected(s.joint_count());
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const Affine local = to_affine(pose.transform(j));
    expected[j] = s.parents[j] < 0 ? local : expected[std::size_t(s.parents[j])] * local;
    // What ModelJob trusts: neither walk waits for the other.
    if (j >= s.second_walk && s.second_walk > 0) {
      EXPECT_TRUE(s.parents[j] <= s.parents[s.second_walk] || s.parents[j] >= std::int32_t(s.second_walk)) << what;
    }
  }
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(set_simd_target(target));
    std::vector<Affine> found(s.joint_count());
    run(ModelJob{s, pose, found});
    for (std::size_t j = 0; j < found.size(); ++j)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
          ASSERT_NEAR(found[j].rows[r][c], expected[j].rows[r][c], 1e-6f * float(scene.nodes.size()))
              << what << ", " << target << ", joint " << j;
  }
  set_simd_target({});
}

TEST(Model, ForestsOfEveryShapeOnEveryTarget) {
  std::mt19937 random(11);
  for (const int count : {1, 2, 15, 16, 17, 31, 40, 67, 100}) {
    const std::string size = std::to_string(count) + " joints, ";
    expect_products_on_every_target(forest(count, [](int n) { return n - 1; }), size + "a chain");
    expect_products_on_every_target(forest(count, [](int n) { return n == 0 ? -1 : 0; }), size + "a star");
    expect_products_on_every_target(forest(count, [](int) { return -1; }), size + "roots");
    expect_products_on_every_target(forest(count, [&](int n) { return n > 0 && n == count / 2 ? 0 : n - 1; }),
                                    size + "two arms");
    expect_products_on_every_target(forest(count, [&](int n) { return n == count / 2 ? -1 : n - 1; }),
                                    size + "two roots");
    for (int k = 0; k < 5; ++k)
      expect_products_on_every_target(
          forest(count, [&](int n) { return n - 1 - int(random() % unsigned(std::min(n + 1, 6))); }),
          size + "by chance");
  }
}

TEST(Model, TwoArmsAreWalkedSideBySide) {
  const Loaded arms = must(load(forest(20, [](int n) { return n == 11 ? 1 : n - 1; })));
  EXPECT_EQ(arms.character.skeleton().second_walk, 11u);
  const Loaded chain = must(load(forest(20, [](int n) { return n - 1; })));
  EXPECT_EQ(chain.character.skeleton().second_walk, 0u);
}

}  // namespace
}  // namespace sinew
