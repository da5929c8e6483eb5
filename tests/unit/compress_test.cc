#include "sinew/compress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "biped/biped.h"
#include "support/compressed.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::must;

std::vector<float> even_times(int count, float rate = 30) {
  std::vector<float> out;
  for (int i = 0; i < count; ++i) out.push_back(float(i) / rate);
  return out;
}

/// Keys of a turn about Z, from 0 degrees on.
std::vector<float> turn_values(const std::vector<float>& times, float degrees_a_second) {
  std::vector<Quat> keys;
  for (const float t : times) keys.push_back(test::about_z(degrees_a_second * t));
  return test::values_of(keys);
}

/// A chain of joints with meshes and one empty clip.
Scene still(int joints = 3) {
  Scene scene = test::chain(joints);
  scene.clips.clear();
  test::add_clip(scene, "clip");
  return scene;
}

/// Off any even rate.
std::vector<float> uneven_times(int count) {
  std::vector<float> out;
  for (int i = 0; i < count; ++i) out.push_back(0.1f * float(i) + 0.031f * std::sin(float(i * i)));
  out.front() = 0;
  return out;
}

CompressedClip only(const Compression& c) { return c.clips.at(0); }
bool keeps(const CompressedClip& clip, Path path, std::uint32_t target) {
  const auto& kept = clip.kept[std::size_t(path)];
  return std::ranges::find(kept, target) != kept.end();
}

TEST(Compress, KeepsItsPromiseOnTheBuiltInCharacter) {
  const Scene scene = make_biped();
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  const double tolerance = with_defaults({}, made.loaded.character).tolerance;
  EXPECT_NEAR(tolerance, 1.8 * 0.01 / 180, 0.1 * tolerance);
  ASSERT_EQ(made.compression.errors.size(), scene.clips.size());
  for (const ClipError& error : made.compression.errors) {
    EXPECT_LE(error.largest, tolerance);
    EXPECT_LE(error.percentile_99, error.largest);
    EXPECT_EQ(error.times.size(), error.errors.size());
    EXPECT_TRUE(error.joint != kNone || error.part != kNone);
  }
}

TEST(Compress, APromiseOfMoreTakesMore) {
  const Scene scene = make_biped();
  std::size_t last = 0;
  for (const double tolerance : {0.01, 0.001, 0.0001, 0.00001}) {
    const Compression made = must(compress(scene, {.tolerance = tolerance}));
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < made.clips.size(); ++i) {
      bytes += made.clips[i].packed.size();
      EXPECT_LE(made.errors[i].largest, tolerance);
    }
    EXPECT_GT(bytes, last);
    last = bytes;
  }
}

TEST(Compress, WhatNeverMovesTakesNoTrack) {
  Scene scene = still();
  const auto times = even_times(31);
  std::vector<float> values;
  for (std::size_t i = 0; i < times.size(); ++i) values.insert(values.end(), {0, 1, 0});  // the rest value
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::linear, times, values);
  const std::size_t at_rest = only(must(compress(scene))).packed.size();
  EXPECT_EQ(at_rest, 28u);  // the header
  for (float& v : values) v += 0.25f;
  scene.clips[0].tracks[0].values = values;
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  EXPECT_EQ(only(made.compression).packed.size(), at_rest + 1 + 3 * sizeof(float));
  const Pose pose = test::sample(made.loaded.character, 0, 0.4f);
  EXPECT_EQ(pose.transform(1).translation, (Vec3{0.25f, 1.25f, 0.25f}));
  EXPECT_EQ(made.loaded.character.clips()[0].duration, 1.0f);
}

TEST(Compress, ALineOfThirtyOneKeysKeepsTwo) {
  Scene scene = still();
  const auto times = uneven_times(31);
  std::vector<float> places;
  for (const float t : times) places.insert(places.end(), {t, 1 - t, 2 * t});
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::linear, times, places);
  const Compression made = must(compress(scene));
  ASSERT_EQ(only(made).keyframes.tracks.size(), 1u);
  EXPECT_EQ(only(made).keyframes.times.at(0), (std::vector<float>{times.front(), times.back()}));
  EXPECT_LE(made.errors[0].largest, with_defaults({}, must(test::load(scene)).character).tolerance);
}

