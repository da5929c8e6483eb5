// Tracks whose key times differ: `write` lets them share times where that costs hardly anything, and no value changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "oracle/oracle.h"
#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

constexpr int kJoints = 20;

Scene still_joints(int joints = kJoints) {
  Scene scene = test::chain(joints);
  scene.clips.clear();
  return scene;
}

/// Every `stride`-th time of a grid of 30 Hz at most, at random; always the first and the last of `frames`.
std::vector<float> some_of_grid(std::mt19937& random, int frames, int one_in) {
  std::vector<float> times;
  for (int f = 0; f < frames; ++f)
    if (f == 0 || f == frames - 1 || random() % unsigned(one_in) == 0) times.push_back(float(f) / 30);
  return times;
}

std::vector<float> random_values(std::mt19937& random, Path path, std::size_t keys) {
  std::normal_distribution<float> number;
  std::vector<float> values;
  for (std::size_t k = 0; k < keys; ++k) {
    const Quat q = normalize(quat_xyzw(number(random), number(random), number(random), number(random)));
    if (path == Path::rotation)
      values.insert(values.end(), {q.x, q.y, q.z, q.w});
    else
      values.insert(values.end(), {number(random), number(random), number(random)});
  }
  return values;
}

void add_random(std::mt19937& random, Scene::Clip& clip, int node, Path path, Interpolation mode,
                const std::vector<float>& times) {
  test::add_track(clip, node, path, mode, times, random_values(random, path, times.size()));
}

/// The largest difference of any track from the oracle's, at keys, between them and past the ends.
double worst_difference(const Scene& scene, const Character& character) {
  const Scene::Clip& clip = scene.clips[0];
  std::vector<float> moments = {-1, 100};
  for (const auto& list : clip.times) moments.insert(moments.end(), list.begin(), list.end());
  std::ranges::sort(moments);
  for (std::size_t i = moments.size(); i-- > 1;) moments.push_back(0.5f * (moments[i - 1] + moments[i]));
  double worst = 0;
  for (const float time : moments) {
    const Pose pose = test::sample(character, 0, time);
    for (const Scene::Track& track : clip.tracks) {
      const auto joint = std::size_t(std::ranges::find(character.skeleton().source_nodes, track.node) -
                                     character.skeleton().source_nodes.begin());
      const Transform t = pose.transform(joint);
      const std::vector<double> expected = test::oracle_value(clip, track, time);
      const Vec3 v = track.path == Path::scale ? t.scale : t.translation;
      const std::vector<float> found = track.path == Path::rotation
                                           ? std::vector<float>{t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}
                                           : std::vector<float>{v.x, v.y, v.z};
      double same = 0, turned = 0;  // a rotation and its negative are one
      for (std::size_t c = 0; c < found.size(); ++c) {
        same = std::max(same, std::abs(found[c] - expected[c]));
        turned = std::max(turned, std::abs(found[c] + expected[c]));
      }
      worst = std::max(worst, track.path == Path::rotation ? std::min(same, turned) : same);
    }
  }
  return worst;
}

TEST(UnitedGroups, ThinnedTracksOfOneGridShareItAndKeepTheirValues) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937 random(seed);
    Scene scene = still_joints();
    Scene::Clip& clip = test::add_clip(scene, "thinned");
    for (int j = 0; j < kJoints; ++j) {
      for (const Path path : {Path::rotation, Path::translation, Path::scale})
        add_random(random, clip, j, path, Interpolation::linear, some_of_grid(random, 31, 1 + j % 4));
    }
    const test::Loaded loaded = test::must(test::load(scene));
    const Clip& made = loaded.character.clips()[0];
    EXPECT_EQ(made.groups.size(), 1u) << "seed " << seed;
    EXPECT_EQ(made.groups[0].times.size(), 31u);
    EXPECT_LE(worst_difference(scene, loaded.character), 3e-6) << "seed " << seed;  // numbers up to 4
    WriteOptions options;
    options.unite_tracks = false;
    const test::Loaded apart = test::must(test::load(scene, options));
    EXPECT_GT(apart.character.clips()[0].groups.size(), 20u);
    EXPECT_LT(loaded.bytes.size(), apart.bytes.size());
  }
}

