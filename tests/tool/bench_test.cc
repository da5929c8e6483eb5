// sinew bench: every stage of a file is timed and printed. What the times are is not asserted, only that they are some.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "biped/biped.h"
#include "program.h"
#include "sinew/simd.h"
#include "sinew/write.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Bench : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--seconds", "0.002"});
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    EXPECT_EQ(out.err, "");
    return out;
  }
  Json json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    return ran(arguments).json();
  }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> stages_in(const Json& printed) {
  std::vector<std::string> out;
  for (const Json& stage : printed["stages"]) out.push_back(stage["stage"]);
  return out;
}

void expect_measured(const Json& printed) {
  EXPECT_GE(printed["rounds"], 5);
  for (const Json& stage : printed["stages"]) {
    EXPECT_GE(stage["units"], 1) << stage;
    EXPECT_GE(stage["calls"], 1) << stage;
    for (const char* what : {"call_ns", "unit_ns", "copy_ns", "ratio"}) {
      const float lower = stage[what]["lower"], median = stage[what]["median"], upper = stage[what]["upper"];
      EXPECT_LE(lower, median) << stage;
      EXPECT_LE(median, upper) << stage;
      EXPECT_GT(upper, 0) << stage;
    }
  }
}

const std::vector<std::string> kSampling{"sample_forward", "sample_random", "sample_without_cursors"};
std::vector<std::string> sampling_and(const std::vector<std::string>& more) {
  std::vector<std::string> out = kSampling;
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST_F(Bench, TimesEveryStageOfTheBuiltInCharacter) {
  write_bytes(folder() / "biped.sinew", must(write(make_biped())));
  const Json out = json({"biped.sinew", "--clip", "walk", "--instances", "20"});
  EXPECT_EQ(stages_in(out), sampling_and({"blend", "model", "palette", "skin", "skin_tangents", "character", "crowd",
                                          "skinned_character"}));
  expect_measured(out);
  EXPECT_EQ(out["clip"], "walk");
  EXPECT_EQ(out["simd_target"], simd_target());
  EXPECT_EQ(out["instances"], 20);
  EXPECT_EQ(out["influence_count"], 4);
  EXPECT_GT(out["groups"], 0);
  EXPECT_GT(out["key_bytes"], 0);
  const Ran text = ran({"biped.sinew", "--clip", "walk", "--instances", "20"});
  for (const char* part : {"clip 1 \"walk\"", "SIMD target", "sample forward", "random times", "without cursors",
                           "blend of 2", "local to model", "palette", "skin part 0 \"body\"", "tangents too",
                           "sample to palette", "crowd of 20", "sample to skin"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
}

TEST_F(Bench, ReadsWhatOtherVerbsReadAndTakesTheFirstClip) {
  write_glb(folder(), "strip", strip());
  const Json out = json({"strip.glb"});
  EXPECT_EQ(out["clip"], "bend");
  EXPECT_EQ(out["joint_count"], 2);
  EXPECT_EQ(out["row_count"], 3);
  EXPECT_EQ(out["vertex_count"], 10);
  EXPECT_EQ(out["instances"], 1000);
  expect_measured(out);
}

TEST_F(Bench, WithoutAClipPosesAreAtRest) {
  write_glb(folder(), "still", two_joints());
  const Json out = json({"still.glb"});
  EXPECT_EQ(stages_in(out),
            (std::vector<std::string>{"blend", "model", "palette", "skin", "character", "crowd", "skinned_character"}));
  EXPECT_TRUE(out["clip"].is_null());
  expect_measured(out);
  EXPECT_NE(ran({"still.glb"}).out.find("no clip: "), std::string::npos);
}

TEST_F(Bench, WithoutAMeshSkinningIsLeftOut) {
  Scene scene = strip();
  scene.meshes.clear(), scene.skins.clear();
  scene.nodes[2].mesh = scene.nodes[2].skin = kNone;
  write_glb(folder(), "bare", scene);
  const Json out = json({"bare.glb"});
  EXPECT_EQ(stages_in(out), sampling_and({"blend", "model", "character", "crowd"}));
  expect_measured(out);
  EXPECT_NE(ran({"bare.glb"}).out.find("no mesh: "), std::string::npos);
}

TEST_F(Bench, MorphTargetsAndAMeshWithoutASkin) {
  write_glb(folder(), "morph", morph_triangle(3));
  const Json out = json({"morph.glb"});
  const std::vector<std::string> found = stages_in(out);
  EXPECT_EQ(std::count(found.begin(), found.end(), "skin"), 1);
  expect_measured(out);
}

TEST_F(Bench, OfManyPartsTheLargestHaveRowsOfTheirOwn) {
  Scene scene = strip();
  for (int i = 0; i < 30; ++i) {
    const int node = add_node(scene, "copy");
    scene.nodes[std::size_t(node)].mesh = 0, scene.nodes[std::size_t(node)].skin = 0;
  }
  write_glb(folder(), "parts", scene);
  const Json out = json({"parts.glb"});
  std::size_t rows = 0, vertices = 0;
  for (const Json& stage : out["stages"])
    if (stage["stage"] == "skin") ++rows, vertices += stage["units"].get<std::size_t>();
  EXPECT_EQ(vertices, out["vertex_count"]);
  EXPECT_LT(rows, 12u);
  EXPECT_NE(ran({"parts.glb"}).out.find("skin the other 23 parts"), std::string::npos);
}

TEST_F(Bench, ACrowdBeyondMemoryIsRefusedWithWhatItNeeds) {
  write_glb(folder(), "strip", strip());
  const Ran out = sinew(folder(), {"bench", "strip.glb", "--instances", "2000000000"});
  EXPECT_EQ(out.status, 2);
  EXPECT_EQ(out.out, "");
  EXPECT_EQ(out.error_lines(), 1u);
  for (const char* word : {"strip.glb: --instances: 2,000,000,000 instances", "MiB", "or fewer"})
    EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
}

}  // namespace
}  // namespace sinew::test