TEST(Compress, ALineOnEvenTimesHasKnotsAtItsEndsAlone) {
  Scene scene = still();
  const auto times = even_times(31);
  std::vector<float> places;
  for (const float t : times) places.insert(places.end(), {t, 1 - t, 2 * t});
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::linear, times, places);
  const CompressedClip clip = only(must(compress(scene)));
  EXPECT_TRUE(clip.keyframes.tracks.empty());
  EXPECT_GE(clip.packed[25], 5) << "one segment of 32 frames or more";  // segment_shift
}

TEST(Compress, ASpinKeepsKeysLessThanHalfATurnApart) {
  for (const bool even : {false, true}) {
    Scene scene = still();
    const auto times = even ? even_times(31) : uneven_times(31);
    test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, times,
                    turn_values(times, 360 / times.back()));
    const test::CompressedCharacter made = must(test::load_compressed(scene));
    for (int i = 0; i <= 100; ++i) {
      const float t = times.back() * float(i) / 100;
      const Quat expected = test::about_z(360 * t / times.back());
      const Quat got = test::sample(made.loaded.character, 0, t).transform(1).rotation;
      EXPECT_LT(angle(conjugate(expected) * got), 0.01f) << even << " at " << t;
    }
    const Scene::Clip kept = only(made.compression).keyframes;
    EXPECT_EQ(kept.tracks.size(), even ? 0u : 1u);
    if (even) continue;
    EXPECT_GE(kept.times.at(0).size(), 4u);  // a third of a turn at most
    EXPECT_LE(kept.times.at(0).size(), 8u);
  }
}

TEST(Compress, StepsStaySteps) {
  Scene scene = still();
  const auto times = even_times(20, 24);
  std::vector<float> values;
  for (std::size_t i = 0; i < times.size(); ++i) values.insert(values.end(), {i < 7 ? 0.0f : 1.0f, 1, 0});
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::step, times, values);
  test::add_track(scene.clips[0], 2, Path::rotation, Interpolation::linear, times, turn_values(times, 90));
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  const CompressedClip clip = only(made.compression);
  EXPECT_TRUE(keeps(clip, Path::translation, 1));
  EXPECT_FALSE(keeps(clip, Path::rotation, 2));
  EXPECT_EQ(clip.keyframes.times.at(0), (std::vector<float>{times[0], times[7], times[19]}));
  const float before = std::nextafter(times[7], 0.0f);
  EXPECT_EQ(test::sample(made.loaded.character, 0, before).transform(1).translation.x, 0.0f);
  EXPECT_EQ(test::sample(made.loaded.character, 0, times[7]).transform(1).translation.x, 1.0f);
}

TEST(Compress, ALoopClosesToTheBit) {
  Scene scene = still();
  const auto times = even_times(28);  // not a whole number of segments
  std::vector<float> places;
  std::vector<Quat> turns;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float a = 2 * test::kPi * float(i) / 27;
    places.insert(places.end(), {std::sin(i == 27 ? 0 : a), 1, 0.3f * std::cos(i == 27 ? 0 : a)});
    turns.push_back(test::about_z(40 * std::sin(i == 27 ? 0 : a)));
  }
  test::add_track(scene.clips[0], 0, Path::translation, Interpolation::linear, times, places);
  test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, times, test::values_of(turns));
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  const Pose first = test::sample(made.loaded.character, 0, times.front());
  const Pose last = test::sample(made.loaded.character, 0, times.back());
  for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(first.transform(j), last.transform(j));
}

TEST(Compress, AClipMayEndBetweenFrames) {
  Scene scene = still();
  auto times = even_times(20, 24);
  times.push_back(times.back() + 0.3f / 24);
  test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, times, turn_values(times, 100));
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  EXPECT_TRUE(only(made.compression).keyframes.tracks.empty());
  EXPECT_EQ(made.loaded.character.clips()[0].duration, times.back());
  const Quat end = test::sample(made.loaded.character, 0, times.back()).transform(1).rotation;
  EXPECT_LT(angle(conjugate(test::about_z(100 * times.back())) * end), 1e-3f);
}

