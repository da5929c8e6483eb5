// sinew verify: what build promised is measured again from the files, and a broken promise is said.
#include <gtest/gtest.h>

#include <algorithm>

#include "moving_tube.h"
#include "program.h"
#include "support/raw_gltf.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Verify : public testing::Test {
 protected:
  Verify() {
    write_glb(folder(), "tube", moving_tube());
    built({});
  }
  const std::filesystem::path& folder() const { return folder_.path(); }
  Json built(std::vector<std::string> more) {
    more.insert(more.begin(), {"build", "tube.glb", "--json"});
    const Ran out = sinew(folder(), more);
    EXPECT_EQ(out.status, 0) << out.err;
    return out.json();
  }
  Ran ran(std::vector<std::string> more = {}, int status = 0) {
    more.insert(more.begin(), {"verify", "tube.glb", "tube.sinew"});
    Ran out = sinew(folder(), more);
    EXPECT_EQ(out.status, status) << out.out << out.err;
    return out;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Verify, MeasuresWhatBuildMeasured) {
  const Json build = built({}), verify = ran({"--json"}).json();
  EXPECT_EQ(verify["tolerance"], build["tolerance"]);
  EXPECT_TRUE(verify["holds"].get<bool>());
  ASSERT_EQ(verify["clips"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(verify["clips"][i]["error"], build["clips"][i]["error"]);
    EXPECT_TRUE(verify["clips"][i]["holds"].get<bool>());
  }
  const Ran text = ran();
  EXPECT_EQ(text.err, "");
  for (const char* part : {"walk back", "PASS", "largest", "99 %", "of the height"})
    EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("FAIL"), std::string::npos);
}

TEST_F(Verify, ABrokenPromiseEndsWithOne) {
  built({"--tolerance", "5mm"});
  ran({"--tolerance", "5mm"});
  const Ran out = ran({"--tolerance", "0.001mm"}, 1);
  EXPECT_NE(out.out.find("FAIL"), std::string::npos);
  EXPECT_EQ(out.error_lines(), 1u);
  EXPECT_NE(out.err.find("tube.sinew: clips that stray by more than 0.001 mm: 3 of 3"), std::string::npos) << out.err;
  EXPECT_FALSE(ran({"--tolerance", "0.001mm", "--json"}, 1).json()["holds"].get<bool>());
}

TEST_F(Verify, KeyframesDoNotStray) {
  built({"--keyframes"});
  for (const Json& clip : ran({"--json"}).json()["clips"]) EXPECT_EQ(clip["error"]["largest"], 0);
}

TEST_F(Verify, ClipsThatWereLeftOutAreNamed) {
  built({"--clips", "run,walk"});
  const Json out = ran({"--json"}).json();
  EXPECT_EQ(out["clips"].size(), 2u);
  EXPECT_EQ(out["not_in_built"], Json({"walk back"}));
  EXPECT_NE(ran().out.find("not in tube.sinew: \"walk back\""), std::string::npos);
}

TEST_F(Verify, ClipsThatTheSourceHasNotCannotBeVerified) {
  write_glb(folder(), "tube", moving_tube({"walk", "stroll", "run"}));
  const Ran out = ran({}, 1);
  EXPECT_NE(out.out.find("the source has no such clip"), std::string::npos) << out.out;
  EXPECT_NE(out.err.find("\"walk back\""), std::string::npos) << out.err;
}

TEST_F(Verify, ClipsOfOneNameArePairedInTheirOrder) {
  write_glb(folder(), "tube", moving_tube({"walk", "walk", ""}));
  built({});
  EXPECT_TRUE(ran({"--json"}).json()["holds"].get<bool>());
}

TEST_F(Verify, AnotherSourceAndOtherFiles) {
  const auto refused = [&](std::vector<std::string> arguments, int status, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), "verify");
    const Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, status) << out.err;
    EXPECT_EQ(out.out, "");
    for (const std::string& word : words) EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
  };
  write_glb(folder(), "chain", chain(4));
  refused({"chain.glb", "tube.sinew"}, 1, {"tube.sinew: was built from another source", "252 vertices", "--scene"});
  refused({"tube.sinew", "tube.glb"}, 2, {"tube.sinew: is a built .sinew", "source"});
  refused({"tube.glb", "tube.glb"}, 2, {"tube.glb: is no built .sinew"});
  refused({"tube.glb"}, 2, {"BUILT"});
  refused({"tube.glb", "missing.sinew"}, 1, {"missing.sinew: there is no such file"});
  refused({"tube.glb", "tube.sinew", "--tolerance", "tall"}, 2, {"--tolerance"});
  refused({"tube.glb", "tube.sinew", "--plot", "out.txt"}, 2, {"--plot", ".svg"});
}

TEST_F(Verify, PlotIsADrawing) {
  ran({"--plot", "again.svg"});
  const std::vector<std::byte> bytes = read_bytes(folder() / "again.svg");
  const std::string svg(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_NE(svg.find("tube.sinew against tube.glb"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace sinew::test
