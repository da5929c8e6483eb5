// Local to model matrices, and palettes, nanoseconds a joint. The built-in character in its rest pose.
#include <benchmark/benchmark.h>

#include "bench_support.h"
#include "sinew/model.h"
#include "sinew/palette.h"

namespace sinew {
namespace {

void count_joints(benchmark::State& state, std::size_t joints) {
  state.counters["s/joint"] =
      benchmark::Counter(double(joints), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void model(benchmark::State& state) {
  const Skeleton& skeleton = bench::biped().skeleton();
  const Pose pose(skeleton);
  std::vector<Affine, AlignedAllocator<Affine>> matrices(skeleton.joint_count());
  for (auto _ : state) {
    run(ModelJob{skeleton, pose, matrices});
    benchmark::DoNotOptimize(matrices.data());
    benchmark::ClobberMemory();
  }
  count_joints(state, matrices.size());
}
BENCHMARK(model);

void palette(benchmark::State& state) {
  const Character& character = bench::biped();
  const Skin& skin = character.skins()[0];
  std::vector<Affine, AlignedAllocator<Affine>> matrices(character.skeleton().joint_count());
  Palette palette(skin);
  for (auto _ : state) {
    run(PaletteJob{skin, matrices, palette.matrices()});
    benchmark::DoNotOptimize(palette.matrices().data());
    benchmark::ClobberMemory();
  }
  count_joints(state, skin.joints.size());
}
BENCHMARK(palette);

}  // namespace
}  // namespace sinew