TEST(Compress, AnyRateIsFound) {
  for (const float rate : {12.0f, 23.976f, 24.0f, 30.0f, 59.94f, 120.0f, 7.3f}) {
    Scene scene = still();
    const auto times = even_times(50, rate);
    std::vector<Quat> turns;
    for (int i = 0; i < 50; ++i) turns.push_back(test::about_z(30 * std::sin(0.7f * float(i))));
    test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, times, test::values_of(turns));
    const CompressedClip clip = only(must(compress(scene)));
    EXPECT_TRUE(clip.keyframes.tracks.empty()) << rate;
    EXPECT_LT(clip.packed.size(), 50 * 4 * sizeof(float) / 3) << rate;
  }
}

TEST(Compress, KeysThatWereThinnedOutShareTheFramesTheyCameFrom) {
  Scene scene = still();
  const auto all = even_times(61);
  std::vector<float> some, turns;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % 7 == 0 || i % 5 == 0 || i == 60) some.push_back(all[i]);
  test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, some, turn_values(some, 70));
  std::vector<float> places;
  for (std::size_t i = 0; i < all.size(); ++i) places.insert(places.end(), {std::sin(0.2f * float(i)), 1, 0});
  test::add_track(scene.clips[0], 2, Path::translation, Interpolation::linear, all, places);
  EXPECT_TRUE(only(must(compress(scene))).keyframes.tracks.empty());
}

TEST(Compress, SplinesArePackedOnPartsOfTheirFrames) {
  Scene scene = still();
  const auto times = even_times(25, 24);
  std::vector<float> values;
  for (const float t : times) {  // a sine with its own slopes
    const float slope = 0.5f * std::cos(5 * t);
    values.insert(values.end(), {slope, 0, 0, 0.1f * std::sin(5 * t), 1, 0, slope, 0, 0});
  }
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::cubicspline, times, values);
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  EXPECT_TRUE(only(made.compression).keyframes.tracks.empty());
  const test::Loaded plain = must(test::load(scene));
  const double tolerance = with_defaults({}, plain.character).tolerance;
  for (int i = 0; i <= 50; ++i) {  // not only where it is promised
    const float t = float(i) / 50;
    const Vec3 a = test::sample(plain.character, 0, t).transform(1).translation;
    const Vec3 b = test::sample(made.loaded.character, 0, t).transform(1).translation;
    EXPECT_LE(double(glm::length(a - b)), 1.5 * tolerance) << t;
  }
}

TEST(Compress, SplinesThatBendTooMuchBetweenKeysStaySplines) {
  Scene scene = still();
  test::add_track(scene.clips[0], 1, Path::translation, Interpolation::cubicspline, {0, 0.5f, 1},
                  {0, 0, 0, 0, 1, 0, 9, 0, 0, 1, 0, 0, 0.5f, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0.5f, 0, 0, 0});
  const Compression made = must(compress(scene));
  EXPECT_TRUE(keeps(only(made), Path::translation, 1));
  EXPECT_EQ(made.errors[0].largest, 0.0);
}

TEST(Compress, ScaleAndMorphWeightsArePackedToo) {
  Scene scene = test::morph_triangle(3);
  scene.clips[0].tracks.clear();
  const auto times = even_times(40);
  std::vector<float> sizes, weights;
  for (int i = 0; i < 40; ++i) {
    const float s = 1 + 0.5f * std::sin(0.1f * float(i));
    sizes.insert(sizes.end(), {s, s * s, 1});
    weights.insert(weights.end(), {0.5f * s, 0, s - 1});
  }
  test::add_track(scene.clips[0], 0, Path::scale, Interpolation::linear, times, sizes);
  test::add_track(scene.clips[0], 0, Path::weights, Interpolation::linear, times, weights);
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  EXPECT_TRUE(only(made.compression).keyframes.tracks.empty());
  EXPECT_GT(made.compression.errors[0].largest, 0.0);
  const Pose pose = test::sample(made.loaded.character, 0, times[25]);
  EXPECT_NEAR(pose.channels()[0], weights[75], 1e-4);
  EXPECT_EQ(pose.channels()[1], 0.0f);
  EXPECT_NEAR(pose.transform(0).scale.y, sizes[76], 1e-3);
}