TEST(UnitedGroups, StepsKeepTheirValuesToTheBit) {
  std::mt19937 random(7);
  Scene scene = still_joints();
  Scene::Clip& clip = test::add_clip(scene, "steps");
  for (int j = 0; j < kJoints; ++j)
    add_random(random, clip, j, Path::translation, Interpolation::step, some_of_grid(random, 31, 2));
  const test::Loaded loaded = test::must(test::load(scene));
  EXPECT_EQ(loaded.character.clips()[0].groups.size(), 1u);
  EXPECT_EQ(worst_difference(scene, loaded.character), 0);
}

TEST(UnitedGroups, AConstantJoinsWhateverItsModeAndTheClipKeepsItsEnds) {
  std::mt19937 random(8);
  Scene scene = still_joints();
  Scene::Clip& clip = test::add_clip(scene, "constants");
  for (int j = 0; j < 10; ++j)
    add_random(random, clip, j, Path::translation, Interpolation::linear, some_of_grid(random, 31, 2));
  test::add_track(clip, 10, Path::translation, Interpolation::step, {-0.5f, 0.5f, 2}, {1, 2, 3, 1, 2, 3, 1, 2, 3});
  test::add_track(clip, 11, Path::translation, Interpolation::linear, {0.26f}, {4, 5, 6});
  test::add_track(clip, 12, Path::translation, Interpolation::cubicspline, {0.26f}, {9, 9, 9, 7, 8, 9, 9, 9, 9});
  const test::Loaded loaded = test::must(test::load(scene));
  const Clip& made = loaded.character.clips()[0];
  ASSERT_EQ(made.groups.size(), 1u);
  EXPECT_EQ(made.groups[0].times.size(), 31u + 2) << "the ends of the longest, and none between";
  EXPECT_EQ(made.first_key, -0.5f);
  EXPECT_EQ(made.duration, 2);
  EXPECT_LE(worst_difference(scene, loaded.character), 2e-6);
}

TEST(UnitedGroups, SplinesJumpsAndWhatWouldGrowStayApart) {
  std::mt19937 random(9);
  Scene scene = still_joints(40);
  Scene::Clip& clip = test::add_clip(scene, "apart");
  std::vector<float> even, odd;
  for (int k = 0; k < 50; ++k) even.push_back(float(k) / 30), odd.push_back(float(k) / 30 + 0.01f);
  for (int j = 0; j < 16; ++j) {
    add_random(random, clip, j, Path::rotation, Interpolation::linear, even);
    add_random(random, clip, 16 + j, Path::rotation, Interpolation::linear,
               odd);  // 100 keys of 32 would be twice as much
  }
  add_random(random, clip, 32, Path::translation, Interpolation::linear, {0, 1, 1, 2});
  add_random(random, clip, 33, Path::translation, Interpolation::linear, {0, 0.5f, 0.5f, 2});
  for (const float end : {1.0f, 2.0f})
    test::add_track(clip, 33 + int(end), Path::translation, Interpolation::cubicspline, {0, end},
                    std::vector<float>(18, end));
  add_random(random, clip, 36, Path::translation, Interpolation::step, {0, 1});
  const test::Loaded loaded = test::must(test::load(scene));
  EXPECT_EQ(loaded.character.clips()[0].groups.size(), 7u);
  EXPECT_LE(worst_difference(scene, loaded.character), 2e-6);
}

TEST(UnitedGroups, TheSameBytesInWhateverOrderListsAreStored) {
  std::mt19937 random(10);
  Scene scene = still_joints();
  Scene::Clip& clip = test::add_clip(scene, "thinned");
  for (int j = 0; j < kJoints; ++j)
    add_random(random, clip, j, Path::rotation, Interpolation::linear, some_of_grid(random, 31, 3));
  const test::Loaded first = test::must(test::load(scene));
  std::ranges::reverse(clip.times);
  for (Scene::Track& track : clip.tracks) track.times = int(clip.times.size()) - 1 - track.times;
  const test::Loaded second = test::must(test::load(scene));
  EXPECT_TRUE(std::ranges::equal(first.bytes, second.bytes));
}

}  // namespace
}  // namespace sinew
