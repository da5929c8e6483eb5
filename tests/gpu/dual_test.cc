// Dual quaternion skinning on the device, in every format and stage, against SkinJob and against plain arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>

#include "biped/biped.h"
#include "gpu/loose_mesh.h"
#include "gpu/paths.h"
#include "sinew/import.h"
#include "support/files.h"

namespace sinew {
namespace {

using test::LooseMesh;
using test::must;
using test::worst;

constexpr unsigned kDualSeed = 20260;

/// A loose mesh with a strongest influence in each vertex, equally strong ones in some, and shares for mixed.
struct DualMesh : LooseMesh {
  std::vector<float> shares;
  DualMesh(std::size_t count, std::uint32_t influences, std::uint16_t joint_count)
      : LooseMesh(count, influences, joint_count) {
    std::mt19937 random(kDualSeed);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (std::size_t v = 0; v < count; ++v) {
      const auto of = std::span(weights).subspan(v * influences, influences);
      if (v % 5 != 0) {  // else all are equally strong
        float rest = 1;
        for (std::uint32_t k = influences - 1; k > 0; --k) rest -= of[k] = 0.5f * uniform(random) / float(influences);
        of[0] = rest;
        std::sort(of.begin(), of.end(), std::greater<>());
      }
      shares.push_back(v % 3 == 0 ? 0 : v % 3 == 1 ? 1 : uniform(random));
    }
    mesh.weights = weights;
    mesh.dual_weights = shares;
  }
};

/// Matrices as the palette of a skin whose joints have no parents.
struct DualEntries {
  std::vector<Affine> matrices, inverse_bind;
  std::vector<std::uint32_t> joints;
  std::vector<std::int32_t> parents;
  Skin skin;
  std::optional<DualPalette> dual;
  std::vector<DualQuaternion> flipped;  ///< some of them of the other sign
  explicit DualEntries(std::vector<Affine> of)
      : matrices(std::move(of)), inverse_bind(matrices.size()), joints(matrices.size()), parents(matrices.size(), -1) {
    std::iota(joints.begin(), joints.end(), 0u);
    skin.joints = skin.parents_first = joints;
    skin.inverse_bind_matrices = inverse_bind;
    skin.parents = parents;
    skin.joint_limit = std::uint32_t(joints.size());
    dual.emplace(skin);
    const std::vector<Affine> models = matrices;
    run(PaletteJob{.skin = skin, .model_from_joint = models, .palette = matrices, .dual = &*dual});
    std::mt19937 random(kDualSeed);
    for (const DualQuaternion& q : dual->rigid()) flipped.push_back(random() % 2 ? -q : q);
  }
  DualEntries(const DualEntries&) = delete;
  gpu::SkinnedInstance instance(bool with_other_signs) const {
    return {matrices, {}, with_other_signs ? std::span<const DualQuaternion>(flipped) : dual->rigid(), dual->stretch()};
  }
};

/// Turns of up to `most` radians about any axis. Of dual quaternions up to half a turn, so that many have opposite signs;
/// linear sums of such turns would have no direction to agree on.
constexpr float most_turned(SkinMethod method) { return method == SkinMethod::mixed ? 0.8f : 3.0f; }
std::vector<Affine> far_turned(std::size_t count, Vec3 scale, float most, unsigned seed = kDualSeed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Affine> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(
        to_affine({Vec3(uniform(random), uniform(random), uniform(random)),
                   quat_axis_angle({normal(random), normal(random), normal(random)}, most * uniform(random)), scale}));
  return out;
}

gpu::SkinnedVertices dual_on_cpu(const Mesh& mesh, const DualEntries& of, SkinMethod method, NormalMode mode) {
  Vertices vertices(mesh);
  run(SkinJob{.mesh = mesh,
              .palette = of.matrices,
              .output = vertices,
              .normal_mode = mode,
              .method = method,
              .dual = &*of.dual});
  return {{vertices.positions().begin(), vertices.positions().end()},
          {vertices.normals().begin(), vertices.normals().end()},
          {vertices.tangents().begin(), vertices.tangents().end()}};
}

/// Rigid dual quaternion skinning by the book, in double precision; `signs`: as it must be, without: the plain sum.
std::vector<Vec3> by_the_book(const Mesh& mesh, std::span<const DualQuaternion> rigid, bool signs) {
  std::vector<Vec3> out;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::size_t first = v * mesh.influence_count;
    Quat pivot = rigid[mesh.joints[first]].real;
    int lowest = mesh.joints[first];
    for (std::size_t i = first; i < first + mesh.influence_count; ++i)
      if (mesh.weights[i] == mesh.weights[first] && mesh.joints[i] < lowest)
        lowest = mesh.joints[i], pivot = rigid[mesh.joints[i]].real;
    double r[4] = {}, e[4] = {};
    for (std::size_t i = first; i < first + mesh.influence_count; ++i) {
      const auto& [q, d] = rigid[mesh.joints[i]];
      const double w = (signs && dot(q, pivot) < 0 ? -1.0 : 1.0) * double(mesh.weights[i]);
      const float from[] = {q.x, q.y, q.z, q.w, d.x, d.y, d.z, d.w};
      for (int c = 0; c < 4; ++c) r[c] += w * double(from[c]), e[c] += w * double(from[4 + c]);
    }
    const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int c = 0; c < 4; ++c) r[c] /= length, e[c] /= length;
    const auto cross = [](const double* a, const double* b, int c) {
      const int x = (c + 1) % 3, y = (c + 2) % 3;
      return a[x] * b[y] - a[y] * b[x];
    };
    const double p[] = {double(mesh.positions[v].x), double(mesh.positions[v].y), double(mesh.positions[v].z)};
    double inner[3];
    for (int c = 0; c < 3; ++c) inner[c] = cross(r, p, c) + r[3] * p[c];
    Vec3& to = out.emplace_back();
    for (int c = 0; c < 3; ++c)
      to[c] = float(p[c] + 2 * cross(r, inner, c) + 2 * (r[3] * e[c] - e[3] * r[c] + cross(r, e, c)));
  }
  return out;
}

