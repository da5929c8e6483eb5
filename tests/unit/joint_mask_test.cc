#include "sinew/joint_mask.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
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

/// root - a - a1 - a2; root - b; and a mesh with two morph targets at the root.
Scene tree() {
  Scene scene = test::morph_triangle(2);
  const int a = test::add_node(scene, "a", 0), a1 = test::add_node(scene, "a1", a);
  const int a2 = test::add_node(scene, "a2", a1), b = test::add_node(scene, "b", 0);
  Scene::Clip& clip = test::add_clip(scene, "all move");
  for (int node : {a, a1, a2, b}) test::add_turn(clip, node, {0, 1}, {0, 10});
  return scene;
}

class Masks : public ::testing::Test {
 protected:
  const Loaded loaded = must(load(tree()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const std::size_t a = at("a"), a1 = at("a1"), a2 = at("a2"), b = at("b");

  std::size_t at(const char* name) const { return std::size_t(skeleton.find(name)); }
  static std::vector<float> all(const JointMask& mask) {
    std::vector<float> out(mask.joints().begin(), mask.joints().end());
    out.insert(out.end(), mask.channels().begin(), mask.channels().end());
    return out;
  }
};
using MasksDeathTest = Masks;

TEST_F(MasksDeathTest, ValuesBelow0Above1AndNotANumberAreRefused) {
  JointMask mask(skeleton, 0.25f);
  const std::vector<float> before = all(mask);
  const std::vector<std::uint32_t> list{0};
  EXPECT_DEATH(mask.set(0, 2), "JointMask::set");
  CaughtContracts caught;
  for (float value : {-0.01f, 1.01f, std::numeric_limits<float>::quiet_NaN()}) {
    mask.fill(value);
    EXPECT_TRUE(caught.took("JointMask::fill"));
    mask.set(0, value);
    EXPECT_TRUE(caught.took("JointMask::set"));
    mask.set(list, value);
    EXPECT_TRUE(caught.took("JointMask::set"));
    mask.set_subtree(skeleton, 0, value);
    EXPECT_TRUE(caught.took("JointMask::set_subtree"));
    mask.set_channels(0, 1, value);
    EXPECT_TRUE(caught.took("JointMask::set_channels"));
  }
  EXPECT_EQ(all(mask), before);
}

TEST_F(MasksDeathTest, JointsAndChannelsThatAreNotThereAreRefused) {
  JointMask mask(skeleton, 0.25f);
  const std::vector<float> before = all(mask);
  const std::vector<std::uint32_t> list{0, std::uint32_t(skeleton.joint_count())};
  CaughtContracts caught;
  mask.set(skeleton.joint_count(), 1);
  EXPECT_TRUE(caught.took("JointMask::set"));
  mask.set(list, 1);
  EXPECT_TRUE(caught.took("JointMask::set"));
  mask.set_subtree(skeleton, std::size_t(-1), 1);
  EXPECT_TRUE(caught.took("JointMask::set_subtree"));
  mask.set_channels(1, 2, 1);
  EXPECT_TRUE(caught.took("JointMask::set_channels"));
  mask.set_channels(std::size_t(-1), 2, 1);
  EXPECT_TRUE(caught.took("JointMask::set_channels"));
  const Loaded other = must(load(test::chain(4)));
  mask.set_subtree(other.character.skeleton(), 0, 1);
  EXPECT_TRUE(caught.took("another skeleton"));
  EXPECT_EQ(all(mask), before);
}

TEST_F(Masks, BeginWithOneValueEverywhere) {
  const JointMask ones(skeleton), halves(skeleton, 0.5f);
  ASSERT_EQ(ones.joint_count(), skeleton.joint_count());
  ASSERT_EQ(ones.channels().size(), 2u);
  EXPECT_EQ(ones.joints().size(), padded(skeleton.joint_count()));
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(ones.joints()[j], 1);
    EXPECT_EQ(halves.joints()[j], 0.5f);
  }
  EXPECT_EQ(halves.channels()[1], 0.5f);
  EXPECT_TRUE(ones.made_for(skeleton));
}

TEST_F(Masks, ASubtreeIsTheJointAndItsDescendants) {
  JointMask mask(skeleton, 0);
  mask.set_subtree(skeleton, a, 0.75f);
  EXPECT_EQ(mask.joints()[0], 0);
  for (std::size_t joint : {a, a1, a2}) EXPECT_EQ(mask.joints()[joint], 0.75f);
  EXPECT_EQ(mask.joints()[b], 0);
  EXPECT_EQ(mask.channels()[0], 0);
}

TEST_F(Masks, FeatheringGoesUpByOneShareALevel) {
  JointMask mask(skeleton, 0);
  mask.set_subtree(skeleton, a, 1, 1);
  EXPECT_EQ(mask.joints()[a], 0.5f);
  EXPECT_EQ(mask.joints()[a1], 1);
  EXPECT_EQ(mask.joints()[a2], 1);
  mask.fill(0);
  mask.set_subtree(skeleton, a, 0.8f, 3);
  EXPECT_FLOAT_EQ(mask.joints()[a], 0.2f);
  EXPECT_FLOAT_EQ(mask.joints()[a1], 0.4f);
  EXPECT_FLOAT_EQ(mask.joints()[a2], 0.6f);
  EXPECT_EQ(mask.joints()[b], 0);
}

TEST_F(Masks, FeatheringStartsFromWhatIsThere) {
  JointMask mask(skeleton, 1);
  mask.set_subtree(skeleton, a, 0, 1);
  EXPECT_EQ(mask.joints()[0], 1);
  EXPECT_EQ(mask.joints()[a], 0.5f);
  EXPECT_EQ(mask.joints()[a1], 0);
  JointMask deep(skeleton, 1);
  deep.set_subtree(skeleton, a, 0.3f, std::numeric_limits<std::uint32_t>::max());
  for (std::size_t joint : {a, a1, a2}) EXPECT_NEAR(deep.joints()[joint], 1, 1e-6f);
}

TEST_F(Masks, ListsAndChannelsAreSetOneByOne) {
  JointMask mask(skeleton, 0);
  mask.set(std::vector<std::uint32_t>{std::uint32_t(a1), std::uint32_t(b)}, 0.5f);
  mask.set(a2, 0.25f);
  mask.set_channels(1, 1, 1);
  EXPECT_EQ(mask.joints()[a], 0);
  EXPECT_EQ(mask.joints()[a1], 0.5f);
  EXPECT_EQ(mask.joints()[a2], 0.25f);
  EXPECT_EQ(mask.joints()[b], 0.5f);
  EXPECT_EQ(mask.channels()[0], 0);
  EXPECT_EQ(mask.channels()[1], 1);
}

TEST_F(Masks, TheInverseIsWhatIsLeft) {
  JointMask mask(skeleton, 0);
  mask.set_subtree(skeleton, a, 1, 2);
  mask.set_channels(0, 1, 0.25f);
  JointMask inverse = mask;
  inverse.invert();
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j)
    EXPECT_FLOAT_EQ(inverse.joints()[j] + mask.joints()[j], 1) << j;
  EXPECT_EQ(inverse.channels()[0], 0.75f);
  EXPECT_EQ(inverse.channels()[1], 1);
}

TEST_F(Masks, PaddingStays1) {
  JointMask mask(skeleton, 0);
  mask.invert();
  mask.fill(0.5f);
  for (std::size_t j = skeleton.joint_count(); j < mask.joints().size(); ++j) EXPECT_EQ(mask.joints()[j], 1);
}

}  // namespace
}  // namespace sinew
