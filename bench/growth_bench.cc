// How cost grows: with joints, with the length of a clip, with layers, with characters. Each at least over a hundredfold.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench_support.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace sinew {
namespace {

/// A spine with limbs of four joints, all skin joints, and one clip at 30 Hz that turns all of them.
Scene creature(int joints, int frames) {
  Scene scene;
  Scene::Skin& skin = scene.skins.emplace_back();
  for (int j = 0; j < joints; ++j) {
    Scene::Node& node = scene.nodes.emplace_back();
    node.rest.translation = {0, 0.1f, 0};
    node.parent = j % 5 == 0 ? j - 5 : j - 1;
    if (j == 0) node.parent = kNone;
    if (j > 0) scene.nodes[std::size_t(node.parent)].children.push_back(j);
    skin.joints.push_back(j);
    skin.inverse_bind_matrices.emplace_back();
  }
  Scene::Primitive& p = scene.meshes.emplace_back().primitives.emplace_back();
  p.topology = Topology::points;
  Scene::InfluenceSet& set = p.influences.emplace_back();
  for (int j = 0; j < joints; ++j) {  // one vertex a joint, so that each has a palette entry
    p.positions.emplace_back(0.0f, 0.0f, float(j));
    set.joints.push_back({std::uint16_t(j), 0, 0, 0});
    set.weights.emplace_back(1.0f, 0.0f, 0.0f, 0.0f);
  }
  Scene::Node& node = scene.nodes.emplace_back();
  node.mesh = 0, node.skin = 0;

  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Scene::Clip& clip = scene.clips.emplace_back();
  std::vector<float>& times = clip.times.emplace_back();
  for (int f = 0; f < frames; ++f) times.push_back(float(f) / 30);
  for (int j = 0; j < joints; ++j) {
    Scene::Track& track = clip.tracks.emplace_back();
    track.node = j;
    track.path = Path::rotation;
    const Vec3 axis(uniform(random), uniform(random), uniform(random));
    for (int f = 0; f < frames; ++f) {
      const Quat q = quat_axis_angle(axis, std::sin(0.1f * float(f + j)));
      track.values.insert(track.values.end(), {q.x, q.y, q.z, q.w});
    }
  }
  return scene;
}

struct Subject {
  Bytes bytes;
  Character character;
  const Clip& clip() const { return character.clips()[0]; }
};

const Subject& subject(int joints, int frames) {
  static std::map<std::pair<int, int>, std::unique_ptr<Subject>> made;
  std::unique_ptr<Subject>& slot = made[{joints, frames}];
  if (!slot) {
    Bytes bytes = bench::opened(write(creature(joints, frames)));
    Character character = bench::opened(open(bytes));
    slot = std::make_unique<Subject>(Subject{std::move(bytes), std::move(character)});
  }
  return *slot;
}

void per(benchmark::State& state, const char* unit, std::size_t count) {
  state.counters[std::string("s/") + unit] =
      benchmark::Counter(double(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void sample(benchmark::State& state, const Subject& s, bool random) {
  const std::vector<float> times = bench::times_of(s.clip(), random, 4096);
  Pose pose(s.character.skeleton());
  std::vector<std::uint32_t> cursors(s.clip().groups.size());
  std::size_t i = 0;
  for (auto _ : state) {
    run(SampleJob{s.clip(), s.character.skeleton(), times[i++ % times.size()], pose, cursors});
    benchmark::ClobberMemory();
  }
  per(state, "joint", pose.joint_count());
}

void sample_joints(benchmark::State& state) { sample(state, subject(int(state.range(0)), 60), false); }
BENCHMARK(sample_joints)->RangeMultiplier(4)->Range(16, 4096);
void sample_frames_forward(benchmark::State& state) { sample(state, subject(64, int(state.range(0))), false); }
BENCHMARK(sample_frames_forward)->RangeMultiplier(10)->Range(10, 100000);
void sample_frames_random(benchmark::State& state) { sample(state, subject(64, int(state.range(0))), true); }
BENCHMARK(sample_frames_random)->RangeMultiplier(10)->Range(10, 100000);

void blend_layers(benchmark::State& state) {
  const Skeleton& skeleton = subject(64, 60).character.skeleton();
  const std::vector<Pose> poses(std::size_t(state.range(0)), Pose(skeleton));
  std::vector<BlendLayer> layers;
  for (const Pose& pose : poses) layers.push_back({pose, 1});
  Pose out(skeleton);
  for (auto _ : state) {
    run(BlendJob{skeleton, layers, out});
    benchmark::ClobberMemory();
  }
  per(state, "joint", out.joint_count());
}
BENCHMARK(blend_layers)->RangeMultiplier(2)->Range(1, 128);

void model_joints(benchmark::State& state) {
  const Skeleton& skeleton = subject(int(state.range(0)), 60).character.skeleton();
  const Pose pose(skeleton);
  std::vector<Affine, AlignedAllocator<Affine>> matrices(skeleton.joint_count());
  for (auto _ : state) {
    run(ModelJob{skeleton, pose, matrices});
    benchmark::ClobberMemory();
  }
  per(state, "joint", matrices.size());
}
BENCHMARK(model_joints)->RangeMultiplier(4)->Range(16, 4096);

/// Sample, model, palette of as many characters in turn, each with memory of its own.
void characters(benchmark::State& state) {
  const Subject& s = subject(64, 60);
  const Skeleton& skeleton = s.character.skeleton();
  struct Member {
    Pose pose;
    std::vector<Affine, AlignedAllocator<Affine>> matrices;
    Palette palette;
  };
  std::vector<Member> crowd;
  for (std::int64_t i = 0; i < state.range(0); ++i)
    crowd.push_back(
        {Pose(skeleton), decltype(Member::matrices)(skeleton.joint_count()), Palette(s.character.skins()[0])});
  const std::vector<float> times = bench::times_of(s.clip(), true, 4096);
  std::size_t i = 0;
  for (auto _ : state) {
    Member& member = crowd[i % crowd.size()];
    run(SampleJob{s.clip(), skeleton, times[i++ % times.size()], member.pose});
    run(ModelJob{skeleton, member.pose, member.matrices});
    run(PaletteJob{s.character.skins()[0], member.matrices, member.palette.matrices()});
    benchmark::ClobberMemory();
  }
  per(state, "joint", skeleton.joint_count());
}
BENCHMARK(characters)->RangeMultiplier(10)->Range(1, 10000);

}  // namespace
}  // namespace sinew
