#include "sinew/skeleton.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sinew/bytes.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::Loaded;
using test::must;

TEST(Skeleton, HasTheJointsOfTheScene) {
  const Scene scene = test::every_array_scene();
  const Loaded loaded = must(test::load(scene));
  const Skeleton& skeleton = loaded.character.skeleton();
  ASSERT_EQ(skeleton.joint_count(), 5u);  // all nodes but the unused leaf
  EXPECT_EQ(std::vector(skeleton.parents.begin(), skeleton.parents.end()),
            (std::vector<std::int32_t>{-1, 0, -1, -1, 3}));
  EXPECT_EQ(std::vector(skeleton.subtree_ends.begin(), skeleton.subtree_ends.end()),
            (std::vector<std::uint32_t>{2, 2, 3, 5, 5}));
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(skeleton.source_nodes[j], std::int32_t(j));
    EXPECT_EQ(skeleton.names[j], scene.nodes[j].name);
    EXPECT_EQ(skeleton.rest_transform(j), scene.nodes[j].rest);
  }
  EXPECT_EQ(std::vector(skeleton.rest_channels.begin(), skeleton.rest_channels.end()),
            (std::vector<float>{0.25f, 0.5f}));
  EXPECT_EQ(skeleton.channel_count(), 2u);
}

TEST(Skeleton, FlagsSayWhatARowIs) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  const auto flags = loaded.character.skeleton().flags;
  EXPECT_EQ(flags[0], JointFlags(std::uint8_t(JointFlags::skin) | std::uint8_t(JointFlags::animated)));
  EXPECT_EQ(flags[2], JointFlags(std::uint8_t(JointFlags::mesh) | std::uint8_t(JointFlags::animated)));
  EXPECT_EQ(flags[3], JointFlags::none);  // a mere ancestor
  EXPECT_EQ(flags[4], JointFlags::mesh);
  EXPECT_TRUE(has(flags[0], JointFlags::skin));
  EXPECT_FALSE(has(flags[0], JointFlags::mesh));
  EXPECT_FALSE(has(flags[3], JointFlags::skin));
}

TEST(Skeleton, FindsByName) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  EXPECT_EQ(loaded.character.skeleton().find("rod"), 4);
  EXPECT_EQ(loaded.character.skeleton().find("unused"), -1);
  EXPECT_EQ(Skeleton().find(""), -1) << "an empty one has no joint, of whatever name";
}

TEST(Skeleton, OfTwoJointsOfOneNameTheFirstIsFound) {
  Scene scene = test::two_joints();
  scene.nodes[0].name = scene.nodes[1].name = "twin";
  const Loaded loaded = must(test::load(scene));
  EXPECT_EQ(loaded.character.skeleton().find("twin"), 0);
}

TEST(Skeleton, RestStreamsArePaddedWithTheIdentity) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const std::size_t stride = padded(skeleton.joint_count());
  ASSERT_EQ(skeleton.rest.size(), kStreams * stride);
  for (std::size_t stream = 0; stream < kStreams; ++stream)
    for (std::size_t j = skeleton.joint_count(); j < stride; ++j)
      EXPECT_EQ(skeleton.rest[stream * stride + j], stream >= std::size_t(Stream::rw) ? 1.0f : 0.0f);
}

}  // namespace
}  // namespace sinew
