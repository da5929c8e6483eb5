// sinew skin --backend: all of them print the same form and, within rounding, the same numbers; and say why they cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "program.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kDevices[] = {"vulkan-compute", "vulkan-vertex"};
/// Shares of the model's size; directions are of unit length.
constexpr double kPlaces = 2e-6, kDirections = 4e-6;

/// Sets a variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before, had_ = true;
    ::setenv(name, value, 1);
  }
  ~Variable() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

/// A column of rings about Y, every vertex bound to 8 joints, of which one is scaled unevenly; two morph targets move
/// and turn it. Clip 0 turns the joints, and drives the weights. A second mesh without a skin and without normals hangs
/// on a joint.
Scene hard() {
  constexpr int kJoints = 8, kRings = 12, kSides = 7;
  Scene scene;
  std::vector<int> joints;
  for (int j = 0; j < kJoints; ++j)
    joints.push_back(add_node(scene, "joint" + std::to_string(j), j - 1, {Vec3(0, j ? 1 : 0, 0), {}, Vec3(1)}));
  Scene::Primitive ring;
  std::vector<Influences> influences;
  ring.targets.resize(2);
  for (int i = 0; i < kRings * kSides; ++i) {
    const float turn = 2 * kPi * float(i % kSides) / kSides, y = float(i / kSides) * 0.6f;
    const Vec3 out(std::cos(turn), 0, std::sin(turn));
    ring.positions.push_back(Vec3(0, y, 0) + 0.4f * out);
    ring.normals.push_back(out);
    ring.tangents.push_back(Vec4(-out.z, 0, out.x, i % 2 ? 1 : -1));
    for (std::size_t t = 0; t < 2; ++t) {
      ring.targets[t].positions.push_back(t ? Vec3(0, 0.3f * out.x, 0) : 0.5f * out);
      ring.targets[t].normals.push_back(t ? Vec3(0, 0.7f, 0) : Vec3(0));
    }
    Influences& bound = influences.emplace_back();
    for (int j = 0; j < kJoints; ++j) bound.push_back({j, float(1 + (i + 3 * j) % 8) / 36});
  }
  ring.influences = influence_sets(influences);
  scene.meshes.emplace_back().primitives.push_back(ring);
  Scene::Skin& skin = scene.skins.emplace_back();
  skin.joints.assign(joints.begin(), joints.end());
  skin.inverse_bind_matrices = rest_inverse_binds(scene, joints);
  scene.nodes[3].rest.scale = Vec3(1, 3, 0.2f);
  const int body = add_node(scene, "body"), sign = add_node(scene, "sign", 5);
  scene.nodes[std::size_t(body)].mesh = 0;
  scene.nodes[std::size_t(body)].skin = 0;
  scene.nodes[std::size_t(sign)].mesh = 1;
  Scene::Primitive& flat = scene.meshes.emplace_back().primitives.emplace_back();
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  Scene::Clip& clip = add_clip(scene, "writhe");
  for (int j = 0; j < kJoints; ++j) add_turn(clip, j, {0, 1}, {0, 13.0f * float(j + 1)});
  add_track(clip, body, Path::weights, Interpolation::linear, {0, 1}, {0, 0, 0.8f, 1.5f});
  return scene;
}

class Backends : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Json json(std::vector<std::string> arguments, const std::string& backend) {
    arguments.insert(arguments.begin(), "skin");
    arguments.insert(arguments.end(), {"--format", "json", "--backend", backend});
    const Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    return out.json();
  }
  void expect_agreement(const std::vector<std::string>& arguments) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Json wanted = json(arguments, "cpu");
    for (const char* backend : kDevices) compare(wanted, json(arguments, backend), backend);
  }

 private:
  static void compare(Json wanted, Json given, const char* backend);
  TemporaryFolder folder_;
  Variable validation_{"SINEW_VALIDATION", "1"};  // a message of the layer is then a failure of the tool
};

double largest(const std::vector<double>& numbers) {
  double out = 0;
  for (const double n : numbers) out = std::max(out, std::abs(n));
  return out;
}

/// Infinite where there are not as many, or one is no number.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= out)) out = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return out;
}

/// Same keys, same counts, same joints to the bit, same vertices within rounding.
void Backends::compare(Json wanted, Json given, const char* backend) {
  ASSERT_EQ(wanted["meshes"].size(), given["meshes"].size()) << backend;
  for (std::size_t i = 0; i < wanted["meshes"].size(); ++i) {
    Json &a = wanted["meshes"][i], &b = given["meshes"][i];
    const auto places = a["positions"].get<std::vector<double>>();
    EXPECT_LE(apart(places, b["positions"].get<std::vector<double>>()), kPlaces * largest(places)) << backend;
    EXPECT_LE(apart(a["normals"].get<std::vector<double>>(), b["normals"].get<std::vector<double>>()), kDirections)
        << backend;
    for (Json* mesh : {&a, &b}) mesh->erase("positions"), mesh->erase("normals");
  }
  EXPECT_EQ(wanted, given) << backend;
}

