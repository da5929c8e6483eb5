#include "sinew/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/compress.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

/// A scene's clips compressed, written and opened.
Loaded compressed(const Scene& scene) {
  const Compression compression = must(compress(scene));
  WriteOptions options;
  options.compressed = compression.clips;
  return must(load(scene, options));
}

/// `tube` with a clip of so many frames, 30 a second: a swing, a path, and a scale that stays.
Scene swinging(std::size_t frames) {
  Scene scene = tube();
  scene.clips.clear();
  Scene::Clip& clip = add_clip(scene, "swing");
  std::vector<float> times, degrees, path;
  for (std::size_t f = 0; f < frames; ++f) {
    times.push_back(static_cast<float>(f) / 30);
    degrees.push_back(40 * std::sin(static_cast<float>(f) * 0.7f));
    path.insert(path.end(), {0.1f * static_cast<float>(f % 7), 0.05f * static_cast<float>(f % 3), 0});
  }
  add_turn(clip, 0, times, degrees);
  add_track(clip, 0, Path::translation, Interpolation::linear, times, path);
  add_track(clip, 1, Path::scale, Interpolation::linear, {0}, {1, 1.5f, 1});
  return scene;
}

std::uint64_t sum_of_bits(const PackedSummary& summary) {
  std::uint64_t sum = summary.shared_bits;
  for (const PackedTrack& track : summary.tracks) sum += track.bits();
  return sum;
}

TEST(Packed, AClipOfKeyframesHasNothingPacked) {
  const Loaded loaded = must(load(swinging(10)));
  const PackedSummary summary = packed_summary(loaded.character.clips()[0]);
  EXPECT_EQ(summary.frame_count, 0u);
  EXPECT_TRUE(summary.tracks.empty());
  EXPECT_EQ(summary.shared_bits, 0u);
  EXPECT_EQ(packed_frames(loaded.character.clips()[0], 0.1f).after, 0u);
}

TEST(Packed, EachTrackIsThereAndEachBitIsSomeones) {
  for (const std::size_t frames : {2, 3, 5, 30, 131}) {
    const Loaded loaded = compressed(swinging(frames));
    const Clip& clip = loaded.character.clips()[0];
    const PackedSummary summary = packed_summary(clip);
    EXPECT_EQ(summary.frame_count, frames);
    // Two keys lie on many rates, for the last frame may come early.
    if (frames > 2) {
      EXPECT_NEAR(summary.seconds_per_frame, 1.0 / 30, 1e-6);
    }
    EXPECT_EQ(sum_of_bits(summary), 8 * clip.packed_bytes.size());
    // What the header and the sets take, and less than a byte for each row and list that ends within one.
    EXPECT_LT(summary.shared_bits, 8 * (28 + 4 + 3 * (frames + 2)));
    EXPECT_GT(summary.table_bytes, summary.pose_bytes);
    ASSERT_EQ(summary.tracks.size(), 3u) << frames;
    const auto of = [&](Path path) {
      return *std::ranges::find_if(summary.tracks, [&](const PackedTrack& t) { return t.path == path; });
    };
    EXPECT_TRUE(of(Path::rotation).moves);
    EXPECT_TRUE(of(Path::translation).moves);
    EXPECT_FALSE(of(Path::scale).moves);
    EXPECT_GT(of(Path::rotation).knot_bits, 0u);
    EXPECT_EQ(of(Path::scale).bits(), 96u);
    EXPECT_EQ(of(Path::scale).parameter_bits, 96u);
  }
}

TEST(Packed, TracksThatStepStayKeys) {
  Scene scene = swinging(30);
  scene.clips[0].tracks[0].interpolation = Interpolation::step;
  const Loaded loaded = compressed(scene);
  const PackedSummary summary = packed_summary(loaded.character.clips()[0]);
  EXPECT_TRUE(
      std::ranges::none_of(summary.tracks, [](const PackedTrack& track) { return track.path == Path::rotation; }));
}

TEST(Packed, FramesAreWhereSamplingTakesThem) {
  const Loaded loaded = compressed(swinging(31));
  const Clip& clip = loaded.character.clips()[0];
  const auto at = [&](float time) { return packed_frames(clip, time); };
  EXPECT_EQ(at(-1).before, 0u);
  EXPECT_EQ(at(-1).factor, 0);
  EXPECT_EQ(at(5).after, 30u);
  EXPECT_EQ(at(5).factor, 1);
  const PackedFrames mid = at(10.25f / 30);
  EXPECT_EQ(mid.before, 10u);
  EXPECT_EQ(mid.after, 11u);
  EXPECT_NEAR(mid.factor, 0.25, 1e-4);
  EXPECT_EQ(mid.time_before, 10 / 30.0f);
  // The pose between is the mix of the poses at those two times.
  Pose pose(loaded.character.skeleton()), before = pose, after = pose;
  run(SampleJob{clip, loaded.character.skeleton(), 10.25f / 30, pose});
  run(SampleJob{clip, loaded.character.skeleton(), mid.time_before, before});
  run(SampleJob{clip, loaded.character.skeleton(), mid.time_after, after});
  for (std::size_t j = 0; j < loaded.character.skeleton().joint_count(); ++j) {
    const Vec3 a = before.transform(j).translation, b = after.transform(j).translation;
    EXPECT_LT(glm::length(a + mid.factor * (b - a) - pose.transform(j).translation), 1e-5f) << j;
  }
}

}  // namespace
}  // namespace sinew::test
