// sinew explain: its steps lead to the number that sinew skin prints.
#include <gtest/gtest.h>

#include <map>

#include "program.h"
#include "support/doubles.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

class Explain : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Json json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const Ran ran = sinew(folder(), arguments);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json();
  }

 private:
  TemporaryFolder folder_;
};

DVec3 point_of(const Json& json) { return {json[0], json[1], json[2]}; }
/// 16 numbers, column-major.
DVec3 applied(const Json& m, const DVec3& p) {
  DVec3 out{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      out[row] += m[4 * column + row].get<double>() * (column == 3 ? 1.0 : p[column]);
  return out;
}
DAffine matrix_of(const Json& m) {
  DAffine out;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column) out.m[row][column] = m[4 * column + row];
  return out;
}

/// Goes through the steps again, in double precision, from each to the next.
void expect_steps_add_up(const Json& e, double size) {
  const double near = 1e-6 * size;
  DVec3 morphed = point_of(e["stored"]);
  for (const Json& morph : e["morphs"])
    for (std::size_t axis = 0; axis < 3; ++axis)
      morphed[axis] += morph["weight"].get<double>() * morph["delta"][axis].get<double>();
  EXPECT_LE(distance(morphed, point_of(e["morphed"])), near);

  std::map<int, DAffine> model;
  for (const Json& joint : e["joints"]) {
    model[joint["row"]] = matrix_of(joint["model_from_joint"]);
    const int parent = joint["parent"];
    if (parent >= 0) {
      ASSERT_TRUE(model.count(parent)) << "an ancestor is missing, or comes after its child";
      // The joint's own origin is its local translation in the parent's space.
      EXPECT_LE(distance(point(model[parent], point_of(joint["local"]["translation"])), origin_of(model[joint["row"]])),
                near);
    }
  }
  DVec3 sum{};
  double weights = 0;
  for (const Json& influence : e["influences"]) {
    ASSERT_TRUE(model.count(influence["row"]));
    const DVec3 bound = applied(influence["joint_from_mesh"], morphed), alone = point(model[influence["row"]], bound);
    EXPECT_LE(distance(alone, applied(influence["palette"], morphed)), near);
    EXPECT_LE(distance(alone, point_of(influence["alone"])), near);
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += influence["weight"].get<double>() * alone[axis];
    weights += influence["weight"].get<double>();
  }
  EXPECT_NEAR(weights, 1, 1e-6);
  EXPECT_LE(distance(sum, point_of(e["sum"])), near);
  EXPECT_LE(distance(sum, point_of(e["skinned"])), near);
}

TEST_F(Explain, LeadsToWhatSkinPrints) {
  const std::pair<const char*, Scene> scenes[] = {
      {"strip", strip()}, {"tube", tube()}, {"chain", chain(12)}, {"morph", morph_triangle(3)}};
  for (const auto& [name, scene] : scenes) {
    SCOPED_TRACE(name);
    const std::string file = write_glb(folder(), name, scene).filename().string();
    for (const char* time : {"-1", "0", "0.37", "1"}) {
      const Json skinned = json({"skin", file, "--clip", "0", "--time", time})["meshes"][0];
      const std::size_t count = skinned["vertex_count"];
      for (std::size_t vertex = 0; vertex < count; vertex += std::max<std::size_t>(1, count / 5)) {
        const Json e = json({"explain", file, "--vertex", std::to_string(vertex), "--clip", "0", "--time", time});
        for (std::size_t axis = 0; axis < 3; ++axis)
          EXPECT_EQ(e["skinned"][axis], skinned["positions"][3 * vertex + axis]);
        for (std::size_t axis = 0; axis < 3 && !skinned["normals"].empty(); ++axis)
          EXPECT_EQ(e["normal"][axis], skinned["normals"][3 * vertex + axis]);
        expect_steps_add_up(e, 2);
      }
    }
  }
}

