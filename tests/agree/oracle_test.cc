// The runtime against the double-precision oracle: every asset, every clip, at keys, between, before and after them.
#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "biped/biped.h"
#include "sinew/import.h"
#include "sinew/simd.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// Shares of the larger of the model's size and the distance from the origin. Keyframe clips are exact but for float32.
constexpr double kPlaceLimit = 1e-6;
constexpr double kAxesLimit = 2e-6;       ///< of the joints' 3x3, over its norm
constexpr double kDirectionLimit = 2e-5;  ///< of unit normals and tangents

/// Seconds at which a clip is looked at: its keys (a few, first and last among them), between them, before and after.
std::vector<float> times_of(const Scene::Clip& clip, std::mt19937& random) {
  std::vector<float> keys;
  for (const auto& list : clip.times) keys.insert(keys.end(), list.begin(), list.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys.empty()) return {0};
  const float first = keys.front(), last = keys.back();
  std::vector<float> out{first, last, first - 0.5f, last + 0.5f};
  for (int i = 1; i < 4; ++i) out.push_back(keys[keys.size() * std::size_t(i) / 4]);
  std::uniform_real_distribution<float> between(first, last);
  for (int i = 0; i < 5; ++i) out.push_back(between(random));
  return out;
}

/// The runtime's largest differences from the oracle over all clips and times of a scene.
test::Difference differences(const Scene& scene, std::size_t& cases) {
  const test::Loaded loaded = test::must(test::load(scene));
  const double size = loaded.character.size();
  std::mt19937 random(20261129);
  test::Difference worst = test::compare(test::oracle(scene), test::evaluate(loaded.character), size);
  cases = 1;
  for (std::size_t clip = 0; clip < scene.clips.size(); ++clip) {
    for (float time : times_of(scene.clips[clip], random)) {
      const test::Evaluated expected = test::oracle(scene, int(clip), time);
      worst.merge(test::compare(expected, test::evaluate(loaded.character, int(clip), time), size));
      ++cases;
    }
  }
  return worst;
}

/// On the instruction set in use.
void expect_agreement_here(const std::string& name, const Scene& scene) {
  std::size_t cases = 0;
  const test::Difference d = differences(scene, cases);
  std::printf("agree %-50s %3zu cases  joints %.1e (node %d)  axes %.1e  vertices %.1e  normals %.1e  tangents %.1e\n",
              name.c_str(), cases, d.joints, d.worst_joint, d.axes, d.vertices, d.normals, d.tangents);
  EXPECT_LE(d.joints, kPlaceLimit) << "worst at node " << d.worst_joint;
  EXPECT_LE(d.axes, kAxesLimit);
  EXPECT_LE(d.vertices, kPlaceLimit);
  EXPECT_LE(d.normals, kDirectionLimit);
  EXPECT_LE(d.tangents, kDirectionLimit);
}

/// On every instruction set that this machine has.
void expect_agreement(const std::string& name, const Scene& scene) {
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(set_simd_target(target));
    SCOPED_TRACE(target);
    expect_agreement_here(name + ", " + std::string(target), scene);
  }
  set_simd_target("");
}

class OracleAgreement : public ::testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OracleAgreement);

TEST_P(OracleAgreement, JointsAndVertices) {
  const auto scene = import_file(GetParam());
  ASSERT_TRUE(scene) << scene.error().message();
  expect_agreement(test::test_name(GetParam()).substr(sizeof("assets_gltf")), *scene);
}

INSTANTIATE_TEST_SUITE_P(Assets, OracleAgreement, ::testing::ValuesIn(test::gltf_assets()),
                         [](const auto& test) { return test::test_name(test.param); });

TEST(OracleAgreementAssets, AreThere) {
  if (test::gltf_assets().empty()) GTEST_SKIP() << test::kNoShared;
  EXPECT_GE(test::gltf_assets().size(), 67u);
}

