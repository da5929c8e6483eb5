// Nodes, scenes, skins and meshes: what is read of each, what is told, what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;

Error scene_refusal(const RawGltf& raw) {
  const auto scene = import_gltf(raw.glb());
  EXPECT_FALSE(scene) << "was accepted";
  return scene ? Error{} : scene.error();
}

/// The finding of that code, which must be there.
Finding scene_finding(const RawGltf& raw, const char* code) {
  const Scene scene = import_raw(raw);
  const Finding* found = find(scene.findings, code);
  EXPECT_NE(found, nullptr) << code << " is not among:\n" << lines(scene.findings);
  return found ? *found : Finding{};
}

RawGltf with_nodes(const json& nodes) {
  RawGltf raw;
  raw.json["nodes"] = nodes;
  return raw;
}

json matrix_json(const Affine& m) {
  json out = json::array();
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r) out.push_back(r < 3 ? m.rows[r][c] : c == 3 ? 1.0f : 0.0f);
  return out;
}

TEST(ImportNodes, ByParts) {
  const Scene scene = import_raw(with_nodes(json::parse(R"([
    {"name": "a", "translation": [1, 2, 3], "rotation": [0, 0, 1, 0], "scale": [1, 2, 4], "children": [2, 1]}, {}, {"name": "c"}])")));
  ASSERT_EQ(scene.nodes.size(), 3u);
  EXPECT_EQ(scene.nodes[0].name, "a");
  EXPECT_EQ(scene.nodes[0].rest, (Transform{{1, 2, 3}, quat_xyzw(0, 0, 1, 0), {1, 2, 4}}));
  EXPECT_EQ(scene.nodes[0].children, (std::vector<std::int32_t>{2, 1})) << "in the file's order";
  EXPECT_EQ(scene.nodes[0].parent, kNone);
  EXPECT_EQ(scene.nodes[1].parent, 0);
  EXPECT_EQ(scene.nodes[1].rest, Transform{});
  EXPECT_FALSE(scene.nodes[0].from_matrix);
}

TEST(ImportNodes, ByMatrix) {
  const Transform t{{1, 2, 3}, quat_axis_angle({1, 1, 0}, 0.7f), {2, 0.5f, -3}};
  const Scene scene = import_raw(with_nodes({{{"matrix", matrix_json(to_affine(t))}}}));
  EXPECT_TRUE(scene.nodes[0].from_matrix);
  const Affine again = to_affine(scene.nodes[0].rest), given = to_affine(t);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(again.rows[r][c], given.rows[r][c], 1e-6);
}

TEST(ImportNodes, MatricesThatAreNoTransformAreRefused) {
  Affine sheared;
  sheared.rows[0][1] = 0.5f;
  Error error = scene_refusal(with_nodes({{{"name", "bent"}, {"matrix", matrix_json(sheared)}}}));
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_EQ(error.where, "nodes[0].matrix");
  EXPECT_NE(error.what.find("\"bent\""), std::string::npos) << error.what;
  EXPECT_NE(error.what.find("shear"), std::string::npos) << error.what;
  json flat = matrix_json(Affine{});
  flat[15] = 2;
  EXPECT_EQ(scene_refusal(with_nodes({{{"matrix", flat}}})).code, ErrorCode::bad_value);
  Affine barely;
  barely.rows[0][1] = 1e-5f;
  EXPECT_TRUE(import_raw(with_nodes({{{"matrix", matrix_json(barely)}}})).nodes[0].from_matrix)
      << "rounding is no shear";
}

TEST(ImportNodes, MatrixAndPartsTogether) {
  const json both = {{{"matrix", matrix_json(Affine{})}, {"translation", {1, 0, 0}}}};
  EXPECT_EQ(scene_finding(with_nodes(both), "node.matrix_and_trs").severity, Severity::warning);
  EXPECT_EQ(import_raw(with_nodes(both)).nodes[0].rest, Transform{});
}

TEST(ImportNodes, RestRotations) {
  const Finding found =
      scene_finding(with_nodes({json::object(), {{"rotation", {0.5, 0, 0, 0.5}}}, {{"rotation", {2, 0, 0, 2}}}}),
                    "rotation.not_unit");
  EXPECT_EQ(found.count, 2u);
  EXPECT_EQ(found.where, "nodes[2].rotation") << "the worst is told";
  EXPECT_NE(found.what.find("2.82843"), std::string::npos) << found.what;
  EXPECT_EQ(scene_refusal(with_nodes({{{"rotation", {0, 0, 0, 0}}}})).code, ErrorCode::bad_value);
}

TEST(ImportNodes, LoopsAndSharedChildrenNameTheNodes) {
  Error error = scene_refusal(with_nodes(json::parse(R"([{"name": "me", "children": [0]}])")));
  EXPECT_EQ(error.code, ErrorCode::cyclic);
  EXPECT_NE(error.what.find("\"me\""), std::string::npos) << error.what;
  error = scene_refusal(with_nodes(json::parse(R"([{"children": [1]}, {"children": [2]}, {"children": [1]}])")));
  EXPECT_EQ(error.code, ErrorCode::cyclic) << error.message();
  error = scene_refusal(with_nodes(json::parse(R"([{}, {"children": [2]}, {"children": [3]}, {"children": [1]}])")));
  EXPECT_EQ(error.code, ErrorCode::cyclic);
  EXPECT_NE(error.what.find("loop"), std::string::npos) << error.what;
  error = scene_refusal(with_nodes(json::parse(R"([{"children": [2]}, {"children": [2]}, {}])")));
  EXPECT_EQ(error.code, ErrorCode::cyclic);
  EXPECT_NE(error.what.find("node 2 is a child of both node 0 and node 1"), std::string::npos) << error.what;
  EXPECT_EQ(scene_refusal(with_nodes(json::parse(R"([{"children": [1, 1]}, {}])"))).code, ErrorCode::cyclic);
  EXPECT_EQ(scene_refusal(with_nodes(json::parse(R"([{"children": [1]}])"))).code, ErrorCode::out_of_range);
}

TEST(ImportNodes, AVeryLongChainNeedsNoStack) {
  constexpr int kNodes = 200000;
  std::string text = R"({"asset":{"version":"2.0"},"skins":[{"joints":[0,199999]}],"nodes":[)";
  for (int i = 0; i + 1 < kNodes; ++i) text += "{\"children\":[" + std::to_string(i + 1) + "]},";
  text += "{}]}";
  const auto scene = import_gltf(std::as_bytes(std::span<const char>(text)));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->nodes.back().parent, kNodes - 2);
  EXPECT_EQ(find(scene->findings, "hier.no_common_root"), nullptr);
}

