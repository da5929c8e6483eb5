#include "sinew/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "biped/biped.h"
#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/glb_file.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;

Scene again(const Scene& scene, Report* report = nullptr) { return must(import_gltf(must(export_glb(scene, report)))); }

/// Half way through the last clip; at rest without clips.
Pose middle_pose(const Character& character) {
  Pose pose(character.skeleton());
  if (character.clips().empty()) return pose;
  const Clip& clip = character.clips().back();
  run(SampleJob{clip, character.skeleton(), 0.5f * (clip.first_key + clip.duration), pose});
  return pose;
}

struct Code {
  const char* name;
  std::function<Scene()> make;
};
void PrintTo(const Code& code, std::ostream* out) { *out << code.name; }

class ExportNew : public testing::TestWithParam<Code> {};

TEST_P(ExportNew, ReadsBackEqual) {
  const Scene scene = GetParam().make();
  Report report;
  EXPECT_EQ(difference(scene, again(scene, &report)), "");
  EXPECT_EQ(lines(report), "");
}

TEST_P(ExportNew, IsAWellFormedContainer) {
  const Bytes bytes = must(export_glb(GetParam().make()));
  const GlbFile file = read_glb(bytes);
  EXPECT_EQ(bytes.size() % 4, 0u);
  EXPECT_EQ(file.json["asset"]["version"], "2.0");
  EXPECT_EQ(file.json["asset"]["generator"].get<std::string>().rfind("sinew ", 0), 0u);
  for (const json& accessor : file.json["accessors"]) {
    const json& view = file.json["bufferViews"][accessor["bufferView"].get<int>()];
    const std::size_t offset = view.value("byteOffset", 0) + accessor.value("byteOffset", 0);
    EXPECT_EQ(offset % 4, 0u) << accessor;
    EXPECT_LE(offset + accessor["count"].get<std::size_t>() * view.value("byteStride", 1), file.bin.size());
  }
}

TEST_P(ExportNew, PosedStandsWhereSkinningPutsIt) {
  const Scene scene = GetParam().make();
  const Loaded loaded = must(load(scene));
  const Pose pose = middle_pose(loaded.character);
  const Scene posed = must(import_gltf(must(export_posed_glb(scene, loaded.character, pose))));
  EXPECT_TRUE(posed.clips.empty());
  const Difference d = compare(evaluate(loaded.character, pose), evaluate(posed), loaded.character.size());
  EXPECT_LT(d.vertices, 1e-6);
  EXPECT_LT(d.normals, 1e-6);
}

TEST_P(ExportNew, BakedIsWhatSkinningGives) {
  const Scene scene = GetParam().make();
  const Loaded loaded = must(load(scene));
  const Pose pose = middle_pose(loaded.character);
  const Scene baked = must(import_gltf(must(export_baked_glb(scene, loaded.character, pose))));
  EXPECT_EQ(baked_difference(baked, evaluate(loaded.character, pose), loaded.character.size()), "");
}

INSTANTIATE_TEST_SUITE_P(Scenes, ExportNew,
                         testing::Values(Code{"strip", strip}, Code{"tube", tube}, Code{"two_joints", two_joints},
                                         Code{"chain", [] { return chain(300); }},
                                         Code{"morph", [] { return morph_triangle(3); }}, Code{"biped", make_biped}),
                         [](const auto& row) { return row.param.name; });

TEST(ExportNewDetails, LeavesOutIdentityAndSharesKeyTimes) {
  Scene scene = strip();
  Scene::Clip& clip = scene.clips[0];
  clip.tracks.push_back(clip.tracks[0]);
  clip.tracks[1].node = 0;
  const json root = read_glb(must(export_glb(scene))).json;
  EXPECT_FALSE(root["nodes"][0].contains("translation"));
  EXPECT_TRUE(root["nodes"][1].contains("translation"));
  EXPECT_FALSE(root["nodes"][1].contains("rotation"));
  EXPECT_EQ(root["animations"][0]["samplers"][0]["input"], root["animations"][0]["samplers"][1]["input"]);
  const json& position = root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<int>()];
  EXPECT_EQ(position["min"], json::parse("[-0.5, 0, 0]"));
  EXPECT_EQ(position["max"], json::parse("[0.5, 2, 0]"));
}

TEST(ExportNewDetails, JointsTakeBytesWhereTheyFit) {
  const auto type_of = [](const Scene& scene) {
    const json root = read_glb(must(export_glb(scene))).json;
    return root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"].get<int>()]["componentType"]
        .get<int>();
  };
  EXPECT_EQ(type_of(chain(256)), kUnsignedByte);
  EXPECT_EQ(type_of(chain(257)), kUnsignedShort);
}

