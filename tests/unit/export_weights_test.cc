// Stored skin weights, normalised when a file is written.
#include "interchange/export_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/export.h"
#include "sinew/import.h"
#include "support/files.h"
#include "support/glb_file.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;

std::vector<Scene::InfluenceSet> one_vertex(const std::vector<float>& weights) {
  Influences influences;
  for (std::size_t i = 0; i < weights.size(); ++i) influences.push_back({int(i), weights[i]});
  return influence_sets({influences});
}

double sum_of(const std::vector<Scene::InfluenceSet>& sets, std::size_t vertex = 0) {
  double sum = 0;
  for (const auto& set : sets)
    for (int i = 0; i < 4; ++i) sum += set.weights[vertex][i];
  return sum;
}

int level_sum(const std::vector<Scene::InfluenceSet>& sets, int levels) {
  int sum = 0;
  for (const auto& set : sets)
    for (int i = 0; i < 4; ++i) sum += int(std::lround(set.weights[0][i] * float(levels)));
  return sum;
}

TEST(ExportWeights, IntegersAreSharedByLargestRemainder) {
  for (const std::uint32_t levels : {255u, 65535u}) {
    for (const std::vector<float>& weights :
         {std::vector<float>(3, 1 / 3.0f), std::vector<float>(6, 1 / 6.0f), std::vector<float>{0.4f, 0.3f, 0.2f, 0.2f},
          std::vector<float>{1e-4f, 0.2f}, std::vector<float>(8, 7.0f)}) {
      auto sets = one_vertex(weights);
      glb::normalize_weights(sets, levels);
      EXPECT_EQ(level_sum(sets, int(levels)), int(levels));
    }
  }
}

TEST(ExportWeights, FloatsSumToOneOverAllSets) {
  auto sets = one_vertex({0.05f, 0.05f, 0.1f, 0.1f, 0.4f, 0.1f});
  const glb::WeightChange change = glb::normalize_weights(sets, 0);
  EXPECT_EQ(change.normalized, 1u);
  EXPECT_NEAR(change.worst_sum, 0.8, 1e-6);
  EXPECT_NEAR(sum_of(sets), 1, 1e-7);
  EXPECT_NEAR(sets[1].weights[0].x, 0.5, 1e-6);
}

TEST(ExportWeights, GoodOnesAreNotTouched) {
  auto sets = one_vertex({0.7f, 0.2f, 0.1f});
  const auto before = sets[0].weights;
  EXPECT_FALSE(glb::normalize_weights(sets, 0).any());
  EXPECT_EQ(sets[0].weights, before);
}

TEST(ExportWeights, NegativeOnesCountAsZeroAndNoneAreLeft) {
  auto sets = influence_sets({{{0, -0.5f}, {1, 1.0f}}, {{0, 0.0f}}});
  const glb::WeightChange change = glb::normalize_weights(sets, 0);
  EXPECT_EQ(change.negative, 1u);
  EXPECT_EQ(change.zero, 1u);
  EXPECT_EQ(sets[0].weights[0], Vec4(0, 1, 0, 0));
  EXPECT_EQ(sets[0].weights[1], Vec4(0));
}

/// The strip with all weights halved.
Scene half_strip() {
  Scene scene = strip();
  for (Vec4& weights : scene.meshes[0].primitives[0].influences[0].weights) weights *= 0.5f;
  return scene;
}

TEST(ExportWeights, StoredFloatsAreWrittenInPlace) {
  const RawGltf raw = to_raw(half_strip());
  Report report;
  const Bytes bytes = must(export_glb(import_raw(raw), &report));
  const GlbFile file = read_glb(bytes);
  EXPECT_EQ(file.json["accessors"], raw.json["accessors"]);
  EXPECT_EQ(file.json["meshes"], raw.json["meshes"]);
  EXPECT_EQ(must(import_gltf(bytes)).meshes[0].primitives[0].influences[0].weights,
            strip().meshes[0].primitives[0].influences[0].weights);
  const Finding* finding = find(report, "weights.sum");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->count, 10u);
  EXPECT_EQ(finding->where, "meshes[0].primitives[0]");
}

TEST(ExportWeights, StoredBytesSumTo255) {
  RawGltf raw = to_raw(strip());
  std::vector<std::uint8_t> weights;
  for (int v = 0; v < 10; ++v) weights.insert(weights.end(), {84, 84, 84, 0});  // 252
  raw.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = raw.accessor(weights, "VEC4", true);
  const Scene after = must(import_gltf(must(export_glb(import_raw(raw)))));
  const json root = json::parse(after.document->json);
  EXPECT_EQ(
      root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<int>()]["componentType"],
      kUnsignedByte);
  EXPECT_EQ(level_sum(after.meshes[0].primitives[0].influences, 255), 255);
}

