// Opening a runtime file of 10 MB, whose every value is proved, beside reading its bytes: one of clips, one of a mesh.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "bench_support.h"
#include "sinew/character.h"
#include "sinew/write.h"

namespace sinew {
namespace {

/// The built-in character with its clips over and over, or with its mesh over and over, until the file has 10 MB.
const std::filesystem::path& file_of(bool clips) {
  static std::filesystem::path paths[2];
  std::filesystem::path& path = paths[clips];
  if (!path.empty()) return path;
  Scene scene = make_biped();
  const std::vector<Scene::Clip> all = scene.clips;
  const Scene::Primitive primitive = scene.meshes[0].primitives[0];
  if (!clips) scene.clips.clear();
  Bytes bytes;
  while (bytes.size() < 10'000'000) {
    if (clips)
      scene.clips.insert(scene.clips.end(), all.begin(), all.end());
    else
      scene.meshes[0].primitives.push_back(primitive);
    bytes = bench::opened(write(scene));
  }
  path =
      std::filesystem::temp_directory_path() / (clips ? "sinew_open_bench_clips.sinew" : "sinew_open_bench_mesh.sinew");
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::perror("open_bench");
  if (file) std::fclose(file);
  return path;
}

void read(benchmark::State& state, bool clips) {
  const std::filesystem::path& path = file_of(clips);
  for (auto _ : state) benchmark::DoNotOptimize(bench::opened(read_file(path)).data());
  state.SetBytesProcessed(state.iterations() * std::int64_t(std::filesystem::file_size(path)));
}

void read_and_open(benchmark::State& state, bool clips) {
  const std::filesystem::path& path = file_of(clips);
  for (auto _ : state) {
    const Bytes bytes = bench::opened(read_file(path));
    benchmark::DoNotOptimize(bench::opened(open(bytes)).size());
  }
  state.SetBytesProcessed(state.iterations() * std::int64_t(std::filesystem::file_size(path)));
}

BENCHMARK_CAPTURE(read, clips, true);
BENCHMARK_CAPTURE(read_and_open, clips, true);
BENCHMARK_CAPTURE(read, mesh, false);
BENCHMARK_CAPTURE(read_and_open, mesh, false);

}  // namespace
}  // namespace sinew
