// What `write` makes of skin weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "sinew/sinew.h"
#include "sinew/write.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::Influences;
using test::load;
using test::Loaded;
using test::must;

/// Points at the origin bound to a chain of joints, one a list of influences.
Scene bound_points(const std::vector<Influences>& influences, int joints = 8) {
  Scene scene = test::chain(joints);
  scene.clips.clear();
  Scene::Primitive& primitive = scene.meshes[0].primitives[0];
  primitive.positions.assign(influences.size(), Vec3(0.0f));
  primitive.influences = test::influence_sets(influences);
  return scene;
}

/// (row, weight) of a vertex of the source.
std::vector<std::pair<std::uint32_t, float>> influences_of(const Loaded& loaded, std::uint32_t source) {
  const Mesh& mesh = loaded.character.meshes()[0];
  const Skin& skin = loaded.character.skins()[0];
  const auto v = std::size_t(std::find(mesh.source_vertices.begin(), mesh.source_vertices.end(), source) -
                             mesh.source_vertices.begin());
  std::vector<std::pair<std::uint32_t, float>> out;
  for (std::size_t i = v * mesh.influence_count; i < (v + 1) * mesh.influence_count; ++i)
    out.emplace_back(skin.joints[mesh.joints[i]], mesh.weights[i]);
  return out;
}

using Pairs = std::vector<std::pair<std::uint32_t, float>>;

TEST(WriteWeights, AreSortedMergedAndDivided) {
  const Loaded loaded = must(load(bound_points({{{1, 0.25f}, {2, 0.5f}, {1, 0.5f}, {3, 0.0f}}})));
  EXPECT_EQ(influences_of(loaded, 0), (Pairs{{1, 0.6f}, {2, 0.4f}}));
}

TEST(WriteWeights, UnusedPlacesRepeatTheFirstJoint) {
  const Loaded loaded = must(load(bound_points({{{1, 0.5f}, {2, 0.25f}, {3, 0.25f}}, {{4, 1.0f}}})));
  EXPECT_EQ(loaded.character.meshes()[0].influence_count, 3u);
  EXPECT_EQ(influences_of(loaded, 1), (Pairs{{4, 1.0f}, {4, 0.0f}, {4, 0.0f}}));
}

TEST(WriteWeights, EqualOnesKeepTheirOrder) {
  const Loaded loaded = must(load(bound_points({{{5, 0.25f}, {1, 0.25f}, {3, 0.25f}, {2, 0.25f}}})));
  EXPECT_EQ(influences_of(loaded, 0), (Pairs{{5, 0.25f}, {1, 0.25f}, {3, 0.25f}, {2, 0.25f}}));
}

TEST(WriteWeights, SumsThatAreOffAreReportedWithTheWorst) {
  const Loaded loaded = must(load(bound_points({{{0, 1.0f}}, {{1, 0.5f}, {2, 0.3f}}, {{1, 0.5f}, {2, 0.45f}}})));
  const Finding* finding = test::find(loaded.report, "weights.sum");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->count, 2u);
  EXPECT_EQ(finding->where, "meshes[0].primitives[0]");
  EXPECT_NE(finding->what.find("vertex 1 "), std::string::npos) << finding->what;
  EXPECT_NE(finding->what.find("0.8"), std::string::npos) << finding->what;
}

TEST(WriteWeights, NegativeOnesCountAsNone) {
  const Loaded loaded = must(load(bound_points({{{1, 0.5f}, {2, -0.25f}}})));
  EXPECT_EQ(influences_of(loaded, 0), (Pairs{{1, 1.0f}}));
  EXPECT_NE(test::find(loaded.report, "weights.negative"), nullptr);
}

TEST(WriteWeights, HugeAndTinyOnesDivide) {
  const Loaded loaded = must(load(bound_points({{{1, 3e38f}, {2, 3e38f}}, {{1, 1e-45f}}, {{1, 1.0f}, {2, 1e-45f}}})));
  EXPECT_EQ(influences_of(loaded, 0), (Pairs{{1, 0.5f}, {2, 0.5f}}));
  EXPECT_EQ(influences_of(loaded, 1)[0], (std::pair<std::uint32_t, float>(1, 1.0f)));
  EXPECT_EQ(influences_of(loaded, 2)[0], (std::pair<std::uint32_t, float>(1, 1.0f)));
}

