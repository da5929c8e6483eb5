// Laws of sampling: a key gives the key to the bit, and neither the cursor nor the order of calls changes a bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"
#include "support/subjects.h"

namespace sinew {
namespace {

constexpr unsigned kSamplingSeed = 4711;

bool same_bits(const Pose& a, const Pose& b) {
  for (std::size_t s = 0; s < kStreams; ++s) {
    const auto x = a.stream(Stream(s)), y = b.stream(Stream(s));
    if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size_bytes()) != 0) return false;
  }
  return a.channel_count() == b.channel_count() &&
         (a.channel_count() == 0 ||
          std::memcmp(a.channels().data(), b.channels().data(), a.channels().size_bytes()) == 0);
}

/// Tracks of many kinds, spacings and lengths; some with keys at one time, one key, or huge gaps.
Scene many_tracks(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::normal_distribution<float> normal;
  Scene scene = test::chain(25);
  scene.clips.clear();
  Scene::Clip& clip = test::add_clip(scene, "many");
  for (int node = 0; node < 25; ++node) {
    const std::size_t keys = 1 + random() % (node % 5 == 0 ? 400 : 12);
    std::vector<float> times{uniform(random) - 0.5f};
    while (times.size() < keys) {
      const float step = random() % 9 == 0 ? 0.0f : std::pow(10.0f, -4 + 4 * uniform(random));
      times.push_back(times.back() + step);
    }
    const auto mode = Interpolation(random() % 3);
    const std::size_t rows = mode == Interpolation::cubicspline ? 3 : 1;
    std::vector<float> turns, moves;
    for (std::size_t k = 0; k < keys * rows; ++k) {
      const Quat q = normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
      turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
      moves.insert(moves.end(), {normal(random), normal(random), normal(random)});
    }
    test::add_track(clip, node, Path::rotation, mode, times, turns);
    if (node % 3) test::add_track(clip, node, Path(random() % 2 ? 0 : 2), mode, times, moves);
  }
  return scene;
}

std::vector<test::Subject> subjects() {
  std::vector<test::Subject> out = test::subjects();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    out.push_back({"many_" + std::to_string(seed), [seed] { return many_tracks(seed); }});
  }
  return out;
}

class Sampling : public ::testing::TestWithParam<test::Subject> {
 protected:
  Sampling() : scene(GetParam().scene()), loaded(test::must(test::load(scene))), random(kSamplingSeed) {
    RecordProperty("seed", int(kSamplingSeed));
  }
  const Skeleton& skeleton() const { return loaded.character.skeleton(); }
  Pose at(const Clip& clip, float time, std::span<std::uint32_t> cursors = {}) const {
    Pose pose(skeleton());
    run(SampleJob{.clip = clip, .skeleton = skeleton(), .time = time, .pose = pose, .cursors = cursors});
    return pose;
  }
  std::vector<float> key_times(const Clip& clip) const {
    std::vector<float> out;
    for (const ClipGroup& group : clip.groups) out.insert(out.end(), group.times.begin(), group.times.end());
    return out;
  }

  Scene scene;
  test::Loaded loaded;
  std::mt19937 random;
};

/// What is stored for key k of a track, as `write` keeps it: rotations at unit length.
std::vector<float> stored_key(const Scene::Track& track, std::size_t keys, std::size_t k) {
  const std::size_t rows = track.interpolation == Interpolation::cubicspline ? 3 : 1;
  const std::size_t n = track.values.size() / (keys * rows);
  const float* value = track.values.data() + (k * rows + (rows == 3 ? 1 : 0)) * n;
  return {value, value + n};
}

