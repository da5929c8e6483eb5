#include "sinew/write.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::add_node;
using test::load;
using test::Loaded;
using test::must;

template <class T>
std::vector<T> list_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// A node with a triangle.
int add_triangle(Scene& scene, std::string name, int parent = kNone, const Transform& rest = {}) {
  const int node = add_node(scene, name, parent, rest);
  scene.nodes[node].mesh = int(scene.meshes.size());
  Scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.name = std::move(name);
  mesh.primitives.emplace_back().positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  return node;
}

TEST(Write, TheSameSceneGivesTheSameBytes) {
  const Scene scene = test::every_array_scene();
  EXPECT_EQ(must(write(scene)), must(write(Scene(scene))));
}

TEST(Write, WhatItWritesOpens) {
  for (const Scene& scene : {Scene(), test::two_joints(), test::strip(), test::tube(), test::chain(40),
                             test::morph_triangle(20), test::every_array_scene()}) {
    const Bytes bytes = must(write(scene));
    const auto character = open(bytes);
    ASSERT_TRUE(character) << character.error().message();
    EXPECT_EQ(character->parts().empty(), test::run_everything(*character) == 0);
  }
}

// --- skeleton

TEST(WriteSkeleton, RowsAreDepthFirstInTheScenesOrder) {
  Scene scene;
  const int late_root = add_triangle(scene, "late root");
  const int root = add_node(scene, "root");
  const int b = add_triangle(scene, "b"), a = add_triangle(scene, "a"), leaf = add_triangle(scene, "leaf");
  const auto adopt = [&](int parent, int child) {
    scene.nodes[child].parent = parent;
    scene.nodes[parent].children.push_back(child);
  };
  adopt(root, a), adopt(root, b), adopt(a, leaf);
  const Loaded loaded = must(load(scene));
  const Skeleton& skeleton = loaded.character.skeleton();
  EXPECT_EQ(list_of(skeleton.source_nodes), (std::vector<std::int32_t>{late_root, root, a, leaf, b}));
  EXPECT_EQ(list_of(skeleton.parents), (std::vector<std::int32_t>{-1, -1, 1, 2, 1}));
  EXPECT_EQ(list_of(skeleton.subtree_ends), (std::vector<std::uint32_t>{1, 5, 4, 4, 5}));
}

TEST(WriteSkeleton, KeepsWhatIsNeededAndItsAncestorsAlone) {
  Scene scene;
  const int scene_root = add_node(scene, "scene root");
  add_node(scene, "camera", scene_root);
  const int empty = add_node(scene, "empty", scene_root);
  const int shown = add_triangle(scene, "shown", empty);
  add_node(scene, "light", shown);
  const int driven = add_node(scene, "driven", scene_root);
  test::add_turn(test::add_clip(scene, "turn"), driven, {0, 1}, {0, 90});
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(list_of(loaded.character.skeleton().source_nodes),
            (std::vector<std::int32_t>{scene_root, empty, shown, driven}));
}

TEST(WriteSkeleton, ASkinWithoutAMeshCounts) {
  Scene scene;
  add_node(scene, "hips");
  add_node(scene, "spine", 0);
  scene.skins.emplace_back().joints = {1};
  const Loaded loaded = must(load(scene));
  ASSERT_EQ(loaded.character.skeleton().joint_count(), 2u);
  EXPECT_TRUE(has(loaded.character.skeleton().flags[1], JointFlags::skin));
  EXPECT_TRUE(loaded.character.skins().empty());  // no part uses one
}

TEST(WriteSkeleton, OneSceneOfTheFile) {
  Scene scene;
  const int first = add_triangle(scene, "first"), second = add_triangle(scene, "second");
  Scene::Clip& clip = test::add_clip(scene, "both");
  test::add_turn(clip, first, {0, 1}, {0, 90});
  test::add_turn(clip, second, {0, 2}, {0, 90});
  scene.scenes = {{first}, {second}};
  WriteOptions options;
  options.scene = 1;
  const Loaded loaded = must(load(scene, options));
  EXPECT_EQ(list_of(loaded.character.skeleton().source_nodes), (std::vector<std::int32_t>{second}));
  ASSERT_EQ(loaded.character.parts().size(), 1u);
  EXPECT_EQ(loaded.character.parts()[0].source_node, second);
  ASSERT_EQ(loaded.character.clips().size(), 1u);
  EXPECT_EQ(loaded.character.clips()[0].duration, 2);
  EXPECT_EQ(must(load(scene)).character.skeleton().joint_count(), 2u);
  options.scene = 2;
  EXPECT_EQ(write(scene, options).error().code, ErrorCode::bad_argument);
}

