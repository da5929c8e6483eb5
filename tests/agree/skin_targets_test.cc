// Skinning on every instruction set of this machine against double precision: with and without runs of shared joints,
// all counts of influences, morph targets, both normal modes, dense and strided output, any number of vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sinew/simd.h"
#include "sinew/sinew.h"
#include "support/doubles.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

constexpr double kPlaces = 1e-6;  ///< share of the larger of the mesh's size and the distance from the origin
constexpr double kTurns = 2e-5;   ///< of unit normals and tangents

struct TargetCase {
  std::size_t vertices;
  int influences, joints;
  std::size_t targets;
  unsigned seed;
};

/// Vertices with up to so many joints out of a few neighbours, so that some share theirs and some do not.
Scene crowd_of_vertices(const TargetCase& c) {
  std::mt19937 random(c.seed);
  std::normal_distribution<float> normal;
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  Scene scene;
  std::vector<int> joints;
  std::vector<Affine> matrices;
  for (int j = 0; j < c.joints; ++j)
    joints.push_back(test::add_node(scene, "j" + std::to_string(j), kNone)), matrices.emplace_back();
  Scene::Primitive p;
  p.topology = Topology::points;
  p.targets.resize(c.targets);
  std::vector<test::Influences> influences;
  for (std::size_t v = 0; v < c.vertices; ++v) {
    p.positions.push_back(vec());
    p.normals.push_back(glm::normalize(vec()));
    p.tangents.push_back(Vec4(glm::normalize(vec()), v % 2 ? 1.0f : -1.0f));
    for (Scene::MorphTarget& target : p.targets) {
      target.positions.push_back(0.2f * vec());
      target.normals.push_back(0.2f * vec());
      target.tangents.push_back(0.2f * vec());
    }
    // Stretches of vertices with all influences of one group of joints, and stretches of chance.
    const bool together = v / 40 % 2 == 0;
    const int first = together ? int(v / 80) % (c.joints - c.influences + 1) : -1;
    test::Influences& own = influences.emplace_back();
    std::vector<int> list(std::size_t(c.joints));
    std::iota(list.begin(), list.end(), 0);
    if (!together) std::shuffle(list.begin(), list.end(), random);
    for (int i = 0; i < c.influences; ++i)
      own.emplace_back(list[std::size_t(std::max(first, 0) + i)], 0.02f + std::fabs(normal(random)));
  }
  p.influences = test::influence_sets(influences);
  test::add_skinned(scene, "crowd", std::move(p), joints, matrices);
  return scene;
}

/// The mesh again, its vertices in an order of chance; its runs stay as they were, and must not be used.
struct Shuffled {
  std::vector<Vec3> positions, normals, target_positions, target_normals, target_tangents;
  std::vector<Vec4> tangents;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  Mesh mesh;

  Shuffled(const Mesh& from, unsigned seed) : mesh(from) {
    std::vector<std::size_t> order(from.vertex_count());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    const std::size_t k = from.influence_count;
    for (const std::size_t v : order) {
      positions.push_back(from.positions[v]);
      normals.push_back(from.normals[v]);
      tangents.push_back(from.tangents[v]);
      joints.insert(joints.end(), from.joints.begin() + std::ptrdiff_t(v * k),
                    from.joints.begin() + std::ptrdiff_t(v * k + k));
      weights.insert(weights.end(), from.weights.begin() + std::ptrdiff_t(v * k),
                     from.weights.begin() + std::ptrdiff_t(v * k + k));
    }
    for (std::size_t t = 0; t < from.target_count; ++t) {
      for (const std::size_t v : order) {
        const std::size_t i = t * order.size() + v;
        target_positions.push_back(from.target_positions[i]);
        target_normals.push_back(from.target_normals[i]);
        target_tangents.push_back(from.target_tangents[i]);
      }
    }
    mesh.positions = positions, mesh.normals = normals, mesh.tangents = tangents;
    mesh.joints = joints, mesh.weights = weights;
    mesh.target_positions = target_positions, mesh.target_normals = target_normals;
    mesh.target_tangents = target_tangents;
  }
};