TEST(ExportNewDetails, JoinsAJointNamedTwice) {
  Scene scene = strip();
  scene.meshes[0].primitives[0].influences[0].joints[0] = {1, 1, 0, 0};
  scene.meshes[0].primitives[0].influences[0].weights[0] = {0.25f, 0.75f, 0, 0};
  const Scene::InfluenceSet set = again(scene).meshes[0].primitives[0].influences[0];
  EXPECT_EQ(set.weights[0], Vec4(1, 0, 0, 0));
  EXPECT_EQ(set.joints[0], (std::array<std::uint16_t, 4>{1, 0, 0, 0}));
}

TEST(ExportNewDetails, ClipWithoutKeysIsReported) {
  Scene scene = strip();
  add_clip(scene, "nothing");
  Report report;
  EXPECT_EQ(again(scene, &report).clips.size(), 1u);
  EXPECT_TRUE(find(report, "clip.empty"));
}

/// What the scene must be refused for, by the error's code and place.
struct Broken {
  const char* name;
  std::function<void(Scene&)> breaks;
  ErrorCode code;
  const char* where;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }
class ExportRefuses : public testing::TestWithParam<Broken> {};

TEST_P(ExportRefuses, WithAPlace) {
  Scene scene = strip();
  GetParam().breaks(scene);
  const Result<Bytes> result = export_glb(scene);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, GetParam().code) << result.error().message();
  EXPECT_EQ(result.error().where, GetParam().where);
  EXPECT_FALSE(result.error().what_to_do.empty());
}

const float kNan = std::numeric_limits<float>::quiet_NaN();
INSTANTIATE_TEST_SUITE_P(
    Scenes, ExportRefuses,
    testing::Values(
        Broken{"mesh", [](Scene& s) { s.nodes[2].mesh = 7; }, ErrorCode::out_of_range, "nodes[2].mesh"},
        Broken{"skin", [](Scene& s) { s.nodes[2].skin = -5; }, ErrorCode::out_of_range, "nodes[2].skin"},
        Broken{"transform", [](Scene& s) { s.nodes[1].rest.translation.x = kNan; }, ErrorCode::bad_value, "nodes[1]"},
        Broken{"child", [](Scene& s) { s.nodes[0].children.push_back(9); }, ErrorCode::out_of_range,
               "nodes[0].children"},
        Broken{"two_parents", [](Scene& s) { s.nodes[2].children = {1}; }, ErrorCode::cyclic, "nodes[1]"},
        Broken{"parent", [](Scene& s) { s.nodes[2].parent = 0; }, ErrorCode::inconsistent, "nodes[2]"},
        Broken{"cycle", [](Scene& s) { s.nodes[1].children = {0}, s.nodes[0].parent = 1; }, ErrorCode::cyclic, "nodes"},
        Broken{"joint", [](Scene& s) { s.skins[0].joints[1] = 30; }, ErrorCode::out_of_range, "skins[0].joints"},
        Broken{"few_binds", [](Scene& s) { s.skins[0].inverse_bind_matrices.pop_back(); }, ErrorCode::inconsistent,
               "skins[0]"},
        Broken{"normals", [](Scene& s) { s.meshes[0].primitives[0].normals.pop_back(); }, ErrorCode::inconsistent,
               "meshes[0].primitives[0]"},
        Broken{"position", [](Scene& s) { s.meshes[0].primitives[0].positions[3].y = kNan; }, ErrorCode::bad_value,
               "meshes[0].primitives[0]"},
        Broken{"index", [](Scene& s) { s.meshes[0].primitives[0].indices[0] = 10; }, ErrorCode::out_of_range,
               "meshes[0].primitives[0].indices"},
        Broken{"no_primitives", [](Scene& s) { s.meshes[0].primitives.clear(); }, ErrorCode::bad_value, "meshes[0]"},
        Broken{"no_vertices", [](Scene& s) { s.meshes[0].primitives[0] = {}; }, ErrorCode::bad_value, "meshes[0]"},
        Broken{"times_fall",
               [](Scene& s) {
                 s.clips[0].times[0] = {1, 0};
               },
               ErrorCode::bad_value, "clips[0]"},
        Broken{"values", [](Scene& s) { s.clips[0].tracks[0].values.pop_back(); }, ErrorCode::inconsistent,
               "clips[0].tracks[0]"},
        Broken{"track_node", [](Scene& s) { s.clips[0].tracks[0].node = 3; }, ErrorCode::out_of_range,
               "clips[0].tracks[0].node"},
        Broken{"track_times", [](Scene& s) { s.clips[0].tracks[0].times = 1; }, ErrorCode::out_of_range,
               "clips[0].tracks[0].times"},
        Broken{"root", [](Scene& s) { s.scenes = {{5}}; }, ErrorCode::out_of_range, "scenes[0]"},
        Broken{"default_scene", [](Scene& s) { s.default_scene = 2; }, ErrorCode::out_of_range, "default_scene"}),
    [](const auto& row) { return row.param.name; });

