// Sampling, nanoseconds a joint: forward at 60 Hz with cursors, and at random times. Each clip of the built-in character, as
// keyframes and compressed.
#include <benchmark/benchmark.h>

#include <string>

#include "bench_support.h"
#include "sinew/compress.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

const Character& compressed_biped() {
  static const Bytes bytes = [] {
    const Scene scene = make_biped();
    const Compression compression = compress(scene).value();
    return write(scene, {.compressed = compression.clips}).value();
  }();
  static const Character character = open(bytes).value();
  return character;
}

void sample(benchmark::State& state, const Character& character, const Clip& clip, bool random) {
  const Skeleton& skeleton = character.skeleton();
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
  for (const Character* character : {&bench::biped(), &compressed_biped()}) {
    for (const Clip& clip : character->clips()) {
      for (const bool random : {false, true}) {
        const std::string name = "sample/" + std::string(clip.name) + (clip.packed ? "/compressed" : "/keyframes") +
                                 (random ? "/random" : "/forward");
        benchmark::RegisterBenchmark(name.c_str(), [character, &clip, random](benchmark::State& state) {
          sample(state, *character, clip, random);
        });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace sinew