struct DualLimit {
  float place = 3e-6f, direction = 3e-6f;
};
struct DualRow {
  const char* name;
  SkinStage stage;
  VertexFormat format;
  DualLimit limit = {};
};
constexpr DualLimit kCompactDualLimit{1e-4f, 3e-4f};
constexpr DualRow kDualRows[] = {
    {"compute streams", SkinStage::compute, VertexFormat::streams},
    {"compute full", SkinStage::compute, VertexFormat::full},
    {"compute compact", SkinStage::compute, VertexFormat::compact, kCompactDualLimit},
    {"vertex streams", SkinStage::vertex, VertexFormat::streams},
    {"vertex full", SkinStage::vertex, VertexFormat::full},
    {"vertex compact", SkinStage::vertex, VertexFormat::compact, kCompactDualLimit},
};

class VulkanDual : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(test::device().messages(), std::vector<std::string>{}); }
};

bool can_run(const DualRow& row, const Mesh& mesh) {
  return (row.stage == SkinStage::compute || test::device().features().transform_feedback) &&
         (row.format == VertexFormat::streams || mesh.influence_count <= 4);
}

struct DualWorst {
  float place = 0, normal = 0, tangent = 0;
  void add(const gpu::SkinnedVertices& got, const gpu::SkinnedVertices& wanted, float size) {
    place = std::max(place, worst(got.positions, wanted.positions) / size);
    if (!got.normals.empty()) normal = std::max(normal, worst(got.normals, wanted.normals));
    if (!got.tangents.empty()) tangent = std::max(tangent, worst(got.tangents, wanted.tangents));
  }
};

void expect_within(const DualRow& row, const std::string& name, const DualWorst& found) {
  std::printf("dual %-34s %-16s positions %.1e  normals %.1e  tangents %.1e\n", name.c_str(), row.name,
              double(found.place), double(found.normal), double(found.tangent));
  EXPECT_LE(found.place, row.limit.place) << row.name << ", " << name;
  EXPECT_LE(found.normal, row.limit.direction) << row.name << ", " << name;
  EXPECT_LE(found.tangent, row.limit.direction) << row.name << ", " << name;
}

const char* name_of(SkinMethod method) { return method == SkinMethod::mixed ? "mixed" : "dual quaternion"; }
constexpr float kLooseSize = 4;  // positions within 1, moved by up to 1 an axis and stretched

