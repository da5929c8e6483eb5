#include "sinew/additive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/blend.h"
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

class Additive : public ::testing::Test {
 protected:
  const Loaded loaded = must(load(test::strip()));
  const Skeleton& skeleton = loaded.character.skeleton();
  const std::size_t joint = std::size_t(skeleton.find("joint1"));
  static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

  Pose posed(const Transform& transform) const {
    Pose pose(skeleton);
    pose.set_transform(joint, transform);
    return pose;
  }
  AdditivePose between(const Pose& from, const Pose& to) const {
    AdditivePose out(skeleton);
    run(AdditiveJob{.pose = to, .reference = from, .additive = out});
    return out;
  }
  Transform added(const Pose& base, const std::vector<AdditiveLayer>& additive) const {
    Pose out(skeleton);
    const std::vector<BlendLayer> layers{{base, 1}};
    run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out, .additive = additive});
    return out.transform(joint);
  }
  static void expect_near(const Transform& a, const Transform& b) {
    EXPECT_LT(glm::distance(a.translation, b.translation), 2e-6f);
    EXPECT_LT(glm::distance(a.scale, b.scale), 2e-6f);
    EXPECT_LT(angle(conjugate(a.rotation) * b.rotation), 2e-6f);
    EXPECT_NEAR(dot(a.rotation, a.rotation), 1, 1e-6f);
  }
  const Transform reference{{1, 2, 3}, quat_axis_angle({1, 2, 3}, 0.7f), {1, 2, 4}};
  const Transform other{{1.5f, 0, 3}, quat_axis_angle({3, -1, 1}, 1.1f), {2, 1, 3}};
};
using AdditiveDeathTest = Additive;

TEST_F(AdditiveDeathTest, PosesOfAnotherSkeletonAreRefused) {
  const Loaded chain = must(load(test::chain(7)));
  const Pose longer(chain.character.skeleton()), pose = posed(reference);
  AdditivePose out(skeleton);
  EXPECT_DEATH(run(AdditiveJob{.pose = pose, .reference = longer, .additive = out}), "AdditiveJob.reference");
  CaughtContracts caught;
  run(AdditiveJob{.pose = longer, .reference = longer, .additive = out});
  EXPECT_TRUE(caught.took("AdditiveJob.additive"));
  EXPECT_EQ(out.difference.transform(joint), Transform{});
}

TEST_F(AdditiveDeathTest, LayersOfAnotherSkeletonAndWeightsThatAreNoNumberAreRefused) {
  const Loaded chain = must(load(test::chain(7)));
  const AdditivePose longer(chain.character.skeleton()), none(skeleton);
  const JointMask mask(chain.character.skeleton());
  const Pose base = posed(reference);
  Pose out = posed(other);
  const std::vector<BlendLayer> layers{{base, 1}};
  CaughtContracts caught;
  for (const auto& [layer, message] :
       {std::pair(AdditiveLayer{longer, 1}, "BlendJob.additive[0].pose"),
        {AdditiveLayer{none, kNaN}, "BlendJob.additive[0].weight"},
        {AdditiveLayer{none, std::numeric_limits<float>::infinity()}, "BlendJob.additive[0].weight"},
        {AdditiveLayer{none, 1, &mask}, "BlendJob.additive[0].mask"}}) {
    const std::vector<AdditiveLayer> additive{layer};
    run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out, .additive = additive});
    EXPECT_TRUE(caught.took(message));
    EXPECT_EQ(out.transform(joint), other);
  }
}

TEST_F(Additive, BeginsWithoutADifference) {
  const AdditivePose none(skeleton);
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) EXPECT_EQ(none.difference.transform(j), Transform{});
  expect_near(added(posed(reference), {{none, 1}}), reference);
}

TEST_F(Additive, IsWhatItsFormulaSays) {
  const Transform d = between(posed(reference), posed(other)).difference.transform(joint);
  EXPECT_EQ(d.translation, Vec3(0.5f, -2, 0));
  EXPECT_EQ(d.scale, Vec3(2, 0.5f, 0.75f));
  EXPECT_NEAR(std::abs(dot(d.rotation, conjugate(reference.rotation) * other.rotation)), 1, 1e-6f);
}

TEST_F(Additive, OnItsReferenceAtWeight1ItIsThePose) {
  const AdditivePose d = between(posed(reference), posed(other));
  expect_near(added(posed(reference), {{d, 1}}), other);
}

TEST_F(Additive, TurnsInTheJointsOwnAxes) {
  // The base turned by 90 degrees about Z carries the difference's axis X onto its parent's Y.
  const AdditivePose about_x =
      between(Pose(skeleton), posed({{0, 1, 0}, quat_axis_angle({1, 0, 0}, 0.5f), Vec3(1.0f)}));
  const Quat q = added(posed({{}, about_z(90), Vec3(1.0f)}), {{about_x, 1}}).rotation;
  const Quat wanted = quat_axis_angle({0, 1, 0}, 0.5f) * about_z(90);
  EXPECT_NEAR(std::abs(dot(q, wanted)), 1, 1e-6f);
}

