// Export of scenes that came from glTF: what sinew does not model passes through, what was changed in code is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "interchange/export_weights.h"
#include "sinew/export.h"
#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/glb_file.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The JSON without where bytes lie: what must pass through.
json without_places(json root) {
  root.erase("buffers");
  if (root.contains("bufferViews"))
    for (json& view : root["bufferViews"])
      for (const char* key : {"buffer", "byteOffset"}) view.erase(key);
  return root;
}

/// The pose in the middle of a character's last clip.
Pose some_pose(const Character& character) {
  Pose pose(character.skeleton());
  if (character.clips().empty()) return pose;
  const Clip& clip = character.clips().back();
  run(SampleJob{clip, character.skeleton(), 0.5f * (clip.first_key + clip.duration), pose});
  return pose;
}

class ExportAsset : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ExportAsset);

TEST_P(ExportAsset, ReadsBackEqual) {
  const Scene scene = must(import_file(GetParam()));
  Report report;
  const Bytes bytes = must(export_glb(scene, &report));
  const Scene again = must(import_gltf(bytes));
  // Weights are normalised; how far that moves them is the file's own fault, and is reported.
  const float weights = find(report, "weights.sum") ? 1.0f : 0.0f;
  EXPECT_EQ(difference(scene, again, weights), "") << lines(report);
  Report second;
  EXPECT_EQ(difference(again, must(import_gltf(must(export_glb(again, &second))))), "");
  EXPECT_FALSE(find(second, "weights.sum")) << lines(second);
}

TEST_P(ExportAsset, PosedAndBakedStandWhereSkinningPutsThem) {
  const Scene scene = must(import_file(GetParam()));
  const Loaded loaded = must(load(scene));
  const Pose pose = some_pose(loaded.character);
  const Evaluated expected = evaluate(loaded.character, pose);
  const Scene posed = must(import_gltf(must(export_posed_glb(scene, loaded.character, pose))));
  EXPECT_TRUE(posed.clips.empty());
  const Difference d = compare(expected, evaluate(posed), loaded.character.size());
  EXPECT_LT(d.vertices, 1e-6);
  EXPECT_LT(d.normals, 1e-5);
  const Bytes baked = must(export_baked_glb(scene, loaded.character, pose));
  EXPECT_EQ(baked_difference(must(import_gltf(baked)), expected, loaded.character.size()), "");
}

INSTANTIATE_TEST_SUITE_P(Files, ExportAsset, testing::ValuesIn(gltf_assets()),
                         [](const auto& row) { return test_name(row.param); });

// Broken files that import lets through all the same.
TEST(ExportMalformed, WhatIsImportedIsWrittenOrRefused) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  int written = 0;
  for (const auto& entry : fs::recursive_directory_iterator(*shared / "assets" / "malformed")) {
    if (entry.path().extension() != ".gltf" && entry.path().extension() != ".glb") continue;
    const Result<Scene> scene = import_file(entry.path());
    if (!scene) continue;
    const Result<Bytes> bytes = export_glb(*scene);
    ASSERT_TRUE(bytes) << entry.path() << ": " << bytes.error().message();
    ++written;
    const Result<Scene> again = import_gltf(*bytes);
    ASSERT_TRUE(again) << entry.path() << ": " << again.error().message();
    EXPECT_EQ(difference(*scene, *again, 1), "") << entry.path();
    const Result<Loaded> loaded = load(*scene);
    if (!loaded) continue;
    const Pose pose(loaded->character.skeleton());
    EXPECT_TRUE(export_posed_glb(*scene, loaded->character, pose)) << entry.path();
    EXPECT_TRUE(export_baked_glb(*scene, loaded->character, pose)) << entry.path();
  }
  EXPECT_GT(written, 0);
}

TEST(ExportDocument, VrmPassesThrough) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  const fs::path path = *shared / "assets/gltf/Godette_vrm_v4.vrm";
  const GlbFile before = read_glb(read_bytes(path)), after = read_glb(must(export_glb(must(import_file(path)))));
  EXPECT_EQ(without_places(before.json), without_places(after.json));
  ASSERT_FALSE(before.json["images"].empty());
  for (std::size_t i = 0; i < before.json["images"].size(); ++i)
    EXPECT_EQ(before.view(before.json["images"][i]["bufferView"]), after.view(after.json["images"][i]["bufferView"]))
        << i;
}

