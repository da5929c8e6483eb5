// Blending: poses, masks and additive layers, of the built-in character. `joints` is joints a second, all of the
// skeleton's rows counted.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "biped/biped.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

struct Subject {
  sinew::Bytes bytes = sinew::write(sinew::make_biped()).value();
  sinew::Character character = sinew::open(bytes).value();
  std::vector<sinew::Pose> poses;
  sinew::JointMask mask{character.skeleton(), 0}, rest_of_it{character.skeleton(), 1};
  sinew::AdditivePose additive{character.skeleton()};

  Subject() {
    const sinew::Skeleton& skeleton = character.skeleton();
    for (std::size_t i = 0; i < 8; ++i) {
      const sinew::Clip& clip = character.clips()[i % character.clips().size()];
      sinew::run(sinew::SampleJob{clip, skeleton, 0.1f * float(i), poses.emplace_back(skeleton)});
    }
    mask.set_subtree(skeleton, std::size_t(skeleton.find("spine")), 1, 2);
    rest_of_it = mask;
    rest_of_it.invert();
    sinew::run(sinew::AdditiveJob{poses[1], poses[0], additive});
  }
};

const Subject& subject() {
  static const Subject subject;
  return subject;
}

void blend(benchmark::State& state, const std::vector<sinew::BlendLayer>& layers,
           const std::vector<sinew::AdditiveLayer>& additive = {}) {
  const sinew::Skeleton& skeleton = subject().character.skeleton();
  sinew::Pose pose(skeleton);
  for (auto _ : state) {
    sinew::run(sinew::BlendJob{skeleton, layers, pose, additive});
    benchmark::ClobberMemory();
  }
  state.counters["joints"] =
      benchmark::Counter(double(skeleton.joint_count()), benchmark::Counter::kIsIterationInvariantRate);
}

std::vector<sinew::BlendLayer> layers_of(std::size_t count) {
  std::vector<sinew::BlendLayer> layers;
  for (std::size_t i = 0; i < count; ++i) layers.push_back({subject().poses[i], 1.0f + 0.1f * float(i)});
  return layers;
}

void poses(benchmark::State& state) { blend(state, layers_of(std::size_t(state.range(0)))); }
BENCHMARK(poses)->Arg(1)->Arg(2)->Arg(4)->Arg(8);

void two_masked(benchmark::State& state) {
  const Subject& s = subject();
  blend(state, {{s.poses[0], 1, &s.rest_of_it}, {s.poses[1], 1, &s.mask}});
}
BENCHMARK(two_masked);

void two_and_additive(benchmark::State& state) { blend(state, layers_of(2), {{subject().additive, 0.5f}}); }
BENCHMARK(two_and_additive);

void two_and_additive_masked(benchmark::State& state) {
  blend(state, layers_of(2), {{subject().additive, 0.5f, &subject().mask}});
}
BENCHMARK(two_and_additive_masked);

void take_difference(benchmark::State& state) {
  const Subject& s = subject();
  sinew::AdditivePose out(s.character.skeleton());
  for (auto _ : state) {
    sinew::run(sinew::AdditiveJob{s.poses[1], s.poses[0], out});
    benchmark::ClobberMemory();
  }
}
BENCHMARK(take_difference);

}  // namespace

/// `--simd=NAME` forces an instruction set.
int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (!argument.starts_with("--simd=") || !sinew::set_simd_target(argument.substr(7)))
      return std::printf("%s: neither --simd=NAME of what this machine has, nor an option of Google Benchmark\n",
                         argv[i]),
             2;
  }
  std::printf("%zu joints, %s\n", subject().character.skeleton().joint_count(),
              std::string(sinew::simd_target()).c_str());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
