// What the tool says and does when it is used wrongly, or given what is not a character.
#include <gtest/gtest.h>

#include <fstream>

#include "program.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

/// A folder with `strip.glb` and files that are no characters.
class Misuse : public testing::Test {
 protected:
  Misuse() {
    write_glb(folder(), "strip", strip());
    std::filesystem::create_directory(folder() / "folder");
    text("empty.glb", "");
    text("notes.txt", "These are notes.\nNothing else.\n");
    text("half.glb", "glTF\x02");
    before_ = files_in(folder());
  }
  const std::filesystem::path& folder() const { return folder_.path(); }
  void text(const std::string& name, const std::string& content) {
    std::ofstream(folder() / name, std::ios::binary) << content;
  }

  /// The command fails with that status, says one line that begins with `sinew: ` and holds each of `words`, prints no
  /// data, and leaves no file behind.
  void expect(const std::vector<std::string>& arguments, int status, const std::vector<std::string>& words) {
    std::string command = "sinew";
    for (const std::string& a : arguments) command += " " + a;
    SCOPED_TRACE(command);
    const Ran ran = sinew(folder(), arguments);
    EXPECT_EQ(ran.status, status) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.error_lines(), 1u) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("sinew: ")) << ran.err;
    for (const std::string& word : words)
      EXPECT_NE(ran.err.find(word), std::string::npos) << ran.err << " lacks " << word;
    EXPECT_EQ(files_in(folder()), before_);
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> before_;
};

TEST_F(Misuse, NoVerbAndUnknownVerb) {
  expect({}, 2, {"--help"});
  expect({"frobnicate"}, 2, {"frobnicate", "--help"});
  expect({"--frobnicate"}, 2, {"--frobnicate", "--help"});
}

TEST_F(Misuse, VerbWithoutFile) {
  for (const char* verb : {"inspect", "skin", "explain", "build", "export", "twist", "render", "bench"})
    expect({verb}, 2, {"FILE", std::string(verb) + " --help"});
}

TEST_F(Misuse, UnknownOption) {
  expect({"skin", "strip.glb", "--speed", "2"}, 2, {"not expected: --speed 2 ", "skin --help"});
  expect({"skin", "strip.glb", "folder", "notes.txt"}, 2, {"not expected: folder notes.txt ", "skin --help"});
}

TEST_F(Misuse, OptionWithoutItsValue) {
  expect({"skin", "strip.glb", "--backend"}, 2, {"--backend needs a value: cpu|vulkan-compute|vulkan-vertex "});
  expect({"skin", "strip.glb", "--time"}, 2, {"--time needs a value: S "});
}

TEST_F(Misuse, FilesThatAreNone) {
  for (const char* verb : {"inspect", "skin", "build", "bench"}) {
    expect({verb, "missing.glb"}, 1, {"missing.glb: ", "no such file"});
    expect({verb, "folder"}, 1, {"folder: is a folder"});
    expect({verb, "empty.glb"}, 1, {"empty.glb: is empty"});
    expect({verb, "notes.txt"}, 1, {"notes.txt: "});
    expect({verb, "half.glb"}, 1, {"half.glb: "});
    expect({verb, "notes.txt/inside.glb"}, 1, {"notes.txt/inside.glb: "});
  }
}

TEST_F(Misuse, UnknownClipListsTheClips) {
  expect({"skin", "strip.glb", "--clip", "walk"}, 2, {"strip.glb: --clip: ", "\"walk\"", "0 \"bend\""});
  expect({"skin", "strip.glb", "--clip", "1"}, 2, {"0 \"bend\""});
  expect({"skin", "strip.glb", "--clip", "-1"}, 2, {"0 \"bend\""});
  expect({"skin", "strip.glb", "--clip", "99999999999999999999"}, 2, {"0 \"bend\""});
  expect({"skin", "strip.glb", "--clip", "0.0"}, 2, {"0 \"bend\""});
  expect({"explain", "strip.glb", "--vertex", "0", "--clip", ""}, 2, {"0 \"bend\""});
}

TEST_F(Misuse, TimesThatAreNone) {
  for (const char* time : {"nan", "inf", "-inf", "soon", "0.5s", "1,5", "", "1e39", "0x1p3", " 1"})
    expect({"skin", "strip.glb", "--clip", "bend", "--time", time}, 2, {"--time: ", "not a finite number"});
  expect({"skin", "strip.glb", "--time", "1"}, 2, {"--time: ", "--clip"});
  expect({"skin", "strip.glb", "--loop"}, 2, {"--loop: ", "--clip"});
}

TEST_F(Misuse, VerticesThatAreNone) {
  expect({"explain", "strip.glb"}, 2, {"--vertex"});
  expect({"explain", "strip.glb", "--vertex", "-1"}, 2, {"--vertex"});
  expect({"explain", "strip.glb", "--vertex", "10"}, 2, {"--vertex: 10", "10 vertices", "give 0 to 9"});
  expect({"explain", "strip.glb", "--vertex", "99999999999"}, 2, {"--vertex"});
  expect({"explain", "strip.glb", "--vertex", "two"}, 2, {"--vertex"});
  expect({"explain", "strip.glb", "--vertex", "0", "--part", "1"}, 2, {"no part fits", "part 0"});
}