struct Expected {
  std::vector<test::DVec3> positions, normals, tangents;
};

test::DVec3 morphed(Vec3 value, std::span<const Vec3> targets, std::span<const float> channels, std::size_t v,
                    std::size_t count) {
  test::DVec3 out = test::to_double(value);
  for (std::size_t t = 0; t < channels.size(); ++t)
    for (int c = 0; c < 3; ++c) out[std::size_t(c)] += double(channels[t]) * targets[t * count + v][c];
  return out;
}

Expected in_double(const Mesh& mesh, std::span<const Affine> palette, std::span<const float> channels,
                   NormalMode mode) {
  Expected out;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    test::DAffine matrix;
    for (auto& row : matrix.m) std::fill(std::begin(row), std::end(row), 0.0);
    for (std::size_t i = v * mesh.influence_count; i < (v + 1) * mesh.influence_count; ++i)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) matrix.m[r][c] += double(mesh.weights[i]) * palette[mesh.joints[i]].rows[r][c];
    const auto morph = [&](Vec3 value, std::span<const Vec3> targets) {
      return morphed(value, targets, channels, v, mesh.vertex_count());
    };
    test::DAffine through = matrix;
    if (mode == NormalMode::exact) {
      through = test::cofactors(matrix);
      if (test::determinant(matrix) < 0)
        for (auto& row : through.m)
          for (double& x : row) x = -x;
    }
    out.positions.push_back(test::point(matrix, morph(mesh.positions[v], mesh.target_positions)));
    out.normals.push_back(test::unit(test::linear_part(through, morph(mesh.normals[v], mesh.target_normals))));
    out.tangents.push_back(test::unit(test::linear_part(matrix, morph(Vec3(mesh.tangents[v]), mesh.target_tangents))));
  }
  return out;
}

struct Worst {
  double places = 0, normals = 0, tangents = 0;
};

/// A vertex of a caller, at an odd stride, with bytes that are not the library's.
struct Interleaved {
  static constexpr std::size_t kStride = 12 + 12 + 16 + 5;
  std::vector<std::byte> bytes;
  explicit Interleaved(std::size_t count) : bytes(count * kStride, std::byte{0xa5}) {}
  VertexOutput output() {
    return {{std::span(bytes), 1, kStride}, {std::span(bytes), 14, kStride}, {std::span(bytes), 27, kStride}};
  }
  template <class T>
  T get(std::size_t v, std::size_t offset) const {
    T out;
    std::memcpy(&out, bytes.data() + v * kStride + offset, sizeof out);
    return out;
  }
};

void skin_and_compare(const Mesh& mesh, std::span<const Affine> palette, std::span<const float> channels,
                      NormalMode mode, double size, Worst& worst) {
  const std::size_t count = mesh.vertex_count();
  const Expected expected = in_double(mesh, palette, channels, mode);
  const auto job = [&](const VertexOutput& output) {
    return SkinJob{.mesh = mesh, .palette = palette, .output = output, .channels = channels, .normal_mode = mode};
  };
  Vertices out(mesh), again(mesh);
  run(job(out));
  run(job(again));
  EXPECT_TRUE(std::ranges::equal(out.positions(), again.positions()));
  EXPECT_TRUE(std::ranges::equal(out.normals(), again.normals()));
  EXPECT_TRUE(std::ranges::equal(out.tangents(), again.tangents()));
  Interleaved apart(count);
  run(job(apart.output()));
  std::vector<Vec3> alone(count + 1, Vec3(7));
  run(job({std::span(alone).first(count), {}, {}}));
  EXPECT_EQ(alone.back(), Vec3(7));
  for (std::size_t v = 0; v < count; ++v) {
    const test::DVec3 p = test::to_double(out.positions()[v]);
    const double reach = std::max(size, test::length(expected.positions[v]));
    worst.places = std::max(worst.places, test::distance(p, expected.positions[v]) / reach);
    worst.normals = std::max(worst.normals, test::distance(test::to_double(out.normals()[v]), expected.normals[v]));
    worst.tangents =
        std::max(worst.tangents, test::distance(test::to_double(Vec3(out.tangents()[v])), expected.tangents[v]));
    ASSERT_EQ(out.tangents()[v].w, mesh.tangents[v].w);
    ASSERT_EQ(out.positions()[v], alone[v]) << v;
    ASSERT_EQ(out.positions()[v], apart.get<Vec3>(v, 1)) << v;
    ASSERT_EQ(out.normals()[v], apart.get<Vec3>(v, 14)) << v;
    ASSERT_EQ(out.tangents()[v], apart.get<Vec4>(v, 27)) << v;
    for (const std::size_t between : {std::size_t(0), std::size_t(13), std::size_t(26), std::size_t(43)})
      ASSERT_EQ(apart.bytes[v * Interleaved::kStride + between], std::byte{0xa5});
  }
}