/// All numbers of influences, both normal modes; palettes with their own signs and with some of them turned round.
void expect_dual_agreement(SkinMethod method, Vec3 scale) {
  const bool stretched = scale != Vec3(1);
  const DualEntries entries(far_turned(20, scale, most_turned(method)));
  ASSERT_EQ(entries.dual->stretch().empty(), !stretched);
  for (const DualRow& row : kDualRows) {
    DualWorst found;
    for (const std::uint32_t influences : {1u, 2u, 3u, 4u, 6u}) {
      const DualMesh made(201, influences, 20);
      if (!can_run(row, made.mesh)) continue;
      for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
        const gpu::SkinnedVertices wanted = dual_on_cpu(made.mesh, entries, method, mode);
        for (const bool other_signs : {false, true}) {
          const gpu::SkinnedInstance one = entries.instance(other_signs);
          const auto got = test::skin_on_device(
              made.mesh, std::span(&one, 1),
              {row.stage, {.format = row.format, .normal_mode = mode, .method = method, .stretch = stretched}});
          found.add(got[0], wanted, kLooseSize);
        }
      }
    }
    expect_within(row, std::string(name_of(method)) + (stretched ? ", stretched" : ", rigid"), found);
  }
}

TEST_F(VulkanDual, RigidDualQuaternions) { expect_dual_agreement(SkinMethod::dual_quaternion, Vec3(1)); }
TEST_F(VulkanDual, StretchedDualQuaternions) { expect_dual_agreement(SkinMethod::dual_quaternion, {1, 1.5f, 0.7f}); }
TEST_F(VulkanDual, RigidMixed) { expect_dual_agreement(SkinMethod::mixed, Vec3(1)); }
TEST_F(VulkanDual, StretchedMixed) { expect_dual_agreement(SkinMethod::mixed, {1, 1.5f, 0.7f}); }

TEST_F(VulkanDual, SignsThatAreNotLookedAtWouldShow) {
  const DualEntries entries(far_turned(20, Vec3(1), 3));
  const DualMesh made(201, 4, 20);
  const std::vector<Vec3> right = by_the_book(made.mesh, entries.flipped, true),
                          wrong = by_the_book(made.mesh, entries.flipped, false);
  EXPECT_GT(worst(right, wrong), 1.0f) << "the witness: a sum that takes signs as they come";
  EXPECT_LE(worst(right, by_the_book(made.mesh, entries.dual->rigid(), true)), 1e-6f);
  for (const DualRow& row : kDualRows) {
    if (!can_run(row, made.mesh)) continue;
    const gpu::SkinnedInstance one = entries.instance(true);
    const auto got = test::skin_on_device(
        made.mesh, std::span(&one, 1),
        {row.stage, {.format = row.format, .method = SkinMethod::dual_quaternion, .stretch = false}})[0];
    EXPECT_LE(worst(got.positions, right), row.limit.place * kLooseSize) << row.name;
  }
}

/// Palettes of a few entries fit the shared memory of skin_pairs.comp's groups, others do not.
TEST_F(VulkanDual, CrowdsOfSmallAndLargePalettes) {
  for (const std::uint16_t joints : {20, 64, 100, 190, 400})
    for (const bool stretched : {false, true})
      for (const SkinMethod method : {SkinMethod::dual_quaternion, SkinMethod::mixed}) {
        const DualMesh made(150, 4, joints);
        std::vector<std::unique_ptr<DualEntries>> entries;
        std::vector<gpu::SkinnedInstance> instances;
        for (unsigned i = 0; i < 5; ++i) {
          const Vec3 scale = stretched && i % 2 ? Vec3(1, 2, 1) : Vec3(1);  // rigid instances among stretched ones
          entries.push_back(
              std::make_unique<DualEntries>(far_turned(joints, scale, most_turned(method), kDualSeed + i)));
          instances.push_back(entries.back()->instance(i % 3 == 0));
        }
        for (const VertexFormat format : {VertexFormat::streams, VertexFormat::compact}) {
          const bool compact = format == VertexFormat::compact;
          const auto crowd = test::skin_on_device(
              made.mesh, instances, {.layout = {.format = format, .method = method, .stretch = stretched}});
          DualWorst found;
          for (std::size_t i = 0; i < crowd.size(); ++i)
            found.add(crowd[i], dual_on_cpu(made.mesh, *entries[i], method, NormalMode::exact), kLooseSize);
          expect_within({compact ? "compute compact" : "compute streams", SkinStage::compute, format,
                         compact ? kCompactDualLimit : DualLimit{}},
                        std::string(name_of(method)) + ", crowd, " + std::to_string(joints) + " joints", found);
        }
      }
}