TEST(ExportPosed, RefusesAPoseOfAnotherSkeleton) {
  const Scene scene = strip();
  const Loaded a = must(load(scene)), b = must(load(tube()));
  const Result<Bytes> posed = export_posed_glb(scene, a.character, Pose(b.character.skeleton()));
  ASSERT_FALSE(posed);
  EXPECT_EQ(posed.error().code, ErrorCode::bad_argument);
  const Result<Bytes> baked = export_baked_glb(scene, b.character, Pose(b.character.skeleton()));
  ASSERT_FALSE(baked);
  EXPECT_EQ(baked.error().code, ErrorCode::bad_argument);
}

TEST(ExportPosed, MorphWeightsBecomeTheNodes) {
  const Scene scene = morph_triangle(3);
  const Loaded loaded = must(load(scene));
  Pose pose(loaded.character.skeleton());
  pose.channels()[1] = 0.5f;
  const Scene posed = must(import_gltf(must(export_posed_glb(scene, loaded.character, pose))));
  EXPECT_EQ(posed.nodes[0].weights, (std::vector<float>{0, 0.5f, 0}));
}

/// Triangles that look against the normal of their first vertex.
int inside_out(const Scene::Primitive& p) {
  int count = 0;
  for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3) {
    const Vec3 a = p.positions[p.indices[i]], b = p.positions[p.indices[i + 1]], c = p.positions[p.indices[i + 2]];
    count += glm::dot(glm::cross(b - a, c - a), p.normals[p.indices[i]]) < 0;
  }
  return count;
}

TEST(ExportBaked, MirroredPartsKeepTheirFacing) {
  for (const bool by_joint : {true, false}) {
    Scene scene = tube();
    if (by_joint) {
      scene.nodes[0].rest.scale = {-1, 1, 1};
    } else {  // a rigid part below a mirrored node
      scene.nodes[2].skin = kNone;
      scene.nodes[2].rest.scale = {1, 1, -1};
      scene.meshes[0].primitives[0].influences.clear();
    }
    ASSERT_EQ(inside_out(scene.meshes[0].primitives[0]), 0);
    const Loaded loaded = must(load(scene));
    const Scene baked =
        must(import_gltf(must(export_baked_glb(scene, loaded.character, Pose(loaded.character.skeleton())))));
    EXPECT_EQ(inside_out(baked.meshes[0].primitives[0]), 0);
    EXPECT_EQ(baked.meshes[0].primitives[0].indices.size(), scene.meshes[0].primitives[0].indices.size());
  }
}

TEST(ExportBaked, MirroredStripsAndFansBecomeLists) {
  for (const Topology topology : {Topology::triangle_strip, Topology::triangle_fan}) {
    Scene scene;
    Transform mirror;
    mirror.scale.x = -1;
    add_node(scene, "mirror", kNone, mirror);
    scene.nodes[0].mesh = 0;
    Scene::Primitive primitive;
    primitive.topology = topology;
    primitive.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    if (topology == Topology::triangle_fan) std::swap(primitive.positions[2], primitive.positions[3]);
    primitive.normals.assign(4, {0, 0, 1});
    scene.meshes.resize(1);
    scene.meshes[0].primitives = {primitive};
    const Loaded loaded = must(load(scene));
    const Scene baked =
        must(import_gltf(must(export_baked_glb(scene, loaded.character, Pose(loaded.character.skeleton())))));
    EXPECT_EQ(baked.meshes[0].primitives[0].topology, Topology::triangles);
    EXPECT_EQ(baked.meshes[0].primitives[0].indices.size(), 6u);
    EXPECT_EQ(inside_out(baked.meshes[0].primitives[0]), 0);
  }
}

TEST(ExportBaked, HoldsNothingOfTheOldVertices) {
  const Scene scene = tube();
  const Loaded loaded = must(load(scene));
  const GlbFile file = read_glb(must(export_baked_glb(scene, loaded.character, Pose(loaded.character.skeleton()))));
  const Scene::Primitive& primitive = scene.meshes[0].primitives[0];
  const std::size_t needed =
      primitive.positions.size() * 2 * sizeof(Vec3) + primitive.indices.size() * sizeof(std::uint16_t);
  EXPECT_LT(file.bin.size(), needed + 64);  // alignment
}

TEST(ExportBaked, FlattenedNormalsHaveUnitLength) {
  Scene scene = strip();
  scene.nodes[0].rest.scale = {0, 0, 0};
  const Loaded loaded = must(load(scene));
  const Scene baked =
      must(import_gltf(must(export_baked_glb(scene, loaded.character, Pose(loaded.character.skeleton())))));
  for (const Vec3& normal : baked.meshes[0].primitives[0].normals) EXPECT_NEAR(glm::length(normal), 1, 1e-6);
  for (const Vec4& tangent : baked.meshes[0].primitives[0].tangents) EXPECT_NEAR(glm::length(Vec3(tangent)), 1, 1e-6);
}

}  // namespace
}  // namespace sinew::test
