// --method, --dual and compare --methods: ways to skin, chosen, measured and drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "moving_tube.h"
#include "program.h"
#include "render/codec.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Methods : public testing::Test {
 protected:
  Methods() {
    ::setenv("SINEW_VALIDATION", "1", 1);  // a message is then a failure of the tool
    write_glb(folder(), "tube", tube());
  }
  ~Methods() override { ::unsetenv("SINEW_VALIDATION"); }
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran run(const std::vector<std::string>& arguments, int status = 0) {
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, status) << out.out << out.err;
    return out;
  }
  /// Mean distance of the middle ring from the axis, over the radius.
  double middle_radius(std::vector<std::string> more) {
    more.insert(more.begin(), {"skin"});
    more.insert(more.end(), {"--clip", "twist", "--time", "1", "--format", "json"});
    const Json positions = run(more).json()["meshes"][0]["positions"];
    double sum = 0;
    for (std::size_t v = 120; v < 132; ++v)
      sum += std::hypot(positions[3 * v + 1].get<double>(), positions[3 * v + 2].get<double>()) / 0.25 / 12;
    return sum;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Methods, ATwistedTubeKeepsItsRadius) {
  EXPECT_NEAR(middle_radius({"tube.glb"}), 0, 1e-3);
  EXPECT_NEAR(middle_radius({"tube.glb", "--method", "lbs"}), 0, 1e-3);
  EXPECT_GE(middle_radius({"tube.glb", "--method", "dqs"}), 0.999);
  EXPECT_GE(middle_radius({"tube.glb", "--method", "mixed"}), 0.99);
}

TEST_F(Methods, EveryBackendSkinsByThem) {
  for (const char* backend : {"vulkan-compute", "vulkan-vertex"}) {
    EXPECT_NEAR(middle_radius({"tube.glb", "--backend", backend}), 0, 1e-3);
    EXPECT_GE(middle_radius({"tube.glb", "--method", "dqs", "--backend", backend}), 0.999);
    EXPECT_GE(middle_radius({"tube.glb", "--method", "mixed", "--backend", backend}), 0.99);
  }
}

TEST_F(Methods, ABuiltFileHasItsJointsChosen) {
  run({"build", "tube.glb", "-o", "auto.sinew", "--dual", "auto"});
  run({"build", "tube.glb", "-o", "none.sinew"});
  run({"build", "tube.glb", "-o", "one.sinew", "--dual", "joint1", "--keyframes"});
  EXPECT_GE(middle_radius({"auto.sinew", "--method", "mixed"}), 0.99);
  EXPECT_NEAR(middle_radius({"none.sinew", "--method", "mixed"}), 0, 1e-3);
  EXPECT_NEAR(middle_radius({"one.sinew", "--method", "mixed"}), 0.5, 0.01);  // half of its weight there
  EXPECT_TRUE(run({"inspect", "auto.sinew", "--json"}).json()["meshes"][0]["dual_weights"].get<bool>());
  EXPECT_FALSE(run({"inspect", "none.sinew", "--json"}).json()["meshes"][0]["dual_weights"].get<bool>());
}

TEST_F(Methods, CompareMeasuresLimbs) {
  const Json compared = run({"compare", "tube.glb", "--methods", "lbs,dqs,mixed,twist", "--json"}).json();
  EXPECT_EQ(compared["clip"], "twist");
  ASSERT_EQ(compared["methods"].size(), 4u);
  // 0.9239 in the middle; less where joint 1's own weight reaches up the limb, for that is turned all the way.
  EXPECT_NEAR(compared["methods"][3]["thinnest"]["share"].get<double>(), 0.87, 0.01);
  const Json &lbs = compared["methods"][0], &dqs = compared["methods"][1], &mixed = compared["methods"][2];
  EXPECT_EQ(lbs["method"], "lbs");
  EXPECT_NEAR(lbs["thinnest"]["share"].get<double>(), 0, 1e-3);
  EXPECT_NEAR(lbs["thinnest"]["time"].get<double>(), 1, 1e-6);
  EXPECT_EQ(lbs["thinnest"]["joint"], "joint1");
  EXPECT_GE(dqs["thinnest"]["share"].get<double>(), 0.999);
  EXPECT_GE(mixed["thinnest"]["share"].get<double>(), 0.99);
  EXPECT_NE(run({"compare", "tube.glb", "--methods", "lbs,dqs"}).out.find("thinnest"), std::string::npos);
}

