// sinew inspect, build, export, demo: what they say of files, and the files that they make.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"
#include "sinew/character.h"
#include "support/evaluate.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Files : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(const std::vector<std::string>& arguments) {
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    return out;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Files, InspectCountsWhatIsThere) {
  Scene scene = strip();
  add_node(scene, "Holder");
  scene.nodes[0].parent = 3;  // an ancestor that is no joint of the skin
  scene.nodes[3].children = {0};
  write_glb(folder(), "strip", scene);
  const Json out = ran({"inspect", "strip.glb", "--json"}).json();
  EXPECT_EQ(out["joint_count"], 2);
  EXPECT_EQ(out["row_count"], 4);
  EXPECT_EQ(out["vertex_count"], 10);
  EXPECT_EQ(out["skeleton"].size(), 4u);
  EXPECT_EQ(out["meshes"][0]["indices"], 24);
  EXPECT_EQ(out["parts"][0]["node"], 2);
  const Json& clip = out["clips"][0];
  EXPECT_EQ(clip["name"], "bend");
  EXPECT_EQ(clip["keys"], 2);
  EXPECT_EQ(clip["rotations"], 1);
  EXPECT_EQ(clip["interpolation"], "linear");
  // 1 s at 30 a second, both ends counted.
  EXPECT_EQ(clip["snapshot_frames"], 31);
  EXPECT_EQ(clip["snapshot_bytes"], 10 * 31 * 12);
}

TEST_F(Files, InspectSaysCostsOfTheCharacter) {
  const Scene scene = strip();
  write_glb(folder(), "strip", scene);
  const Json out = ran({"inspect", "strip.glb", "--json"}).json();
  const Loaded loaded = must(load(through_file(scene)));
  EXPECT_EQ(out["pose_bytes"], 10 * 16 * 4);  // ten streams, padded to 16
  EXPECT_EQ(out["palette_bytes"], 2 * 48);
  EXPECT_EQ(out["runtime_bytes"], loaded.bytes.size());
  EXPECT_EQ(out["size"].get<float>(), loaded.character.size());
}

TEST_F(Files, InspectListsFindingsWithSeverity) {
  Scene scene = strip();
  for (Vec4& w : scene.meshes[0].primitives[0].influences[0].weights) w *= 0.5f;
  write_glb(folder(), "strip", scene);
  const Json findings = ran({"inspect", "strip.glb", "--json"}).json()["findings"];
  const bool warned = std::any_of(findings.begin(), findings.end(), [](const Json& f) {
    return f["severity"] == "warning" && !f["what"].get<std::string>().empty();
  });
  EXPECT_TRUE(warned) << findings;
  const Ran text = ran({"inspect", "strip.glb"});
  EXPECT_NE(text.out.find("warning"), std::string::npos) << text.out;
}

TEST_F(Files, InspectTextHasTheTree) {
  write_glb(folder(), "chain", chain(3));
  const std::string text = ran({"inspect", "chain.glb"}).out;
  for (const char* part :
       {"Skeleton: 3 joints", "Skins: 1", "Meshes: 1", "Parts", "Clips: 1", "Costs", "as snapshots", "Findings"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "colour codes in a pipe";
}

TEST_F(Files, BuildNamesItsFileAndTheSameSceneGivesTheSameBytes) {
  write_glb(folder(), "tube", tube());
  ran({"build", "tube.glb"});
  ran({"build", "tube.glb", "-o", "other.sinew"});
  EXPECT_EQ(files_in(folder()), (std::vector<std::string>{"other.sinew", "tube.glb", "tube.sinew"}));
  EXPECT_EQ(read_bytes(folder() / "tube.sinew"), read_bytes(folder() / "other.sinew"));
}

TEST_F(Files, BuildSaysWhereTheBytesAre) {
  write_glb(folder(), "tube", tube());
  const Json out = ran({"build", "tube.glb", "--json"}).json();
  std::uint64_t sum = 0;
  for (const Json& bytes : out["bytes"]) sum += bytes.get<std::uint64_t>();
  EXPECT_EQ(sum, out["output_bytes"].get<std::uint64_t>());
  EXPECT_EQ(out["output_bytes"], std::filesystem::file_size(folder() / "tube.sinew"));
  EXPECT_EQ(out["output"], "tube.sinew");
}

TEST_F(Files, BuildReplacesAFileAndFollowsALink) {
  write_glb(folder(), "tube", tube());
  write_bytes(folder() / "real.sinew", {});
  std::filesystem::create_symlink("real.sinew", folder() / "link.sinew");
  ran({"build", "tube.glb", "-o", "link.sinew"});
  EXPECT_TRUE(std::filesystem::is_symlink(folder() / "link.sinew"));
  EXPECT_GT(std::filesystem::file_size(folder() / "real.sinew"), 0u);
}

TEST_F(Files, VerbsThatNeedTheSourceRefuseABuiltFile) {
  write_glb(folder(), "tube", tube());
  ran({"build", "tube.glb"});
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"build", "tube.sinew", "-o", "x.sinew"}, {"export", "tube.sinew", "-o", "x.glb"}}) {
    const Ran refused = sinew(folder(), arguments);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("is a built .sinew"), std::string::npos) << refused.err;
  }
  const Ran option = sinew(folder(), {"skin", "tube.sinew", "--trim"});
  EXPECT_EQ(option.status, 2);
  EXPECT_NE(option.err.find("--trim"), std::string::npos) << option.err;
}