TEST_F(VulkanDual, MixedWithoutSharesIsLinearToTheBit) {
  LooseMesh made(201, 4, 20);
  const DualEntries entries(far_turned(20, {1, 1.5f, 0.7f}, 3));
  const gpu::SkinnedInstance one = entries.instance(false);
  for (const DualRow& row : kDualRows) {
    if (!can_run(row, made.mesh)) continue;
    const auto linear = test::skin_on_device(made.mesh, std::span(&one, 1), {row.stage, {.format = row.format}});
    const auto mixed = test::skin_on_device(made.mesh, std::span(&one, 1),
                                            {row.stage, {.format = row.format, .method = SkinMethod::mixed}});
    EXPECT_EQ(mixed[0].positions, linear[0].positions) << row.name;
    EXPECT_EQ(mixed[0].normals, linear[0].normals) << row.name;
  }
}

/// A character in the middle of a clip: morph targets, vertices in blocks of one joint set.
void expect_character_agreement(const std::string& name, const Scene& scene, int clip) {
  const test::Loaded loaded = must(test::load(scene));
  const Character& character = loaded.character;
  Instance instance(character);
  const Clip* const found_clip = test::source_clip(character, clip);
  instance.pose = test::sample(character, clip, found_clip ? 0.4f * found_clip->duration : 0);
  run(ModelJob{character.skeleton(), instance.pose, instance.model_from_joint});
  for (const SkinMethod method : {SkinMethod::dual_quaternion, SkinMethod::mixed})
    for (const DualRow& row : kDualRows) {
      DualWorst found;
      for (const Part& part : character.parts()) {
        Mesh mesh = character.meshes()[part.mesh];
        if (!can_run(row, mesh)) continue;
        std::vector<float> shares(mesh.vertex_count());
        for (std::size_t v = 0; v < shares.size(); ++v) shares[v] = float(v % 97) / 96;
        mesh.dual_weights = shares;
        const Skin& skin = character.skins()[part.skin];
        Palette palette(skin);
        DualPalette dual(skin);
        run(PaletteJob{skin, instance.model_from_joint, palette.matrices(), &dual});
        const std::span<const float> channels =
            instance.pose.channels().subspan(part.first_channel, part.channel_count);
        Vertices wanted(mesh);
        run(SkinJob{.mesh = mesh,
                    .palette = palette.matrices(),
                    .output = wanted,
                    .channels = channels,
                    .method = method,
                    .dual = &dual});
        const gpu::SkinnedInstance one{palette.matrices(), channels, dual.rigid(), dual.stretch()};
        const auto got =
            test::skin_on_device(mesh, std::span(&one, 1), {row.stage, {.format = row.format, .method = method}})[0];
        float size = character.size();
        for (const Vec3& p : wanted.positions()) size = std::max(size, glm::length(p));
        found.add(got,
                  {{wanted.positions().begin(), wanted.positions().end()},
                   {wanted.normals().begin(), wanted.normals().end()},
                   {wanted.tangents().begin(), wanted.tangents().end()}},
                  size);
      }
      expect_within(row, name + ", " + name_of(method), found);
    }
}

TEST_F(VulkanDual, TheBuiltInCharacter) { expect_character_agreement("biped", make_biped(), 1); }

class VulkanDualAsset : public VulkanDual, public ::testing::WithParamInterface<const char*> {};
TEST_P(VulkanDualAsset, Agrees) {
  if (!test::shared_dir()) GTEST_SKIP() << test::kNoShared;
  const std::string file = GetParam();
  const Scene scene = must(import_file(*test::shared_dir() / "assets/gltf" / file));
  expect_character_agreement(file.substr(file.rfind('/') + 1), scene, scene.clips.empty() ? kNone : 0);
}
INSTANTIATE_TEST_SUITE_P(Assets, VulkanDualAsset,
                         ::testing::Values("Fox.glb", "MorphStressTest/MorphStressTest.gltf", "magnum_assimp/skin.gltf",
                                           "magnum_assimp/skin-multiple-sets.gltf"),
                         [](const auto& test) { return test::test_name(test.param); });

}  // namespace
}  // namespace sinew
