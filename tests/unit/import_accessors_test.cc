// Every form of accessor: types, strides, sparse ones, ones without data; and what is refused of each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;

/// A file with one primitive of the accessor's positions.
RawGltf with_positions() {
  RawGltf raw;
  raw.json["meshes"] = {{{"primitives", {{{"attributes", json::object()}}}}}};
  return raw;
}

json& attributes(RawGltf& raw) { return raw.json["meshes"][0]["primitives"][0]["attributes"]; }

void allow_quantization(RawGltf& raw) {
  raw.json["extensionsUsed"] = raw.json["extensionsRequired"] = {"KHR_mesh_quantization"};
}

Scene::Primitive primitive_of(const RawGltf& raw) { return must(import_gltf(raw.glb())).meshes.at(0).primitives.at(0); }

Error refusal(const RawGltf& raw) {
  const auto scene = import_gltf(raw.glb());
  EXPECT_FALSE(scene) << "was accepted";
  return scene ? Error{} : scene.error();
}

template <class T>
std::vector<Vec3> positions_as(const std::vector<T>& stored, bool normalized) {
  RawGltf raw = with_positions();
  allow_quantization(raw);
  attributes(raw)["POSITION"] = raw.accessor(stored, "VEC3", normalized);
  return primitive_of(raw).positions;
}

