#include "sinew/dual_joints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/write.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::load;
using test::Loaded;
using test::must;

TEST(DualJoints, ArmsByTheirUsualNames) {
  for (const char* name : {"Hand", "hand.R", "LeftHand", "mixamorig:LeftForeArm", "mixamorig:RightArm", "upperarm_l",
                           "lowerarm_r", "left_shoulder", "left_upper_arm", "Bip01 L Forearm", "Bip001 R UpperArm",
                           "J_Bip_L_UpperArm", "wrist", "L_Wrist", "DEF-forearm.L.001", "ELBOW_R"})
    EXPECT_TRUE(is_arm_name(name)) << name;
  for (const char* name : {"", "LeftHandThumb1", "hand_index_01", "index_01_l", "armature", "Armor", "head",
                           "left_foot", "handle", "alarm", "spine", "twist_arm_helper"})
    EXPECT_FALSE(is_arm_name(name)) << name;
}

TEST(DualJoints, TwistIsMeasuredAboutTheBoneAndBendsAreNone) {
  const Loaded twisted = must(load(test::tube()));
  const std::vector<JointTwist> twists = measure_twist(twisted.character);
  ASSERT_EQ(twists.size(), 1u);
  EXPECT_NEAR(twists[0].radians, test::kPi, 1e-3f);
  EXPECT_EQ(twists[0].clip, 0);
  EXPECT_NEAR(twists[0].seconds, 1, 1e-6f);
  EXPECT_EQ(twists[0].joint, 1u);
  EXPECT_EQ(twists[0].parent, 0u);

  Scene scene = test::tube();
  scene.clips[0].tracks.clear(), scene.clips[0].times.clear();
  test::add_turn(scene.clips[0], 1, {0, 1}, {0, 90});  // about Z, across the tube
  const Loaded bent = must(load(scene));
  EXPECT_NEAR(measure_twist(bent.character)[0].radians, 0, 1e-4f);
  EXPECT_TRUE(choose_dual_joints(bent.character).empty());
}

TEST(DualJoints, BothJointsOfAPairThatTwistsFarAreChosen) {
  const Loaded loaded = must(load(test::tube()));
  EXPECT_EQ(choose_dual_joints(loaded.character), (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(choose_dual_joints(loaded.character, 3.2f).empty());
  Scene named = test::tube();
  named.clips.clear();
  named.nodes[1].name = "hand";
  const Loaded still = must(load(named));
  EXPECT_EQ(choose_dual_joints(still.character), (std::vector<std::int32_t>{1}));
}

/// The weights of the chosen joints, of each vertex, in the file; 1 where nothing else moves it.
TEST(DualJoints, AreWrittenAsSharesOfVertices) {
  const std::int32_t joints[] = {1};
  WriteOptions options;
  options.dual_joints = joints;
  const Loaded loaded = must(load(test::tube(), options));
  const Mesh& mesh = loaded.character.meshes()[0];
  ASSERT_EQ(mesh.dual_weights.size(), mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const float ring = float(mesh.source_vertices[v] / 12);
    EXPECT_NEAR(mesh.dual_weights[v], std::clamp(ring / 10 - 0.5f, 0.0f, 1.0f), 1e-6f);
    if (ring >= 15 || ring <= 5) {
      EXPECT_EQ(mesh.dual_weights[v], ring <= 5 ? 0.0f : 1.0f);
    }
  }
  const Loaded without = must(load(test::tube()));
  EXPECT_TRUE(without.character.meshes()[0].dual_weights.empty());
}

TEST(DualJoints, WhatDoesNotFitIsRefused) {
  const std::int32_t beyond[] = {99};
  WriteOptions options;
  options.dual_joints = beyond;
  const auto written = write(test::tube(), options);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::bad_argument);
  Scene scene = test::tube();
  std::vector<float>& shares = scene.meshes[0].primitives[0].dual_weights;
  shares.assign(3, 0.5f);
  EXPECT_FALSE(write(scene, {}));
  shares.assign(21 * 12, 0.5f);
  EXPECT_TRUE(write(scene, {}));
  shares[7] = 1.5f;
  const auto too_large = write(scene, {});
  ASSERT_FALSE(too_large);
  EXPECT_NE(too_large.error().message().find("dual_weights[7]"), std::string::npos) << too_large.error().message();
}

}  // namespace
}  // namespace sinew
