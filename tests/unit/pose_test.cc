#include "sinew/pose.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

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

/// 18 joints, so that padding is more than nothing and less than a block, and 3 morph channels.
Scene scene_with_all() {
  Scene scene = test::chain(18);
  scene.nodes[3].rest = {{1, 2, 3}, quat_axis_angle({1, 0, 0}, 1), {4, 5, 6}};
  Scene triangle = test::morph_triangle(3);
  const int node = test::add_node(scene, "face");
  scene.nodes[node].mesh = int(scene.meshes.size());
  scene.meshes.push_back(triangle.meshes[0]);
  scene.meshes.back().weights = {0.25f, 0.5f, 0};
  return scene;
}

TEST(PoseDeathTest, RestOfAnotherSkeletonIsRefused) {
  const Loaded a = must(load(scene_with_all())), b = must(load(test::two_joints()));
  Pose pose(a.character.skeleton());
  EXPECT_DEATH(pose.set_rest(b.character.skeleton()), "another skeleton");
  CaughtContracts caught;
  pose.set_transform(0, {{9, 9, 9}, {}, Vec3(1.0f)});
  pose.set_rest(b.character.skeleton());
  EXPECT_TRUE(caught.took("Pose::set_rest"));
  EXPECT_EQ(pose.transform(0).translation, Vec3(9, 9, 9)) << "nothing was written";
}

TEST(PoseMemory, BeginsAtRest) {
  const Loaded loaded = must(load(scene_with_all()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose pose(skeleton);
  EXPECT_EQ(pose.joint_count(), skeleton.joint_count());
  EXPECT_EQ(pose.skeleton_id(), skeleton.id);
  ASSERT_EQ(pose.channel_count(), 3u);
  EXPECT_EQ(pose.channels()[0], 0.25f);
  EXPECT_EQ(pose.channels()[1], 0.5f);
  EXPECT_EQ(pose.channels()[2], 0);
  for (std::size_t j = 0; j < pose.joint_count(); ++j) EXPECT_EQ(pose.transform(j), skeleton.rest_transform(j)) << j;
  const auto joint = std::size_t(skeleton.find("joint3"));
  EXPECT_EQ(pose.transform(joint).translation, Vec3(1, 2, 3));
  EXPECT_EQ(pose.transform(joint).scale, Vec3(4, 5, 6));
}

TEST(PoseMemory, StreamsAreAlignedAndPaddedWithTheIdentity) {
  const Loaded loaded = must(load(scene_with_all()));
  const Pose pose(loaded.character.skeleton());
  for (std::size_t s = 0; s < kStreams; ++s) {
    const auto stream = pose.stream(Stream(s));
    ASSERT_EQ(stream.size(), padded(pose.joint_count()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stream.data()) % kAlignment, 0u);
    const bool one = Stream(s) == Stream::rw || Stream(s) >= Stream::sx;
    for (std::size_t j = pose.joint_count(); j < stream.size(); ++j) EXPECT_EQ(stream[j], one ? 1.0f : 0.0f);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pose.channels().data()) % kAlignment, 0u);
}

TEST(PoseMemory, SetTransformWritesOneJointInItsStreams) {
  const Loaded loaded = must(load(scene_with_all()));
  Pose pose(loaded.character.skeleton());
  const Transform t{{1, 2, 3}, quat_xyzw(0.5f, -0.5f, 0.5f, -0.5f), {4, 5, 6}};
  pose.set_transform(17, t);
  EXPECT_EQ(pose.transform(17), t);
  EXPECT_EQ(pose.stream(Stream::ry)[17], -0.5f);
  EXPECT_EQ(pose.stream(Stream::sz)[17], 6);
  EXPECT_EQ(pose.transform(16), loaded.character.skeleton().rest_transform(16));
  pose.channels()[2] = 0.75f;
  pose.set_rest(loaded.character.skeleton());
  EXPECT_EQ(pose.transform(17), loaded.character.skeleton().rest_transform(17));
  EXPECT_EQ(pose.channels()[2], 0);
}

TEST(PoseMemory, CopiesAreDeep) {
  const Loaded loaded = must(load(scene_with_all()));
  Pose a(loaded.character.skeleton());
  Pose b(a);
  b.set_transform(0, {{5, 0, 0}, {}, Vec3(1.0f)});
  b.channels()[0] = 1;
  EXPECT_EQ(a.transform(0), loaded.character.skeleton().rest_transform(0));
  EXPECT_EQ(a.channels()[0], 0.25f);
  a = b;
  EXPECT_EQ(a.transform(0).translation.x, 5);
  b.set_transform(0, {});
  EXPECT_EQ(a.transform(0).translation.x, 5);
  Pose& self = a;
  a = self;
  EXPECT_EQ(a.transform(0).translation.x, 5);
}

TEST(PoseMemory, AssignmentTakesTheOtherSkeletonToo) {
  const Loaded big = must(load(scene_with_all())), small = must(load(test::two_joints()));
  Pose a(big.character.skeleton());
  const Pose b(small.character.skeleton());
  a = b;
  EXPECT_EQ(a.joint_count(), b.joint_count());
  EXPECT_EQ(a.skeleton_id(), b.skeleton_id());
  EXPECT_EQ(a.channel_count(), 0u);
  a = Pose(big.character.skeleton());
  EXPECT_EQ(a.joint_count(), big.character.skeleton().joint_count());
}

TEST(PoseMemory, MovesLeaveAnEmptyPose) {
  const Loaded loaded = must(load(scene_with_all()));
  Pose a(loaded.character.skeleton());
  const float* data = a.stream(Stream::tx).data();
  const Pose b(std::move(a));
  EXPECT_EQ(b.stream(Stream::tx).data(), data) << "no copy";
  EXPECT_EQ(a.joint_count(), 0u);  // NOLINT: the state after a move is promised
  EXPECT_TRUE(a.channels().empty());
  a = b;
  EXPECT_EQ(a.joint_count(), b.joint_count());
}

}  // namespace
}  // namespace sinew