TEST(ExportDocument, BakedVrmKeepsMaterialsAndDropsWhatWouldDangle) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  const Scene scene = must(import_file(*shared / "assets/gltf/Godette_vrm_v4.vrm"));
  const Loaded loaded = must(load(scene));
  const Bytes bytes = must(export_baked_glb(scene, loaded.character, Pose(loaded.character.skeleton())));
  const json before = json::parse(scene.document->json), after = read_glb(bytes).json;
  EXPECT_EQ(before["materials"], after["materials"]);
  EXPECT_EQ(before["textures"], after["textures"]);
  EXPECT_EQ(before["images"].size(), after["images"].size());
  EXPECT_FALSE(after.contains("extensions"));
  for (const json& name : after["extensionsUsed"]) EXPECT_NE(name, "VRM");
  for (const char* gone : {"skins", "animations", "cameras"}) EXPECT_FALSE(after.contains(gone)) << gone;
  for (const json& mesh : after["meshes"])
    for (const json& primitive : mesh["primitives"]) {
      EXPECT_TRUE(primitive["attributes"].contains("TEXCOORD_0"));
      EXPECT_TRUE(primitive.contains("material"));
    }
  EXPECT_LT(bytes.size(), must(export_glb(scene)).size());
}

/// The strip as a file, with things in it that sinew does not model.
RawGltf rich_file() {
  RawGltf raw = to_raw(strip());
  raw.json["extensionsUsed"] = {"EXAMPLE_things", "KHR_lights_punctual"};
  raw.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}}};
  raw.json["extensions"]["EXAMPLE_things"] = {{"deep", {{{"node", 1}}, nullptr, 1.5, "text"}}};
  raw.json["extras"] = {{"author", "nobody"}, {"numbers", {1, -2, 3.25, 18446744073709551615u}}};
  raw.json["cameras"] = {{{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"znear", 0.01}}}}};
  raw.json["materials"] = {{{"name", "skin"}, {"extras", {{"kept", true}}}}};
  raw.json["nodes"][0]["extras"] = {{"tag", "hip"}};
  raw.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = 0;
  raw.json["nodes"].push_back({{"name", "eye"}, {"camera", 0}});
  raw.json["scenes"][0]["nodes"].push_back(3);
  raw.json["meshes"][0]["primitives"][0]["material"] = 0;
  raw.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = raw.accessor(std::vector<float>(40, 0.5f), "VEC4");
  raw.json["EXAMPLE_unknown"] = {1, 2, 3};
  return raw;
}

TEST(ExportDocument, WhatIsNotModelledPassesThrough) {
  const RawGltf raw = rich_file();
  for (const auto& bytes : {raw.glb(), raw.gltf()}) {
    const GlbFile file = read_glb(must(export_glb(must(import_gltf(bytes)))));
    EXPECT_EQ(without_places(file.json), without_places(raw.json));
    EXPECT_EQ(file.json["buffers"].size(), 1u);
    EXPECT_FALSE(file.json["buffers"][0].contains("uri"));
  }
}

TEST(ExportDocument, BuffersAreJoined) {
  RawGltf raw = to_raw(strip());
  const TemporaryFolder folder;
  write_bytes(folder.path() / "first.bin", raw.bin);
  RawGltf second;
  const int view = second.view(std::vector<float>{7, 8, 9});
  write_bytes(folder.path() / "second.bin", second.bin);
  raw.json["buffers"] = {{{"uri", "first.bin"}, {"byteLength", raw.bin.size()}},
                         {{"uri", "second.bin"}, {"byteLength", second.bin.size()}}};
  raw.json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 12}});
  const int moved = int(raw.json["bufferViews"].size()) - 1;
  const std::string text = raw.json.dump();
  write_bytes(folder.path() / "strip.gltf", std::as_bytes(std::span(text)));
  const GlbFile file = read_glb(must(export_glb(must(import_file(folder.path() / "strip.gltf")))));
  EXPECT_EQ(file.json["buffers"].size(), 1u);
  EXPECT_EQ(file.view(moved), std::vector<std::byte>(second.bin.begin(), second.bin.begin() + 12));
  EXPECT_EQ(view, 0);
  EXPECT_EQ(difference(strip(), must(import_gltf(must(export_glb(must(import_file(folder.path() / "strip.gltf"))))))),
            "");
}

/// What code may do to an imported scene; each must come back from the file.
struct Edit {
  const char* name;
  std::function<void(Scene&)> make;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }
class ExportEdit : public testing::TestWithParam<Edit> {};

