// sinew skin: the numbers that it prints are the library's, in the source's terms.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "support/evaluate.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Skin : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(std::vector<std::string> arguments, const std::string& locale = "C") {
    arguments.insert(arguments.begin(), "skin");
    Ran out = sinew(folder(), arguments, locale);
    EXPECT_EQ(out.status, 0) << out.err;
    return out;
  }
  Json json(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    return ran(arguments).json();
  }

 private:
  TemporaryFolder folder_;
};

std::vector<float> numbers(const Json& json) { return json.get<std::vector<float>>(); }

/// Every mesh and joint of `printed` is, to the bit, what the pipeline gives.
void expect_same(const Json& printed, const Evaluated& expected) {
  ASSERT_EQ(printed["meshes"].size(), expected.parts.size());
  for (const Json& mesh : printed["meshes"]) {
    const PlacedVertices* part = expected.part(mesh["node"], mesh["primitive"]);
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(mesh["mesh"], part->mesh);
    EXPECT_EQ(mesh["vertex_count"], part->positions.size());
    const std::vector<float> positions = numbers(mesh["positions"]), normals = numbers(mesh["normals"]);
    ASSERT_EQ(positions.size(), 3 * part->positions.size());
    ASSERT_EQ(normals.size(), 3 * part->normals.size());
    for (std::size_t i = 0; i < positions.size(); ++i) EXPECT_EQ(positions[i], part->positions[i / 3][i % 3]) << i;
    for (std::size_t i = 0; i < normals.size(); ++i) EXPECT_EQ(normals[i], part->normals[i / 3][i % 3]) << i;
  }
  ASSERT_EQ(printed["joints"].size(), expected.joints.size());
  for (const Json& joint : printed["joints"]) {
    const std::vector<float> world = numbers(joint["world"]);
    ASSERT_EQ(world.size(), 16u);
    const DAffine& m = expected.joints.at(joint["node"]);
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 4; ++row) EXPECT_EQ(world[4 * column + row], row == 3 ? (column == 3) : m.m[row][column]);
  }
}

TEST_F(Skin, PrintsTheAgreedShape) {
  write_glb(folder(), "strip", strip());
  const Json out = json({"strip.glb", "--clip", "bend", "--time", "0.25"});
  EXPECT_EQ(out["asset"], "strip.glb");
  EXPECT_EQ(out["clip"], "bend");
  EXPECT_EQ(out["clip_index"], 0);
  EXPECT_EQ(out["time"], 0.25);
  ASSERT_EQ(out["meshes"].size(), 1u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : out["meshes"][0].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"mesh", "node", "node_name", "normals", "positions", "primitive",
                                            "vertex_count"}));
  EXPECT_EQ(out.size(), 6u);
  EXPECT_EQ(out["meshes"][0]["node_name"], strip().nodes[2].name);
}

TEST_F(Skin, IsTheLibrarysResult) {
  const Scene scenes[] = {two_joints(), strip(), tube(), chain(12), morph_triangle(3)};
  for (const Scene& scene : scenes) {
    write_glb(folder(), "scene", scene);
    expect_same(json({"scene.glb"}), evaluate(through_file(scene)));
    if (scene.clips.empty()) continue;
    for (const char* time : {"-1", "0", "0.3", "0.77", "1", "5"}) {
      SCOPED_TRACE(time);
      expect_same(json({"scene.glb", "--clip", "0", "--time", time}),
                  evaluate(through_file(scene), 0, std::stof(time)));
    }
  }
}

TEST_F(Skin, BentStripIsWhereHandsPutIt) {
  write_glb(folder(), "strip", strip());
  const std::vector<float> positions =
      numbers(json({"strip.glb", "--clip", "bend", "--time", "1"})["meshes"][0]["positions"]);
  const std::vector<Vec3> known = bent_strip();
  ASSERT_EQ(positions.size(), 3 * known.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    EXPECT_NEAR(positions[i], known[i / 3][static_cast<int>(i % 3)], 1e-6) << i;
}

TEST_F(Skin, RestPoseHasNoClip) {
  write_glb(folder(), "strip", strip());
  const Json out = json({"strip.glb"});
  EXPECT_TRUE(out["clip"].is_null());
  EXPECT_TRUE(out["clip_index"].is_null());
}

TEST_F(Skin, BuiltFileGivesTheSame) {
  write_glb(folder(), "tube", tube());
  ASSERT_EQ(sinew(folder(), {"build", "tube.glb", "--keyframes"}).status, 0);
  Json from_glb = json({"tube.glb", "--clip", "twist", "--time", "0.4"}),
       from_built = json({"tube.sinew", "--clip", "twist", "--time", "0.4"});
  EXPECT_EQ(from_built["asset"], "tube.sinew");
  from_glb.erase("asset"), from_built.erase("asset");
  EXPECT_EQ(from_glb, from_built);
}

/// A strip with clips of the given names; clip i turns joint 1 by 10 * (i + 1) degrees, held.
Scene named_clips(const std::vector<std::string>& names) {
  Scene scene = strip();
  scene.clips.clear();
  for (std::size_t i = 0; i < names.size(); ++i)
    add_turn(add_clip(scene, names[i]), 1, {0}, {10.0f * static_cast<float>(i + 1)});
  return scene;
}

TEST_F(Skin, DigitsAreAnIndexUnlessAClipHasThatName) {
  write_glb(folder(), "strip", named_clips({"a", "0", "b"}));
  EXPECT_EQ(json({"strip.glb", "--clip", "0"})["clip_index"], 1);
  EXPECT_EQ(json({"strip.glb", "--clip", "2"})["clip"], "b");
  EXPECT_EQ(json({"strip.glb", "--clip", "a"})["clip_index"], 0);
}

TEST_F(Skin, NameOfTwoClipsIsAmbiguous) {
  write_glb(folder(), "strip", named_clips({"walk", "walk"}));
  const Ran both = sinew(folder(), {"skin", "strip.glb", "--clip", "walk"});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("clips 0 and 1"), std::string::npos) << both.err;
  EXPECT_EQ(json({"strip.glb", "--clip", "1"})["clip_index"], 1);
}

