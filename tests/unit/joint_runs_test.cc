#include "sinew/joint_runs.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using RunList = std::vector<std::uint16_t>;

/// Points moved by joints 0 and 1, then by joint 2 alone, then by many pairs.
Scene points(int pairs, int alone, int loose) {
  Scene scene;
  std::vector<int> joints;
  for (int j = 0; j < 60; ++j) joints.push_back(test::add_node(scene, "j" + std::to_string(j), kNone));
  Scene::Primitive p;
  p.topology = Topology::points;
  std::vector<test::Influences> influences;
  for (int i = 0; i < pairs; ++i) influences.push_back({{i % 2, 0.75f}, {(i + 1) % 2, 0.25f}});
  for (int i = 0; i < alone; ++i) influences.push_back({{2, 1.0f}});
  for (int i = 0; i < loose; ++i) influences.push_back({{3 + 2 * i, 0.5f}, {4 + 2 * i, 0.5f}});
  p.positions.resize(influences.size());
  p.influences = test::influence_sets(influences);
  test::add_skinned(scene, "points", std::move(p), joints, std::vector<Affine>(joints.size()));
  return scene;
}

TEST(JointRuns, VerticesOfOneSetShareARunWhicheverJointIsStronger) {
  const test::Loaded loaded = test::must(test::load(points(400, 160, 1)));
  const JointRuns& runs = loaded.character.meshes()[0].runs;
  ASSERT_EQ(runs.ends.size(), 3u);
  EXPECT_EQ(runs.ends[0], 400u);
  EXPECT_EQ(runs.ends[1], 560u);
  EXPECT_EQ(runs.ends[2], 561u);
  EXPECT_EQ(RunList(runs.joints.begin(), runs.joints.end()), (RunList{2, 0, 1, 1, 2, 0}));
  ASSERT_EQ(runs.weights.size(), 400 + JointRuns::kPadding) << "of joint 1; a run of one joint needs none";
  for (std::size_t i = 0; i < 400; ++i) EXPECT_EQ(runs.weights[i], i % 2 ? 0.75f : 0.25f);
}

TEST(JointRuns, NeighboursWithFewVerticesAreSkinnedTogether) {
  const test::Loaded loaded = test::must(test::load(points(6, 6, 0)));
  const JointRuns& runs = loaded.character.meshes()[0].runs;
  ASSERT_EQ(runs.ends.size(), 1u);
  EXPECT_EQ(RunList(runs.joints.begin(), runs.joints.end()), (RunList{3, 0, 1, 2}));
  EXPECT_EQ(runs.weights.size(), 2 * 12 + JointRuns::kPadding);
}

TEST(JointRuns, VerticesWithoutNeighboursAreNotShared) {
  const test::Loaded loaded = test::must(test::load(points(0, 0, 20)));
  const JointRuns& runs = loaded.character.meshes()[0].runs;
  EXPECT_EQ(RunList(runs.ends.begin(), runs.ends.end()).back(), 20u);
  EXPECT_EQ(runs.joints.back(), 0u);
}

TEST(JointRuns, BelongToTheArraysThatTheyWereMadeFor) {
  const test::Loaded loaded = test::must(test::load(points(16, 0, 0)));
  const Mesh& mesh = loaded.character.meshes()[0];
  EXPECT_EQ(mesh.runs.of_joints, mesh.joints.data());
  EXPECT_EQ(mesh.runs.of_weights, mesh.weights.data());
  EXPECT_EQ(Mesh().runs.of_joints, nullptr);
}

}  // namespace
}  // namespace sinew
