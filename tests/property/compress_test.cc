// Compression of whole clips: how small a walk gets, and that the promise holds for motion of any kind.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "biped/biped.h"
#include "support/compressed.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::must;

constexpr int kFrames = 150;  // five seconds at 30 Hz

/// The built-in character walks, every joint sampled at every frame: what a clip is before anything is left out. Clips differ
/// in where in the cycle they begin, and by how much they sway.
Scene sampled_walks(int clips) {
  Scene scene = make_biped();
  const test::Loaded source = must(test::load(scene));
  const Skeleton& skeleton = source.character.skeleton();
  const Clip& walk = *source.character.find_clip("walk");
  scene.clips.clear();
  for (int c = 0; c < clips; ++c) {
    Scene::Clip& clip = test::add_clip(scene, "walk " + std::to_string(c));
    clip.times.emplace_back();
    for (std::size_t j = 0; j < skeleton.joint_count(); ++j)
      for (const Path path : {Path::rotation, Path::translation})
        clip.tracks.push_back({skeleton.source_nodes[j], path, Interpolation::linear, 0, {}});
    for (int f = 0; f < kFrames; ++f) {
      const float t = float(f) / 30;
      Pose pose(skeleton);
      run(SampleJob{walk, skeleton, std::fmod(t + 0.013f * float(c), walk.duration), pose});
      clip.times[0].push_back(t);
      for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
        Transform local = pose.transform(j);
        if (j % 5 == 1) local.rotation = local.rotation * test::about_z(0.2f * float(c) * std::sin(3 * t + float(j)));
        const Quat q = local.rotation;
        const Vec3 p = local.translation;
        clip.tracks[2 * j].values.insert(clip.tracks[2 * j].values.end(), {q.x, q.y, q.z, q.w});
        clip.tracks[2 * j + 1].values.insert(clip.tracks[2 * j + 1].values.end(), {p.x, p.y, p.z});
      }
    }
  }
  return scene;
}

TEST(CompressedWalk, TakesATenthOfItsSamplesAtMost) {
  const Scene scene = sampled_walks(4);
  const test::CompressedCharacter made = must(test::load_compressed(scene));
  const std::size_t joints = made.loaded.character.skeleton().joint_count();
  EXPECT_GE(joints, 50u);
  for (const CompressedClip& clip : made.compression.clips) {
    EXPECT_TRUE(clip.keyframes.tracks.empty());
    std::printf("%zu joints, %d frames: %zu bytes of %zu\n", joints, kFrames, clip.packed.size(),
                joints * kFrames * 28);
    EXPECT_LE(clip.packed.size(), joints * kFrames * 28 / 10);
  }
  // And in the file, with names, ids and alignment: eighty of 25,200 bytes may take 2.1 MB.
  Scene without = scene;
  without.clips.clear();
  const std::size_t still = must(write(without)).size();
  EXPECT_LE(made.loaded.bytes.size() - still, scene.clips.size() * 26'250 * joints / 60);
}

/// Random walks of all roughness, with rests, turns past any angle, and constant stretches.
Scene wild_scene(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  const int joints = 2 + int(random() % 12), frames = 1 + int(random() % 90);
  const float rate = std::vector<float>{12, 24, 29.97f, 30, 60, 120}[random() % 6];
  Scene scene = test::chain(joints);
  Scene::Clip& clip = scene.clips[0];
  clip.tracks.clear();
  std::vector<float> times;
  const float start = random() % 3 == 0 ? 0 : 10 * number(random);
  for (int f = 0; f < frames; ++f) times.push_back(start + float(f) / rate);
  for (int j = 0; j < joints; ++j) {
    const float rough = std::pow(10.0f, -3 * std::fabs(number(random))), reach = 30 * std::fabs(number(random));
    std::vector<float> turns, places;
    Quat q = normalize(quat_xyzw(number(random), number(random), number(random), number(random)));
    Vec3 place{reach * number(random), 1, 0};
    for (int f = 0; f < frames; ++f) {
      if (f % 16 < 12) {
        q = normalize(quat_axis_angle({number(random), number(random), 1}, 0.3f * rough * number(random)) * q);
        place += 0.1f * rough * reach * Vec3(number(random), number(random), number(random));
      }
      const float sign = random() % 2 == 0 ? 1.0f : -1.0f;  // either stands for the same rotation
      turns.insert(turns.end(), {sign * q.x, sign * q.y, sign * q.z, sign * q.w});
      places.insert(places.end(), {place.x, place.y, place.z});
    }
    test::add_track(clip, j, Path::rotation, Interpolation::linear, times, turns);
    if (j % 3 == 0) test::add_track(clip, j, Path::translation, Interpolation::linear, times, places);
  }
  return scene;
}

TEST(CompressedMotion, OfAnyKindKeepsThePromise) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Scene scene = wild_scene(seed);
    const test::Loaded source = must(test::load(scene));
    CompressOptions options;
    options.tolerance = height(source.character) * (seed % 3 == 0 ? 1e-3 : 1e-4);
    const test::CompressedCharacter made = must(test::load_compressed(scene, options));
    const Character &a = source.character, &b = made.loaded.character;
    const ClipError error = must(measure_error(a, a.clips()[0], b, b.clips()[0], with_defaults(options, a).shell));
    EXPECT_LE(error.largest, options.tolerance);
    EXPECT_EQ(error.largest, made.compression.errors[0].largest);
  }
}

}  // namespace
}  // namespace sinew
