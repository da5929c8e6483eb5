#include "sinew/blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::about_z;
using test::CaughtContracts;
using test::load;
using test::Loaded;
using test::must;

class Blend : public ::testing::Test {
 protected:
  const Loaded loaded = must(load(test::strip()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const std::size_t joint = std::size_t(skeleton.find("joint1"));

  Pose posed(float degrees, Vec3 translation = {0, 1, 0}, Vec3 scale = Vec3(1.0f)) const {
    Pose pose(skeleton);
    pose.set_transform(joint, {translation, about_z(degrees), scale});
    return pose;
  }
  Pose blended(const std::vector<BlendLayer>& layers) const {
    Pose out(skeleton);
    run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
    return out;
  }
  static void expect_equal(const Pose& a, const Pose& b) {
    ASSERT_EQ(a.joint_count(), b.joint_count());
    for (std::size_t j = 0; j < a.joint_count(); ++j) EXPECT_EQ(a.transform(j), b.transform(j)) << j;
  }
};
using BlendDeathTest = Blend;

TEST_F(BlendDeathTest, PosesOfDifferentLengthAreRefused) {
  const Loaded other = must(load(test::chain(7)));
  const Pose longer(other.character.skeleton());
  const std::vector<BlendLayer> layers{{longer, 1}};
  Pose out = posed(30);
  EXPECT_DEATH(run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out}), "BlendJob.layers\\[0\\].pose");
  CaughtContracts caught;
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_TRUE(caught.took("BlendJob.layers[0].pose"));
  expect_equal(out, posed(30));
}

TEST_F(BlendDeathTest, AnOutputOfAnotherSkeletonIsRefused) {
  const Loaded other = must(load(test::chain(7)));
  Pose out(other.character.skeleton());
  const Pose pose = posed(30);
  const std::vector<BlendLayer> layers{{pose, 1}};
  CaughtContracts caught;
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_TRUE(caught.took("BlendJob.pose"));
}