/// The laws of stored weights: first = 1 - sum of the others, so that all sum to 1 to the bit; descending; none
/// negative.
void expect_lawful(const Mesh& mesh, const char* what) {
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::span<const float> weights = mesh.weights.subspan(v * mesh.influence_count, mesh.influence_count);
    const float others = std::accumulate(weights.begin() + 1, weights.end(), 0.0f);
    ASSERT_EQ(weights[0], 1.0f - others) << what << ", vertex " << v;
    ASSERT_EQ(weights[0] + others, 1.0f) << what << ", vertex " << v;
    ASSERT_TRUE(std::is_sorted(weights.begin(), weights.end(), std::greater<float>())) << what << ", vertex " << v;
    ASSERT_GE(weights.back(), 0.0f) << what << ", vertex " << v;
  }
}

TEST(WriteWeights, EqualSharesOfAnyCountSumToOne) {
  for (int count = 1; count <= 40; ++count) {
    Influences shares;
    for (int i = 0; i < count; ++i) shares.emplace_back(i, 1.0f / float(count));
    const Loaded loaded = must(load(bound_points({shares}, count)));
    expect_lawful(loaded.character.meshes()[0], std::to_string(count).c_str());
    EXPECT_EQ(loaded.character.meshes()[0].influence_count, std::uint32_t(count));
    for (const float weight : loaded.character.meshes()[0].weights) EXPECT_NEAR(weight, 1.0f / float(count), 1e-6f);
  }
}

TEST(WriteWeights, RandomOnesSumToOne) {
  constexpr unsigned kSeed = 20240229;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<float> exponent(-20, 3);
  std::vector<Influences> vertices(2000);
  for (Influences& influences : vertices) {
    const unsigned count = 1 + random() % 8;
    for (unsigned i = 0; i < count; ++i) influences.emplace_back(int(random() % 8), std::exp2(exponent(random)));
  }
  for (const std::uint32_t limit : {0u, 1u, 2u, 3u, 4u, 5u}) {
    WriteOptions options;
    options.influences = limit;
    const Loaded loaded = must(load(bound_points(vertices), options));
    expect_lawful(loaded.character.meshes()[0], ("seed " + std::to_string(kSeed)).c_str());
    if (limit > 0) {
      EXPECT_LE(loaded.character.meshes()[0].influence_count, limit);
    }
  }
}

// --- vertices without weight

TEST(ZeroWeights, StayWhereStoredWithTheCommonRoot) {
  // A root that is moved and turned; two branches that the skin names, the root it does not.
  Scene scene;
  const Transform place{{4, 0, 1}, test::about_z(30), Vec3(2.0f)};
  const int top = test::add_node(scene, "top"), root = test::add_node(scene, "root", top, place);
  const int left = test::add_node(scene, "left", root, {{-1, 0, 0}, {}, Vec3(1.0f)});
  const int right = test::add_node(scene, "right", root, {{1, 0, 0}, {}, Vec3(1.0f)});
  const int body = test::add_node(scene, "body");
  scene.nodes[body].mesh = 0, scene.nodes[body].skin = 0;
  scene.skins.emplace_back().joints = {left, right};
  Scene::Primitive& p = scene.meshes.emplace_back().primitives.emplace_back();
  p.positions = {{1, 2, 3}, {5, 6, 7}, {0, 0, 0}};
  p.influences = test::influence_sets({{{0, 0.0f}}, {}, {{1, 1.0f}}});
  const Loaded loaded = must(load(scene));
  const Skin& skin = loaded.character.skins()[0];
  EXPECT_EQ(std::vector(skin.joints.begin(), skin.joints.end()),
            (std::vector<std::uint32_t>{std::uint32_t(right), std::uint32_t(root)}))
      << "right is used, left is not; the root is added";
  const test::Evaluated rest = test::evaluate(loaded.character);
  for (int v = 0; v < 2; ++v)
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(rest.part(body)->positions[std::size_t(v)][std::size_t(i)], p.positions[std::size_t(v)][i], 1e-5);
  Pose pose(loaded.character.skeleton());
  Transform moved = pose.transform(1);
  moved.translation += Vec3(10, 0, 0);
  pose.set_transform(1, moved);
  EXPECT_NEAR(test::evaluate(loaded.character, pose).part(body)->positions[0][0], 11, 1e-5) << "they follow the root";
}

TEST(ZeroWeights, AJointThatAllOthersDescendFromIsTheRoot) {
  Scene scene = bound_points({{}, {{2, 1.0f}}}, 4);
  scene.skins[0].joints = {3, 1, 2};
  scene.skins[0].inverse_bind_matrices.clear();
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(loaded.character.skins()[0].joints.back(), 1u);
}

