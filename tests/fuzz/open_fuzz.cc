// libFuzzer target of `open`: what it accepts must be harmless to every job.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sinew/character.h"
#include "sinew/compress.h"
#include "sinew/write.h"
#include "support/run_everything.h"

namespace {

constexpr std::size_t kHeader = 64, kFileSize = 16;  // bytes of the header; place of the file's size in it

/// The smallest file that has clips, morph targets and a skin: where mutation starts, for chance would not find it.
sinew::Bytes seed_file(bool packed) {
  using namespace sinew;
  Scene scene;
  scene.nodes.resize(2);
  scene.nodes[0].children = {1};
  scene.nodes[1].parent = 0;
  scene.nodes[1].mesh = scene.nodes[1].skin = 0;
  scene.skins.emplace_back().joints = {0, 1};
  Scene::Primitive& primitive = scene.meshes.emplace_back().primitives.emplace_back();
  primitive.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  primitive.influences.push_back({{3, {0, 1, 0, 0}}, {3, Vec4(0.75f, 0.25f, 0, 0)}});
  primitive.targets.emplace_back().positions.assign(3, Vec3(1.0f));
  Scene::Clip& clip = scene.clips.emplace_back();
  clip.times = {{0, 1}};
  clip.tracks.push_back({0, Path::rotation, Interpolation::linear, 0, {0, 0, 0, 1, 0, 0, 1, 0}});
  clip.tracks.push_back({1, Path::weights, Interpolation::linear, 0, {0, 1}});
  if (!packed) return *write(scene);
  // Packed tracks of all kinds, and one that stays keyframes.
  std::vector<float> times, turns, places;
  for (int f = 0; f < 9; ++f) {
    times.push_back(float(f) / 30);
    const Quat q = quat_axis_angle({1, 0, float(f % 3)}, 0.1f * float(f * f % 7));
    turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
    places.insert(places.end(), {float(f % 4), 1, 0});
  }
  clip.times = {times, {0, 0.11f}};
  clip.tracks = {{0, Path::rotation, Interpolation::linear, 0, turns},
                 {1, Path::translation, Interpolation::linear, 0, places},
                 {1, Path::scale, Interpolation::linear, 1, {2, 2, 2, 2, 2, 2}},
                 {1, Path::weights, Interpolation::linear, 0, times},
                 {1, Path::rotation, Interpolation::step, 1, {0, 0, 0, 1, 0, 0, 1, 0}}};
  const Compression made = *compress(scene, {.tolerance = 0.01});
  return *write(scene, {.compressed = made.clips});
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Mutates, and mends the file's size in the header, which alone would answer almost every change of length.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned chance) {
  static const sinew::Bytes seeds[] = {seed_file(false), seed_file(true)};
  const sinew::Bytes& seed = seeds[chance % 2];
  if ((size < kHeader || chance % 4096 < 2) && seed.size() <= most) {
    std::memcpy(data, seed.data(), seed.size());
    size = seed.size();
  }
  size = LLVMFuzzerMutate(data, size, most);
  if (size < kHeader) return size;
  const std::uint64_t file_size = size;
  std::memcpy(data, seed.data(), kFileSize);
  std::memcpy(data + kFileSize, &file_size, sizeof file_size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::Bytes bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  if (const auto character = sinew::open(bytes)) sinew::test::run_everything(*character);
  return 0;
}
