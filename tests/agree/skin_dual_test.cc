// Dual quaternion and mixed skinning on every instruction set of this machine against double precision: rigid and
// stretched palettes, runs of shared joints and none, joints turned so far that signs decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "oracle/dual.h"
#include "sinew/simd.h"
#include "sinew/sinew.h"
#include "support/doubles.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

constexpr double kDualPlaces = 3e-6;  ///< share of the larger of the mesh's size and the distance from the origin
constexpr double kDualTurns = 2e-5;   ///< of unit normals and tangents

struct DualCase {
  std::size_t vertices;
  int influences, joints;
  float turn;     ///< radians, of a joint against its parent
  float stretch;  ///< scales are 1 plus or minus so much
  unsigned seed;
};

/// A tree of joints in a random pose, whose places at rest the mesh was made in, and vertices that use some: in
/// stretches all the same ones, in others by chance.
Scene tree(const DualCase& c) {
  std::mt19937 random(c.seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  Scene scene;
  std::vector<int> joints;
  for (int j = 0; j < c.joints; ++j)
    joints.push_back(test::add_node(scene, "j" + std::to_string(j), j == 0 ? kNone : int(random() % unsigned(j)),
                                    {vec(), quat_axis_angle(vec(), normal(random)), Vec3(1)}));
  std::vector<Affine> binds = test::rest_inverse_binds(scene, joints);
  std::shuffle(joints.begin(), joints.end(), random);
  std::vector<Affine> matrices;
  for (const int joint : joints) matrices.push_back(binds[std::size_t(joint)]);
  Scene::Primitive p;
  p.topology = Topology::points;
  std::vector<test::Influences> influences;
  for (std::size_t v = 0; v < c.vertices; ++v) {
    p.positions.push_back(vec());
    p.normals.push_back(glm::normalize(vec()));
    p.tangents.push_back(Vec4(glm::normalize(vec()), 1));
    p.dual_weights.push_back(std::clamp(1.5f * uniform(random), 0.0f, 1.0f));
    if (v / 64 % 3 == 1) p.dual_weights.back() = 1;
    if (v / 64 % 3 == 2) p.dual_weights.back() = 0;
    const bool together = v / 32 % 2 == 0;
    test::Influences& own = influences.emplace_back();
    for (int i = 0; i < c.influences; ++i)
      own.emplace_back(together ? (int(v / 64) + i) % c.joints : int(random() % unsigned(c.joints)),
                       v % 7 == 0 ? 0.25f : 0.02f + std::fabs(normal(random)));  // some are equally strong
  }
  p.influences = test::influence_sets(influences);
  test::add_skinned(scene, "tree", std::move(p), joints, matrices);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Transform& t = scene.nodes[j].rest;
    t.rotation = t.rotation * quat_axis_angle(vec(), c.turn * uniform(random));
    if (c.stretch > 0) t.scale = Vec3(1) + c.stretch * Vec3(uniform(random), uniform(random), uniform(random));
  }
  return scene;
}

struct DualWorst {
  double places = 0, normals = 0, tangents = 0;
};

class DualSkinOnTarget : public ::testing::TestWithParam<std::string_view> {
 protected:
  DualSkinOnTarget() { EXPECT_TRUE(set_simd_target(GetParam())); }
  ~DualSkinOnTarget() override { set_simd_target(""); }

