// sinew twist: a GLB with twist joints, and what it says of them.
#include <gtest/gtest.h>

#include <cmath>

#include "program.h"
#include "sinew/import.h"
#include "sinew/write.h"
#include "support/evaluate.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

class TwistVerb : public testing::Test {
 protected:
  TwistVerb() { write_glb(folder(), "tube", tube()); }
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "twist");
    return sinew(folder(), arguments);
  }
  void refused(std::vector<std::string> arguments, int status, const std::vector<std::string>& words) {
    const std::vector<std::string> before = files_in(folder());
    const Ran out = ran(std::move(arguments));
    EXPECT_EQ(out.status, status) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_EQ(out.error_lines(), 1u) << out.err;
    for (const std::string& word : words) EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
    EXPECT_EQ(files_in(folder()), before) << "nothing is left behind";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(TwistVerb, WritesAFileThatKeepsTheRadius) {
  const Ran out = ran({"tube.glb", "--joint", "joint1", "--count", "2", "-o", "out.glb"});
  ASSERT_EQ(out.status, 0) << out.err;
  EXPECT_EQ(out.err, "");
  for (const char* part :
       {"out.glb: ", "\"joint0\" to \"joint1\"", "2 joints: \"joint1_twist_1\" to \"joint1_twist_2\"",
        "vertices changed", "1 of 1", "\"twist\"", "180.0 deg", "87 %"})
    EXPECT_NE(out.out.find(part), std::string::npos) << part << "\n" << out.out;
  EXPECT_EQ(files_in(folder()), (std::vector<std::string>{"out.glb", "tube.glb"}));
  const Evaluated at_end = evaluate(must(import_file(folder() / "out.glb")), 0, 1);
  const DVec3 p = at_end.parts[0].positions[120];
  EXPECT_NEAR(std::hypot(p[1], p[2]) / 0.25, std::sqrt(3.0) / 2, 1e-4);
}

TEST_F(TwistVerb, TellsTheSameAsJson) {
  const Ran out = ran({"tube.glb", "--joint", "1", "--count", "3", "-o", "out.glb", "--json"});
  ASSERT_EQ(out.status, 0) << out.err;
  const auto json = out.json();
  EXPECT_EQ(json["joint"], "joint1");
  EXPECT_EQ(json["parent"], "joint0");
  EXPECT_EQ(json["twist_joints"].size(), 3u);
  EXPECT_EQ(json["twist_joints"][2]["name"], "joint1_twist_3");
  EXPECT_EQ(json["output_bytes"], std::filesystem::file_size(folder() / "out.glb"));
  ASSERT_EQ(json["clips"].size(), 1u);
  EXPECT_NEAR(json["clips"][0]["greatest_degrees"].get<double>(), 180, 1e-3);
  EXPECT_NEAR(json["clips"][0]["radius_before"].get<double>(), 0, 1e-6);
  EXPECT_NEAR(json["clips"][0]["radius_after"].get<double>(), 0.9239, 1e-4);
  EXPECT_EQ(json["clips"][0]["keys"], 3);
  EXPECT_TRUE(json["findings"].empty());
}

TEST_F(TwistVerb, OneJointIsTheDefault) {
  EXPECT_EQ(ran({"tube.glb", "--joint", "joint1", "-o", "out.glb", "--json"}).json()["twist_joints"].size(), 1u);
}

TEST_F(TwistVerb, SaysWhatIsWrong) {
  refused({"tube.glb", "--joint", "joint2", "-o", "o.glb"}, 2, {"tube.glb: --joint: ", "\"joint2\"", "\"joint1\""});
  refused({"tube.glb", "--joint", "joint0", "-o", "o.glb"}, 2, {"--joint: ", "no parent"});
  refused({"tube.glb", "--joint", "tube", "-o", "o.glb"}, 2, {"joint of no skin"});
  refused({"tube.glb", "--joint", "joint1", "--count", "0", "-o", "o.glb"}, 2, {"--count", "1 to 32"});
  refused({"tube.glb", "--joint", "joint1", "--count", "33", "-o", "o.glb"}, 2, {"--count", "1 to 32"});
  refused({"tube.glb", "--joint", "joint1", "-o", "tube.glb"}, 2, {"the source file itself"});
  refused({"tube.glb", "--joint", "joint1"}, 2, {"--output"});
  refused({"tube.glb", "-o", "o.glb"}, 2, {"--joint"});
  refused({"gone.glb", "--joint", "joint1", "-o", "o.glb"}, 1, {"gone.glb: "});
  refused({"tube.glb", "--joint", "joint1", "-o", "no/folder/o.glb"}, 1, {"cannot be written"});
  write_bytes(folder() / "tube.sinew", must(write(tube())));
  refused({"tube.sinew", "--joint", "joint1", "-o", "o.glb"}, 2, {"twist needs the source file", ".glb"});
  write_glb(folder(), "plain", morph_triangle(1));
  refused({"plain.glb", "--joint", "joint1", "-o", "o.glb"}, 2, {"no skin"});
}

TEST_F(TwistVerb, ASecondLimbIsAnotherRun) {
  write_glb(folder(), "chain", chain(4));
  ASSERT_EQ(ran({"chain.glb", "--joint", "joint1", "-o", "one.glb"}).status, 0);
  ASSERT_EQ(ran({"one.glb", "--joint", "joint2", "-o", "two.glb"}).status, 0);
  EXPECT_EQ(must(import_file(folder() / "two.glb")).skins[0].joints.size(), 6u);
  refused({"two.glb", "--joint", "joint2", "-o", "three.glb"}, 2, {"has twist joints already"});
}

}  // namespace
}  // namespace sinew::test