TEST(WriteSkeleton, RestRotationsAreNormalisedAndReported) {
  Scene scene;
  add_triangle(scene, "turned", kNone, {{1, 2, 3}, quat_xyzw(0.5f, 0, 0, 0.5f), {1, 2, 1}});
  add_triangle(scene, "not", kNone, {{0, 0, 0}, test::about_z(33), Vec3(1.0f)});
  const Loaded loaded = must(load(scene));
  const Transform rest = loaded.character.skeleton().rest_transform(0);
  EXPECT_NEAR(angle(rest.rotation), test::radians(90), 1e-6f);
  EXPECT_EQ(rest.translation, Vec3(1, 2, 3));
  EXPECT_EQ(rest.scale, Vec3(1, 2, 1));
  EXPECT_EQ(loaded.character.skeleton().rest_transform(1).rotation, test::about_z(33)) << "to the bit";
  const Finding* finding = test::find(loaded.report, "rotation.normalised");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->count, 1u);
  EXPECT_NE(finding->what.find("0.707107"), std::string::npos);
}

TEST(WriteSkeleton, IdsTellSkeletonsApart) {
  const Scene scene = test::strip();
  Scene moved = scene;
  moved.nodes[1].rest.translation.y += 1e-6f;
  const Loaded a = must(load(scene)), b = must(load(moved)), again = must(load(scene));
  EXPECT_NE(a.character.skeleton().id, b.character.skeleton().id);
  EXPECT_EQ(a.character.skeleton().id, again.character.skeleton().id);
  EXPECT_EQ(a.character.clips()[0].skeleton_id, a.character.skeleton().id);
}

// --- parts, channels, size