  /// `flip`: signs of every other entry turned.
  DualWorst compare(const DualCase& c, SkinMethod method, bool flip, bool sign_test = true) {
    const test::Loaded loaded = test::must(test::load(tree(c)));
    const Character& character = loaded.character;
    const Mesh& mesh = character.meshes()[0];
    Instance instance(character);
    run(ModelJob{character.skeleton(), instance.pose, instance.model_from_joint});
    Palette& palette = instance.palettes[0];
    DualPalette& dual = instance.dual_palettes[0];
    run(PaletteJob{character.skins()[0], instance.model_from_joint, palette.matrices(), &dual});
    EXPECT_EQ(dual.stretch().empty(), c.stretch == 0);
    for (std::size_t i = 0; flip && i < dual.size(); i += 2) dual.rigid()[i] = -dual.rigid()[i];
    run(SkinJob{
        .mesh = mesh, .palette = palette.matrices(), .output = instance.vertices[0], .method = method, .dual = &dual});
    const test::DualParts parts = test::dual_parts(character.skins()[0], character.skeleton(), palette.matrices());
    DualWorst worst;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const std::size_t k = mesh.influence_count;
      const auto joints = mesh.joints.subspan(v * k, k);
      const auto weights = mesh.weights.subspan(v * k, k);
      test::DAffine matrix = test::dual_blend(parts, joints, weights, sign_test);
      const double share = method == SkinMethod::mixed ? double(mesh.dual_weights[v]) : 1;
      for (int r = 0; r < 3; ++r)
        for (int col = 0; col < 4; ++col) {
          double linear = 0;
          for (std::size_t i = 0; i < k; ++i) linear += double(weights[i]) * palette.matrices()[joints[i]].rows[r][col];
          matrix.m[r][col] = linear + share * (matrix.m[r][col] - linear);
        }
      test::DAffine through = test::cofactors(matrix);
      const double side = test::determinant(matrix) < 0 ? -1 : 1;
      for (auto& row : through.m)
        for (double& x : row) x *= side;
      const Vertices& out = instance.vertices[0];
      const auto place = test::point(matrix, test::to_double(mesh.positions[v]));
      const auto normal = test::unit(test::linear_part(through, test::to_double(mesh.normals[v])));
      const auto tangent = test::unit(test::linear_part(matrix, test::to_double(Vec3(mesh.tangents[v]))));
      const double reach = std::max(double(character.size()), test::length(place));
      worst.places = std::max(worst.places, test::distance(test::to_double(out.positions()[v]), place) / reach);
      // A matrix that nearly flattens space says little about normals.
      const double volume = std::fabs(test::determinant(matrix)) / std::pow(test::frobenius(matrix), 3);
      if (volume < 0.02) continue;
      worst.normals = std::max(worst.normals, test::distance(test::to_double(out.normals()[v]), normal));
      worst.tangents = std::max(worst.tangents, test::distance(test::to_double(Vec3(out.tangents()[v])), tangent));
    }
    return worst;
  }

  void expect_close(const DualWorst& worst) {
    EXPECT_LE(worst.places, kDualPlaces);
    EXPECT_LE(worst.normals, kDualTurns);
    EXPECT_LE(worst.tangents, kDualTurns);
  }
};

TEST_P(DualSkinOnTarget, AgreesForAllCountsOfInfluences) {
  for (const SkinMethod method : {SkinMethod::dual_quaternion, SkinMethod::mixed}) {
    for (const float stretch : {0.0f, 0.3f}) {
      DualWorst all;
      for (int k = 1; k <= 8; ++k) {
        SCOPED_TRACE(k);
        const DualCase c{
            .vertices = 400, .influences = k, .joints = 14, .turn = 1, .stretch = stretch, .seed = unsigned(k)};
        for (const bool flip : {false, true}) {
          const DualWorst worst = compare(c, method, flip);
          expect_close(worst);
          all.places = std::max(all.places, worst.places);
          all.normals = std::max(all.normals, worst.normals);
          all.tangents = std::max(all.tangents, worst.tangents);
        }
      }
      std::printf("agree %s skin %-6s %-9s vertices %.1e  normals %.1e  tangents %.1e\n",
                  method == SkinMethod::mixed ? "mixed" : "dual ", std::string(GetParam()).c_str(),
                  stretch > 0 ? "stretched" : "rigid", all.places, all.normals, all.tangents);
    }
  }
}

TEST_P(DualSkinOnTarget, AgreesForAnyNumberOfVertices) {
  for (std::size_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 39, 41, 47, 63, 65, 255, 257}) {
    SCOPED_TRACE(count);
    const DualCase c{.vertices = count, .influences = 4, .joints = 9, .turn = 1, .stretch = 0, .seed = 5};
    expect_close(compare(c, SkinMethod::dual_quaternion, false));
    expect_close(compare(c, SkinMethod::mixed, false));
  }
}

/// Turns so far that no choice of signs suits all joints of a vertex: the strongest one decides.
TEST_P(DualSkinOnTarget, TheStrongestJointDecidesSigns) {
  const DualCase c{.vertices = 600, .influences = 4, .joints = 12, .turn = 6, .stretch = 0, .seed = 11};
  for (const bool flip : {false, true}) {
    expect_close(compare(c, SkinMethod::dual_quaternion, flip));
    expect_close(compare(c, SkinMethod::mixed, flip));
  }
  EXPECT_GT(compare(c, SkinMethod::dual_quaternion, false, false).places, 0.1) << "without the test of signs";
}

INSTANTIATE_TEST_SUITE_P(Targets, DualSkinOnTarget, ::testing::ValuesIn(simd_targets().begin(), simd_targets().end()),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sinew