TEST(OracleAgreementScenes, Strip) { expect_agreement("strip", test::strip()); }
TEST(OracleAgreementScenes, Tube) { expect_agreement("tube", test::tube()); }
TEST(OracleAgreementScenes, Morph) { expect_agreement("morph", test::morph_triangle(3)); }
TEST(OracleAgreementScenes, Chains) {
  for (int count : {3, 17, 40}) expect_agreement("chain of " + std::to_string(count), test::chain(count));
}
TEST(OracleAgreementScenes, Biped) { expect_agreement("biped", make_biped()); }

/// A scene of everything at once, made by chance: hierarchy, uneven scale, all modes, shared joints, zero weights,
/// morphs.
Scene random_scene(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0, 1);
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const auto turn = [&] {
    return normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
  };
  Scene scene;
  constexpr int kNodes = 12, kVertices = 40;
  for (int i = 0; i < kNodes; ++i) {
    const int parent = int(random() % unsigned(i + 1)) - 1;
    test::add_node(scene, "n" + std::to_string(i), parent,
                   {vec(), turn(), Vec3(0.8f) + 0.4f * Vec3(uniform(random), uniform(random), uniform(random))});
  }
  Scene::Skin& skin = scene.skins.emplace_back();
  for (int i = 0; i < 6; ++i) skin.joints.push_back(kNodes - 2 - 2 * i + int(random() % 2));
  for (std::size_t i = 0; i < skin.joints.size(); ++i)
    skin.inverse_bind_matrices.push_back(to_affine({vec(), turn(), Vec3(1.0f)}));
  Scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.weights = {0.5f, 0.25f};
  for (int p = 0; p < 2; ++p) {
    Scene::Primitive& primitive = mesh.primitives.emplace_back();
    primitive.targets.resize(2);
    std::vector<test::Influences> influences;
    for (int v = 0; v < kVertices; ++v) {
      primitive.positions.push_back(vec());
      primitive.normals.push_back(glm::normalize(vec()));
      primitive.tangents.push_back(Vec4(glm::normalize(vec()), v % 2 ? 1.0f : -1.0f));
      primitive.targets[0].positions.push_back(0.2f * vec());
      primitive.targets[1].normals.push_back(0.2f * vec());
      primitive.targets[1].tangents.push_back(0.2f * vec());
      test::Influences& v_influences = influences.emplace_back();
      const unsigned count = random() % 7;  // none as well
      for (unsigned i = 0; i < count; ++i)
        v_influences.emplace_back(int(random() % skin.joints.size()), 0.05f + uniform(random));
    }
    primitive.influences = test::influence_sets(influences);
  }
  scene.nodes[2].mesh = scene.nodes[5].mesh = scene.nodes[7].mesh = 0;
  scene.nodes[2].skin = scene.nodes[5].skin = 0;
  scene.nodes[5].weights = {1, 0};
  Scene::Clip& clip = test::add_clip(scene, "all");
  for (int i = 0; i < kNodes; ++i) {
    const auto mode = Interpolation(random() % 3);
    const std::size_t rows = mode == Interpolation::cubicspline ? 3 : 1;
    std::vector<float> times{uniform(random)};
    while (times.size() < 5) times.push_back(times.back() + 0.1f + uniform(random));
    std::vector<float> turns, moves, weights;
    for (std::size_t k = 0; k < times.size() * rows; ++k) {
      const Quat q = turn();
      turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
      const Vec3 m = vec();
      moves.insert(moves.end(), {m.x, m.y, m.z});
      weights.insert(weights.end(), {uniform(random), uniform(random)});
    }
    test::add_track(clip, i, Path::rotation, mode, times, turns);
    if (i % 2) test::add_track(clip, i, Path::translation, mode, times, moves);
    if (scene.nodes[std::size_t(i)].mesh != kNone) test::add_track(clip, i, Path::weights, mode, times, weights);
  }
  return scene;
}

TEST(OracleAgreementScenes, MadeByChance) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Scene scene = random_scene(seed);
    std::size_t cases = 0;
    const test::Difference d = differences(scene, cases);
    EXPECT_LE(d.joints, kPlaceLimit);
    EXPECT_LE(d.vertices, 2 * kPlaceLimit) << "inverse binds as large as the scene double the rounding";
    EXPECT_LE(d.axes, kAxesLimit);
  }
}

}  // namespace
}  // namespace sinew
