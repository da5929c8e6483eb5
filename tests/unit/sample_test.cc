#include "sinew/sample.h"

#include <gtest/gtest.h>

#include <cmath>
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

constexpr float kSampleNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kSampleInfinity = std::numeric_limits<float>::infinity();

/// One node, one clip with one track of translations.
Scene moving(Interpolation interpolation, std::vector<float> times, std::vector<float> values) {
  Scene scene;
  test::add_node(scene, "box");
  scene.nodes[0].rest.translation = {7, 8, 9};
  test::add_track(test::add_clip(scene, "move"), 0, Path::translation, interpolation, std::move(times),
                  std::move(values));
  return scene;
}

/// The x of the only joint's translation at a time.
float x_at(const Loaded& loaded, float time) {
  return test::sample(loaded.character, 0, time).transform(0).translation.x;
}

TEST(SampleDeathTest, AClipOfAnotherSkeletonIsRefused) {
  const Loaded a = must(load(test::strip())), b = must(load(test::chain(3)));
  Pose pose(a.character.skeleton());
  const SampleJob job{.clip = b.character.clips()[0], .skeleton = a.character.skeleton(), .time = 0, .pose = pose};
  EXPECT_DEATH(run(job), "SampleJob.clip");
  CaughtContracts caught;
  run(job);
  EXPECT_TRUE(caught.took("SampleJob.clip"));
}

TEST(SampleDeathTest, APoseOfAnotherSkeletonIsRefusedAndNotWritten) {
  const Loaded a = must(load(test::strip())), b = must(load(test::chain(3)));
  Pose pose(b.character.skeleton());
  pose.set_transform(1, {{4, 5, 6}, {}, Vec3(1.0f)});
  CaughtContracts caught;
  run(SampleJob{.clip = a.character.clips()[0], .skeleton = a.character.skeleton(), .time = 0, .pose = pose});
  EXPECT_TRUE(caught.took("SampleJob.pose"));
  EXPECT_EQ(pose.transform(1).translation, Vec3(4, 5, 6));
}

TEST(SampleDeathTest, ATimeThatIsNotFiniteIsRefusedAndLaterOnesWork) {
  const Loaded loaded = must(load(test::strip()));
  Pose pose(loaded.character.skeleton());
  CaughtContracts caught;
  for (float time : {kSampleNan, kSampleInfinity, -kSampleInfinity}) {
    run(SampleJob{
        .clip = loaded.character.clips()[0], .skeleton = loaded.character.skeleton(), .time = time, .pose = pose});
    EXPECT_TRUE(caught.took("SampleJob.time")) << time;
    EXPECT_EQ(pose.transform(1), loaded.character.skeleton().rest_transform(1)) << "untouched";
  }
  run(SampleJob{.clip = loaded.character.clips()[0], .skeleton = loaded.character.skeleton(), .time = 1, .pose = pose});
  EXPECT_TRUE(caught.empty());
  EXPECT_NEAR(angle(pose.transform(1).rotation), test::kPi / 2, 1e-6f);
}

TEST(SampleDeathTest, TooFewCursorsAreRefused) {
  Scene scene = test::strip();
  test::add_turn(scene.clips[0], 0, {0, 2}, {0, 10}).interpolation = Interpolation::step;
  const Loaded loaded = must(load(scene));
  const Clip& clip = loaded.character.clips()[0];
  ASSERT_EQ(clip.groups.size(), 2u);
  Pose pose(loaded.character.skeleton());
  std::vector<std::uint32_t> cursors(1);
  CaughtContracts caught;
  run(SampleJob{.clip = clip, .skeleton = loaded.character.skeleton(), .time = 0, .pose = pose, .cursors = cursors});
  EXPECT_TRUE(caught.took("SampleJob.cursors"));
  cursors.resize(3);
  run(SampleJob{.clip = clip, .skeleton = loaded.character.skeleton(), .time = 0, .pose = pose, .cursors = cursors});
  EXPECT_TRUE(caught.empty()) << "more than needed are fine";
}