/// Turns, uneven scales, and where `mirrored` some that mirror.
std::vector<Affine> turned(std::size_t count, unsigned seed, bool mirrored) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0.8f, 1.2f);
  std::vector<Affine> out;
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 scale(uniform(random), uniform(random), uniform(random));
    if (mirrored) scale.x = -scale.x;
    const Quat turn = quat_axis_angle({normal(random), normal(random), normal(random)}, 0.6f * normal(random));
    out.push_back(to_affine({{normal(random), normal(random), normal(random)}, turn, scale}));
  }
  return out;
}

class SkinOnTarget : public ::testing::TestWithParam<std::string_view> {
 protected:
  SkinOnTarget() { EXPECT_TRUE(set_simd_target(GetParam())); }
  ~SkinOnTarget() override { set_simd_target(""); }

  Worst compare(const TargetCase& c, bool mirrored) {
    const test::Loaded loaded = test::must(test::load(crowd_of_vertices(c)));
    const Mesh& mesh = loaded.character.meshes()[0];
    const Shuffled shuffled(mesh, c.seed);
    const std::vector<Affine> palette = turned(loaded.character.skins()[0].joints.size(), c.seed, mirrored);
    std::vector<float> channels(c.targets, 0.5f);
    if (c.targets > 1) channels[1] = 0;
    Worst worst;
    for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
      for (const Mesh* m : {&mesh, &shuffled.mesh}) {
        skin_and_compare(*m, palette, channels, mode, loaded.character.size(), worst);
        if (c.targets > 0) skin_and_compare(*m, palette, {}, mode, loaded.character.size(), worst);
      }
    }
    return worst;
  }
};

TEST_P(SkinOnTarget, AgreesForAllCountsOfInfluences) {
  for (int k = 1; k <= 8; ++k) {
    const Worst worst =
        compare({.vertices = 333, .influences = k, .joints = 14, .targets = 0, .seed = unsigned(k)}, false);
    std::printf("agree skin %-6s %d influences  vertices %.1e  normals %.1e  tangents %.1e\n",
                std::string(GetParam()).c_str(), k, worst.places, worst.normals, worst.tangents);
    EXPECT_LE(worst.places, kPlaces);
    EXPECT_LE(worst.normals, kTurns);
    EXPECT_LE(worst.tangents, kTurns);
  }
}

TEST_P(SkinOnTarget, AgreesForAnyNumberOfVertices) {
  for (std::size_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 39, 41, 47, 63, 65, 255, 257, 271, 273, 530, 801}) {
    SCOPED_TRACE(count);
    const Worst worst = compare({.vertices = count, .influences = 4, .joints = 9, .targets = 0, .seed = 5}, false);
    EXPECT_LE(worst.places, kPlaces);
    EXPECT_LE(worst.normals, kTurns);
    EXPECT_LE(worst.tangents, kTurns);
  }
}