/// A joint that bends is where dual quaternions bulge, and the report says so.
TEST_F(Methods, CompareMeasuresBulges) {
  write_glb(folder(), "bent", moving_tube());
  const Json methods = run({"compare", "bent.glb", "--methods", "lbs,dqs", "--json"}).json()["methods"];
  const double linear = methods[0]["bulge"]["share"].get<double>(), dual = methods[1]["bulge"]["share"].get<double>();
  EXPECT_GT(dual, linear + 0.01);
}

/// The case DQS-06: the strip bent by 90 degrees. Its middle row goes between the bones by linear blending, and on an arc
/// about the joint by dual quaternions: outside as far from the joint as at rest, inside nearer to the bones.
TEST_F(Methods, DQS_06) {
  write_glb(folder(), "strip", strip());
  const Json methods = run({"compare", "strip.glb", "--methods", "lbs,dqs", "--json"}).json()["methods"];
  EXPECT_NEAR(methods[0]["thinnest"]["share"].get<double>(), (std::sqrt(0.5) + 0.5) / 2, 1e-3);
  EXPECT_NEAR(methods[1]["thinnest"]["share"].get<double>(), (1 + std::sqrt(0.5)) / 2, 1e-3);
  for (const Json& method : methods) EXPECT_NEAR(method["bulge"]["share"].get<double>(), 0, 1e-6);
  EXPECT_NE(run({"compare", "strip.glb", "--methods", "lbs,dqs"}).out.find("0.0 %"), std::string::npos);
}

TEST_F(Methods, CompareDraws) {
  run({"compare", "tube.glb", "--methods", "lbs,dqs", "-o", "sheet.png", "--times", "2", "--size", "48x64", "--focus",
       "joint1", "--plot", "plot.svg"});
  const render::Picture sheet = must(render::decode(read_bytes(folder() / "sheet.png")));
  EXPECT_EQ(sheet.width, 2 * 48u);
  EXPECT_EQ(sheet.height, 3 * 64u);
  // What the methods do to the twisted tube differs, and the heat below says how much.
  std::size_t differ = 0;
  for (std::uint32_t y = 0; y < 64; ++y)
    for (std::uint32_t x = 48; x < 96; ++x) differ += sheet.at(x, y)[0] != sheet.at(x, y + 64)[0];
  EXPECT_GT(differ, 50u);
  const std::vector<std::byte> svg = read_bytes(folder() / "plot.svg");
  const std::string plot(reinterpret_cast<const char*>(svg.data()), svg.size());
  EXPECT_NE(plot.find("thinnest limb"), std::string::npos);
  EXPECT_NE(plot.find("</svg>"), std::string::npos);
  const Json film = run({"compare", "tube.glb", "--methods", "lbs,mixed", "-o", "film.webp", "--fps", "4", "--size",
                         "32x32", "--json"})
                        .json()["picture"];
  EXPECT_EQ(film["width"], 3 * 32);
  EXPECT_EQ(film["height"], 32);
  EXPECT_EQ(film["times"], 4);
  // One time is a row.
  run({"compare", "tube.glb", "--methods", "lbs,dqs", "-o", "row.png", "--times", "1", "--size", "48x64"});
  const render::Picture row = must(render::decode(read_bytes(folder() / "row.png")));
  EXPECT_EQ(row.width, 3 * 48u);
  EXPECT_EQ(row.height, 64u);
}

TEST_F(Methods, Misused) {
  const auto says = [&](const std::vector<std::string>& arguments, const std::string& what) {
    const Ran out = run(arguments, 2);
    EXPECT_NE(out.err.find(what), std::string::npos) << out.err;
  };
  says({"skin", "tube.glb", "--method", "magic"}, "--method");
  says({"skin", "tube.glb", "--method", "mixed", "--dual", "wing*"}, "wing*");
  says({"compare", "tube.glb"}, "nothing to compare with");
  says({"compare", "tube.glb", "--methods", "lbs,magic"}, "magic");
  says({"compare", "tube.glb", "x.sinew", "--methods", "lbs"}, "--methods");
  says({"compare", "tube.glb", "--methods", "lbs", "--tolerance", "1mm"}, "--tolerance");
  says({"compare", "tube.glb", "--methods", "lbs", "--focus", "joint1"}, "--focus");
  says({"compare", "tube.glb", "--methods", "lbs", "--focus", "wing", "-o", "wing.png"}, "tube.glb: --focus");
  run({"build", "tube.glb", "-o", "tube.sinew"});
  says({"skin", "tube.sinew", "--method", "mixed", "--dual", "auto"}, "--dual");
}

}  // namespace
}  // namespace sinew::test