TEST(Sample, LinearMovesEvenlyBetweenKeys) {
  const Loaded loaded = must(load(moving(Interpolation::linear, {1, 2, 4}, {0, 0, 0, 10, 0, 0, 20, 0, 0})));
  EXPECT_FLOAT_EQ(x_at(loaded, 1.25f), 2.5f);
  EXPECT_FLOAT_EQ(x_at(loaded, 2.5f), 12.5f);
}

TEST(Sample, NothingExtrapolates) {
  for (Interpolation mode : {Interpolation::step, Interpolation::linear}) {
    const Loaded loaded = must(load(moving(mode, {1, 2, 4}, {3, 0, 0, 10, 0, 0, 20, 0, 0})));
    for (float t : {-1e30f, -1.0f, 0.0f, 0.9999f, 1.0f}) EXPECT_EQ(x_at(loaded, t), 3) << t;
    for (float t : {4.0f, 4.0001f, 100.0f, 1e30f}) EXPECT_EQ(x_at(loaded, t), 20) << t;
  }
  // The tangents at both ends would carry a cubic on.
  const Loaded cubic =
      must(load(moving(Interpolation::cubicspline, {1, 2}, {9, 0, 0, 3, 0, 0, 9, 0, 0, 9, 0, 0, 5, 0, 0, 9, 0, 0})));
  EXPECT_EQ(x_at(cubic, 0), 3);
  EXPECT_EQ(x_at(cubic, 1), 3);
  EXPECT_EQ(x_at(cubic, 2), 5);
  EXPECT_EQ(x_at(cubic, 3), 5);
}

TEST(Sample, StepChangesAtItsKey) {
  const Loaded loaded = must(load(moving(Interpolation::step, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 0, 2, 0, 0})));
  EXPECT_EQ(x_at(loaded, 0.4999f), 0);
  EXPECT_EQ(x_at(loaded, std::nextafter(0.5f, 0.0f)), 0);
  EXPECT_EQ(x_at(loaded, 0.5f), 1);
  EXPECT_EQ(x_at(loaded, 0.75f), 1);
  EXPECT_EQ(x_at(loaded, 1), 2);
}

TEST(Sample, OfKeysAtOneTimeTheLastCounts) {
  for (Interpolation mode : {Interpolation::step, Interpolation::linear}) {
    const Loaded loaded = must(load(moving(mode, {0, 1, 1, 1, 2}, {0, 0, 0, 1, 0, 0, 50, 0, 0, 5, 0, 0, 6, 0, 0})));
    EXPECT_EQ(x_at(loaded, 1), 5);
    EXPECT_LE(x_at(loaded, std::nextafter(1.0f, 0.0f)), 1) << "before it, towards the first of them";
    EXPECT_EQ(x_at(loaded, 2), 6);
  }
  const Loaded doubled_last = must(load(moving(Interpolation::linear, {0, 1, 1}, {0, 0, 0, 1, 0, 0, 2, 0, 0})));
  EXPECT_EQ(x_at(doubled_last, 1), 2);
  EXPECT_EQ(x_at(doubled_last, 1.5f), 2);
  const Loaded doubled_first = must(load(moving(Interpolation::linear, {0, 0, 1}, {4, 0, 0, 1, 0, 0, 2, 0, 0})));
  EXPECT_EQ(x_at(doubled_first, 0), 1);
}

TEST(Sample, OneKeyIsAConstant) {
  for (Interpolation mode : {Interpolation::step, Interpolation::linear}) {
    const Loaded loaded = must(load(moving(mode, {1}, {3, 0, 0})));
    for (float t : {-5.0f, 0.0f, 1.0f, 7.0f}) EXPECT_EQ(x_at(loaded, t), 3);
  }
  const Loaded cubic = must(load(moving(Interpolation::cubicspline, {1}, {8, 0, 0, 3, 0, 0, 9, 0, 0})));
  for (float t : {-5.0f, 0.0f, 1.0f, 7.0f}) EXPECT_EQ(x_at(cubic, t), 3);
}