TEST_P(Sampling, AtAKeyItIsTheKey) {
  for (std::size_t c = 0; c < scene.clips.size(); ++c) {
    const Clip* clip = test::source_clip(loaded.character, int(c));
    ASSERT_TRUE(clip);
    for (const Scene::Track& track : scene.clips[c].tracks) {
      if (track.node == kNone || track.path == Path::weights) continue;
      const std::vector<float>& times = scene.clips[c].times[track.times];
      std::int32_t row = 0;
      while (std::size_t(row) < skeleton().joint_count() && skeleton().source_nodes[std::size_t(row)] != track.node)
        ++row;
      ASSERT_LT(std::size_t(row), skeleton().joint_count()) << "node " << track.node;
      // All keys of short tracks, a hundred of long ones.
      const std::size_t step = 1 + times.size() / 100;
      for (std::size_t k = 0; k < times.size(); k += step) {
        if (k + 1 < times.size() && times[k + 1] == times[k]) continue;  // a later one counts
        const Transform t = at(*clip, times[k]).transform(std::size_t(row));
        const std::vector<float> key = stored_key(track, times.size(), k);
        if (track.path == Path::rotation) {
          const Quat q = quat_xyzw(key[0], key[1], key[2], key[3]);
          const Quat sampled = t.rotation;
          EXPECT_TRUE(sampled == q || sampled == normalize(q))
              << "clip " << c << " node " << track.node << " key " << k;
        } else {
          EXPECT_EQ(track.path == Path::scale ? t.scale : t.translation, Vec3(key[0], key[1], key[2]))
              << "clip " << c << " node " << track.node << " key " << k;
        }
      }
    }
  }
}

// Forward play, steps back, loop ends and seeks: the cursor's pose is that of the search, to the bit.
TEST_P(Sampling, CursorAndSearchAgreeToTheBit) {
  for (const Clip& clip : loaded.character.clips()) {
    const std::vector<float> keys = key_times(clip);
    const float span = std::max(clip.duration - clip.first_key, 0.1f);
    std::vector<std::uint32_t> cursors(clip.groups.size());
    std::uniform_real_distribution<float> uniform(0, 1);
    float time = clip.first_key;
    for (int i = 0; i < 150; ++i) {
      switch (random() % 6) {
        case 0:
          time += 0.3f * span * uniform(random);
          break;
        case 1:
          time -= 0.1f * span * uniform(random);
          break;
        case 2:
          time = clip.first_key - 0.2f * span + 1.4f * span * uniform(random);
          break;
        case 3:
          if (!keys.empty()) time = keys[random() % keys.size()];
          break;
        case 4:
          if (!keys.empty()) time = std::nextafter(keys[random() % keys.size()], -1e30f);
          break;
        default:
          time += 1.0f / 60;
      }
      if (time > clip.duration) time = clip.first_key + std::fmod(time - clip.first_key, span);
      ASSERT_TRUE(same_bits(at(clip, time), at(clip, time, cursors))) << clip.name << " at " << time << ", step " << i;
    }
  }
}

TEST_P(Sampling, RandomCursorsChangeNothing) {
  for (const Clip& clip : loaded.character.clips()) {
    std::vector<std::uint32_t> cursors(clip.groups.size());
    std::uniform_real_distribution<float> uniform(clip.first_key - 0.1f, clip.duration + 0.1f);
    for (int i = 0; i < 60; ++i) {
      for (std::uint32_t& cursor : cursors) {
        cursor = i % 3 ? std::uint32_t(random()) : std::uint32_t(random() % 50);
        if (i % 7 == 0) cursor = std::numeric_limits<std::uint32_t>::max();
      }
      const float time = uniform(random);
      ASSERT_TRUE(same_bits(at(clip, time), at(clip, time, cursors))) << clip.name << " at " << time;
    }
  }
}

TEST_P(Sampling, RotationsAreOfUnitLengthAndAllIsFinite) {
  for (const Clip& clip : loaded.character.clips()) {
    std::uniform_real_distribution<float> uniform(clip.first_key - 0.1f, clip.duration + 0.1f);
    for (int i = 0; i < 30; ++i) {
      const Pose pose = at(clip, uniform(random));
      for (std::size_t j = 0; j < pose.joint_count(); ++j) {
        const Transform t = pose.transform(j);
        ASSERT_NEAR(dot(t.rotation, t.rotation), 1, 1e-6f);
        ASSERT_TRUE(is_finite(to_affine(t)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Everything, Sampling, ::testing::ValuesIn(subjects()),
                         test::subject_name<::testing::TestParamInfo<test::Subject>>);

}  // namespace
}  // namespace sinew