TEST_F(Skin, ClipWithoutKeysIsTheRestPose) {
  Scene scene = strip();
  scene.clips.clear();
  add_clip(scene, "empty");
  write_glb(folder(), "strip", scene);
  const Json out = json({"strip.glb", "--clip", "empty", "--time", "3"}), rest = json({"strip.glb"});
  EXPECT_EQ(out["clip_index"], 0);
  EXPECT_EQ(out["meshes"], rest["meshes"]);
  EXPECT_EQ(out["joints"], rest["joints"]);
}

TEST_F(Skin, WithoutATimeItIsTheFirstKey) {
  Scene scene = strip();
  scene.clips.clear();
  add_turn(add_clip(scene, "late"), 1, {2, 3}, {30, 60});
  write_glb(folder(), "strip", scene);
  EXPECT_EQ(json({"strip.glb", "--clip", "late"})["time"], 2);
  EXPECT_EQ(json({"strip.glb", "--clip", "late", "--trim"})["time"], 0);
  Json trimmed = json({"strip.glb", "--clip", "late", "--trim", "--time", "0.5"}),
       stored = json({"strip.glb", "--clip", "late", "--time", "2.5"});
  EXPECT_EQ(trimmed["meshes"], stored["meshes"]);
}

TEST_F(Skin, LoopWrapsTheTime) {
  write_glb(folder(), "strip", strip());  // "bend" lasts 1 s
  const Json quarter = json({"strip.glb", "--clip", "bend", "--time", "0.25"});
  for (const char* time : {"1.25", "-0.75", "7.25"}) {
    const Json wrapped = json({"strip.glb", "--clip", "bend", "--time", time, "--loop"});
    EXPECT_EQ(wrapped["time"], 0.25) << time;
    EXPECT_EQ(wrapped["meshes"], quarter["meshes"]) << time;
  }
  EXPECT_EQ(json({"strip.glb", "--clip", "bend", "--time", "1", "--loop"})["time"], 0);
  EXPECT_EQ(json({"strip.glb", "--clip", "bend", "--time", "-1e-30", "--loop"})["time"], 0);
}

TEST_F(Skin, InfluencesKeepsTheStrongest) {
  Scene scene = two_joints();
  auto& weights = scene.meshes[0].primitives[0].influences[0].weights;
  weights[1] = Vec4(0.6f, 0.4f, 0, 0);  // Shoulder or Elbow, whichever is named first
  add_turn(add_clip(scene, "bend"), 1, {0}, {90});
  write_glb(folder(), "arm", scene);
  const auto second = [&](const Json& out) { return numbers(out["meshes"][0]["positions"]); };
  const std::vector<float> both = second(json({"arm.glb", "--clip", "bend"})),
                           one = second(json({"arm.glb", "--clip", "bend", "--influences", "1"}));
  EXPECT_NE(both, one);
  EXPECT_EQ(both, second(json({"arm.glb", "--clip", "bend", "--influences", "65535"})));
  const Ran dropped = ran({"arm.glb", "--clip", "bend", "--influences", "1"});
  EXPECT_NE(dropped.out.find("vertex 1"), std::string::npos);
}

TEST_F(Skin, NumbersDoNotDependOnTheLocale) {
  write_glb(folder(), "strip", strip());
  const std::vector<std::string> arguments{"strip.glb", "--clip", "bend", "--time", "0.5", "--format", "json"};
  EXPECT_EQ(ran(arguments, "de_DE.UTF-8").out, ran(arguments).out);
}

TEST_F(Skin, NotesGoToStandardErrorAndDataDoesNot) {
  Scene scene = strip();
  for (Vec4& w : scene.meshes[0].primitives[0].influences[0].weights) w *= 0.5f;
  scene.nodes[2].rest.translation = Vec3(0, 1, 0);  // ignored: the mesh is skinned
  write_glb(folder(), "strip", scene);
  const Ran out = ran({"strip.glb", "--json"});
  EXPECT_TRUE(out.json().is_object());
  EXPECT_NE(out.err.find("strip.glb: warning: "), std::string::npos) << out.err;
  EXPECT_EQ(std::count(out.out.begin(), out.out.end(), '\n'), 1);
}

TEST_F(Skin, TextSaysBoundsAndFirstVertices) {
  write_glb(folder(), "strip", strip());
  const std::string text = ran({"strip.glb"}).out;
  EXPECT_NE(text.find("rest pose"), std::string::npos) << text;
  EXPECT_NE(text.find("bounds    (-0.5, 0, 0) to (0.5, 2, 0)"), std::string::npos) << text;
  EXPECT_NE(text.find("vertex 3  (0.5, 0.5, 0)"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinew::test