TEST_P(ExportEdit, IsWritten) {
  const RawGltf raw = rich_file();
  Scene scene = import_raw(raw);
  GetParam().make(scene);
  const Bytes bytes = must(export_glb(scene));
  EXPECT_EQ(difference(scene, must(import_gltf(bytes))), "");
  const json after = read_glb(bytes).json;
  for (const char* key : {"extensions", "extras", "cameras", "materials", "EXAMPLE_unknown"})
    EXPECT_EQ(raw.json[key], after[key]) << key;
  EXPECT_EQ(after["nodes"][0]["extras"], raw.json["nodes"][0]["extras"]);
  EXPECT_EQ(after["nodes"][3]["camera"], 0);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ExportEdit,
    testing::Values(
        Edit{"rest", [](Scene& s) { s.nodes[1].rest.translation.y = 1.5f; }},
        Edit{"name", [](Scene& s) { s.nodes[0].name = "hip"; }},
        Edit{"new_node", [](Scene& s) { add_node(s, "tip", 1); }},
        Edit{"reparented",
             [](Scene& s) {
               s.nodes[0].children = {1, 2}, s.nodes[2].parent = 0, s.scenes = {{0, 3}};
             }},
        Edit{"node_weights",
             [](Scene& s) {
               s.meshes.push_back(morph_triangle(2).meshes[0]), s.nodes[3].mesh = 1, s.nodes[3].weights = {0.5f, 0.25f};
             }},
        Edit{"binds",
             [](Scene& s) {
               s.skins[0].inverse_bind_matrices[1] = translation({0, -2, 0});
             }},
        Edit{"no_binds", [](Scene& s) { s.skins[0].inverse_bind_matrices.clear(); }},
        Edit{"new_skin",
             [](Scene& s) {
               s.skins.push_back(s.skins[0]), s.skins[1].joints = {1, 0}, s.nodes[2].skin = 1;
             }},
        Edit{"positions", [](Scene& s) { s.meshes[0].primitives[0].positions[9].x = 3; }},
        Edit{"no_tangents", [](Scene& s) { s.meshes[0].primitives[0].tangents.clear(); }},
        Edit{"uvs",
             [](Scene& s) {
               s.meshes[0].primitives[0].uvs.assign(10, {0.5f, 0.25f});
             }},
        Edit{"triangles", [](Scene& s) { s.meshes[0].primitives[0].indices.resize(12); }},
        Edit{"topology", [](Scene& s) { s.meshes[0].primitives[0].topology = Topology::points; }},
        Edit{"targets",
             [](Scene& s) {
               s.meshes[0].primitives[0].targets = {{{10, Vec3(0, 1, 0)}, {}, {}}}, s.meshes[0].target_names = {"up"};
             }},
        Edit{"weights",
             [](Scene& s) {
               s.meshes[0].primitives[0].influences[0].weights[4] = {0.75f, 0.25f, 0, 0};
             }},
        Edit{"second_primitive", [](Scene& s) { s.meshes[0].primitives.push_back(s.meshes[0].primitives[0]); }},
        Edit{"clip_keys", [](Scene& s) { s.clips[0].times[0][1] = 2; }},
        Edit{"clip_name", [](Scene& s) { s.clips[0].name = "fold"; }},
        Edit{"clip_added",
             [](Scene& s) {
               add_turn(add_clip(s, "more"), 0, {0, 1, 2}, {0, 10, 0});
             }},
        Edit{"clip_before",
             [](Scene& s) {
               s.clips.insert(s.clips.begin(), s.clips[0]), s.clips[0].name = "first", s.clips[0].times[0][0] = 0.5f;
             }},
        Edit{"no_clips", [](Scene& s) { s.clips.clear(); }}),
    [](const auto& row) { return row.param.name; });

TEST(ExportDocument, FewerNodesThanTheDocumentIsAnError) {
  Scene scene = import_raw(rich_file());
  scene.scenes[0].pop_back();
  scene.nodes.pop_back();
  const Result<Bytes> result = export_glb(scene);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::inconsistent);
  EXPECT_EQ(result.error().where, "nodes");
  scene.document.reset();
  EXPECT_TRUE(export_glb(scene));
}

TEST(ExportDocument, MoreVerticesDropWhatCannotFollow) {
  Scene scene = import_raw(rich_file());
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.positions.push_back({0, 3, 0}), p.normals.push_back({0, 0, 1}), p.tangents.push_back({1, 0, 0, 1});
  p.influences[0].joints.push_back({1, 0, 0, 0}), p.influences[0].weights.push_back({1, 0, 0, 0});
  Report report;
  const Bytes bytes = must(export_glb(scene, &report));
  EXPECT_TRUE(find(report, "attribute.dropped"));
  EXPECT_EQ(difference(scene, must(import_gltf(bytes))), "");
}

TEST(ExportDocument, AMatrixStaysUntilItsNodeChangesOrIsAnimated) {
  RawGltf raw = to_raw(strip());
  for (const char* key : {"translation", "rotation", "scale"}) raw.json["nodes"][0].erase(key);
  raw.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1};
  Scene scene = import_raw(raw);
  scene.nodes[1].name = "changed";
  EXPECT_EQ(read_glb(must(export_glb(scene))).json["nodes"][0]["matrix"], raw.json["nodes"][0]["matrix"]);
  Scene animated = scene, moved = scene;
  add_turn(add_clip(animated, "turn"), 0, {0, 1}, {0, 90});
  moved.nodes[0].rest.translation.x = 6;
  for (const Scene* s : {&animated, &moved}) {
    const json node = read_glb(must(export_glb(*s))).json["nodes"][0];
    EXPECT_FALSE(node.contains("matrix"));
    EXPECT_EQ(node["translation"][0].get<float>(), s->nodes[0].rest.translation.x);
  }
}

