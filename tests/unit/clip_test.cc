#include "sinew/clip.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/evaluate.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::Loaded;
using test::must;

TEST(Clip, SaysOfWhichSkeletonItIsAndWhenItPlays) {
  const Loaded loaded = must(test::load(test::strip()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Clip& bend = loaded.character.clips()[0];
  EXPECT_EQ(bend.name, "bend");
  EXPECT_EQ(bend.source_clip, 0);
  EXPECT_EQ(bend.skeleton_id, skeleton.id);
  EXPECT_NE(bend.id, 0u);
  EXPECT_EQ(bend.joint_count, skeleton.joint_count());
  EXPECT_EQ(bend.channel_count, skeleton.channel_count());
  EXPECT_EQ(bend.first_key, 0.0f);
  EXPECT_EQ(bend.duration, 1.0f);
  EXPECT_FALSE(bend.all_rotations) << "it turns joint 1 alone";
}

TEST(Clip, DrivesAllWhenEveryJointHasATrack) {
  Scene scene = test::two_joints();
  Scene::Clip& clip = test::add_clip(scene, "turns");
  for (int node = 0; node < int(scene.nodes.size()); ++node) test::add_turn(clip, node, {0, 1}, {0, 90});
  const Loaded loaded = must(test::load(scene));
  EXPECT_TRUE(loaded.character.clips()[0].all_rotations);
  EXPECT_FALSE(loaded.character.clips()[0].all_translations);
  EXPECT_FALSE(loaded.character.clips()[0].all_scales);
}

TEST(ClipGroup, ARowIsFourSectionsOfBlocksOfSixteen) {
  EXPECT_EQ(ClipGroup().row_floats(), 0u);
  const std::vector<std::uint32_t> targets(17);
  ClipGroup group;
  group.rotations = targets;
  EXPECT_EQ(group.row_floats(), 4u * 32);
  group.translations = std::span(targets).first(16);
  EXPECT_EQ(group.row_floats(), 4u * 32 + 3u * 16);
  group.scales = std::span(targets).first(1);
  EXPECT_EQ(group.row_floats(), 4u * 32 + 3u * 16 + 3u * 16);
  group.channels = targets;
  EXPECT_EQ(group.row_floats(), 4u * 32 + 3u * 16 + 3u * 16 + 32u);
}

TEST(ClipGroup, HasARowAKeyAndThreeOfACubicspline) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  int splines = 0;
  for (const Clip& clip : loaded.character.clips())
    for (const ClipGroup& group : clip.groups) {
      const bool spline = group.interpolation == Interpolation::cubicspline;
      EXPECT_EQ(group.keys.size(), group.times.size() * group.row_floats() * (spline ? 3 : 1));
      splines += spline;
    }
  EXPECT_GT(splines, 0);
}

TEST(ClipGroup, TangentsOfSplineRotationsNeedNoUnitLength) {
  ForgedFile file(must(write(test::every_array_scene())));
  file.set("clips[1].groups[0].keys", 0, 5.0f);
  EXPECT_TRUE(open(file.bytes));
}

TEST(ClipGroup, BucketTablesMayBeLeftOut) {
  ForgedFile file(must(write(test::every_array_scene())));
  file.set_count("clips[0].groups[0].buckets", 0);
  const auto character = open(file.bytes);
  ASSERT_TRUE(character) << character.error().message();
  EXPECT_GT(test::run_everything(*character), 0u);
}

}  // namespace
}  // namespace sinew
