// Damaged glTF files: cut at every place, with and without mended lengths, and with bits turned over. Each is read or
// refused; nothing crashes, hangs, or reads outside (which sanitizers would show).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Data = std::vector<std::byte>;

constexpr std::size_t kSmallFile = 4096;  // bytes; of smaller ones every cut is tried
constexpr std::size_t kHeader = 12, kChunkHeader = 8;

std::uint32_t word(const Data& data, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t b = 4; b-- > 0;) out = out << 8 | std::uint32_t(data[at + b]);
  return out;
}

void set_word(Data& data, std::size_t at, std::size_t value) {
  for (std::size_t b = 0; b < 4; ++b) data[at + b] = std::byte(value >> (8 * b) & 255);
}

bool is_glb(const Data& data) { return data.size() >= 4 && std::memcmp(data.data(), "glTF", 4) == 0; }

/// A GLB's total length and the length of the chunk that it ends in made to fit its size.
Data mended(Data data) {
  if (data.size() < kHeader) return data;
  set_word(data, 8, data.size());
  for (std::size_t at = kHeader; at + kChunkHeader <= data.size();) {
    const std::size_t left = data.size() - at - kChunkHeader, length = std::min<std::size_t>(word(data, at), left);
    set_word(data, at, length);
    at += kChunkHeader + length;
  }
  return data;
}

Data cut(const Data& data, std::size_t size) { return {data.begin(), data.begin() + std::ptrdiff_t(size)}; }

/// Reads it; where that works, goes on to the runtime. True where it was read.
bool survives(const Data& data, const std::filesystem::path& directory) {
  const auto scene = import_gltf(data, directory);
  if (!scene) {
    EXPECT_FALSE(scene.error().message().empty());
    return false;
  }
  const auto loaded = load(*scene);
  if (loaded) run_everything(loaded->character);
  return true;
}

/// Places where something begins or ends: header, chunks, and in the binary chunk every buffer view.
std::vector<std::size_t> borders(const Data& glb) {
  std::vector<std::size_t> out = {0, kHeader, kHeader + kChunkHeader};
  const std::size_t json_begin = kHeader + kChunkHeader, json_end = json_begin + word(glb, kHeader);
  out.push_back(json_end);
  const std::size_t binary = json_end + kChunkHeader;
  out.push_back(binary);
  const auto* text = reinterpret_cast<const char*>(glb.data());
  const auto json = nlohmann::json::parse(text + json_begin, text + json_end);
  for (const auto& view : json.value("bufferViews", nlohmann::json::array())) {
    const std::size_t begin = binary + view.value("byteOffset", std::size_t(0));
    out.push_back(begin);
    out.push_back(begin + view.value("byteLength", std::size_t(0)));
  }
  out.push_back(glb.size());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Sizes to cut a file to.
std::vector<std::size_t> cuts(const Data& data) {
  std::vector<std::size_t> out;
  if (data.size() < kSmallFile || !is_glb(data)) {
    // Of long text only some: each costs a parse of all before it.
    const std::size_t step = data.size() < kSmallFile ? 1 : data.size() / 200;
    for (std::size_t size = 0; size < data.size(); size += step) out.push_back(size);
    return out;
  }
  for (const std::size_t border : borders(data)) {
    for (const std::size_t size : {border - 1, border, border + 1})
      if (size < data.size()) out.push_back(size);  // border 0 - 1 wraps around, and is not below
  }
  return out;
}

/// Files of the assets that have every form of data, and folders for their buffers.
std::vector<std::filesystem::path> files() {
  const auto shared = shared_dir();
  if (!shared) return {};
  std::vector<std::filesystem::path> out;
  for (const char* name :
       {"box_sparse.glb", "magnum/animation.glb", "quad_skin.glb", "test.vrma", "Fox.glb", "derived/Fox_meshopt.glb",
        "derived/Fox_draco.glb", "derived/Fox_quantized.glb", "greenman.glb", "simple_skin.gltf",
        "unassigned-skeleton.gltf", "magnum_assimp/skin.gltf", "box_sparse/box_sparse.gltf",
        "Animation_Skin/Animation_Skin_01.gltf", "AnimatedMorphCube/AnimatedMorphCube.gltf"})
    out.push_back(*shared / "assets" / "gltf" / name);
  return out;
}

std::string file_name(const ::testing::TestParamInfo<std::filesystem::path>& info) { return test_name(info.param); }

class DamagedFile : public ::testing::TestWithParam<std::filesystem::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DamagedFile);
INSTANTIATE_TEST_SUITE_P(Assets, DamagedFile, ::testing::ValuesIn(files()), file_name);