TEST(Sample, WhatNoTrackDrivesKeepsItsRestValue) {
  Scene scene = moving(Interpolation::linear, {0, 1}, {1, 2, 3, 4, 5, 6});
  scene.nodes[0].rest.rotation = quat_axis_angle({1, 0, 0}, 1);
  scene.nodes[0].rest.scale = {2, 3, 4};
  const int still = test::add_node(scene, "still", 0, {{5, 5, 5}, quat_axis_angle({0, 1, 0}, 2), {3, 3, 3}});
  scene.nodes[still].mesh = 0;
  scene.meshes = test::morph_triangle(2).meshes;
  scene.meshes[0].weights = {0.5f, 0.25f};
  const Loaded loaded = must(load(scene));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose pose = test::sample(loaded.character, 0, 1);
  const auto box = std::size_t(skeleton.find("box"));
  EXPECT_EQ(pose.transform(box).translation, Vec3(4, 5, 6));
  EXPECT_EQ(pose.transform(box).rotation, skeleton.rest_transform(box).rotation);
  EXPECT_EQ(pose.transform(box).scale, Vec3(2, 3, 4));
  const auto row = std::size_t(skeleton.find("still"));
  EXPECT_EQ(pose.transform(row), skeleton.rest_transform(row));
  EXPECT_EQ(pose.channels()[0], 0.5f);
  EXPECT_EQ(pose.channels()[1], 0.25f);
}

TEST(Sample, ATrackWithoutKeysGivesTheRestValue) {
  Scene scene = moving(Interpolation::linear, {}, {});
  test::add_track(scene.clips[0], 0, Path::scale, Interpolation::linear, {0, 1}, {1, 1, 1, 2, 2, 2});
  const Loaded loaded = must(load(scene));
  const Pose pose = test::sample(loaded.character, 0, 0.5f);
  EXPECT_EQ(pose.transform(0).translation, Vec3(7, 8, 9));
  EXPECT_EQ(pose.transform(0).scale, Vec3(1.5f));
}

TEST(Sample, WhatWasInThePoseBeforeDoesNotMatter) {
  const Loaded loaded = must(load(test::chain(5)));
  Pose pose(loaded.character.skeleton());
  for (std::size_t s = 0; s < kStreams; ++s)
    for (float& value : pose.stream(Stream(s)).first(pose.joint_count())) value = kSampleNan;
  run(SampleJob{
      .clip = loaded.character.clips()[0], .skeleton = loaded.character.skeleton(), .time = 0.3f, .pose = pose});
  const Pose fresh = test::sample(loaded.character, 0, 0.3f);
  for (std::size_t j = 0; j < pose.joint_count(); ++j) EXPECT_EQ(pose.transform(j), fresh.transform(j)) << j;
}

