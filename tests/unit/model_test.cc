#include "sinew/model.h"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace sinew
