// Compressed data: EXT_meshopt_compression and KHR_draco_mesh_compression, made here and read back.
#include <draco/attributes/geometry_attribute.h>
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Stream = std::vector<unsigned char>;

template <class T>
Stream packed_vertices(const std::vector<T>& values, std::size_t stride) {
  const std::size_t count = values.size() * sizeof(T) / stride;
  Stream out(meshopt_encodeVertexBufferBound(count, stride));
  out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), values.data(), count, stride));
  return out;
}

/// A view of `count` elements whose bytes are in the stream; its own bytes are in a buffer that has none.
int compressed_view(RawGltf& raw, const Stream& stream, std::size_t count, std::size_t stride, const std::string& mode,
                    const std::string& filter = "NONE") {
  const int packed = raw.view(stream);
  const json place = raw.json["bufferViews"][packed];
  raw.json["bufferViews"].push_back({{"buffer", 1},
                                     {"byteLength", count * stride},
                                     {"extensions",
                                      {{"EXT_meshopt_compression",
                                        {{"buffer", 0},
                                         {"byteOffset", place["byteOffset"]},
                                         {"byteLength", stream.size()},
                                         {"byteStride", stride},
                                         {"count", count},
                                         {"mode", mode},
                                         {"filter", filter}}}}}});
  raw.json["extensionsUsed"] = raw.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  raw.json["buffers"] = {
      {{"byteLength", raw.bin.size()}},
      {{"byteLength", count * stride}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  return int(raw.json["bufferViews"].size()) - 1;
}

json& primitive(RawGltf& raw) { return raw.json["meshes"][0]["primitives"][0]; }

Error import_refusal(const RawGltf& raw) {
  const auto scene = import_gltf(raw.glb());
  EXPECT_FALSE(scene) << "was accepted";
  return scene ? Error{} : scene.error();
}

TEST(ImportMeshopt, VerticesTrianglesAndIndices) {
  const Scene expected = strip();
  const Scene::Primitive& p = expected.meshes[0].primitives[0];
  RawGltf raw = to_raw(expected);
  const int vertices = compressed_view(raw, packed_vertices(p.positions, 12), p.positions.size(), 12, "ATTRIBUTES");
  primitive(raw)["attributes"]["POSITION"] = raw.accessor(vertices, p.positions.size(), "VEC3", kFloat);
  for (const bool triangles : {true, false}) {
    const std::size_t bound = triangles ? meshopt_encodeIndexBufferBound(p.indices.size(), p.positions.size())
                                        : meshopt_encodeIndexSequenceBound(p.indices.size(), p.positions.size());
    Stream stream(bound);
    stream.resize(triangles ? meshopt_encodeIndexBuffer(stream.data(), bound, p.indices.data(), p.indices.size())
                            : meshopt_encodeIndexSequence(stream.data(), bound, p.indices.data(), p.indices.size()));
    const int view = compressed_view(raw, stream, p.indices.size(), 2, triangles ? "TRIANGLES" : "INDICES");
    primitive(raw)["indices"] = raw.accessor(view, p.indices.size(), "SCALAR", kUnsignedShort);
    raw.json["buffers"][1]["byteLength"] = 10000;
    const Scene scene = import_raw(raw);
    EXPECT_EQ(scene.meshes[0].primitives[0].positions, p.positions);
    ASSERT_EQ(scene.meshes[0].primitives[0].indices.size(), p.indices.size());
    if (!triangles) {
      EXPECT_EQ(scene.meshes[0].primitives[0].indices, p.indices);
    }
    EXPECT_TRUE(scene.document->buffers.at(1).empty()) << "the buffer that has no bytes stays so";
  }
}

TEST(ImportMeshopt, Filters) {
  RawGltf raw = to_raw(strip());
  const std::vector<float> rotation = {0, 0, 0, 1, 0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};
  std::vector<std::int16_t> encoded(8);
  meshopt_encodeFilterQuat(encoded.data(), 2, 8, 16, rotation.data());
  int view = compressed_view(raw, packed_vertices(encoded, 8), 2, 8, "ATTRIBUTES", "QUATERNION");
  raw.json["animations"][0]["samplers"][0]["output"] = raw.accessor(view, 2, "VEC4", kShort, true);
  const std::vector<float> values = import_raw(raw).clips[0].tracks[0].values;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(std::fabs(values[i]), std::fabs(rotation[i]), 1e-4) << i;

  const std::vector<Vec3> positions = strip().meshes[0].primitives[0].positions;
  std::vector<std::uint32_t> exponent(3 * positions.size());
  meshopt_encodeFilterExp(exponent.data(), positions.size(), 12, 20, &positions[0].x);
  view = compressed_view(raw, packed_vertices(exponent, 12), positions.size(), 12, "ATTRIBUTES", "EXPONENTIAL");
  primitive(raw)["attributes"]["POSITION"] = raw.accessor(view, positions.size(), "VEC3", kFloat);
  std::vector<float> normals;
  for (std::size_t i = 0; i < positions.size(); ++i) normals.insert(normals.end(), {0.6f, 0, 0.8f, 0});
  std::vector<std::int8_t> octahedral(4 * positions.size());
  meshopt_encodeFilterOct(octahedral.data(), positions.size(), 4, 8, normals.data());
  view = compressed_view(raw, packed_vertices(octahedral, 4), positions.size(), 4, "ATTRIBUTES", "OCTAHEDRAL");
  raw.json["bufferViews"][view]["byteStride"] = 4;
  primitive(raw)["attributes"]["NORMAL"] = raw.accessor(view, positions.size(), "VEC3", kByte, true);
  raw.json["buffers"][1]["byteLength"] = 10000;
  const Scene scene = import_raw(raw);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_LT(glm::length(scene.meshes[0].primitives[0].positions[i] - positions[i]), 1e-4f);
    EXPECT_LT(glm::length(scene.meshes[0].primitives[0].normals[i] - Vec3(0.6f, 0, 0.8f)), 2e-2f);
  }
}

TEST(ImportMeshopt, BrokenStreamsAndParametersAreRefused) {
  const std::vector<Vec3> positions = strip().meshes[0].primitives[0].positions;
  const Stream right = packed_vertices(positions, 12);
  const auto refused = [&](const Stream& stream, const json& changes) {
    RawGltf raw = to_raw(strip());
    const int view = compressed_view(raw, stream, positions.size(), 12, "ATTRIBUTES");
    raw.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"].merge_patch(changes);
    primitive(raw)["attributes"]["POSITION"] = raw.accessor(view, positions.size(), "VEC3", kFloat);
    return import_refusal(raw).code;
  };
  for (std::size_t size = 0; size < right.size(); ++size) {
    EXPECT_NE(refused(Stream(right.begin(), right.begin() + std::ptrdiff_t(size)), json::object()), ErrorCode::io)
        << size;
  }
  EXPECT_EQ(refused(right, {{"count", 9}}), ErrorCode::inconsistent);
  EXPECT_EQ(refused(right, {{"count", 9007199254740992}}), ErrorCode::inconsistent);
  EXPECT_EQ(refused(right, {{"byteStride", 0}}), ErrorCode::bad_value);
  EXPECT_EQ(refused(right, {{"byteStride", 512}}), ErrorCode::bad_value);
  EXPECT_EQ(refused(right, {{"mode", "TRIANGLES"}}), ErrorCode::bad_value);
  EXPECT_EQ(refused(right, {{"mode", "SQUARES"}}), ErrorCode::bad_value);
  EXPECT_EQ(refused(right, {{"filter", "QUATERNION"}}), ErrorCode::bad_value);
  EXPECT_EQ(refused(right, {{"buffer", 7}}), ErrorCode::out_of_range);
  EXPECT_EQ(refused(right, {{"byteOffset", 1 << 20}}), ErrorCode::out_of_range);
  EXPECT_EQ(refused(right, {{"buffer", 1}, {"byteOffset", 0}}), ErrorCode::truncated) << "the buffer without bytes";
}

/// The strip's triangles as a Draco stream, with what it calls its attributes.
Stream draco_stream(const Scene::Primitive& p, json& attributes) {
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(int(p.indices.size() / 3));
  const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int joints = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT16);
  const int weights = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_FLOAT32);
  for (std::size_t f = 0; f < p.indices.size() / 3; ++f) {
    const std::uint32_t a = p.indices[3 * f], b = p.indices[3 * f + 1], c = p.indices[3 * f + 2];
    const draco::FaceIndex face{std::uint32_t(f)};
    builder.SetAttributeValuesForFace(position, face, &p.positions[a], &p.positions[b], &p.positions[c]);
    const auto& set = p.influences[0];
    builder.SetAttributeValuesForFace(joints, face, &set.joints[a], &set.joints[b], &set.joints[c]);
    builder.SetAttributeValuesForFace(weights, face, &set.weights[a], &set.weights[b], &set.weights[c]);
  }
  const auto mesh = builder.Finalize();
  attributes = {{"POSITION", mesh->attribute(position)->unique_id()},
                {"JOINTS_0", mesh->attribute(joints)->unique_id()},
                {"WEIGHTS_0", mesh->attribute(weights)->unique_id()}};
  draco::Encoder encoder;
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(*mesh, &buffer).ok());
  return Stream(buffer.data(), buffer.data() + buffer.size());
}