TEST(ImportAccessors, IntegersStandForThemselvesOrForShares) {
  EXPECT_EQ(positions_as<std::int8_t>({-128, 0, 127}, false), (std::vector<Vec3>{{-128, 0, 127}}));
  EXPECT_EQ(positions_as<std::int8_t>({-128, -127, 127}, true), (std::vector<Vec3>{{-1, -1, 1}})) << "-128 is clamped";
  EXPECT_EQ(positions_as<std::uint8_t>({0, 51, 255}, true), (std::vector<Vec3>{{0, 51.0f / 255, 1}}));
  EXPECT_EQ(positions_as<std::uint8_t>({0, 51, 255}, false), (std::vector<Vec3>{{0, 51, 255}}));
  EXPECT_EQ(positions_as<std::int16_t>({-32768, -32767, 16384}, true), (std::vector<Vec3>{{-1, -1, 16384.0f / 32767}}));
  EXPECT_EQ(positions_as<std::int16_t>({-32768, 1, 32767}, false), (std::vector<Vec3>{{-32768, 1, 32767}}));
  EXPECT_EQ(positions_as<std::uint16_t>({0, 13107, 65535}, true), (std::vector<Vec3>{{0, 13107.0f / 65535, 1}}));
  EXPECT_EQ(positions_as<float>({1, 2, 3, 4, 5, 6}, false), (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(ImportAccessors, WideIntegersAreNoPositions) {
  RawGltf raw = with_positions();
  attributes(raw)["POSITION"] = raw.accessor(std::vector<std::uint32_t>{1, 2, 3}, "VEC3");
  const Error error = refusal(raw);
  EXPECT_EQ(error.code, ErrorCode::bad_type);
  EXPECT_EQ(error.where, "meshes[0].primitives[0].attributes.POSITION");
  EXPECT_NE(error.what.find("accessors[0]"), std::string::npos);
}

TEST(ImportAccessors, QuantizationThatIsNotDeclaredIsTold) {
  RawGltf raw = with_positions();
  attributes(raw)["POSITION"] = raw.accessor(std::vector<std::int8_t>{1, 2, 3}, "VEC3");
  const Scene scene = must(import_gltf(raw.glb()));
  EXPECT_NE(find(scene.findings, "types.quantization"), nullptr) << lines(scene.findings);
}

TEST(ImportAccessors, StrideAndOffset) {
  RawGltf raw = with_positions();
  const int view = raw.view(std::vector<float>{9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9});
  raw.json["bufferViews"][view]["byteStride"] = 16;
  const int accessor = raw.accessor(view, 3, "VEC3", kFloat);
  raw.json["accessors"][accessor]["byteOffset"] = 4;
  attributes(raw)["POSITION"] = accessor;
  EXPECT_EQ(primitive_of(raw).positions, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
  raw.json["accessors"][accessor]["count"] = 4;
  EXPECT_EQ(refusal(raw).code, ErrorCode::out_of_range) << "the last element ends after the view";
  raw.json["accessors"][accessor]["count"] = 3;
  raw.json["bufferViews"][view]["byteStride"] = 8;
  EXPECT_EQ(refusal(raw).code, ErrorCode::inconsistent) << "elements overlap";
}

TEST(ImportAccessors, StrideAppliesToEveryKindOfData) {
  RawGltf raw = to_raw(strip());
  // The indices, two bytes each, four apart.
  const std::vector<std::uint32_t> indices = strip().meshes[0].primitives[0].indices;
  const int view = raw.view(indices);
  raw.json["bufferViews"][view]["byteStride"] = 4;
  raw.json["meshes"][0]["primitives"][0]["indices"] = raw.accessor(view, indices.size(), "SCALAR", kUnsignedShort);
  EXPECT_EQ(import_raw(raw).meshes[0].primitives[0].indices, indices);
  // Key times in every second float.
  const int times = raw.view(std::vector<float>{0, -5, 1, -5});
  raw.json["bufferViews"][times]["byteStride"] = 8;
  raw.json["animations"][0]["samplers"][0]["input"] = raw.accessor(times, 2, "SCALAR", kFloat);
  EXPECT_EQ(import_raw(raw).clips[0].times[0], (std::vector<float>{0, 1}));
}

TEST(ImportAccessors, UnalignedDataIsReadAndTold) {
  RawGltf raw = with_positions();
  std::vector<std::uint8_t> bytes(13);
  const float values[3] = {1, 2, 3};
  std::memcpy(bytes.data() + 1, values, sizeof values);
  const int accessor = raw.accessor(raw.view(bytes), 1, "VEC3", kFloat);
  raw.json["accessors"][accessor]["byteOffset"] = 1;
  attributes(raw)["POSITION"] = accessor;
  const Scene scene = must(import_gltf(raw.glb()));
  EXPECT_EQ(scene.meshes[0].primitives[0].positions, (std::vector<Vec3>{{1, 2, 3}}));
  EXPECT_NE(find(scene.findings, "accessor.alignment"), nullptr);
}

TEST(ImportAccessors, WithoutAViewAllIsZero) {
  RawGltf raw = with_positions();
  raw.json["accessors"] = {{{"componentType", kFloat}, {"count", 2}, {"type", "VEC3"}}};
  attributes(raw)["POSITION"] = 0;
  EXPECT_EQ(primitive_of(raw).positions, (std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}}));
}

/// Adds a sparse part that puts `values` at `indices`.
template <class Index>
void make_sparse(RawGltf& raw, int accessor, const std::vector<Index>& indices, const std::vector<float>& values,
                 int index_type) {
  raw.json["accessors"][accessor]["sparse"] = {
      {"count", indices.size()},
      {"indices", {{"bufferView", raw.view(indices)}, {"componentType", index_type}}},
      {"values", {{"bufferView", raw.view(values)}}}};
}

TEST(ImportAccessors, SparseReplacesElements) {
  RawGltf raw = with_positions();
  const int accessor = raw.accessor(std::vector<float>{1, 1, 1, 2, 2, 2, 3, 3, 3}, "VEC3");
  attributes(raw)["POSITION"] = accessor;
  const std::vector<Vec3> expected = {{7, 8, 9}, {2, 2, 2}, {4, 5, 6}};
  make_sparse<std::uint8_t>(raw, accessor, {0, 2}, {7, 8, 9, 4, 5, 6}, kUnsignedByte);
  EXPECT_EQ(primitive_of(raw).positions, expected);
  make_sparse<std::uint16_t>(raw, accessor, {0, 2}, {7, 8, 9, 4, 5, 6}, kUnsignedShort);
  EXPECT_EQ(primitive_of(raw).positions, expected);
  make_sparse<std::uint32_t>(raw, accessor, {0, 2}, {7, 8, 9, 4, 5, 6}, kUnsignedInt);
  EXPECT_EQ(primitive_of(raw).positions, expected);
  raw.json["accessors"][accessor].erase("bufferView");
  EXPECT_EQ(primitive_of(raw).positions, (std::vector<Vec3>{{7, 8, 9}, {0, 0, 0}, {4, 5, 6}}))
      << "zero where nothing is";
}

TEST(ImportAccessors, SparseOfStridedAndOfScalars) {
  RawGltf raw = with_positions();
  const int view = raw.view(std::vector<float>{1, 1, 1, 9, 2, 2, 2, 9});
  raw.json["bufferViews"][view]["byteStride"] = 16;
  const int accessor = raw.accessor(view, 2, "VEC3", kFloat);
  attributes(raw)["POSITION"] = accessor;
  make_sparse<std::uint8_t>(raw, accessor, {1}, {7, 8, 9}, kUnsignedByte);
  EXPECT_EQ(primitive_of(raw).positions, (std::vector<Vec3>{{1, 1, 1}, {7, 8, 9}}));

  RawGltf animated = to_raw(strip());
  const int output = animated.json["animations"][0]["samplers"][0]["output"];
  make_sparse<std::uint8_t>(animated, output, {1}, {1, 0, 0, 0}, kUnsignedByte);
  const std::vector<float> values = import_raw(animated).clips[0].tracks[0].values;
  EXPECT_EQ(std::vector<float>(values.begin() + 4, values.end()), (std::vector<float>{1, 0, 0, 0}));
}

TEST(ImportAccessors, BrokenSparsePartsAreRefused) {
  const auto code = [](const std::vector<std::uint8_t>& indices, const json& changes) {
    RawGltf raw = with_positions();
    const int accessor = raw.accessor(std::vector<float>(9, 1.0f), "VEC3");
    attributes(raw)["POSITION"] = accessor;
    make_sparse(raw, accessor, indices, std::vector<float>(3 * indices.size(), 2.0f), kUnsignedByte);
    raw.json["accessors"][accessor]["sparse"].merge_patch(changes);
    return refusal(raw).code;
  };
  EXPECT_EQ(code({0, 3}, json::object()), ErrorCode::out_of_range);
  EXPECT_EQ(code({1, 1}, json::object()), ErrorCode::bad_value);
  EXPECT_EQ(code({2, 1}, json::object()), ErrorCode::bad_value);
  EXPECT_EQ(code({0, 1}, {{"count", 4}}), ErrorCode::inconsistent) << "more than there are";
  EXPECT_EQ(code({0, 1}, {{"count", 3}}), ErrorCode::out_of_range) << "more than the view holds";
  EXPECT_EQ(code({0, 1}, {{"indices", nullptr}}), ErrorCode::bad_value);
  EXPECT_EQ(code({0, 1}, {{"indices", {{"componentType", kFloat}}}}), ErrorCode::bad_value);
  EXPECT_EQ(code({0, 1}, {{"values", {{"bufferView", 99}}}}), ErrorCode::out_of_range);
}

TEST(ImportAccessors, PlacesOutsideTheirBytesAreRefused) {
  const auto code = [](const char* list, const json& changes) {
    RawGltf raw = with_positions();
    attributes(raw)["POSITION"] = raw.accessor(std::vector<float>(9, 1.0f), "VEC3");
    raw.json[list][0].merge_patch(changes);
    return refusal(raw).code;
  };
  EXPECT_EQ(code("accessors", {{"count", 4}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("accessors", {{"count", 4294967295u}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("accessors", {{"count", 9007199254740992}}), ErrorCode::out_of_range)
      << "times 12 it would wrap around";
  EXPECT_EQ(code("accessors", {{"byteOffset", 4}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("accessors", {{"byteOffset", 9007199254740992}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("accessors", {{"bufferView", 1}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("accessors", {{"count", -1}}), ErrorCode::bad_value);
  EXPECT_EQ(code("accessors", {{"count", nullptr}}), ErrorCode::bad_value) << "missing";
  EXPECT_EQ(code("accessors", {{"componentType", 5124}}), ErrorCode::bad_type);
  EXPECT_EQ(code("accessors", {{"type", "VEC5"}}), ErrorCode::bad_type);
  EXPECT_EQ(code("bufferViews", {{"byteLength", 37}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("bufferViews", {{"byteOffset", 1}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("bufferViews", {{"buffer", 1}}), ErrorCode::out_of_range);
  EXPECT_EQ(code("bufferViews", {{"buffer", nullptr}}), ErrorCode::bad_value);
  EXPECT_EQ(code("bufferViews", {{"byteStride", 0}}), ErrorCode::bad_value);
}

TEST(ImportAccessors, NumbersThatAreNotFiniteAreRefusedByElement) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    RawGltf raw = with_positions();
    attributes(raw)["POSITION"] = raw.accessor(std::vector<float>{0, 0, 0, 1, bad, 1}, "VEC3");
    const Error error = refusal(raw);
    EXPECT_EQ(error.code, ErrorCode::bad_value);
    EXPECT_NE(error.what.find("element 1"), std::string::npos) << error.what;
  }
  RawGltf largest = with_positions();
  attributes(largest)["POSITION"] = largest.accessor(
      std::vector<float>{std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min(), -0.0f}, "VEC3");
  EXPECT_EQ(primitive_of(largest).positions[0].x, std::numeric_limits<float>::max());
}

template <class T>
std::vector<std::uint32_t> indices_as(const std::vector<T>& stored) {
  RawGltf raw = with_positions();
  attributes(raw)["POSITION"] = raw.accessor(std::vector<float>(9), "VEC3");
  raw.json["meshes"][0]["primitives"][0]["indices"] = raw.accessor(stored, "SCALAR");
  return primitive_of(raw).indices;
}

TEST(ImportAccessors, IndicesOfAnyWidth) {
  const std::vector<std::uint32_t> expected = {2, 0, 1};
  EXPECT_EQ(indices_as<std::uint8_t>({2, 0, 1}), expected);
  EXPECT_EQ(indices_as<std::uint16_t>({2, 0, 1}), expected);
  EXPECT_EQ(indices_as<std::uint32_t>({2, 0, 1}), expected);
}

TEST(ImportAccessors, IndicesOutsideTheVerticesAreRefused) {
  RawGltf raw = with_positions();
  attributes(raw)["POSITION"] = raw.accessor(std::vector<float>(9), "VEC3");
  raw.json["meshes"][0]["primitives"][0]["indices"] = raw.accessor(std::vector<std::uint16_t>{0, 1, 3}, "SCALAR");
  const Error error = refusal(raw);
  EXPECT_EQ(error.code, ErrorCode::out_of_range);
  EXPECT_NE(error.what.find("3"), std::string::npos);
  raw.json["meshes"][0]["primitives"][0]["indices"] = raw.accessor(std::vector<float>{0, 1, 2}, "SCALAR");
  EXPECT_EQ(refusal(raw).code, ErrorCode::bad_type);
}

TEST(ImportAccessors, InfluencesOfAnyAllowedType) {
  const Scene expected = strip();
  const std::size_t vertices = expected.meshes[0].primitives[0].positions.size();
  std::vector<std::uint8_t> byte_joints, byte_weights;
  std::vector<std::uint16_t> short_weights;
  for (std::size_t v = 0; v < vertices; ++v) {
    for (int i = 0; i < 4; ++i) {
      byte_joints.push_back(std::uint8_t(expected.meshes[0].primitives[0].influences[0].joints[v][std::size_t(i)]));
      const float weight = expected.meshes[0].primitives[0].influences[0].weights[v][i];
      byte_weights.push_back(std::uint8_t(std::lround(weight * 255)));
      short_weights.push_back(std::uint16_t(std::lround(weight * 65535)));
    }
  }
  RawGltf raw = to_raw(expected);
  attributes(raw)["JOINTS_0"] = raw.accessor(byte_joints, "VEC4");
  for (const auto& [accessor, tolerance] : {std::pair(raw.accessor(byte_weights, "VEC4", true), 0.5f / 255),
                                            std::pair(raw.accessor(short_weights, "VEC4", true), 0.5f / 65535)}) {
    attributes(raw)["WEIGHTS_0"] = accessor;
    const Scene scene = import_raw(raw);
    const auto& set = scene.meshes[0].primitives[0].influences.at(0);
    EXPECT_EQ(set.joints, expected.meshes[0].primitives[0].influences[0].joints);
    for (std::size_t v = 0; v < vertices; ++v)
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(set.weights[v][i], expected.meshes[0].primitives[0].influences[0].weights[v][i],
                    1.001f * tolerance);
    EXPECT_EQ(find(scene.findings, "weights.sum"), nullptr) << lines(scene.findings);
  }
  attributes(raw)["WEIGHTS_0"] = raw.accessor(byte_weights, "VEC4", false);
  EXPECT_NE(find(import_raw(raw).findings, "types.weights_not_normalized"), nullptr);
  attributes(raw)["JOINTS_0"] = raw.accessor(std::vector<float>(4 * vertices), "VEC4");
  EXPECT_EQ(refusal(raw).code, ErrorCode::bad_type);
}

TEST(ImportAccessors, RotationsAsNormalizedIntegers) {
  RawGltf raw = to_raw(strip());
  json& sampler = raw.json["animations"][0]["samplers"][0];
  sampler["output"] = raw.accessor(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, 23170, 23170}, "VEC4", true);
  const std::vector<float> values = import_raw(raw).clips[0].tracks[0].values;
  EXPECT_NEAR(values[6], std::sqrt(0.5), 1e-4);
  EXPECT_EQ(values[3], 1.0f);
  sampler["output"] = raw.accessor(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, 23170, 23170}, "VEC4", false);
  EXPECT_EQ(refusal(raw).code, ErrorCode::bad_type) << "not normalized";
}

TEST(ImportAccessors, WhatNothingReadsMayBeWrong) {
  RawGltf raw = to_raw(strip());
  raw.json["accessors"].push_back({{"componentType", 1}, {"count", 1}, {"type", "VEC3"}});
  raw.json["bufferViews"].push_back({{"buffer", 0}, {"byteLength", 1 << 30}});
  raw.json["buffers"] = {{{"byteLength", raw.bin.size()}}, {{"uri", "none.bin"}, {"byteLength", 5}}};
  const Scene scene = import_raw(raw);
  for (const char* code : {"accessor.unread_fault", "view.unread_fault"}) {
    const Finding* found = find(scene.findings, code);
    ASSERT_NE(found, nullptr) << code << "\n" << lines(scene.findings);
    EXPECT_EQ(found->severity, Severity::warning);
  }
}

}  // namespace
}  // namespace sinew::test
