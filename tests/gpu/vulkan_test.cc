// Every path on the device against the double-precision oracle, in one table; and what a path promises beside accuracy.
#include "sinew/vulkan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "biped/biped.h"
#include "gpu/loose_mesh.h"
#include "gpu/paths.h"
#include "oracle/oracle.h"
#include "sinew/import.h"
#include "support/files.h"
#include "support/scenes.h"
#include "vulkan/dispatch.h"

namespace sinew {
namespace {

using test::LooseMesh;
using test::on_cpu;
using test::turned_palette;
using test::worst;

/// Shares of the larger of the model's size and the distance from the origin; directions are of unit length.
struct Limits {
  double place = 2e-6, direction = 2e-6;
};
constexpr Limits kCompactLimits{1e-4, 3e-4};

struct Row {
  const char* name;
  gpu::SkinPath path;
  Limits limits = {};
};
const Row kRows[] = {
    {"compute streams", {.layout = {.format = VertexFormat::streams}}},
    {"compute streams, 4x4 palette", {.layout = {.palette_4x4 = true}}},
    {"compute full", {.layout = {.format = VertexFormat::full}}},
    {"compute compact", {.layout = {.format = VertexFormat::compact}}, kCompactLimits},
    {"vertex streams", {.stage = SkinStage::vertex}},
    {"vertex full", {.stage = SkinStage::vertex, .layout = {.format = VertexFormat::full}}},
    {"vertex compact", {.stage = SkinStage::vertex, .layout = {.format = VertexFormat::compact}}, kCompactLimits},
};

bool holds(const Character& character, const gpu::SkinPath& path) {
  return std::all_of(character.meshes().begin(), character.meshes().end(),
                     [&](const Mesh& mesh) { return bool(layout_mesh(mesh, path.layout)); });
}

/// The oracle's parts without what a format leaves out.
test::Evaluated without_missing(test::Evaluated expected, const test::Evaluated& tested) {
  for (std::size_t i = 0; i < tested.parts.size(); ++i) {
    for (test::PlacedVertices& part : expected.parts) {
      if (part.node != tested.parts[i].node || part.primitive != tested.parts[i].primitive) continue;
      if (tested.parts[i].normals.empty()) part.normals.clear();
      if (tested.parts[i].tangents.empty()) part.tangents.clear();
    }
  }
  return expected;
}

bool can_capture() { return test::device().features().transform_feedback; }

/// Rest and the middle of up to three clips.
void expect_agreement(const std::string& name, const Scene& scene) {
  const test::Loaded loaded = test::must(test::load(scene));
  const double size = loaded.character.size();
  for (const Row& row : kRows) {
    if (!holds(loaded.character, row.path) || (row.path.stage == SkinStage::vertex && !can_capture())) continue;
    test::Difference worst;
    for (int clip = kNone; clip < std::min<int>(int(scene.clips.size()), 3); ++clip) {
      const Clip* const found = test::source_clip(loaded.character, clip);
      const float time = found ? found->first_key + 0.37f * (found->duration - found->first_key) : 0;
      const test::Evaluated tested =
          test::evaluate_on_device(loaded.character, test::sample(loaded.character, clip, time), row.path);
      worst.merge(test::compare(without_missing(test::oracle(scene, clip, time), tested), tested, size));
    }
    std::printf("agree %-28s %-30s vertices %.1e  normals %.1e  tangents %.1e\n", name.c_str(), row.name,
                worst.vertices, worst.normals, worst.tangents);
    EXPECT_LE(worst.vertices, row.limits.place) << row.name;
    EXPECT_LE(worst.normals, row.limits.direction) << row.name;
    EXPECT_LE(worst.tangents, row.limits.direction) << row.name;
  }
}

class VulkanAgreement : public ::testing::TestWithParam<const char*> {
 protected:
  void TearDown() override {
    const std::vector<std::string> messages = test::device().messages();
    EXPECT_EQ(messages.size(), before_) << messages.back();
  }
  const std::size_t before_ = test::device().messages().size();
};

TEST_P(VulkanAgreement, OfAnAsset) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoShared;
  const std::string file = GetParam();
  expect_agreement(file.substr(file.rfind('/') + 1), test::must(import_file(*shared / "assets/gltf" / file)));
}
// A plain skin, many parts of one skin, weights that do not sum to 1, morph targets with and without a skin, 8 and 12
// influences, non-uniform scale.
INSTANTIATE_TEST_SUITE_P(Assets, VulkanAgreement,
                         ::testing::Values("Fox.glb", "robot.glb", "cesium_man.gltf",
                                           "MorphStressTest/MorphStressTest.gltf", "Godette_vrm_v4.vrm",
                                           "magnum_assimp/skin.gltf", "magnum_assimp/skin-multiple-sets.gltf",
                                           "quad_skin.glb", "Node_NegativeScale/Node_NegativeScale_11.gltf"),
                         [](const auto& test) { return test::test_name(test.param); });

using Vulkan = VulkanAgreement;
TEST_F(Vulkan, AgreesOnTheBuiltInCharacter) { expect_agreement("biped", make_biped()); }
TEST_F(Vulkan, AgreesOnMorphTargets) { expect_agreement("morph triangle", test::morph_triangle(3)); }

TEST_F(Vulkan, EveryInfluenceCountAndBothNormalModesUnderNonUniformScale) {
  for (const std::uint32_t influences : {1u, 2u, 3u, 4u, 8u}) {
    const LooseMesh loose(201, influences, 20);
    const std::vector<Affine> palettes[] = {turned_palette(20, 0, {1, 3, 0.2f})};
    const std::vector<float> none[1];
    for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
      const gpu::SkinnedVertices wanted = on_cpu(loose.mesh, palettes[0], mode);
      for (const SkinStage stage : {SkinStage::compute, SkinStage::vertex}) {
        if (stage == SkinStage::vertex && !can_capture()) continue;
        const auto got = test::skin_on_device(loose.mesh, palettes, none, {stage, {.normal_mode = mode}})[0];
        EXPECT_LE(worst(got.positions, wanted.positions), 2e-6f) << influences;
        EXPECT_LE(worst(got.normals, wanted.normals), 4e-6f) << influences;
        EXPECT_LE(worst(got.tangents, wanted.tangents), 4e-6f) << influences;
      }
    }
    const gpu::SkinnedVertices exact = on_cpu(loose.mesh, palettes[0], NormalMode::exact),
                               fast = on_cpu(loose.mesh, palettes[0], NormalMode::fast);
    EXPECT_GT(worst(exact.normals, fast.normals), 0.1f) << "the scale must tell the two modes apart";
  }
}