TEST_F(Files, CutRuntimeFileIsRefused) {
  write_glb(folder(), "tube", tube());
  ran({"build", "tube.glb"});
  std::vector<std::byte> bytes = read_bytes(folder() / "tube.sinew");
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t(64), std::size_t(40)}) {
    write_bytes(folder() / "cut.sinew", std::span<const std::byte>(bytes).first(size));
    const Ran refused = sinew(folder(), {"inspect", "cut.sinew"});
    EXPECT_EQ(refused.status, 1) << size;
    EXPECT_EQ(refused.error_lines(), 1u) << refused.err;
    EXPECT_TRUE(refused.err.starts_with("sinew: cut.sinew: ")) << refused.err;
  }
}

/// Skinned positions of the first mesh, as the tool prints them.
std::vector<float> positions(const Ran& ran) { return ran.json()["meshes"][0]["positions"].get<std::vector<float>>(); }

TEST_F(Files, ExportsAreTheCharacterAgain) {
  write_glb(folder(), "tube", tube());
  ran({"export", "tube.glb", "-o", "copy.glb"});
  EXPECT_EQ(positions(ran({"skin", "copy.glb", "--clip", "twist", "--time", "0.4", "--json"})),
            positions(ran({"skin", "tube.glb", "--clip", "twist", "--time", "0.4", "--json"})));
}

TEST_F(Files, PosedAndBakedExportsHoldTheMoment) {
  write_glb(folder(), "tube", tube());
  const std::vector<float> expected =
      positions(ran({"skin", "tube.glb", "--clip", "twist", "--time", "0.4", "--json"}));
  for (const char* kind : {"--posed", "--baked"}) {
    ran({"export", "tube.glb", "-o", "moment.glb", "--clip", "twist", "--time", "0.4", kind});
    const std::vector<float> held = positions(ran({"skin", "moment.glb", "--json"}));
    ASSERT_EQ(held.size(), expected.size()) << kind;
    for (std::size_t i = 0; i < held.size(); ++i) EXPECT_NEAR(held[i], expected[i], 2e-6) << kind << " " << i;
    const Json inspected = ran({"inspect", "moment.glb", "--json"}).json();
    EXPECT_TRUE(inspected["clips"].empty()) << kind;
    EXPECT_EQ(inspected["joint_count"], std::string(kind) == "--posed" ? 2 : 0) << kind;
  }
}

TEST_F(Files, DemoPassesItsChecksAndItsAdviceWorks) {
  const Ran demo = ran({"demo", "-o", "a folder/demo"});
  EXPECT_EQ(demo.out.find("FAIL"), std::string::npos) << demo.out;
  EXPECT_NE(demo.out.find("PASS"), std::string::npos);
  EXPECT_EQ(files_in(folder() / "a folder/demo"),
            (std::vector<std::string>{"biped.glb", "biped.sinew", "biped_baked.glb", "biped_posed.glb"}));
  ran({"inspect", "a folder/demo/biped.glb"});
  ran({"skin", "a folder/demo/biped.sinew", "--clip", "walk", "--time", "0.25"});
  ran({"explain", "a folder/demo/biped.glb", "--vertex", "100", "--clip", "walk", "--time", "0.25"});
  ran({"export", "a folder/demo/biped.glb", "--clip", "jump", "--time", "0.5", "--baked", "-o",
       "a folder/demo/jump.glb"});
  EXPECT_NE(demo.out.find("'a folder/demo/biped.glb'"), std::string::npos) << demo.out;
}

TEST_F(Files, DemoChecksAsJson) {
  const Json out = ran({"demo", "--json"}).json();
  EXPECT_GE(out["checks"].size(), 12u);
  for (const Json& check : out["checks"]) EXPECT_TRUE(check["passed"].get<bool>()) << check;
}

}  // namespace
}  // namespace sinew::test