/// The strip with its vertices, influences and triangles in a Draco stream alone.
struct DracoFile {
  json attributes;
  Stream stream = draco_stream(strip().meshes[0].primitives[0], attributes);

  RawGltf with(const Stream& bytes, const json& changes = json::object()) const {
    RawGltf raw = to_raw(strip());
    for (const char* name : {"NORMAL", "TANGENT"}) primitive(raw)["attributes"].erase(name);
    raw.json["accessors"] = json::array();
    const auto accessor = [&](int component, int count, const char* type) {
      raw.json["accessors"].push_back({{"componentType", component}, {"count", count}, {"type", type}});
      return raw.json["accessors"].size() - 1;
    };
    primitive(raw)["attributes"]["POSITION"] = accessor(kFloat, 10, "VEC3");
    primitive(raw)["attributes"]["JOINTS_0"] = accessor(kUnsignedShort, 10, "VEC4");
    primitive(raw)["attributes"]["WEIGHTS_0"] = accessor(kFloat, 10, "VEC4");
    primitive(raw)["indices"] = accessor(kUnsignedShort, 24, "SCALAR");
    raw.json.erase("animations"), raw.json["skins"][0].erase("inverseBindMatrices");
    json& extension = primitive(raw)["extensions"]["KHR_draco_mesh_compression"];
    extension = {{"bufferView", raw.view(bytes)}, {"attributes", attributes}};
    extension.merge_patch(changes);
    raw.json["extensionsUsed"] = raw.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    return raw;
  }
  RawGltf right() const { return with(stream); }
};