TEST(ExportWeights, ChangedBytesStayBytes) {
  RawGltf raw = to_raw(strip());
  std::vector<std::uint8_t> weights;
  for (int v = 0; v < 10; ++v) weights.insert(weights.end(), {128, 127, 0, 0});
  raw.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = raw.accessor(weights, "VEC4", true);
  Scene scene = import_raw(raw);
  for (Vec4& w : scene.meshes[0].primitives[0].influences[0].weights) w = {0.3331f, 0.3331f, 0.3338f, 0};
  const Scene after = must(import_gltf(must(export_glb(scene))));
  const json root = json::parse(after.document->json);
  EXPECT_EQ(
      root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<int>()]["componentType"],
      kUnsignedByte);
  EXPECT_EQ(level_sum(after.meshes[0].primitives[0].influences, 255), 255);
}

TEST(ExportWeights, SharedBytesAreNotOverwritten) {
  // Another attribute reads the same bytes: the weights get an accessor of their own.
  RawGltf raw = to_raw(half_strip());
  json& attributes = raw.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["COLOR_0"] = raw.accessor_like(attributes["WEIGHTS_0"], {{"name", "colours"}});
  const GlbFile file = read_glb(must(export_glb(import_raw(raw))));
  const json& after = file.json["meshes"][0]["primitives"][0]["attributes"];
  const json &colours = file.json["accessors"][after["COLOR_0"].get<int>()],
             &weights = file.json["accessors"][after["WEIGHTS_0"].get<int>()];
  EXPECT_NE(colours["bufferView"], weights["bufferView"]);
  const std::vector<std::byte> bytes = file.view(colours["bufferView"]);
  float first;
  std::memcpy(&first, bytes.data(), sizeof first);
  EXPECT_EQ(first, 0.5f);
}

TEST(ExportWeights, ASetInTwoListsIsNotOverwritten) {
  // Two primitives share WEIGHTS_0, but one has a second set: each is normalised by its own sum.
  Scene scene = half_strip();
  scene.meshes[0].primitives.push_back(scene.meshes[0].primitives[0]);
  auto& sets = scene.meshes[0].primitives[1].influences;
  sets.push_back(sets[0]);
  for (auto& joints : sets[1].joints) joints = {1, 0, 0, 0};
  for (Vec4& weights : sets[1].weights) weights = {1.5f, 0, 0, 0};
  RawGltf raw = to_raw(scene);
  json& primitives = raw.json["meshes"][0]["primitives"];
  primitives[1]["attributes"]["WEIGHTS_0"] = primitives[0]["attributes"]["WEIGHTS_0"];
  const Scene after = must(import_gltf(must(export_glb(import_raw(raw)))));
  EXPECT_EQ(after.meshes[0].primitives[0].influences[0].weights[0], Vec4(1, 0, 0, 0));
  EXPECT_EQ(after.meshes[0].primitives[1].influences[0].weights[0], Vec4(0.25f, 0, 0, 0));
  EXPECT_EQ(after.meshes[0].primitives[1].influences[1].weights[0], Vec4(0.75f, 0, 0, 0));
}

TEST(ExportWeights, DracoStreamsGiveWayToPlainArrays) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  const Scene scene = must(import_file(*shared / "assets/gltf/derived/Fox_draco.glb"));
  Report report;
  const Bytes bytes = must(export_glb(scene, &report));
  EXPECT_TRUE(find(report, "draco.unpacked"));
  const json root = read_glb(bytes).json;
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) EXPECT_FALSE(root.contains(list)) << root[list];
  const Scene after = must(import_gltf(bytes));
  for (const auto& set : after.meshes[0].primitives[0].influences)
    for (const Vec4& w : set.weights) EXPECT_NEAR(w.x + w.y + w.z + w.w, 1, 1e-6);
}

TEST(ExportWeights, VerticesWithoutAnyAreReported) {
  Scene scene = strip();
  scene.meshes[0].primitives[0].influences[0].weights[3] = Vec4(0);
  Report report;
  must(export_glb(scene, &report));
  ASSERT_TRUE(find(report, "weights.zero"));
  EXPECT_EQ(find(report, "weights.zero")->count, 1u);
}

}  // namespace
}  // namespace sinew::test