TEST_F(Additive, HalfTheWeightIsHalfTheWay) {
  const AdditivePose turn = between(Pose(skeleton), posed({{0, 3, 0}, about_z(80), {3, 1, 1}}));
  const Transform t = added(Pose(skeleton), {{turn, 0.5f}});
  EXPECT_NEAR(angle(t.rotation), test::radians(40), 1e-6f);
  EXPECT_FLOAT_EQ(t.translation.y, 2);
  EXPECT_FLOAT_EQ(t.scale.x, 2);
}

TEST_F(Additive, TakesTheShorterArcWhateverTheSign) {
  AdditivePose turn = between(Pose(skeleton), posed({{0, 1, 0}, about_z(60), Vec3(1.0f)}));
  Transform d = turn.difference.transform(joint);
  d.rotation = -d.rotation;
  turn.difference.set_transform(joint, d);
  EXPECT_NEAR(angle(added(Pose(skeleton), {{turn, 0.5f}}).rotation), test::radians(30), 1e-6f);
}

TEST_F(Additive, ANegativeWeightTakesAwayWhatThePositiveOneAdds) {
  const AdditivePose d = between(posed(reference), posed(other));
  for (float weight : {0.3f, 1.0f, 1.5f}) {
    SCOPED_TRACE(weight);
    expect_near(added(posed(reference), {{d, weight}, {d, -weight}}), reference);
    expect_near(added(posed(reference), {{d, -weight}, {d, weight}}), reference);
  }
}

TEST_F(Additive, AScaleOf0HasNoRatioAndDividesNothing) {
  Transform flat = reference, gone = reference;
  flat.scale = {0, 2, 1};
  gone.scale = {0, 0, 1};
  const AdditivePose d = between(posed(flat), posed(gone));
  EXPECT_EQ(d.difference.transform(joint).scale, Vec3(1, 0, 1));
  EXPECT_EQ(added(posed(reference), {{d, -1}}).scale, reference.scale);
  const Transform from_flat = between(posed(flat), posed(reference)).difference.transform(joint);
  EXPECT_EQ(from_flat.scale.x, 1);
}

TEST_F(Additive, WithoutLayersItIsAddedToTheRestPose) {
  const AdditivePose d = between(Pose(skeleton), posed(other));
  Pose out = posed(reference);
  const std::vector<AdditiveLayer> additive{{d, 1}}, nothing{{d, 0}};
  run(BlendJob{.skeleton = skeleton, .layers = {}, .pose = out, .additive = additive});
  expect_near(out.transform(joint), other);
  run(BlendJob{.skeleton = skeleton, .layers = {}, .pose = out, .additive = nothing});
  EXPECT_EQ(out.transform(joint), skeleton.rest_transform(joint));
}

TEST_F(Additive, AWeightOf0ChangesNothingToTheBit) {
  const AdditivePose d = between(posed(reference), posed(other));
  EXPECT_EQ(added(posed(other), {{d, 0}, {d, -0.0f}}), other);
}

TEST_F(Additive, AMaskSaysHowMuchOfItAJointGets) {
  const AdditivePose turn = between(Pose(skeleton), posed({{0, 3, 0}, about_z(80), {3, 1, 1}}));
  JointMask mask(skeleton, 0.25f);
  const Transform t = added(Pose(skeleton), {{turn, 2, &mask}});
  EXPECT_NEAR(angle(t.rotation), test::radians(40), 1e-6f);
  EXPECT_FLOAT_EQ(t.translation.y, 2);
  mask.set(joint, 0);
  expect_near(added(posed(reference), {{turn, 2, &mask}}), reference);
}

TEST_F(Additive, TheDifferenceMayBeWrittenOverAPose) {
  const AdditivePose wanted = between(posed(reference), posed(other));
  const Pose from = posed(reference);
  AdditivePose out(skeleton);
  out.difference = posed(other);
  run(AdditiveJob{.pose = out.difference, .reference = from, .additive = out});
  EXPECT_EQ(out.difference.transform(joint), wanted.difference.transform(joint));
}

TEST(AdditiveChannels, MorphWeightsAreAdded) {
  const Loaded loaded = must(load(test::morph_triangle(2)));
  const Skeleton& skeleton = loaded.character.skeleton();
  Pose base(skeleton), reference(skeleton), smile(skeleton), out(skeleton);
  base.channels()[0] = 0.5f;
  base.channels()[1] = 0.25f;
  reference.channels()[0] = 0.25f;
  smile.channels()[0] = 0.75f;
  smile.channels()[1] = 1;
  AdditivePose d(skeleton);
  run(AdditiveJob{.pose = smile, .reference = reference, .additive = d});
  JointMask mask(skeleton);
  mask.set_channels(1, 1, 0);
  const std::vector<BlendLayer> layers{{base, 1}};
  const std::vector<AdditiveLayer> additive{{d, 0.5f}, {d, -0.25f, &mask}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out, .additive = additive});
  EXPECT_FLOAT_EQ(out.channels()[0], 0.5f + 0.25f - 0.125f);
  EXPECT_FLOAT_EQ(out.channels()[1], 0.75f);
}

}  // namespace
}  // namespace sinew
