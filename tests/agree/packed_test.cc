// Packed clips: every instruction set against a reader in double precision that was written from the format's description.
#include "oracle/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "biped/biped.h"
#include "sinew/simd.h"
#include "support/compressed.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::must;

/// Of unit quaternions' components, and of the larger of 1 and a number's size.
constexpr double kPackedLimit = 2e-6;

/// Many tracks of all kinds, so that blocks are full, partly full and crossed: a random walk a joint, smooth or not.
Scene many_tracks(int joints, int frames, unsigned seed) {
  Scene scene = test::chain(joints);
  Scene::Clip& clip = scene.clips[0];
  clip.tracks.clear();
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> times;
  for (int f = 0; f < frames; ++f) times.push_back(0.5f + float(f) / 30);
  for (int j = 0; j < joints; ++j) {
    const float rough = j % 3 == 0 ? 0.8f : j % 3 == 1 ? 0.05f : 0.0f;
    std::vector<float> turns, places, sizes;
    Quat q;
    Vec3 place{0, 1, 0};
    float size = 1;
    for (int f = 0; f < frames; ++f) {
      q = normalize(quat_axis_angle({number(random), number(random), number(random)}, rough * number(random)) * q);
      place += rough * Vec3(number(random), number(random), number(random));
      size *= 1 + 0.1f * rough * number(random);
      turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
      places.insert(places.end(), {place.x, place.y, place.z});
      sizes.insert(sizes.end(), {size, size, size});
    }
    test::add_track(clip, j, Path::rotation, Interpolation::linear, times, turns);
    if (j % 2 == 0) test::add_track(clip, j, Path::translation, Interpolation::linear, times, places);
    if (j % 5 == 0) test::add_track(clip, j, Path::scale, Interpolation::linear, times, sizes);
  }
  return scene;
}

Scene with_weights() {
  Scene scene = test::morph_triangle(19);
  Scene::Clip& clip = scene.clips[0];
  clip.tracks.clear();
  std::vector<float> times, values;
  for (int f = 0; f < 24; ++f) {
    times.push_back(float(f) / 24);
    for (int t = 0; t < 19; ++t) values.push_back(t % 4 == 0 ? 0.5f : 0.5f + 0.5f * std::sin(0.02f * float(f * t)));
  }
  test::add_track(clip, 0, Path::weights, Interpolation::linear, times, values);
  return scene;
}

double difference(const Transform& a, const test::UnpackedPose::Value& b) {
  double worst = 0;
  if (b.section == 0) {
    const double got[] = {double(a.rotation.x), double(a.rotation.y), double(a.rotation.z), double(a.rotation.w)};
    double along = 0;
    for (std::size_t c = 0; c < 4; ++c) along += got[c] * b.numbers[c];
    for (std::size_t c = 0; c < 4; ++c)
      worst = std::max(worst, std::fabs((along < 0 ? -got[c] : got[c]) - b.numbers[c]));
    return worst;
  }
  const Vec3 v = b.section == 1 ? a.translation : a.scale;
  for (int c = 0; c < 3; ++c) {
    const double wanted = b.numbers[std::size_t(c)];
    worst = std::max(worst, std::fabs(double(v[c]) - wanted) / std::max(1.0, std::fabs(wanted)));
  }
  return worst;
}

/// Largest difference of all tracks, of the whole pose and of single joints, at frames, between, and past the ends.
double worst_of(const Character& character, std::size_t& tracks) {
  const Skeleton& skeleton = character.skeleton();
  std::mt19937 random(20261130);
  double worst = 0;
  for (const Clip& clip : character.clips()) {
    std::uniform_real_distribution<float> time(clip.first_key - 0.1f, clip.duration + 0.1f);
    for (int i = 0; i < 60; ++i) {
      const float t = i == 0 ? clip.first_key : i == 1 ? clip.duration : time(random);
      Pose pose(skeleton);
      run(SampleJob{clip, skeleton, t, pose});
      const test::UnpackedPose expected =
          test::unpack_pose(clip.packed_bytes, skeleton.joint_count(), skeleton.channel_count(), t);
      tracks = std::max(tracks, expected.values.size());
      for (const auto& value : expected.values) {
        if (value.section == 3) {
          worst = std::max(worst, std::fabs(double(pose.channels()[value.target]) - value.numbers[0]));
          continue;
        }
        Transform alone;
        run(SampleJointJob{clip, skeleton, std::uint32_t(value.target), t, alone});
        worst = std::max({worst, difference(pose.transform(value.target), value), difference(alone, value)});
      }
    }
  }
  return worst;
}

class PackedAgreement : public testing::TestWithParam<std::string_view> {
 protected:
  PackedAgreement() { set_simd_target(GetParam()); }
  ~PackedAgreement() override { set_simd_target(""); }
  static void expect(const Scene& scene, std::size_t least) {
    const test::CompressedCharacter made = must(test::load_compressed(scene));
    std::size_t tracks = 0;
    EXPECT_LE(worst_of(made.loaded.character, tracks), kPackedLimit);
    EXPECT_GE(tracks, least);
  }
};

TEST_P(PackedAgreement, Biped) { expect(make_biped(), 10); }
TEST_P(PackedAgreement, AJoint) { expect(many_tracks(1, 40, 1), 2); }
TEST_P(PackedAgreement, ManyTracks) { expect(many_tracks(50, 45, 2), 50); }
TEST_P(PackedAgreement, TwoFrames) { expect(many_tracks(17, 2, 3), 17); }
TEST_P(PackedAgreement, MorphWeights) { expect(with_weights(), 15); }

INSTANTIATE_TEST_SUITE_P(Targets, PackedAgreement, testing::ValuesIn(simd_targets().begin(), simd_targets().end()),
                         [](const auto& test) { return std::string(test.param); });

/// The search decides in double precision, so what it writes is the same on every instruction set.
TEST(PackedBytes, AreTheSameOnEveryTarget) {
  for (const Scene& scene : {make_biped(), many_tracks(20, 30, 4), with_weights()}) {
    set_simd_target("");
    const Compression expected = must(compress(scene));
    for (const std::string_view target : simd_targets()) {
      set_simd_target(target);
      const Compression got = must(compress(scene));
      ASSERT_EQ(got.clips.size(), expected.clips.size());
      for (std::size_t i = 0; i < got.clips.size(); ++i)
        EXPECT_EQ(got.clips[i].packed, expected.clips[i].packed) << target;
    }
  }
  set_simd_target("");
}

}  // namespace
}  // namespace sinew