TEST(ZeroWeights, WithoutACommonRootTheTopOfTheFirstJointCounts) {
  Scene scene = bound_points({{}, {{1, 1.0f}}}, 2);  // joint0 - joint1
  const int apart = test::add_node(scene, "apart");
  scene.skins[0].joints = {1, apart};
  scene.skins[0].inverse_bind_matrices.clear();
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(loaded.character.skins()[0].joints.back(), 0u);
}

TEST(ZeroWeights, AreCountedAndListed) {
  Scene scene = bound_points({{{0, 1.0f}}, {}, {{0, 1.0f}}, {{1, 0.0f}}});
  scene.meshes[0].primitives[0].positions[1] = {1, 2, 3};
  const Loaded loaded = must(load(scene));
  const Finding* finding = test::find(loaded.report, "weights.zero");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->count, 2u);
  EXPECT_EQ(finding->severity, Severity::warning);
  EXPECT_NE(finding->what.find("vertex 1 at (1, 2, 3)"), std::string::npos) << finding->what;
  EXPECT_NE(finding->what.find("1, 3"), std::string::npos) << finding->what;
}

TEST(ZeroWeights, OfAllVerticesNeedNoOtherEntry) {
  const Loaded loaded = must(load(bound_points({{}, {}})));
  EXPECT_EQ(loaded.character.skins()[0].joints.size(), 1u);
  EXPECT_EQ(influences_of(loaded, 0), (Pairs{{0, 1.0f}}));
}

TEST(ZeroWeights, UnderARootOfNoScaleKeepAFiniteMatrix) {
  Scene scene = bound_points({{}, {{1, 1.0f}}});
  scene.nodes[0].rest.scale = Vec3(0.0f);
  const Loaded loaded = must(load(scene));
  EXPECT_EQ(loaded.character.skins()[0].inverse_bind_matrices[1], Affine());
}

// --- a limit on influences

TEST(InfluenceLimit, KeepsTheStrongestAndReports) {
  const Influences six = {{0, 0.05f}, {1, 0.05f}, {2, 0.1f}, {3, 0.1f}, {4, 0.4f}, {5, 0.3f}};
  const Scene scene = bound_points({{{0, 1.0f}}, six});
  const Loaded all = must(load(scene));
  EXPECT_EQ(all.character.meshes()[0].influence_count, 6u);
  EXPECT_EQ(test::find(all.report, "influences.dropped"), nullptr);
  WriteOptions options;
  options.influences = 4;
  const Loaded four = must(load(scene, options));
  const auto kept = influences_of(four, 1);
  ASSERT_EQ(kept.size(), 4u);
  const Pairs expected = {{4, 0.4f / 0.9f}, {5, 0.3f / 0.9f}, {2, 0.1f / 0.9f}, {3, 0.1f / 0.9f}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(kept[i].first, expected[i].first);
    EXPECT_NEAR(kept[i].second, expected[i].second, 1e-7f);
  }
  expect_lawful(four.character.meshes()[0], "four kept");
  const Finding* dropped = test::find(four.report, "influences.dropped");
  ASSERT_NE(dropped, nullptr) << test::lines(four.report);
  EXPECT_EQ(dropped->count, 1u);
  EXPECT_NE(dropped->what.find("vertex 1 "), std::string::npos) << dropped->what;
  EXPECT_NE(dropped->what.find("0.1 "), std::string::npos) << dropped->what;
}

TEST(InfluenceLimit, ReportsTheLargestMovementAtRest) {
  // Inverse binds that do not fit the rest: joint 1 holds the point one unit farther up than joint 0.
  Scene scene = bound_points({{{0, 0.75f}, {1, 0.25f}}}, 2);
  scene.skins[0].inverse_bind_matrices.clear();
  WriteOptions options;
  options.influences = 1;
  const Loaded loaded = must(load(scene, options));
  const Finding* movement = test::find(loaded.report, "influences.movement");
  ASSERT_NE(movement, nullptr) << test::lines(loaded.report);
  EXPECT_NE(movement->what.find("vertex 0 by 0.25"), std::string::npos) << movement->what;
}

TEST(InfluenceLimit, ThatNoVertexMeetsChangesNothing) {
  const Scene scene = test::strip();
  WriteOptions options;
  options.influences = 2;
  Report report;
  EXPECT_EQ(must(write(scene, options, &report)), must(write(scene)));
  EXPECT_TRUE(report.empty()) << test::lines(report);
}

}  // namespace
}  // namespace sinew