TEST(ImportScenes, RootsAndTheDefault) {
  RawGltf raw = with_nodes(json::parse(R"([{"children": [1]}, {}, {}])"));
  EXPECT_TRUE(import_raw(raw).scenes.empty()) << "a file may have none";
  raw.json["scenes"] = json::parse(R"([{"nodes": [0]}, {"nodes": [0, 2]}, {}])");
  raw.json["scene"] = 1;
  const Scene scene = import_raw(raw);
  EXPECT_EQ(scene.scenes, (std::vector<std::vector<std::int32_t>>{{0}, {0, 2}, {}}));
  EXPECT_EQ(scene.default_scene, 1);
  raw.json["scene"] = 3;
  EXPECT_EQ(scene_finding(raw, "scene.missing").severity, Severity::warning);
  raw.json["scenes"][0]["nodes"] = {1};
  EXPECT_NE(scene_finding(raw, "scene.not_root").what.find("node 1"), std::string::npos);
  raw.json["scenes"][0]["nodes"] = {3};
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::out_of_range);
}

TEST(ImportSkins, JointsAndHint) {
  RawGltf raw = to_raw(strip());
  EXPECT_EQ(import_raw(raw).skins[0].joints, (std::vector<std::int32_t>{0, 1}));
  raw.json["skins"][0]["skeleton"] = 0;
  EXPECT_EQ(import_raw(raw).skins[0].skeleton, 0);
  raw.json["skins"][0]["skeleton"] = 1;
  EXPECT_NE(scene_finding(raw, "hier.skeleton").what.find("node 1"), std::string::npos)
      << "it is no ancestor of joint 0";
  raw.json["skins"][0]["skeleton"] = 77;
  EXPECT_EQ(scene_finding(raw, "hier.skeleton").severity, Severity::warning);
  raw.json["skins"][0].erase("skeleton");
  raw.json["skins"][0]["joints"] = {0, 0};
  EXPECT_EQ(scene_finding(raw, "skin.joint_twice").severity, Severity::warning);
  raw.json["skins"][0]["joints"] = {0, 9};
  const Error error = scene_refusal(raw);
  EXPECT_EQ(error.code, ErrorCode::out_of_range);
  EXPECT_EQ(error.where, "skins[0].joints[1]");
  raw.json["skins"][0]["joints"] = json::array();
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_value);
}