TEST_F(Vulkan, WeightsThatSumToLessComeOutTheSameOnEveryPath) {
  LooseMesh loose(1, 4, 4);
  loose.weights = {0.5f, 0.3f, 0, 0};  // 0.8
  loose.mesh.weights = loose.weights;
  const std::vector<Affine> palettes[] = {turned_palette(4)};
  const std::vector<float> none[1];
  const gpu::SkinnedVertices wanted = on_cpu(loose.mesh, palettes[0], NormalMode::exact);
  // The fault itself: a point that was divided by the sum, as a 4x4 sum with its w would do it.
  EXPECT_GT(glm::distance(wanted.positions[0], wanted.positions[0] / 0.8f), 0.1f);
  for (const Row& row : kRows) {
    if (row.path.stage == SkinStage::vertex && !can_capture()) continue;
    const auto got = test::skin_on_device(loose.mesh, palettes, none, row.path)[0];
    EXPECT_LE(worst(got.positions, wanted.positions), row.limits.place) << row.name;
    EXPECT_LE(worst(got.normals, wanted.normals), row.limits.direction) << row.name;
  }
}

TEST_F(Vulkan, WidePalettesStayWithinTheCompactLimit) {
  const LooseMesh loose(3000, 4, 1000);
  const std::vector<Affine> palettes[] = {turned_palette(1000)};
  const std::vector<float> none[1];
  const gpu::SkinnedVertices wanted = on_cpu(loose.mesh, palettes[0], NormalMode::exact);
  const gpu::SkinPath path{.layout = {.format = VertexFormat::compact}};
  ASSERT_TRUE(test::must(layout_mesh(loose.mesh, path.layout)).kernel.wide_joints);
  const auto got = test::skin_on_device(loose.mesh, palettes, none, path)[0];
  EXPECT_LE(worst(got.positions, wanted.positions), 1e-4f * 3);
  EXPECT_LE(worst(got.normals, wanted.normals), 2e-4f);
  EXPECT_LE(worst(got.tangents, wanted.tangents), 3e-4f);
}