TEST(Compress, TheRootMayWander) {
  Scene scene = still();
  const auto times = even_times(200);
  std::vector<float> places;
  for (int i = 0; i < 200; ++i) places.insert(places.end(), {40 * std::sin(0.02f * float(i)), 0, 0.3f * float(i)});
  test::add_track(scene.clips[0], 0, Path::translation, Interpolation::linear, times, places);
  const Compression made = must(compress(scene));
  EXPECT_LE(made.errors[0].largest, with_defaults({}, must(test::load(scene)).character).tolerance);
}

TEST(Compress, OneKeyEmptyClipsAndNoClips) {
  Scene scene = still();
  test::add_track(scene.clips[0], 1, Path::rotation, Interpolation::linear, {0.5f},
                  test::values_of({test::about_z(30)}));
  test::add_clip(scene, "empty");
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  EXPECT_LT(angle(test::about_z(-30) * test::sample(made.loaded.character, 0, 9).transform(1).rotation), 1e-4f);
  EXPECT_EQ(made.compression.clips.at(1).packed.size(), 28u);
  scene.clips.clear();
  EXPECT_TRUE(must(compress(scene)).clips.empty());
}

TEST(Compress, BadDistancesAreRefused) {
  const Scene scene = test::strip();
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    for (const CompressOptions& options : {CompressOptions{.tolerance = bad}, CompressOptions{.shell = bad}}) {
      const auto made = compress(scene, options);
      ASSERT_FALSE(made) << bad;
      EXPECT_EQ(made.error().code, ErrorCode::bad_argument);
      EXPECT_NE(made.error().what.find("not a distance"), std::string::npos);
    }
  }
}

TEST(Compress, WhatFloatsCannotHoldIsNotPromised) {
  const auto made = compress(make_biped(), {.tolerance = 1e-9});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(made.error().where.substr(0, 6), "clips[");
}

TEST(Compress, WriteRefusesWhatWasPackedForAnotherScene) {
  const Compression made = must(compress(test::strip()));
  const auto other = write(test::tube(), {.compressed = made.clips});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().where, "compressed[0].skeleton_id");
  Scene more = test::strip();
  test::add_clip(more, "second");
  EXPECT_EQ(write(more, {.compressed = made.clips}).error().where, "compressed");
}

TEST(MeasureError, SaysHowFarAndWhere) {
  const test::Loaded plain = must(test::load(test::strip()));
  Scene turned = test::strip();
  turned.clips[0].tracks[0].values = test::values_of({test::about_z(0), test::about_z(91)});
  const test::Loaded other = must(test::load(turned));
  const auto& a = plain.character;
  const auto& b = other.character;
  const ClipError error = must(measure_error(a, a.clips()[0], b, b.clips()[0], 1));
  EXPECT_EQ(error.seconds, 1.0f);
  // One degree about a joint at (0,1,0): the farthest point is its vertex at (0.5,2,0).
  EXPECT_NEAR(error.largest, 2 * std::sin(test::radians(0.5f)) * std::sqrt(1.25), 1e-5);
  EXPECT_EQ(error.part, 0);
  EXPECT_EQ(must(measure_error(a, a.clips()[0], a, a.clips()[0], 1)).largest, 0);
  const test::Loaded tube = must(test::load(test::tube()));
  EXPECT_EQ(measure_error(a, a.clips()[0], tube.character, tube.character.clips()[0], 1).error().code,
            ErrorCode::inconsistent);
}

TEST(Height, IsTheLongestSideOfTheRestBox) {
  EXPECT_NEAR(height(must(test::load(test::strip())).character), 2, 1e-6);
  EXPECT_NEAR(height(must(test::load(make_biped())).character), 1.8, 0.1);
}

}  // namespace
}  // namespace sinew
