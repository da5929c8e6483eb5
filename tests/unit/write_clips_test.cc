// What `write` makes of clips.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "runtime/file_format.h"
#include "sinew/sinew.h"
#include "sinew/write.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::add_clip;
using test::add_track;
using test::add_turn;
using test::load;
using test::Loaded;
using test::must;

template <class T>
std::vector<T> list(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// A chain of joints without a clip.
Scene still(int joints = 4) {
  Scene scene = test::chain(joints);
  scene.clips.clear();
  return scene;
}

const Clip& first_clip(const Loaded& loaded) { return loaded.character.clips()[0]; }

TEST(WriteClips, TracksOfEqualTimesAndModeShareAGroup) {
  Scene scene = still();
  Scene::Clip& clip = add_clip(scene, "clip");
  add_turn(clip, 3, {0, 1}, {0, 90});
  add_turn(clip, 0, {0, 1}, {0, 90});  // an equal list of its own
  add_track(clip, 1, Path::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1});
  add_track(clip, 1, Path::scale, Interpolation::step, {0, 1}, {1, 1, 1, 2, 2, 2});
  const Loaded loaded = must(load(scene));
  const auto groups = first_clip(loaded).groups;
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(list(groups[0].rotations), (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(list(groups[0].translations), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(groups[1].interpolation, Interpolation::step);
  EXPECT_EQ(list(groups[1].scales), (std::vector<std::uint32_t>{1}));
}

TEST(WriteClips, KeysLieInBlocksOfSixteenAndPaddingIsTheIdentity) {
  Scene scene = still(20);
  Scene::Clip& clip = add_clip(scene, "clip");
  for (int j = 0; j < 18; ++j) add_turn(clip, j, {0, 1}, {float(j), float(j) + 1});
  add_track(clip, 0, Path::scale, Interpolation::linear, {0, 1}, {2, 3, 4, 5, 6, 7});
  const Loaded loaded = must(load(scene));
  const ClipGroup& group = first_clip(loaded).groups[0];
  ASSERT_EQ(group.row_floats(), std::size_t(4 * 32 + 3 * 16));
  ASSERT_EQ(group.keys.size(), 2 * group.row_floats());
  for (int key = 0; key < 2; ++key) {
    const auto row = group.keys.subspan(std::size_t(key) * group.row_floats());
    for (std::size_t j = 0; j < 18; ++j) {
      const Quat q = test::about_z(float(j) + float(key));
      const std::size_t i = j / 16 * 64 + j % 16;
      EXPECT_EQ(quat_xyzw(row[i], row[i + 16], row[i + 32], row[i + 48]), q);
    }
    EXPECT_EQ(quat_xyzw(row[64 + 2], row[64 + 18], row[64 + 34], row[64 + 50]), Quat());
    EXPECT_EQ(row[128], key == 0 ? 2.0f : 5.0f);
    EXPECT_EQ(row[128 + 32], key == 0 ? 4.0f : 7.0f);
    EXPECT_EQ(row[128 + 15], 1.0f);
  }
}

TEST(WriteClips, BucketsNameTheLastKeyAtTheirStart) {
  Scene scene = still();
  const std::vector<float> times = {-1, -0.5f, -0.5f, 0, 0.125f, 3, 7};
  Scene::Clip& clip = add_clip(scene, "clip");
  add_turn(clip, 0, times, {0, 1, 2, 3, 4, 5, 6});
  const Loaded loaded = must(load(scene));
  const ClipGroup& group = first_clip(loaded).groups[0];
  ASSERT_EQ(group.buckets.size(), times.size());
  for (std::size_t b = 0; b < group.buckets.size(); ++b) {
    const double start = detail::bucket_start(times, b, group.buckets.size());
    EXPECT_LE(times[group.buckets[b]], start);
    if (group.buckets[b] + 1 < times.size()) {
      EXPECT_GT(times[group.buckets[b] + 1], start);
    }
  }
}

TEST(WriteClips, FirstKeyDurationAndWrapPeriod) {
  Scene scene = still();
  Scene::Clip& clip = add_clip(scene, "clip");
  clip.wrap_period = 3;
  add_turn(clip, 0, {1.5f, 2}, {0, 1});
  add_turn(clip, 1, {1.75f, 2.5f}, {0, 1});
  clip.times.push_back({0, 100});  // of no track
  add_clip(scene, "empty");
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(first_clip(loaded).first_key, 1.5f);
  EXPECT_EQ(first_clip(loaded).duration, 2.5f);
  EXPECT_EQ(first_clip(loaded).wrap_period, 3);
  EXPECT_EQ(loaded.character.clips()[1].duration, 0);
  EXPECT_TRUE(loaded.character.clips()[1].groups.empty());
  EXPECT_EQ(loaded.character.clips()[1].source_clip, 1);
}

TEST(WriteClips, RotationKeysGetUnitLengthAndKeepTheirSign) {
  Scene scene = still();
  const Quat q = test::about_z(20);
  add_track(add_clip(scene, "clip"), 0, Path::rotation, Interpolation::linear, {0, 1, 2},
            {0, 0, 0, 1, -q.x, -q.y, -q.z, -q.w, 1.28f * q.x, 1.28f * q.y, 1.28f * q.z, 1.28f * q.w});
  const Loaded loaded = must(load(scene));
  const auto keys = first_clip(loaded).groups[0].keys;
  EXPECT_EQ(keys[64 + 48], -q.w) << "as stored, to the bit";
  EXPECT_NEAR(keys[128 + 48], q.w, 1e-7f);
  const Finding* finding = test::find(loaded.report, "rotation.normalised");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(finding->what.find("1.28"), std::string::npos);
  EXPECT_EQ(finding->where, "clips[0].tracks[0]");
}

TEST(WriteClips, SplineTangentsAreDividedByTheValuesLength) {
  Scene scene = still();
  add_track(add_clip(scene, "clip"), 0, Path::rotation, Interpolation::cubicspline, {0, 1},
            {0.5f, 0, 0, 0, 0, 0, 0, 2, 0, 0.25f, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0});
  const Loaded loaded = must(load(scene));
  const ClipGroup& group = first_clip(loaded).groups[0];
  EXPECT_EQ(group.interpolation, Interpolation::cubicspline);
  ASSERT_EQ(group.keys.size(), 6u * 64);
  EXPECT_EQ(group.keys[0], 0.25f);          // in-tangent of key 0, halved
  EXPECT_EQ(group.keys[64 + 48], 1.0f);     // its value
  EXPECT_EQ(group.keys[128 + 16], 0.125f);  // its out-tangent, halved
  EXPECT_EQ(group.keys[3 * 64], 1.0f);      // key 1 has unit length
  EXPECT_EQ(group.keys[5 * 64], 3.0f);
  EXPECT_EQ(group.keys[3 * 64 + 49], 0.0f) << "padding of tangents moves nothing";
  EXPECT_EQ(group.keys[4 * 64 + 49], 1.0f);
}

TEST(WriteClips, ASplineOfOneKeyIsAConstant) {
  Scene scene = still();
  Scene::Clip& clip = add_clip(scene, "clip");
  add_track(clip, 0, Path::translation, Interpolation::cubicspline, {0.5f}, {9, 9, 9, 1, 2, 3, 9, 9, 9});
  const Quat q = test::about_z(40);
  add_track(clip, 0, Path::rotation, Interpolation::cubicspline, {0.5f}, {9, 9, 9, 9, q.x, q.y, q.z, q.w, 9, 9, 9, 9});
  const Loaded loaded = must(load(scene));
  ASSERT_EQ(first_clip(loaded).groups.size(), 1u);
  EXPECT_EQ(first_clip(loaded).groups[0].interpolation, Interpolation::step);
  for (const float time : {0.0f, 0.5f, 1.0f}) {
    const Transform t = test::sample(loaded.character, 0, time).transform(0);
    EXPECT_EQ(t.translation, Vec3(1, 2, 3));
    EXPECT_EQ(t.rotation, q);
  }
}

TEST(WriteClips, OfTwoTracksOnOnePathTheLastCounts) {
  Scene scene = still();
  Scene::Clip& clip = add_clip(scene, "clip");
  add_turn(clip, 0, {0, 1}, {0, 10});
  add_turn(clip, 1, {0, 1}, {0, 20});
  add_turn(clip, 0, {0, 1}, {0, 30});
  const Loaded loaded = must(load(scene));
  EXPECT_NEAR(angle(test::sample(loaded.character, 0, 1).transform(0).rotation), test::radians(30), 1e-6f);
  const Finding* finding = test::find(loaded.report, "track.duplicate");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->where, "clips[0].tracks[2]");
}

TEST(WriteClips, TracksThatDriveNothingAreDropped) {
  Scene scene = still();
  Scene::Clip& clip = add_clip(scene, "clip");
  add_track(clip, 0, Path::rotation, Interpolation::linear, {}, {});
  add_turn(clip, kNone, {0, 1}, {0, 10});
  add_track(clip, 1, Path::weights, Interpolation::linear, {0, 1}, {0, 1});
  const Loaded loaded = must(load(scene));
  EXPECT_TRUE(first_clip(loaded).groups.empty());
  EXPECT_EQ(first_clip(loaded).duration, 0);
  EXPECT_NE(test::find(loaded.report, "track.no_targets"), nullptr);
}

TEST(WriteClips, MorphWeightsDriveTheChannelsOfTheirNode) {
  Scene scene = test::morph_triangle(3);
  const int second = test::add_node(scene, "second");
  scene.nodes[second].mesh = 0;
  scene.clips.clear();
  Scene::Clip& clip = add_clip(scene, "clip");
  std::vector<float> spline;  // two keys of in-tangents, values, out-tangents of three targets
  for (int i = 0; i < 18; ++i) spline.push_back(float(i));
  add_track(clip, second, Path::weights, Interpolation::cubicspline, {0, 1}, spline);
  const Loaded loaded = must(load(scene));
  const ClipGroup& group = first_clip(loaded).groups[0];
  EXPECT_EQ(list(group.channels), (std::vector<std::uint32_t>{3, 4, 5}));
  ASSERT_EQ(group.row_floats(), 16u);
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t target = 0; target < 3; ++target)
      EXPECT_EQ(group.keys[row * 16 + target], float(row * 3 + target));
}

TEST(WriteClips, EqualClipsHaveIdsOfTheirOwn) {
  Scene scene = still();
  for (int i = 0; i < 3; ++i) add_turn(add_clip(scene, "twin"), 0, {0, 1}, {0, 90});
  const Loaded loaded = must(load(scene));
  const auto clips = loaded.character.clips();
  EXPECT_NE(clips[0].id, clips[1].id);
  EXPECT_NE(clips[1].id, clips[2].id);
  EXPECT_NE(clips[0].id, clips[2].id);
  EXPECT_EQ(clips[0].id, must(load(scene)).character.clips()[0].id);
}

}  // namespace
}  // namespace sinew