TEST(Sample, CubicsplineUsesTheTangentsAndTheSpacingOfKeys) {
  // From 0 to 0 in 2 s, leaving at 1 and arriving at -1 a second: Hermite gives 2 * (0.125 + 0.125) half way.
  const std::vector<float> keys{0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_FLOAT_EQ(x_at(must(load(moving(Interpolation::cubicspline, {0, 2}, keys))), 1), 0.5f);
  EXPECT_FLOAT_EQ(x_at(must(load(moving(Interpolation::cubicspline, {0, 4}, keys))), 2), 1.0f);
}

TEST(Sample, CubicsplineRotationsComeOutOfUnitLength) {
  Scene scene;
  test::add_node(scene, "box");
  std::vector<float> values;
  for (float degrees : {0.0f, 120.0f}) {
    const std::vector<float> q = test::values_of({test::about_z(degrees)});
    values.insert(values.end(), 4, 0.0f);
    values.insert(values.end(), q.begin(), q.end());
    values.insert(values.end(), 4, 0.0f);
  }
  test::add_track(test::add_clip(scene, "turn"), 0, Path::rotation, Interpolation::cubicspline, {0, 1}, values);
  const Loaded loaded = must(load(scene));
  for (float t : {0.0f, 0.2f, 0.5f, 0.9f, 1.0f}) {
    const Quat q = test::sample(loaded.character, 0, t).transform(0).rotation;
    EXPECT_NEAR(dot(q, q), 1, 1e-6f) << t;
  }
  EXPECT_NEAR(angle(test::sample(loaded.character, 0, 0.5f).transform(0).rotation), test::radians(60), 1e-6f);
}

TEST(Sample, MorphWeightsAreChannelsOfThePose) {
  const Loaded loaded = must(load(test::morph_triangle(3)));
  const Pose pose = test::sample(loaded.character, 0, 1.25f);
  ASSERT_EQ(pose.channel_count(), 3u);
  EXPECT_EQ(pose.channels()[0], 1);
  EXPECT_EQ(pose.channels()[1], 0.25f);
  EXPECT_EQ(pose.channels()[2], 0);
}

TEST(Sample, AnyTimesAtAllGiveFiniteValues) {
  constexpr float kMost = std::numeric_limits<float>::max(), kFar = kMost / 2;
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  const Loaded wide = must(load(moving(Interpolation::linear, {-kFar, 0, kFar}, {0, 0, 0, 1, 0, 0, 2, 0, 0})));
  for (float t : {-kMost, -kFar, -1e38f, -1.0f, 0.0f, 1.0f, 1e38f, kFar, kMost}) {
    const float x = x_at(wide, t);
    EXPECT_TRUE(x >= 0 && x <= 2) << t << " gives " << x;
  }
  EXPECT_EQ(x_at(wide, 0), 1);
  EXPECT_EQ(x_at(wide, kMost), 2);
  const Loaded two = must(load(moving(Interpolation::linear, {-kFar, kFar}, {0, 0, 0, 2, 0, 0})));
  EXPECT_NEAR(x_at(two, 0), 1, 1e-6f);
  const Loaded narrow = must(load(moving(Interpolation::linear, {0, kLeast, 1}, {0, 0, 0, 1, 0, 0, 2, 0, 0})));
  EXPECT_EQ(x_at(narrow, kLeast), 1);
  EXPECT_NEAR(x_at(narrow, 0.5f), 1.5f, 1e-6f);
}

TEST(Sample, CursorsFollowThePlayAndStayInRange) {
  const Loaded loaded = must(load(moving(Interpolation::linear, {0, 1, 2, 3}, {0, 0, 0, 1, 0, 0, 4, 0, 0, 9, 0, 0})));
  const Clip& clip = loaded.character.clips()[0];
  std::vector<std::uint32_t> cursors(clip.groups.size(), 4'000'000'000u);
  Pose pose(loaded.character.skeleton());
  const auto at = [&](float time) {
    run(SampleJob{
        .clip = clip, .skeleton = loaded.character.skeleton(), .time = time, .pose = pose, .cursors = cursors});
    return pose.transform(0).translation.x;
  };
  EXPECT_FLOAT_EQ(at(1.5f), 2.5f);
  EXPECT_EQ(cursors[0], 1u);
  EXPECT_FLOAT_EQ(at(2.5f), 6.5f);
  EXPECT_EQ(cursors[0], 2u);
  EXPECT_FLOAT_EQ(at(0.5f), 0.5f);
  EXPECT_EQ(cursors[0], 0u);
  EXPECT_EQ(at(9), 9);
  EXPECT_LT(cursors[0], 4u);
}

TEST(Sample, FarPastTheEndOfAShortClipIsItsEnd) {
  Scene scene = test::strip();
  scene.clips[0].times[0] = {0, 1e-38f};
  const test::Loaded loaded = test::must(test::load(scene));
  for (const float t : {1.0f, 1e30f, 3e38f})
    EXPECT_EQ(test::sample(loaded.character, 0, t).transform(1),
              test::sample(loaded.character, 0, 1e-38f).transform(1));
}

}  // namespace
}  // namespace sinew