TEST_P(DamagedFile, EveryCutIsRefused) {
  Data data = read_bytes(GetParam());
  // White space at the end of a text is nothing that could be missed.
  while (!is_glb(data) && data.back() != std::byte('}')) data.pop_back();
  for (const std::size_t size : cuts(data)) {
    EXPECT_FALSE(import_gltf(cut(data, size), GetParam().parent_path())) << "cut to " << size << " of " << data.size();
  }
}

TEST_P(DamagedFile, CutsWithMendedLengthsAreSurvived) {
  const Data data = read_bytes(GetParam());
  if (!is_glb(data)) GTEST_SKIP() << "only GLB states lengths";
  const std::size_t binary = kHeader + kChunkHeader + word(data, kHeader) + kChunkHeader;
  for (const std::size_t size : cuts(data)) {
    const bool read = survives(mended(cut(data, size)), GetParam().parent_path());
    // All but the padding of the last chunk is needed by something.
    constexpr std::size_t kPadding = 3;
    if (size > binary && size + kPadding < data.size()) {
      EXPECT_FALSE(read) << "cut to " << size << " of " << data.size();
    }
  }
}

TEST_P(DamagedFile, TurnedBitsAreSurvived) {
  const Data data = read_bytes(GetParam());
  const unsigned seed = 20240607;
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  // The text is where a bit changes the meaning most, so half of the bits are turned there.
  const std::size_t text_end = is_glb(data) ? kHeader + kChunkHeader + word(data, kHeader) : data.size();
  constexpr int kTries = 200;
  int read = 0;
  for (int i = 0; i < kTries; ++i) {
    Data damaged = data;
    const int bits = 1 + int(random() % 3);
    for (int b = 0; b < bits; ++b) {
      const std::size_t at = random() % (i % 2 ? data.size() : text_end);
      damaged[at] ^= std::byte(1u << random() % 8);
    }
    read += survives(damaged, GetParam().parent_path());
  }
  EXPECT_LT(read, kTries) << "not one of the turned bits was noticed";
}

/// Every cut of the buffer beside a small file.
TEST(DamagedBuffer, EveryCutOfTheFileBesideIsRefused) {
  const RawGltf raw = to_raw(strip());
  TemporaryFolder folder;
  write_bytes(folder.path() / "a.gltf", raw.gltf_beside("a.bin"));
  for (std::size_t size = 0; size < raw.bin.size(); ++size) {
    write_bytes(folder.path() / "a.bin", std::span(raw.bin).first(size));
    const auto scene = import_file(folder.path() / "a.gltf");
    ASSERT_FALSE(scene) << size;
    EXPECT_EQ(scene.error().code, ErrorCode::truncated) << scene.error().message();
  }
  write_bytes(folder.path() / "a.bin", raw.bin);
  EXPECT_TRUE(import_file(folder.path() / "a.gltf"));
}

/// Numbers in the text made absurd, one at a time: all are read or refused, and none takes much memory or time.
TEST(AbsurdNumbers, AreSurvived) {
  const RawGltf raw = to_raw(strip());
  const nlohmann::json flat = raw.json.flatten();
  std::size_t tried = 0;
  for (const auto& [pointer, value] : flat.items()) {
    if (!value.is_number()) continue;
    for (const nlohmann::json& absurd :
         {nlohmann::json(-1), nlohmann::json(0), nlohmann::json(255), nlohmann::json(4294967295u),
          nlohmann::json(9007199254740991), nlohmann::json(1e300), nlohmann::json(0.5), nlohmann::json("x"),
          nlohmann::json(nullptr)}) {
      RawGltf changed = raw;
      changed.json[nlohmann::json::json_pointer(pointer)] = absurd;
      survives(changed.glb(), {});
      ++tried;
    }
  }
  EXPECT_GT(tried, 500u);
}

}  // namespace
}  // namespace sinew::test