TEST(WriteParts, AMeshWithoutASkinHasASkinOfItsOwnRow) {
  Scene scene;
  add_node(scene, "root");
  const int node = add_triangle(scene, "plain", 0, {{0, 0, 5}, {}, Vec3(1.0f)});
  scene.meshes[0].primitives.push_back(scene.meshes[0].primitives[0]);
  const Loaded loaded = must(load(scene));
  ASSERT_EQ(loaded.character.parts().size(), 2u);
  ASSERT_EQ(loaded.character.skins().size(), 1u) << "both primitives of the node share it";
  const Skin& skin = loaded.character.skins()[0];
  EXPECT_EQ(skin.source_skin, kNone);
  EXPECT_EQ(list_of(skin.joints), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(skin.inverse_bind_matrices[0], Affine());
  for (const Part& part : loaded.character.parts()) {
    const Mesh& mesh = loaded.character.meshes()[part.mesh];
    EXPECT_EQ(part.joint, 1u);
    EXPECT_EQ(part.source_node, node);
    EXPECT_EQ(mesh.influence_count, 1u);
    EXPECT_EQ(list_of(mesh.weights), (std::vector<float>{1, 1, 1}));
  }
  EXPECT_EQ(loaded.character.parts()[1].source_primitive, 1);
}

TEST(WriteParts, SourceIndicesAndMaterialsAreKept) {
  Scene scene = test::every_array_scene();
  const Loaded loaded = must(load(scene));
  const Part& part = loaded.character.parts()[1];
  EXPECT_EQ(part.source_node, 4);
  EXPECT_EQ(part.source_mesh, 1);
  EXPECT_EQ(part.source_primitive, 0);
  EXPECT_EQ(part.material, 2);
  EXPECT_EQ(loaded.character.meshes()[part.mesh].name, "rod");
  EXPECT_EQ(loaded.character.meshes()[part.mesh].topology, Topology::lines);
}

TEST(WriteParts, JointsWithoutASkinAreLeftOutWithAWarning) {
  Scene scene = test::strip();
  scene.nodes[2].skin = kNone;
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(loaded.character.meshes()[0].influence_count, 1u);
  EXPECT_EQ(list_of(loaded.character.skins()[0].joints), (std::vector<std::uint32_t>{2}));
  EXPECT_NE(test::find(loaded.report, "influences.no_skin"), nullptr) << test::lines(loaded.report);
}

TEST(WriteParts, APrimitiveWithoutInfluencesOnASkinnedNodeFollowsTheNode) {
  Scene scene = test::strip();
  scene.nodes[2].rest.translation = {7, 0, 0};
  Scene::Primitive plain;
  plain.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  scene.meshes[0].primitives.push_back(plain);
  const Loaded loaded = must(load(scene));
  EXPECT_NE(test::find(loaded.report, "skin.no_influences"), nullptr);
  const test::Evaluated rest = test::evaluate(loaded.character);
  ASSERT_NE(rest.part(2, 1), nullptr);
  EXPECT_EQ(rest.part(2, 1)->positions[0], (test::DVec3{7, 0, 0}));
}

TEST(WriteParts, EmptyPrimitivesAreLeftOut) {
  Scene scene;
  add_triangle(scene, "one");
  scene.meshes[0].primitives.insert(scene.meshes[0].primitives.begin(), Scene::Primitive());
  const Loaded loaded = must(load(scene));
  ASSERT_EQ(loaded.character.parts().size(), 1u);
  EXPECT_EQ(loaded.character.parts()[0].source_primitive, 1);
  EXPECT_NE(test::find(loaded.report, "mesh.empty"), nullptr);
}

TEST(WriteParts, MorphWeightsOfANodeAreSharedByItsPrimitives) {
  Scene scene = test::morph_triangle(2);
  scene.clips.clear();
  scene.meshes[0].primitives.push_back(scene.meshes[0].primitives[0]);
  scene.meshes[0].weights = {0.25f};
  const int second = add_node(scene, "second");
  scene.nodes[second].mesh = 0;
  scene.nodes[second].weights = {0.5f, 0.75f};
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(list_of(loaded.character.skeleton().rest_channels), (std::vector<float>{0.25f, 0, 0.5f, 0.75f}));
  ASSERT_EQ(loaded.character.parts().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(loaded.character.parts()[i].first_channel, i < 2 ? 0u : 2u);
    EXPECT_EQ(loaded.character.parts()[i].channel_count, 2u);
  }
}

TEST(WriteSize, IsTheDiagonalOfTheSkinnedRestBox) {
  Scene scene = test::strip();
  EXPECT_FLOAT_EQ(must(load(scene)).character.size(), std::sqrt(1.0f + 4.0f));
  scene.nodes[0].rest.scale = Vec3(3.0f);  // the skin follows the joints, not the mesh node
  scene.nodes[2].rest.scale = Vec3(100.0f);
  EXPECT_FLOAT_EQ(must(load(scene)).character.size(), 3 * std::sqrt(5.0f));
}

TEST(WriteSize, CountsMorphTargetsAtRest) {
  Scene scene;
  add_triangle(scene, "one");
  scene.meshes[0].primitives[0].targets.emplace_back().positions = {{0, 0, 0}, {2, 0, 0}, {0, 0, 0}};
  scene.meshes[0].weights = {1};
  EXPECT_FLOAT_EQ(must(load(scene)).character.size(), std::sqrt(9.0f + 1.0f));
}

TEST(WriteSize, IsThatOfTheJointsWithoutVertices) {
  Scene scene;
  add_node(scene, "a");
  add_node(scene, "b", 0, {{3, 4, 0}, {}, Vec3(1.0f)});
  scene.skins.emplace_back().joints = {0, 1};
  EXPECT_FLOAT_EQ(must(load(scene)).character.size(), 5);
}

// --- meshes

TEST(WriteMeshes, EntriesThatNoVertexUsesAreDropped) {
  Scene scene = test::chain(300);
  Scene::Primitive& primitive = scene.meshes[0].primitives[0];
  primitive.positions = {{0, 3, 0}, {0, 280, 0}, {0, 299, 0}};
  primitive.influences = test::influence_sets({{{3, 1.0f}}, {{299, 0.5f}, {280, 0.5f}}, {{299, 1.0f}}});
  const Loaded loaded = must(load(scene));
  const Skin& skin = loaded.character.skins()[0];
  EXPECT_EQ(list_of(skin.joints), (std::vector<std::uint32_t>{3, 280, 299}));
  EXPECT_EQ(skin.inverse_bind_matrices[1], scene.skins[0].inverse_bind_matrices[280]);
  EXPECT_EQ(loaded.character.skeleton().joint_count(), 301u) << "the skeleton keeps them all";
  const Mesh& mesh = loaded.character.meshes()[0];
  ASSERT_EQ(mesh.influence_count, 2u);
  EXPECT_EQ(mesh.palette_limit, 3u);
  EXPECT_NE(test::find(loaded.report, "skin.unused_joints"), nullptr);
}

TEST(WriteMeshes, OneSkinForAllItsPartsAndOneMeshForManySkins) {
  // Two chains that bend one mesh, and a second mesh on the first chain.
  Scene scene = test::strip();
  const int joint0 = add_node(scene, "other0", kNone, {{5, 0, 0}, {}, Vec3(1.0f)});
  const int joint1 = add_node(scene, "other1", joint0, {{0, 1, 0}, {}, Vec3(1.0f)});
  scene.skins.push_back(scene.skins[0]);
  scene.skins[1].joints = {joint0, joint1};
  const int copy = add_node(scene, "copy");
  scene.nodes[copy].mesh = 0, scene.nodes[copy].skin = 1;
  const int more = add_node(scene, "more");
  scene.meshes.push_back(scene.meshes[0]);
  scene.nodes[more].mesh = 1, scene.nodes[more].skin = 0;
  const Loaded loaded = must(load(scene));
  ASSERT_EQ(loaded.character.parts().size(), 3u);
  EXPECT_EQ(loaded.character.skins().size(), 2u);
  EXPECT_EQ(loaded.character.meshes().size(), 2u);
  EXPECT_EQ(loaded.character.parts()[0].mesh, loaded.character.parts()[1].mesh);
  EXPECT_EQ(loaded.character.parts()[0].skin, loaded.character.parts()[2].skin);
}

TEST(WriteMeshes, ASkinnedAndARigidUseAreStoredApart) {
  Scene scene = test::strip();
  const int rigid = add_node(scene, "rigid", kNone, {{5, 0, 0}, {}, Vec3(1.0f)});
  scene.nodes[rigid].mesh = 0;
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(loaded.character.meshes().size(), 2u);
  const test::Evaluated bent = test::evaluate(loaded.character, 0, 1);
  EXPECT_NEAR(bent.part(2)->positions[9][0], -1, 1e-6);
  EXPECT_NEAR(bent.part(rigid)->positions[9][0], 5.5, 1e-6);
}

/// A mesh whose vertices name four joint sets in no order.
Scene shuffled_sets() {
  Scene scene = test::chain(3);
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.topology = Topology::line_strip;
  p.positions.clear();
  for (int v = 0; v < 8; ++v) p.positions.push_back({float(v), 0, 0});
  p.uvs.clear();
  for (int v = 0; v < 8; ++v) p.uvs.push_back({float(v), 1});
  p.targets.emplace_back().positions.clear();
  for (int v = 0; v < 8; ++v) p.targets[0].positions.push_back({0, float(v), 0});
  p.influences = test::influence_sets({{{2, 1.0f}},
                                       {{0, 1.0f}},
                                       {{0, 0.5f}, {2, 0.5f}},
                                       {{2, 1.0f}},
                                       {{1, 0.4f}, {0, 0.6f}},
                                       {{0, 1.0f}},
                                       {{2, 0.3f}, {0, 0.7f}},
                                       {{0, 0.1f}, {1, 0.9f}}});
  return scene;
}

TEST(WriteMeshes, VerticesAreOrderedByJointSetAndAllFollows) {
  const Scene scene = shuffled_sets();
  const Loaded loaded = must(load(scene));
  const Mesh& mesh = loaded.character.meshes()[0];
  const std::vector<std::uint32_t> order = {1, 5, 4, 7, 2, 6, 0, 3};  // {0}, {0,1}, {0,2}, {2}; within a set as stored
  EXPECT_EQ(list_of(mesh.source_vertices), order);
  for (std::size_t v = 0; v < order.size(); ++v) {
    EXPECT_EQ(mesh.positions[v].x, float(order[v]));
    EXPECT_EQ(mesh.uvs[v].x, float(order[v]));
    EXPECT_EQ(mesh.target_positions[v].y, float(order[v]));
  }
  ASSERT_EQ(mesh.indices.size(), 8u) << "the line ran through the vertices in order; now it needs indices";
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(mesh.source_vertices[mesh.indices[i]], i);
}

TEST(WriteMeshes, IndicesFollowTheVertices) {
  Scene scene = shuffled_sets();
  scene.meshes[0].primitives[0].indices = {7, 0, 3, 3, 1};
  const Loaded loaded = must(load(scene));
  const Mesh& mesh = loaded.character.meshes()[0];
  std::vector<std::uint32_t> drawn;
  for (const std::uint32_t index : mesh.indices) drawn.push_back(mesh.source_vertices[index]);
  EXPECT_EQ(drawn, scene.meshes[0].primitives[0].indices);
}

TEST(WriteMeshes, TargetsWithoutDataAddNothing) {
  Scene scene = test::morph_triangle(1);
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.targets.emplace_back();                               // nothing at all
  p.targets.emplace_back().normals.assign(3, {1, 0, 0});  // normals alone
  p.targets.back().tangents.assign(3, {1, 0, 0});         // for tangents that the mesh has not
  scene.clips.clear();
  const Loaded loaded = must(load(scene));
  const Mesh& mesh = loaded.character.meshes()[0];
  EXPECT_EQ(mesh.target_count, 3u);
  EXPECT_EQ(mesh.target_positions.size(), 9u);
  EXPECT_EQ(mesh.target_positions[0], Vec3(1, 0, 0));
  EXPECT_EQ(mesh.target_positions[3], Vec3(0));
  EXPECT_EQ(mesh.target_normals[6], Vec3(1, 0, 0));
  EXPECT_TRUE(mesh.target_tangents.empty());
}

}  // namespace
}  // namespace sinew