TEST_F(Vulkan, ACrowdIsManyInstancesEachWithItsOwnPalette) {
  const LooseMesh loose(150, 4, 9);
  std::vector<std::vector<Affine>> palettes;
  for (int i = 0; i < 5; ++i) palettes.push_back(turned_palette(9, float(i)));
  const std::vector<std::vector<float>> none(palettes.size());
  for (const Row& row : kRows) {
    if (row.path.stage == SkinStage::vertex && !can_capture()) continue;
    const auto crowd = test::skin_on_device(loose.mesh, palettes, none, row.path);
    ASSERT_EQ(crowd.size(), palettes.size());
    for (std::size_t i = 0; i < crowd.size(); ++i)
      EXPECT_LE(worst(crowd[i].positions, on_cpu(loose.mesh, palettes[i], NormalMode::exact).positions),
                2 * row.limits.place)
          << row.name << ", instance " << i;
  }
}

TEST_F(Vulkan, AJobOverTheLimitsIsSplitAndComesOutEqualToTheBit) {
  const LooseMesh loose(333, 4, 9);
  std::vector<std::vector<Affine>> palettes;
  for (int i = 0; i < 7; ++i) palettes.push_back(turned_palette(9, float(i)));
  const std::vector<std::vector<float>> none(palettes.size());
  const auto whole = test::skin_on_device(loose.mesh, palettes, none, {});
  for (const vulkan::DispatchLimits limits :
       {vulkan::DispatchLimits{1, 0, 0}, {2, 3, 0}, {0, 0, 700}, {3, 1, 1}, {0, 2, 0}}) {
    const auto split = test::skin_on_device(loose.mesh, palettes, none, {.limits = limits});
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(split[i].positions, whole[i].positions) << i;
      EXPECT_EQ(split[i].normals, whole[i].normals) << i;
    }
  }
}

TEST(VulkanDispatch, RangesCoverEachVertexOfEachInstanceOnce) {
  for (const std::uint32_t vertices : {1u, 64u, 65u, 1000u})
    for (const std::uint32_t instances : {0u, 1u, 5u, 64u})
      for (const vulkan::GroupShape shape : {vulkan::GroupShape{64, 1}, {256, 3}})
        for (const vulkan::DispatchLimits limits :
             {vulkan::DispatchLimits{1, 1, 1}, {3, 4, 2500}, {65535, 65535, vulkan::kMostElements}}) {
          std::multiset<std::pair<std::uint32_t, std::uint64_t>> seen;
          vulkan::for_each_dispatch(vertices, instances, shape, limits, [&](const vulkan::DispatchRange& range) {
            EXPECT_LE(range.groups_x, limits.groups_x);
            EXPECT_LE(range.groups_y, limits.groups_y);
            EXPECT_GE(range.groups_y * shape.instances, range.instance_count);
            EXPECT_LT((range.groups_y - 1) * shape.instances, range.instance_count) << "no group without work";
            for (std::uint32_t i = 0; i < range.instance_count; ++i)
              for (std::uint32_t x = 0; x < range.groups_x; ++x)
                seen.insert({range.first_instance + i, range.first_vertex + std::uint64_t(x) * shape.vertices});
          });
          const std::size_t groups = (vertices + shape.vertices - 1) / shape.vertices;
          EXPECT_EQ(seen.size(), groups * instances);
          EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), seen.size());
          for (const auto& [instance, vertex] : seen) EXPECT_TRUE(instance < instances && vertex < vertices);
        }
}

}  // namespace
}  // namespace sinew