TEST_F(Misuse, AMeshThatIsNotThereIsNoMistakeOfTheCommandLine) {
  Scene scene = strip();
  scene.meshes.clear(), scene.skins.clear();
  scene.nodes[2].mesh = scene.nodes[2].skin = kNone;
  write_glb(folder(), "strip", scene);
  expect({"explain", "strip.glb", "--vertex", "0"}, 1, {"strip.glb: has no mesh", "sinew inspect"});
  expect({"render", "strip.glb", "-o", "a.png"}, 1, {"strip.glb: has no mesh", "--skeleton"});
}

TEST_F(Misuse, InfluencesAndScenesThatAreNone) {
  for (const char* count : {"0", "-1", "65536", "99999999999", "four", "1.5"})
    expect({"skin", "strip.glb", "--influences", count}, 2, {"--influences"});
  expect({"skin", "strip.glb", "--scene", "-1"}, 2, {"--scene"});
  expect({"skin", "strip.glb", "--scene", "7"}, 2, {"strip.glb: ", "7"});
}

TEST_F(Misuse, BenchOptionsThatAreNone) {
  for (const char* seconds : {"0", "-1", "nan", "inf", "601", "soon", "1,5"})
    expect({"bench", "strip.glb", "--seconds", seconds}, 2, {"--seconds"});
  for (const char* count : {"0", "-1", "many", "1.5", "99999999999"})
    expect({"bench", "strip.glb", "--instances", count}, 2, {"--instances"});
  expect({"bench", "strip.glb", "--clip", "walk"}, 2, {"strip.glb: --clip: ", "0 \"bend\""});
  expect({"bench", "strip.glb", "--time", "1"}, 2, {"not expected: --time 1"});
}

TEST_F(Misuse, NothingToTime) {
  write_glb(folder(), "strip", Scene());
  expect({"bench", "strip.glb"}, 1, {"strip.glb: has no joint, no mesh and no clip", "sinew inspect"});
}

TEST_F(Misuse, OutputsThatCannotBe) {
  expect({"build", "strip.glb", "-o", "nowhere/strip.sinew"}, 1, {"nowhere/strip.sinew: cannot be written"});
  expect({"build", "strip.glb", "-o", "folder"}, 1, {"folder: is a folder"});
  expect({"build", "strip.glb", "-o", "notes.txt/strip.sinew"}, 1, {"cannot be written"});
  expect({"build", "strip.glb", "-o", "strip.glb"}, 2, {"strip.glb: -o: is the source file itself"});
  expect({"export", "strip.glb", "-o", "./strip.glb"}, 2, {"is the source file itself"});
  expect({"export", "strip.glb"}, 2, {"--output"});
  expect({"demo", "-o", "notes.txt/demo"}, 1, {"notes.txt/demo: "});
}

TEST_F(Misuse, ExportOptionsThatDoNotFit) {
  expect({"export", "strip.glb", "-o", "x.glb", "--clip", "bend"}, 2, {"--posed", "--baked"});
  expect({"export", "strip.glb", "-o", "x.glb", "--influences", "2"}, 2, {"--influences", "--baked"});
  expect({"export", "strip.glb", "-o", "x.glb", "--posed", "--baked"}, 2, {"--posed", "--baked"});
}

TEST_F(Misuse, BadDataLeavesNoFile) {
  RawGltf raw = to_raw(strip());
  raw.json["skins"][0]["joints"][1] = 99;
  write_bytes(folder() / "strip.glb", raw.glb());
  expect({"build", "strip.glb"}, 1, {"strip.glb: skins[0].joints[1]", "99"});
  expect({"export", "strip.glb", "-o", "x.glb"}, 1, {"strip.glb: skins[0].joints[1]", "99"});
}

TEST_F(Misuse, NamesCannotSteerTheTerminal) {
  Scene scene = strip();
  scene.clips[0].name = "be\x1b[31mnd\n\u202e";
  scene.nodes[0].name = "jo\x07int\r";
  write_glb(folder(), "strip", scene);
  const Ran unknown = sinew(folder(), {"skin", "strip.glb", "--clip", "\x1b[2J"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.error_lines(), 1u) << unknown.err;
  const Ran inspected = sinew(folder(), {"inspect", "strip.glb"});
  EXPECT_EQ(inspected.status, 0) << inspected.err;
  for (const std::string& text : {unknown.err, inspected.out})
    for (const char* raw : {"\x1b", "\x07", "\r", "\u202e"}) EXPECT_EQ(text.find(raw), std::string::npos) << text;
  EXPECT_NE(inspected.out.find("be\\x1b[31mnd\\n\\u202e"), std::string::npos) << inspected.out;
}

TEST_F(Misuse, FullDiskIsSaid) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Ran ran = sinew(folder(), {"build", "strip.glb", "-o", "/dev/full"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("/dev/full: cannot be written"), std::string::npos) << ran.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device was replaced by a file";
}

TEST_F(Misuse, HelpAndVersionAreNoMisuse) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"--help"},
                                                                                         {"--version"},
                                                                                         {"demo", "--help"},
                                                                                         {"inspect", "--help"},
                                                                                         {"skin", "--help"},
                                                                                         {"explain", "--help"},
                                                                                         {"build", "--help"},
                                                                                         {"export", "--help"},
                                                                                         {"render", "--help"},
                                                                                         {"bench", "--help"}}) {
    const Ran ran = sinew(folder(), arguments);
    EXPECT_EQ(ran.status, 0) << arguments[0];
    EXPECT_EQ(ran.err, "");
    if (arguments.size() == 2) {
      EXPECT_NE(ran.out.find("Example"), std::string::npos) << ran.out;
    }
  }
  EXPECT_TRUE(sinew(folder(), {"--version"}).out.starts_with("sinew 0."));
}

}  // namespace
}  // namespace sinew::test
