// Sampling, nanoseconds a joint: forward at 60 Hz with cursors, and at random times. Each clip of the built-in character.
#include <benchmark/benchmark.h>

#include <string>

#include "bench_support.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

void sample(benchmark::State& state, const Clip& clip, bool random) {
  const Skeleton& skeleton = bench::biped().skeleton();
  const std::vector<float> times = bench::times_of(clip, random);
  std::vector<std::uint32_t> cursors(clip.groups.size());
  Pose pose(skeleton);
  std::size_t i = 0;
  for (auto _ : state) {
    run(SampleJob{clip, skeleton, times[i++ % times.size()], pose, random ? std::span<std::uint32_t>() : cursors});
    benchmark::DoNotOptimize(pose.channels().data());
    benchmark::ClobberMemory();
  }
  state.counters["s/joint"] = benchmark::Counter(
      double(skeleton.joint_count()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool registered = [] {
  for (const Clip& clip : bench::biped().clips())
    for (const bool random : {false, true})
      benchmark::RegisterBenchmark(("sample/" + std::string(clip.name) + (random ? "/random" : "/forward")).c_str(),
                                   [&clip, random](benchmark::State& state) { sample(state, clip, random); });
  return true;
}();

}  // namespace
}  // namespace sinew