TEST(ImportSkins, InverseBinds) {
  const Scene expected = strip();
  RawGltf raw = to_raw(expected);
  EXPECT_EQ(import_raw(raw).skins[0].inverse_bind_matrices, expected.skins[0].inverse_bind_matrices);
  json& list = raw.json["skins"][0]["inverseBindMatrices"];
  const auto matrices = [](float last_row, float last) {
    std::vector<float> out;
    for (int m = 0; m < 2; ++m)
      out.insert(out.end(), {1, 0, 0, last_row, 0, 1, 0, 0, 0, 0, 1, 0, 0, m == 0 ? 0.0f : -1.0f, 0, last});
    return out;
  };
  list = raw.accessor(matrices(0, 1), "MAT4");
  for (const Finding& f : import_raw(raw).findings) EXPECT_FALSE(f.code.starts_with("ibm.")) << f.message();
  list = raw.accessor(matrices(1e-5f, 1), "MAT4");
  EXPECT_EQ(scene_finding(raw, "ibm.last_row").severity, Severity::warning);
  list = raw.accessor(matrices(0, 0), "MAT4");
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_value);
  list = raw.accessor(matrices(0.5f, 1), "MAT4");
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_value);
  std::vector<std::uint16_t> integers(32, 1);
  list = raw.accessor(integers, "MAT4");
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_type);
  raw.json["accessors"].push_back({{"componentType", kFloat}, {"count", 2}, {"type", "MAT4"}});
  list = raw.json["accessors"].size() - 1;
  EXPECT_EQ(scene_finding(raw, "ibm.no_data").severity, Severity::warning);
  EXPECT_TRUE(import_raw(raw).skins[0].inverse_bind_matrices.empty());
}

TEST(ImportSkins, ABadMatrixOfAJointThatNothingFollowsIsTold) {
  Scene scene = strip();
  scene.skins[0].joints.push_back(2);
  scene.skins[0].inverse_bind_matrices.push_back({});
  RawGltf raw = to_raw(scene);
  const int view = raw.json["accessors"][int(raw.json["skins"][0]["inverseBindMatrices"])]["bufferView"];
  const std::size_t last = std::size_t(raw.json["bufferViews"][view]["byteOffset"]) + 3 * 64 - 4;
  raw.bin[last] = raw.bin[last + 1] = raw.bin[last + 2] = raw.bin[last + 3] = std::byte(0);
  EXPECT_EQ(scene_finding(raw, "ibm.last_row").severity, Severity::warning);
}

TEST(ImportMeshes, AllThatAPrimitiveHolds) {
  Scene expected = strip();
  Scene::Primitive& primitive = expected.meshes[0].primitives[0];
  primitive.uvs.assign(primitive.positions.size(), Vec2(0.25f, 0.75f));
  primitive.targets.resize(2);
  primitive.targets[0].positions.assign(primitive.positions.size(), Vec3(1, 2, 3));
  primitive.targets[1].normals.assign(primitive.positions.size(), Vec3(0, 1, 0));
  primitive.targets[1].tangents.assign(primitive.positions.size(), Vec3(0, 0, 1));
  RawGltf raw = to_raw(expected);
  raw.json["meshes"][0]["weights"] = {0.5, 0.25};
  raw.json["meshes"][0]["extras"] = {{"targetNames", {"smile", "frown"}}};
  raw.json["meshes"][0]["primitives"][0]["material"] = 0;
  raw.json["materials"] = {json::object()};
  const Scene scene = import_raw(raw);
  const Scene::Primitive& p = scene.meshes[0].primitives[0];
  EXPECT_EQ(p.positions, primitive.positions);
  EXPECT_EQ(p.normals, primitive.normals);
  EXPECT_EQ(p.tangents, primitive.tangents);
  EXPECT_EQ(p.uvs, primitive.uvs);
  EXPECT_EQ(p.indices, primitive.indices);
  EXPECT_EQ(p.material, 0);
  ASSERT_EQ(p.targets.size(), 2u);
  EXPECT_EQ(p.targets[0].positions, primitive.targets[0].positions);
  EXPECT_TRUE(p.targets[0].normals.empty());
  EXPECT_EQ(p.targets[1].normals, primitive.targets[1].normals);
  EXPECT_EQ(p.targets[1].tangents, primitive.targets[1].tangents);
  EXPECT_EQ(scene.meshes[0].weights, (std::vector<float>{0.5f, 0.25f}));
  EXPECT_EQ(scene.meshes[0].target_names, (std::vector<std::string>{"smile", "frown"}));
}