TEST(ImportDraco, VerticesInfluencesAndTriangles) {
  const Scene expected = strip();
  const Scene::Primitive& p = expected.meshes[0].primitives[0];
  const Scene scene = import_raw(DracoFile().right());
  const Scene::Primitive& read = scene.meshes[0].primitives[0];
  ASSERT_EQ(read.indices.size(), p.indices.size());
  // Corners are told apart by what they hold: the encoder is free to order faces and vertices.
  double found_area = 0, area = 0;
  const auto add_area = [](const Scene::Primitive& of, double& sum) {
    for (std::size_t f = 0; f < of.indices.size(); f += 3) {
      const Vec3 a = of.positions[of.indices[f]], b = of.positions[of.indices[f + 1]],
                 c = of.positions[of.indices[f + 2]];
      sum += glm::cross(b - a, c - a).z;
    }
  };
  add_area(read, found_area), add_area(p, area);
  EXPECT_NEAR(found_area, area, 1e-6);
  for (std::size_t v = 0; v < read.positions.size(); ++v) {
    std::size_t same = 0;
    while (same < p.positions.size() && glm::length(p.positions[same] - read.positions[v]) > 1e-6f) ++same;
    ASSERT_LT(same, p.positions.size()) << v;
    EXPECT_EQ(read.influences.at(0).joints[v], p.influences[0].joints[same]);
    EXPECT_EQ(read.influences.at(0).weights[v], p.influences[0].weights[same]);
  }
}

TEST(ImportDraco, TheStreamCountsWhereTheAccessorDiffers) {
  RawGltf raw = DracoFile().right();
  raw.json["accessors"][0]["count"] = 11;
  const Scene scene = import_raw(raw);
  EXPECT_EQ(scene.meshes[0].primitives[0].positions.size(), 10u);
  const Finding* found = find(scene.findings, "draco.vertex_count");
  ASSERT_NE(found, nullptr) << lines(scene.findings);
  EXPECT_NE(found->what.find("11"), std::string::npos) << found->what;
}

TEST(ImportDraco, BrokenStreamsAreRefused) {
  const DracoFile file;
  for (std::size_t size = 0; size < file.stream.size(); ++size) {
    const Stream part(file.stream.begin(), file.stream.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(import_gltf(file.with(part).glb())) << size << " of " << file.stream.size();
  }
  Stream flipped = file.stream;
  for (std::size_t bit = 0; bit < 8 * flipped.size(); ++bit) {
    const auto mask = static_cast<unsigned char>(1u << bit % 8);
    flipped[bit / 8] ^= mask;
    const auto scene = import_gltf(file.with(flipped).glb());  // read or refused, within the memory limit
    EXPECT_TRUE(scene || !scene.error().what.empty());
    flipped[bit / 8] ^= mask;
  }
  const auto refused = [&](const json& changes) { return import_refusal(file.with(file.stream, changes)).code; };
  EXPECT_EQ(refused({{"attributes", {{"POSITION", 99}}}}), ErrorCode::out_of_range);
  EXPECT_EQ(refused({{"bufferView", 99}}), ErrorCode::out_of_range);
  EXPECT_EQ(refused({{"bufferView", nullptr}}), ErrorCode::bad_value);
}

}  // namespace
}  // namespace sinew::test