TEST_P(SkinOnTarget, AgreesWithMorphTargets) {
  for (std::size_t count : {5, 16, 100, 300, 555}) {
    for (std::size_t targets : {1, 3}) {
      SCOPED_TRACE(std::to_string(count) + " vertices, " + std::to_string(targets) + " targets");
      const Worst worst =
          compare({.vertices = count, .influences = 3, .joints = 9, .targets = targets, .seed = 6}, false);
      EXPECT_LE(worst.places, kPlaces);
      EXPECT_LE(worst.normals, kTurns);
      EXPECT_LE(worst.tangents, kTurns);
    }
  }
}

TEST_P(SkinOnTarget, AgreesWhereMatricesMirror) {
  const Worst worst = compare({.vertices = 200, .influences = 1, .joints = 9, .targets = 0, .seed = 7}, true);
  EXPECT_LE(worst.places, kPlaces);
  EXPECT_LE(worst.normals, kTurns);
  EXPECT_LE(worst.tangents, kTurns);
}

TEST_P(SkinOnTarget, AnyScaleKeepsDirections) {
  const test::Loaded loaded = test::must(
      test::load(crowd_of_vertices({.vertices = 100, .influences = 2, .joints = 5, .targets = 0, .seed = 8})));
  const Mesh& mesh = loaded.character.meshes()[0];
  const Shuffled shuffled(mesh, 8);
  for (float scale : {1e-30f, 1e-12f, 1e-6f, 1.0f, 1e6f, 1e12f, 1e30f}) {
    SCOPED_TRACE(scale);
    const Quat turn = quat_axis_angle({1, 2, 3}, 0.7f);
    const std::vector<Affine> palette(5, to_affine({{}, turn, Vec3(scale)}));
    for (const Mesh* m : {&mesh, &shuffled.mesh}) {
      for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
        Vertices out(*m);
        run(SkinJob{.mesh = *m, .palette = palette, .output = out, .normal_mode = mode});
        for (std::size_t v = 0; v < m->vertex_count(); ++v) {
          EXPECT_LT(glm::distance(out.normals()[v], rotate(turn, m->normals[v])), 1e-6f);
          EXPECT_LT(glm::distance(Vec3(out.tangents()[v]), rotate(turn, Vec3(m->tangents[v]))), 1e-6f);
        }
      }
    }
  }
}

TEST_P(SkinOnTarget, ZeroNormalsAndScaleZeroGiveZero) {
  const test::Loaded loaded = test::must(
      test::load(crowd_of_vertices({.vertices = 50, .influences = 2, .joints = 5, .targets = 0, .seed = 9})));
  Mesh mesh = loaded.character.meshes()[0];
  std::vector<Vec3> normals(mesh.normals.begin(), mesh.normals.end());
  normals[3] = normals[49] = Vec3(0);
  mesh.normals = normals;
  Vertices out(mesh);
  const std::vector<Affine> same(5), flat(5, to_affine({{1, 2, 3}, {}, Vec3(0.0f)}));
  run(SkinJob{.mesh = mesh, .palette = same, .output = out});
  EXPECT_EQ(out.normals()[3], Vec3(0));
  EXPECT_EQ(out.normals()[49], Vec3(0));
  EXPECT_LT(glm::distance(out.normals()[4], normals[4]), 1e-6f);
  run(SkinJob{.mesh = mesh, .palette = flat, .output = out});
  for (const Vec3& p : out.positions()) EXPECT_LT(glm::distance(p, Vec3(1, 2, 3)), 1e-6f);
  for (const Vec3& n : out.normals()) EXPECT_EQ(n, Vec3(0));
}

INSTANTIATE_TEST_SUITE_P(Targets, SkinOnTarget, ::testing::ValuesIn(simd_targets().begin(), simd_targets().end()),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sinew