TEST(ImportMeshes, UnequalNumbersOfVerticesAreRefused) {
  for (const char* name : {"NORMAL", "TANGENT", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"}) {
    RawGltf raw = to_raw(strip());
    const std::string type = name == std::string("NORMAL")       ? "VEC3"
                             : name == std::string("TEXCOORD_0") ? "VEC2"
                                                                 : "VEC4";
    json& attributes = raw.json["meshes"][0]["primitives"][0]["attributes"];
    if (name == std::string("JOINTS_0"))
      attributes[name] = raw.accessor(std::vector<std::uint8_t>(4), type);
    else
      attributes[name] = raw.accessor(std::vector<float>(RawGltf::components(type)), type);
    EXPECT_EQ(scene_refusal(raw).code, ErrorCode::inconsistent) << name;
  }
}

TEST(ImportMeshes, WithoutPositionsNothingIsShown) {
  RawGltf raw = to_raw(strip());
  raw.json["meshes"][0]["primitives"][0]["attributes"].erase("POSITION");
  const Scene scene = import_raw(raw);
  EXPECT_NE(find(scene.findings, "mesh.no_positions"), nullptr);
  const Scene::Primitive& p = scene.meshes[0].primitives[0];
  EXPECT_TRUE(p.positions.empty() && p.normals.empty() && p.influences.empty() && p.indices.empty());
}

TEST(ImportMeshes, RulesOfTheList) {
  RawGltf raw = to_raw(strip());
  raw.json["meshes"][0]["primitives"][0]["mode"] = 7;
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_value);
  raw.json["meshes"][0]["primitives"] = json::array();
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::bad_value);
  raw.json["nodes"][2]["mesh"] = 1;
  EXPECT_EQ(scene_refusal(raw).code, ErrorCode::out_of_range);
  raw = to_raw(strip());
  raw.json["meshes"][0]["primitives"][0]["material"] = 5;
  EXPECT_EQ(scene_finding(raw, "mesh.material").severity, Severity::warning);
  EXPECT_EQ(import_raw(raw).meshes[0].primitives[0].material, kNone);
  raw.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 0;
  EXPECT_EQ(scene_finding(raw, "mesh.unread_attribute").severity, Severity::info);
}

TEST(ImportMeshes, InfluenceSetsOfAnyNumber) {
  Scene scene = strip();
  Scene::Primitive& primitive = scene.meshes[0].primitives[0];
  primitive.influences.resize(3, primitive.influences[0]);
  EXPECT_EQ(import_raw(to_raw(scene)).meshes[0].primitives[0].influences.size(), 3u);
  RawGltf raw = to_raw(scene);
  raw.json["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_2");
  const Finding found = scene_finding(raw, "weights.lone_set");
  EXPECT_NE(found.where.find("JOINTS_2"), std::string::npos) << found.message();
  EXPECT_EQ(import_raw(raw).meshes[0].primitives[0].influences.size(), 2u);
}

