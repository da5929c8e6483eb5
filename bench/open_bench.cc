// Opening a runtime file of 10 MB, whose every value is proved, beside reading its bytes: one of keyframes, one of
// compressed clips of 4 KB each, one of a mesh, one of meshes with eighty compressed clips.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "bench_support.h"
#include "sinew/character.h"
#include "sinew/compress.h"
#include "sinew/write.h"

namespace sinew {
namespace {

enum Content { keyframes, compressed, mesh, character };
constexpr const char* kNames[] = {"keyframes", "compressed", "mesh", "character"};

/// The built-in character with its clips over and over, with its mesh over and over, or with eighty clips and its mesh over and
/// over, until the file has 10 MB.
const std::filesystem::path& file_of(Content content) {
  static std::filesystem::path paths[std::size(kNames)];
  std::filesystem::path& path = paths[content];
  if (!path.empty()) return path;
  Scene scene = make_biped();
  const std::vector<Scene::Clip> all = scene.clips;
  const std::vector<CompressedClip> packed = bench::opened(compress(scene)).clips;
  std::vector<CompressedClip> clips = packed;
  const Scene::Primitive primitive = scene.meshes[0].primitives[0];
  if (content == mesh) scene.clips.clear();
  if (content == character)
    for (std::size_t i = all.size(); i + all.size() <= 80; i += all.size()) {
      scene.clips.insert(scene.clips.end(), all.begin(), all.end());
      clips.insert(clips.end(), packed.begin(), packed.end());
    }
  if (content == compressed) scene.meshes[0].primitives[0].indices.resize(3);
  Bytes bytes;
  while (bytes.size() < 10'000'000) {
    const bool grows_meshes = content == mesh || content == character;
    for (std::size_t times = grows_meshes ? 4 : scene.clips.size() / all.size(); times-- > 0;) {
      if (grows_meshes) {
        scene.meshes[0].primitives.push_back(primitive);
      } else {
        scene.clips.insert(scene.clips.end(), all.begin(), all.end());
        clips.insert(clips.end(), packed.begin(), packed.end());
      }
    }
    WriteOptions options;
    if (content == compressed || content == character) options.compressed = clips;
    bytes = bench::opened(write(scene, options));
  }
  path = std::filesystem::temp_directory_path() / (std::string("sinew_open_bench_") + kNames[content] + ".sinew");
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::perror("open_bench");
  if (file) std::fclose(file);
  return path;
}

void read(benchmark::State& state, Content content) {
  const std::filesystem::path& path = file_of(content);
  for (auto _ : state) benchmark::DoNotOptimize(bench::opened(read_file(path)).data());
  state.SetBytesProcessed(state.iterations() * std::int64_t(std::filesystem::file_size(path)));
}

void read_and_open(benchmark::State& state, Content content) {
  const std::filesystem::path& path = file_of(content);
  for (auto _ : state) {
    const Bytes bytes = bench::opened(read_file(path));
    benchmark::DoNotOptimize(bench::opened(open(bytes)).size());
  }
  state.SetBytesProcessed(state.iterations() * std::int64_t(std::filesystem::file_size(path)));
}

BENCHMARK_CAPTURE(read, keyframes, keyframes);
BENCHMARK_CAPTURE(read_and_open, keyframes, keyframes);
BENCHMARK_CAPTURE(read, compressed, compressed);
BENCHMARK_CAPTURE(read_and_open, compressed, compressed);
BENCHMARK_CAPTURE(read, mesh, mesh);
BENCHMARK_CAPTURE(read_and_open, mesh, mesh);
BENCHMARK_CAPTURE(read, character, character);
BENCHMARK_CAPTURE(read_and_open, character, character);

}  // namespace
}  // namespace sinew