TEST_F(Backends, AgreeOnMorphsEightInfluencesAndUnevenScale) {
  write_glb(folder(), "hard", hard());
  expect_agreement({"hard.glb"});
  expect_agreement({"hard.glb", "--clip", "writhe", "--time", "0.7"});
  expect_agreement({"hard.glb", "--clip", "writhe", "--time", "0.7", "--influences", "3"});
  expect_agreement({"hard.glb", "--clip", "writhe", "--time", "5.25", "--loop"});
  // What makes it hard is in the numbers: without it they would be others.
  const auto numbers = [&](const Json& out) { return out["meshes"][0]["positions"].get<std::vector<double>>(); };
  const auto given = numbers(json({"hard.glb", "--clip", "0", "--time", "0.7"}, kDevices[0]));
  EXPECT_GT(apart(given, numbers(json({"hard.glb", "--clip", "0", "--time", "0.7", "--influences", "4"}, "cpu"))),
            1000 * kPlaces * largest(given));
  Scene still = hard();
  still.clips[0].tracks.pop_back();
  write_glb(folder(), "still", still);
  EXPECT_GT(apart(given, numbers(json({"still.glb", "--clip", "0", "--time", "0.7"}, "cpu"))),
            1000 * kPlaces * largest(given));
}

TEST_F(Backends, AgreeOnSimpleFilesAndBuiltOnes) {
  const Scene scenes[] = {two_joints(), strip(), tube(), morph_triangle(3)};
  for (const Scene& scene : scenes) {
    write_glb(folder(), "scene", scene);
    expect_agreement({"scene.glb"});
    if (!scene.clips.empty()) expect_agreement({"scene.glb", "--clip", "0", "--time", "0.6"});
  }
  write_glb(folder(), "hard", hard());
  ASSERT_EQ(sinew(folder(), {"build", "hard.glb"}).status, 0);
  expect_agreement({"hard.sinew", "--clip", "writhe", "--time", "0.3"});
}

TEST_F(Backends, AgreeOnAssets) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  // Many parts; morph targets; a VRM; eight influences.
  for (const char* file : {"robot.glb", "MorphStressTest/MorphStressTest.gltf", "Godette_vrm_v4.vrm",
                           "magnum_assimp/skin-multiple-sets.gltf"})
    expect_agreement({(*shared / "assets/gltf" / file).string()});
}

TEST_F(Backends, AFileWithoutAMeshIsNoTrouble) {
  Scene scene = strip();
  scene.meshes.clear(), scene.skins.clear();
  scene.nodes[2].mesh = scene.nodes[2].skin = kNone;
  write_glb(folder(), "joints", scene);
  expect_agreement({"joints.glb", "--clip", "0", "--time", "0.5"});
}

TEST_F(Backends, TextSaysWhoSkinned) {
  write_glb(folder(), "strip", strip());
  EXPECT_EQ(sinew(folder(), {"skin", "strip.glb"}).out.find("skinned by"), std::string::npos);
  for (const std::string backend : kDevices) {
    const Ran out = sinew(folder(), {"skin", "strip.glb", "--backend", backend});
    EXPECT_EQ(out.status, 0) << out.err;
    EXPECT_NE(out.out.find("skinned by " + backend + " on "), std::string::npos) << out.out;
    EXPECT_NE(out.out.find("bounds    (-0.5, 0, 0) to (0.5, 2, 0)"), std::string::npos) << out.out;
  }
}

TEST_F(Backends, WithoutADeviceTheySayWhatToDo) {
  write_glb(folder(), "strip", strip());
  const Variable none("VK_DRIVER_FILES", "/nonexistent"), older("VK_ICD_FILENAMES", "/nonexistent"),
      quiet("SINEW_VALIDATION", "0");
  EXPECT_EQ(sinew(folder(), {"skin", "strip.glb", "--backend", "cpu"}).status, 0);
  for (const std::string backend : kDevices)
    for (const char* format : {"text", "json"}) {
      const Ran out = sinew(folder(), {"skin", "strip.glb", "--backend", backend, "--format", format});
      EXPECT_EQ(out.status, 1) << out.err;
      EXPECT_EQ(out.out, "");
      EXPECT_EQ(out.error_lines(), 1u) << out.err;
      EXPECT_TRUE(out.err.starts_with("sinew: strip.glb: Vulkan: there is no ")) << out.err;
      EXPECT_NE(out.err.find("--backend cpu"), std::string::npos) << out.err;
    }
  EXPECT_EQ(files_in(folder()), std::vector<std::string>{"strip.glb"});
}

TEST_F(Backends, UnknownOnesAreMisuse) {
  write_glb(folder(), "strip", strip());
  for (const char* backend : {"gpu", "", "CPU", "vulkan"}) {
    const Ran out = sinew(folder(), {"skin", "strip.glb", "--backend", backend});
    EXPECT_EQ(out.status, 2) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_EQ(out.error_lines(), 1u) << out.err;
    for (const char* word : {"--backend", "cpu", "vulkan-compute", "vulkan-vertex"})
      EXPECT_NE(out.err.find(word), std::string::npos) << out.err;
  }
}

}  // namespace
}  // namespace sinew::test