TEST(ImportMeshes, MorphTargetsAndWeightsThatDoNotMatch) {
  Scene scene = morph_triangle(2);
  scene.meshes[0].primitives.push_back(scene.meshes[0].primitives[0]);
  scene.meshes[0].primitives[1].targets.pop_back();
  RawGltf raw = to_raw(scene);
  EXPECT_NE(scene_finding(raw, "morph.unequal_targets").where.find("primitives[1]"), std::string::npos);
  EXPECT_EQ(import_raw(raw).meshes[0].primitives[1].targets.size(), 2u);
  raw.json["nodes"][0]["weights"] = {1, 2, 3};
  EXPECT_EQ(scene_finding(raw, "morph.weight_count").severity, Severity::warning);
  EXPECT_EQ(import_raw(raw).nodes[0].weights, (std::vector<float>{1, 2}));
  RawGltf bare = to_raw(morph_triangle(1));
  bare.json["meshes"][0]["primitives"][0]["targets"][0]["NORMAL"] =
      bare.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
  bare.json["meshes"][0]["primitives"][0]["attributes"].erase("NORMAL");
  EXPECT_EQ(scene_finding(bare, "morph.no_base").severity, Severity::warning);
}

TEST(ImportInfluences, WhatIsWrongIsToldWithItsVertex) {
  Scene scene = strip();
  auto& weights = scene.meshes[0].primitives[0].influences[0].weights;
  weights[3] = {0.5f, 0.3f, 0, 0};
  weights[5] = {0, 0, 0, 0};
  weights[7] = {1.5f, -0.5f, 0, 0};
  const RawGltf raw = to_raw(scene);
  const Finding sum = scene_finding(raw, "weights.sum");
  EXPECT_EQ(sum.severity, Severity::warning);
  EXPECT_NE(sum.what.find("weights sum to 0.8"), std::string::npos) << sum.what;
  EXPECT_NE(sum.what.find("vertex 3 at (0.5, 0.5, 0)"), std::string::npos) << sum.what;
  const Finding zero = scene_finding(raw, "weights.zero");
  EXPECT_EQ(zero.count, 1u);
  EXPECT_NE(zero.what.find("vertex 5"), std::string::npos) << zero.what;
  EXPECT_NE(scene_finding(raw, "weights.negative").what.find("vertex 7"), std::string::npos);
  EXPECT_EQ(import_raw(raw).meshes[0].primitives[0].influences[0].weights[3], Vec4(0.5f, 0.3f, 0, 0))
      << "kept as stored";
}

TEST(ImportInfluences, JointsThatTheSkinLacks) {
  Scene scene = strip();
  auto& set = scene.meshes[0].primitives[0].influences[0];
  set.joints[4][3] = 7;
  const Finding found = scene_finding(to_raw(scene), "robust.joint_range");
  EXPECT_NE(found.what.find("vertex 4"), std::string::npos) << found.what;
  EXPECT_NE(found.what.find("joint 7"), std::string::npos) << found.what;
  set.weights[4][3] = 0.5f;
  const Error error = scene_refusal(to_raw(scene));
  EXPECT_EQ(error.code, ErrorCode::out_of_range);
  EXPECT_EQ(error.where, "meshes[0].primitives[0].attributes.JOINTS_0");
}

TEST(ImportMeshNodes, SkinAndInfluencesWithoutEachOther) {
  RawGltf raw = to_raw(strip());
  raw.json["nodes"][2].erase("skin");
  EXPECT_EQ(scene_finding(raw, "robust.joints_without_skin").severity, Severity::warning);
  raw = to_raw(strip());
  raw.json["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
  raw.json["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0");
  EXPECT_EQ(scene_finding(raw, "robust.skin_without_joints").severity, Severity::warning);
  raw.json["nodes"][2].erase("mesh");
  EXPECT_EQ(scene_finding(raw, "node.skin_without_mesh").severity, Severity::warning);
}

TEST(ImportMeshNodes, AnIgnoredPlaceIsToldOnceWithItsSize) {
  Scene scene = strip();
  scene.nodes[2].rest.translation = {0, 1, 0};
  const int above = add_node(scene, "above", kNone, {{1, 0, 0}, {}, Vec3(1.0f)});
  scene.nodes[2].parent = above;
  scene.nodes[std::size_t(above)].children = {2};
  const Finding found = scene_finding(to_raw(scene), "meshnode.ignored_transform");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_NE(found.what.find("length 1.41421"), std::string::npos) << found.what;
  EXPECT_NE(found.what_to_do.find("bake"), std::string::npos);
}

}  // namespace
}  // namespace sinew::test
