// Blending: poses, masks and additive layers, nanoseconds a joint of the built-in character (all rows count).
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "bench_support.h"
#include "sinew/blend.h"

namespace sinew {
namespace {

struct Subject {
  const Skeleton& skeleton = bench::biped().skeleton();
  std::vector<Pose> poses;
  JointMask upper{skeleton, 0}, lower{skeleton, 1};
  AdditivePose additive{skeleton};

  Subject() {
    const auto clips = bench::biped().clips();
    for (std::size_t i = 0; i < 8; ++i)
      run(SampleJob{clips[i % clips.size()], skeleton, 0.1f * float(i), poses.emplace_back(skeleton)});
    upper.set_subtree(skeleton, std::size_t(skeleton.find("spine")), 1, 2);
    lower = upper;
    lower.invert();
    run(AdditiveJob{poses[1], poses[0], additive});
  }
};

const Subject& subject() {
  static const Subject subject;
  return subject;
}

void count_joints(benchmark::State& state) {
  state.counters["s/joint"] =
      benchmark::Counter(double(subject().skeleton.joint_count()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void blend(benchmark::State& state, const std::vector<BlendLayer>& layers,
           const std::vector<AdditiveLayer>& additive = {}) {
  Pose pose(subject().skeleton);
  for (auto _ : state) {
    run(BlendJob{subject().skeleton, layers, pose, additive});
    benchmark::ClobberMemory();
  }
  count_joints(state);
}

std::vector<BlendLayer> layers_of(std::size_t count) {
  std::vector<BlendLayer> layers;
  for (std::size_t i = 0; i < count; ++i) layers.push_back({subject().poses[i], 1.0f + 0.1f * float(i)});
  return layers;
}

void poses(benchmark::State& state) { blend(state, layers_of(std::size_t(state.range(0)))); }
BENCHMARK(poses)->Arg(1)->Arg(2)->Arg(4)->Arg(8);

void two_masked(benchmark::State& state) {
  const Subject& s = subject();
  blend(state, {{s.poses[0], 1, &s.lower}, {s.poses[1], 1, &s.upper}});
}
BENCHMARK(two_masked);

void two_and_additive(benchmark::State& state) { blend(state, layers_of(2), {{subject().additive, 0.5f}}); }
BENCHMARK(two_and_additive);

void two_and_additive_masked(benchmark::State& state) {
  blend(state, layers_of(2), {{subject().additive, 0.5f, &subject().upper}});
}
BENCHMARK(two_and_additive_masked);

void take_difference(benchmark::State& state) {
  const Subject& s = subject();
  AdditivePose out(s.skeleton);
  for (auto _ : state) {
    run(AdditiveJob{s.poses[1], s.poses[0], out});
    benchmark::ClobberMemory();
  }
  count_joints(state);
}
BENCHMARK(take_difference);

}  // namespace
}  // namespace sinew