TEST(ExportDocument, PointerChannelsStayWithTheirAnimation) {
  RawGltf raw = to_raw(strip());
  raw.json["materials"] = {{{"name", "skin"}}};
  raw.json["extensionsUsed"] = {"KHR_animation_pointer"};
  json& animation = raw.json["animations"][0];
  animation["samplers"].push_back(
      {{"input", animation["samplers"][0]["input"]}, {"output", raw.accessor(std::vector<float>{0, 1}, "SCALAR")}});
  animation["channels"].push_back(
      {{"sampler", 1},
       {"target",
        {{"path", "pointer"},
         {"extensions", {{"KHR_animation_pointer", {{"pointer", "/materials/0/alphaCutoff"}}}}}}}});
  Scene scene = import_raw(raw);
  scene.clips[0].times[0][1] = 2;
  const json after = read_glb(must(export_glb(scene))).json["animations"][0];
  ASSERT_EQ(after["channels"].size(), 2u);
  EXPECT_EQ(after["channels"][1]["target"], animation["channels"][1]["target"]);
  EXPECT_EQ(after["samplers"].size(), 2u);
}

TEST(ExportDocument, TracksThatAreAsTheyWereKeepTheirChannels) {
  RawGltf raw = to_raw(chain(3));
  json& animation = raw.json["animations"][0];
  animation["channels"][1]["extras"] = "mine";
  animation["samplers"][1]["extras"] = "too";
  Scene scene = import_raw(raw);
  scene.clips[0].tracks[0].values[0] = 0.5f;
  add_turn(scene.clips[0], 3, {0, 1}, {0, 90});
  const json after = read_glb(must(export_glb(scene))).json["animations"][0];
  ASSERT_EQ(after["channels"].size(), 4u);
  EXPECT_EQ(after["channels"][0]["extras"], "mine");
  EXPECT_EQ(after["samplers"][0]["extras"], "too");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(after["channels"][i]["sampler"], i);
  EXPECT_EQ(after["channels"][2]["target"]["node"], 0);
  EXPECT_EQ(after["channels"][3]["target"]["node"], 3);
  scene.clips[0].name = "renamed";
  scene.clips[0].tracks.resize(2);
  const Scene again = must(import_gltf(must(export_glb(scene))));
  EXPECT_EQ(again.clips[0].tracks.size(), 2u) << "tracks that were removed are gone";
}

TEST(ExportDocument, PosedFileHoldsNoClipsData) {
  const Scene scene = import_raw(to_raw(chain(100)));
  const Loaded loaded = must(load(scene));
  const std::size_t whole = must(export_glb(scene)).size();
  const Bytes posed = must(export_posed_glb(scene, loaded.character, Pose(loaded.character.skeleton())));
  EXPECT_LT(posed.size() + 100 * 3 * 4 * sizeof(float), whole);  // three rotation keys a joint are gone
}

TEST(ExportImages, BelowTheFolderAreTakenIn) {
  const TemporaryFolder folder;
  const std::string png = "\x89PNG\r\n\x1a\n and the rest of it", other = "no image at all";
  fs::create_directories(folder.path() / "in" / "textures");
  write_bytes(folder.path() / "in" / "textures" / "skin 1.png", std::as_bytes(std::span(png)));
  write_bytes(folder.path() / "outside.png", std::as_bytes(std::span(png)));
  write_bytes(folder.path() / "in" / "other.png", std::as_bytes(std::span(other)));
  RawGltf raw = to_raw(strip());
  raw.json["images"] = {{{"uri", "textures/skin%201.png"}, {"name", "skin"}},
                        {{"uri", "../outside.png"}},
                        {{"uri", "missing.png"}},
                        {{"uri", "other.png"}},
                        {{"uri", "data:image/png;base64,iVBORw0KGgo="}}};
  write_bytes(folder.path() / "in" / "strip.gltf", raw.gltf());
  Report report;
  const GlbFile file = read_glb(must(export_glb(must(import_file(folder.path() / "in" / "strip.gltf")), &report)));
  const json& images = file.json["images"];
  EXPECT_EQ(images[0]["mimeType"], "image/png");
  EXPECT_EQ(images[0]["name"], "skin");
  const std::vector<std::byte> bytes = file.view(images[0]["bufferView"]);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), png);
  for (int i = 1; i < 5; ++i) EXPECT_EQ(images[i], raw.json["images"][i]) << i;
  ASSERT_TRUE(find(report, "image.external"));
  EXPECT_EQ(find(report, "image.external")->count, 3u);
}

}  // namespace
}  // namespace sinew::test