TEST_F(Explain, NamesKeysFactorsAndOpinions) {
  Scene scene = two_joints();
  Scene::Clip& clip = add_clip(scene, "swing");
  add_turn(clip, 1, {0, 0.2f, 0.4f}, {0, 100, 10});
  add_turn(clip, 0, {0}, {90});
  write_glb(folder(), "arm", scene);
  const Json e = json({"explain", "arm.glb", "--vertex", "1", "--clip", "swing", "--time", "0.3"});
  ASSERT_EQ(e["joints"].size(), 2u);
  const Json &shoulder = e["joints"][0], &elbow = e["joints"][1];
  EXPECT_EQ(shoulder["name"], "Shoulder");
  EXPECT_EQ(shoulder["tracks"][0]["keys"], Json({0, 0}));
  EXPECT_EQ(elbow["tracks"][0]["keys"], Json({1, 2}));
  EXPECT_NEAR(elbow["tracks"][0]["factor"].get<double>(), 0.5, 1e-6);
  EXPECT_EQ(e["influences"].size(), 2u);
  // Half of what each joint would do alone; the elbow is turned by 55 degrees at 0.3 s.
  const double turn = 145 * kPi / 180;
  for (const Json& influence : e["influences"]) {
    EXPECT_EQ(influence["weight"], 0.5);
    const DVec3 known =
        influence["name"] == "Shoulder" ? DVec3{0, 1.2, 0} : DVec3{0.2 * std::cos(turn), 1 + 0.2 * std::sin(turn), 0};
    EXPECT_LE(distance(point_of(influence["alone"]), known), 1e-5) << influence["name"];
  }
}

TEST_F(Explain, HeldKeysAreOne) {
  write_glb(folder(), "strip", strip());
  for (const auto& [time, key] : {std::pair("-3", 0), std::pair("1", 1), std::pair("9", 1)}) {
    const Json e = json({"explain", "strip.glb", "--vertex", "9", "--clip", "bend", "--time", time});
    EXPECT_EQ(e["joints"].back()["tracks"][0]["keys"], Json({key, key})) << time;
  }
}

TEST_F(Explain, MorphsSayTheirWeightAndKeys) {
  write_glb(folder(), "morph", morph_triangle(2));
  const Json e = json({"explain", "morph.glb", "--vertex", "0", "--clip", "0", "--time", "0.25"});
  ASSERT_EQ(e["morphs"].size(), 2u);
  EXPECT_FALSE(e["morphs"][0]["track"].is_null());
  EXPECT_EQ(e["influences"].size(), 1u);  // a part without a skin follows its node alone
  EXPECT_EQ(e["influences"][0]["weight"], 1);
}

TEST_F(Explain, AsksWhichPartIsMeant) {
  Scene scene = strip();
  scene.meshes[0].primitives.push_back(scene.meshes[0].primitives[0]);
  for (Vec3& p : scene.meshes[0].primitives[1].positions) p.z += 1;
  write_glb(folder(), "two", scene);
  const Ran which = sinew(folder(), {"explain", "two.glb", "--vertex", "0"});
  EXPECT_EQ(which.status, 2);
  EXPECT_NE(which.err.find("--part"), std::string::npos) << which.err;
  EXPECT_EQ(json({"explain", "two.glb", "--vertex", "0", "--part", "1"})["stored"][2], 1);
  EXPECT_EQ(json({"explain", "two.glb", "--vertex", "0", "--primitive", "1"})["part"], 1);
  EXPECT_EQ(sinew(folder(), {"explain", "two.glb", "--vertex", "0", "--node", "2"}).status, 2);
}

TEST_F(Explain, TextHasAllSteps) {
  write_glb(folder(), "strip", strip());
  const Ran ran = sinew(folder(), {"explain", "strip.glb", "--vertex", "4", "--clip", "bend", "--time", "0.5"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* text : {"vertex 4", "clip 0 \"bend\" at 0.5 s", "keys 0 and 1 at 0 and 1 s, factor 0.5",
                           "45 deg about (0, 0, 1)", "model_from_joint", "joint_from_mesh", "alone", "sum", "skinned"})
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << "\n" << ran.out;
}

}  // namespace
}  // namespace sinew::test