TEST_F(BlendDeathTest, NegativeAndNonFiniteWeightsAreRefused) {
  const Pose a = posed(10), b = posed(20);
  Pose out = posed(30);
  CaughtContracts caught;
  for (float weight : {-0.1f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<BlendLayer> layers{{a, 1}, {b, weight}};
    run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
    EXPECT_TRUE(caught.took("BlendJob.layers[1].weight")) << weight;
    expect_equal(out, posed(30));
  }
  constexpr float kMost = std::numeric_limits<float>::max();
  const std::vector<BlendLayer> layers{{a, kMost}, {b, kMost}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_TRUE(caught.took("sum"));
}

TEST_F(BlendDeathTest, AMaskOfAnotherSkeletonIsRefused) {
  const Loaded other = must(load(test::chain(7)));
  const JointMask mask(other.character.skeleton());
  const Pose a = posed(10);
  Pose out = posed(30);
  CaughtContracts caught;
  const std::vector<BlendLayer> layers{{a, 1}, {a, 1, &mask}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_TRUE(caught.took("BlendJob.layers[1].mask"));
  expect_equal(out, posed(30));
}

TEST_F(Blend, WithoutLayersOrWeightsItIsTheRestPose) {
  const Pose a = posed(10);
  expect_equal(blended({}), Pose(skeleton));
  expect_equal(blended({{a, 0}}), Pose(skeleton));
  expect_equal(blended({{a, 0}, {a, 0}}), Pose(skeleton));
}

TEST_F(Blend, OneLayerGivesItsPoseToTheBit) {
  const Pose a = posed(33.3f, {0.1f, 0.2f, 0.3f}, {1.1f, 1.2f, 1.3f}), b = posed(80);
  expect_equal(blended({{a, 0.37f}}), a);
  expect_equal(blended({{b, 0}, {a, 2}}), a);
}

TEST_F(Blend, WeightsAreDividedByTheirSum) {
  const Pose a = posed(0, {0, 0, 0}), b = posed(0, {4, 8, 12}, {3, 3, 5});
  const Transform t = blended({{a, 3}, {b, 1}}).transform(joint);
  EXPECT_FLOAT_EQ(t.translation.x, 1);
  EXPECT_FLOAT_EQ(t.translation.y, 2);
  EXPECT_FLOAT_EQ(t.translation.z, 3);
  EXPECT_FLOAT_EQ(t.scale.x, 1.5f);
  EXPECT_FLOAT_EQ(t.scale.z, 2);
}

TEST_F(Blend, TwoAtEqualWeightMeetHalfWay) {
  const Pose a = posed(20), b = posed(100);
  EXPECT_NEAR(angle(blended({{a, 1}, {b, 1}}).transform(joint).rotation), test::radians(60), 1e-6f);
}

TEST_F(Blend, RotationsTakeTheShorterArcWhateverTheirSigns) {
  const Pose a = posed(178), b = posed(-178);
  EXPECT_NEAR(angle(blended({{a, 1}, {b, 1}}).transform(joint).rotation), test::kPi, 1e-6f);
  Pose flipped = posed(40);
  Transform t = flipped.transform(joint);
  t.rotation = -t.rotation;
  flipped.set_transform(joint, t);
  const Pose c = posed(20);
  EXPECT_NEAR(angle(blended({{c, 1}, {flipped, 1}}).transform(joint).rotation), test::radians(30), 1e-6f);
}

TEST_F(Blend, OppositeRotationsGiveAUnitRotation) {
  // Half a turn apart, each as a quaternion and its partner: no sum may be of length 0.
  for (float degrees : {180.0f, 360.0f}) {
    const Pose a = posed(0), b = posed(degrees);
    const Quat q = blended({{a, 1}, {b, 1}}).transform(joint).rotation;
    EXPECT_NEAR(dot(q, q), 1, 1e-6f);
  }
}

TEST_F(Blend, AFadeFromAPoseToItselfChangesNothing) {
  const Pose a = posed(33, {1, 2, 3}, {1, 2, 3});
  for (float w : {0.0f, 0.25f, 0.5f, 0.99f, 1.0f}) {
    const Transform t = blended({{a, 1 - w}, {a, w}}).transform(joint), wanted = a.transform(joint);
    EXPECT_LT(glm::distance(t.translation, wanted.translation), 1e-6f);
    EXPECT_LT(glm::distance(t.scale, wanted.scale), 1e-6f);
    EXPECT_NEAR(dot(t.rotation, wanted.rotation), 1, 1e-6f);
  }
}

TEST_F(Blend, TheOutputMayBeALayer) {
  Pose a = posed(20, {2, 0, 0});
  const Pose b = posed(100, {4, 0, 0}), expected = blended({{a, 1}, {b, 3}});
  const std::vector<BlendLayer> layers{{a, 1}, {b, 3}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = a});
  expect_equal(a, expected);
}

TEST_F(Blend, ManyLayersOfOnePoseAreThatPose) {
  const Pose a = posed(33, {1, 2, 3});
  const std::vector<BlendLayer> layers(50, BlendLayer{a, 0.7f});
  const Transform t = blended(layers).transform(joint);
  EXPECT_LT(glm::distance(t.translation, Vec3(1, 2, 3)), 1e-5f);
  EXPECT_NEAR(angle(t.rotation), test::radians(33), 1e-5f);
}

TEST_F(Blend, AMaskWeighsALayerJointByJoint) {
  const Pose a = posed(20, {0, 0, 0}), b = posed(100, {4, 0, 0}, Vec3(3.0f));
  JointMask mask(skeleton, 0), inverse(skeleton, 1);
  mask.set(joint, 0.25f);
  inverse.set(joint, 0.75f);
  const Pose out = blended({{a, 1, &inverse}, {b, 1, &mask}});
  const Transform t = out.transform(joint);
  EXPECT_FLOAT_EQ(t.translation.x, 1);
  EXPECT_FLOAT_EQ(t.scale.y, 1.5f);
  EXPECT_EQ(out.transform(0), a.transform(0));
  // The same weights in all, the mask of one layer alone: 1 and 1/3 are 3/4 and 1/4.
  mask.set(joint, 1 / 3.0f);
  const Transform same = blended({{a, 1}, {b, 1, &mask}}).transform(joint);
  EXPECT_FLOAT_EQ(same.translation.x, 1);
  EXPECT_NEAR(dot(same.rotation, t.rotation), 1, 1e-6f);
}

TEST_F(Blend, AMaskOf1EverywhereIsNoMask) {
  const Pose a = posed(20, {1, 0, 0}), b = posed(100, {4, 0, 0}, Vec3(3.0f));
  const JointMask mask(skeleton);
  const Transform masked = blended({{a, 1, &mask}, {b, 2, &mask}}).transform(joint);
  const Transform bare = blended({{a, 1}, {b, 2}}).transform(joint);
  EXPECT_LT(glm::distance(masked.translation, bare.translation), 1e-6f);
  EXPECT_NEAR(dot(masked.rotation, bare.rotation), 1, 1e-6f);
}

TEST_F(Blend, WhereMasksLeaveNothingItIsTheRestValue) {
  const Pose a = posed(20, {1, 0, 0}), b = posed(100, {4, 0, 0});
  JointMask mask(skeleton, 1);
  mask.set(joint, 0);
  const Pose out = blended({{a, 1, &mask}, {b, 1, &mask}});
  EXPECT_EQ(out.transform(joint), skeleton.rest_transform(joint));
  EXPECT_NEAR(dot(out.transform(0).rotation, a.transform(0).rotation), 1, 1e-6f);
  // No threshold: a little of one layer is all of it.
  mask.set(joint, 1e-6f);
  EXPECT_FLOAT_EQ(blended({{a, 1, &mask}}).transform(joint).translation.x, 1);
}

TEST_F(Blend, ALayerThatWeighsNothingIsNotRead) {
  const Pose a = posed(20, {1, 0, 0}), b = posed(100, {4, 0, 0});
  const Pose broken = posed(std::numeric_limits<float>::quiet_NaN(), Vec3(std::numeric_limits<float>::infinity()));
  const JointMask mask(skeleton);
  expect_equal(blended({{broken, 0}, {a, 1}, {broken, 0, &mask}, {b, 1}}), blended({{a, 1}, {b, 1}}));
}

TEST_F(Blend, RotationsOfNoLengthGiveTheRestRotation) {
  Pose none = posed(0);
  Transform t = none.transform(joint);
  t.rotation = quat_xyzw(0, 0, 0, 0);
  none.set_transform(joint, t);
  EXPECT_EQ(blended({{none, 1}, {none, 1}}).transform(joint).rotation, skeleton.rest_transform(joint).rotation);
}

TEST_F(Blend, TheOutputMayBeAMaskedLayer) {
  Pose a = posed(20, {2, 0, 0});
  const Pose b = posed(100, {4, 0, 0});
  JointMask mask(skeleton, 0.5f);
  mask.set(joint, 0);
  const Pose expected = blended({{a, 1, &mask}, {b, 3, &mask}});
  const std::vector<BlendLayer> layers{{a, 1, &mask}, {b, 3, &mask}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = a});
  expect_equal(a, expected);
}

TEST(BlendChannels, MasksWeighChannelsByThemselves) {
  const Loaded loaded = must(load(test::morph_triangle(3)));
  const Skeleton& skeleton = loaded.character.skeleton();
  Pose a(skeleton), b(skeleton), out(skeleton);
  for (std::size_t c = 0; c < 3; ++c) a.channels()[c] = 1, b.channels()[c] = 0.5f;
  JointMask mask(skeleton, 0), inverse(skeleton, 1);
  mask.set_channels(1, 1, 0.5f);
  inverse.set_channels(1, 1, 0.5f);
  inverse.set_channels(2, 1, 0);
  const std::vector<BlendLayer> layers{{a, 1, &inverse}, {b, 1, &mask}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_FLOAT_EQ(out.channels()[0], 1);
  EXPECT_FLOAT_EQ(out.channels()[1], 0.75f);
  EXPECT_EQ(out.channels()[2], skeleton.rest_channels[2]);
}

TEST(BlendChannels, MorphWeightsAreAveraged) {
  const Loaded loaded = must(load(test::morph_triangle(2)));
  const Skeleton& skeleton = loaded.character.skeleton();
  Pose a(skeleton), b(skeleton), out(skeleton);
  a.channels()[0] = 1;
  b.channels()[1] = 0.5f;
  const std::vector<BlendLayer> layers{{a, 0.75f}, {b, 0.25f}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_FLOAT_EQ(out.channels()[0], 0.75f);
  EXPECT_FLOAT_EQ(out.channels()[1], 0.125f);
}

TEST(BlendPadding, StaysTheIdentity) {
  const Loaded loaded = must(load(test::chain(5)));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose a = test::sample(loaded.character, 0, 0.2f), b = test::sample(loaded.character, 0, 0.8f);
  Pose out(skeleton);
  const std::vector<BlendLayer> layers{{a, 0.3f}, {b, 0.4f}, {a, 0.6f}};  // sums of shares are rarely 1 to the bit
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  for (std::size_t j = out.joint_count(); j < padded(out.joint_count()); ++j) {
    EXPECT_EQ(out.stream(Stream::tx)[j], 0);
    EXPECT_EQ(out.stream(Stream::rw)[j], 1);
    EXPECT_EQ(out.stream(Stream::sy)[j], 1);
  }
}

}  // namespace
}  // namespace sinew
