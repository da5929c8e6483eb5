#include "sinew/skin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::CaughtContracts;
using test::load;
using test::Loaded;
using test::must;

/// A character of one part with its rest palette.
struct Ready {
  Loaded loaded;
  const Part* part = &loaded.character.parts()[0];
  const Mesh* mesh = &loaded.character.meshes()[part->mesh];
  std::vector<Affine> palette{loaded.character.skins()[part->skin].joints.size()};
  std::vector<Vec3> positions{mesh->vertex_count()}, normals{mesh->normals.size()};
  std::vector<Vec4> tangents{mesh->tangents.size()};

  explicit Ready(const Scene& scene) : loaded(must(load(scene))) {}
  SkinJob job() { return {.mesh = *mesh, .palette = palette, .output = {positions, normals, tangents}}; }
  /// Runtime vertex of a source vertex.
  std::size_t vertex(std::uint32_t source) const {
    for (std::size_t i = 0; i < mesh->vertex_count(); ++i)
      if (mesh->source_vertices[i] == source) return i;
    return mesh->vertex_count();
  }
};

TEST(SkinDeathTest, BuffersTooSmallAreRefusedAndNotWritten) {
  Ready r(test::strip());
  const Vec3 mark(7);
  CaughtContracts caught;
  r.positions.assign(r.mesh->vertex_count() - 1, mark);
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.output.positions"));
  for (const Vec3& p : r.positions) EXPECT_EQ(p, mark);
  r.positions.assign(r.mesh->vertex_count(), mark);
  r.normals.pop_back();
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.output.normals"));
  r.normals.emplace_back();
  r.tangents.pop_back();
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.output.tangents"));
  r.tangents.emplace_back();
  r.palette.pop_back();
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.palette"));
  for (const Vec3& p : r.positions) EXPECT_EQ(p, mark);
}

TEST(SkinDeathTest, AbortsByDefault) {
  Ready r(test::strip());
  r.palette.clear();
  EXPECT_DEATH(run(r.job()), "SkinJob.palette: 0 entries, the mesh uses 2");
}

TEST(SkinDeathTest, NormalsOfAMeshWithoutAreRefused) {
  Scene scene = test::strip();
  scene.meshes[0].primitives[0].normals.clear();
  scene.meshes[0].primitives[0].tangents.clear();
  Ready r(scene);
  r.normals.resize(r.mesh->vertex_count());
  CaughtContracts caught;
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.output.normals"));
  r.normals.clear();
  r.tangents.resize(r.mesh->vertex_count());
  run(r.job());
  EXPECT_TRUE(caught.took("SkinJob.output.tangents"));
}

TEST(SkinDeathTest, TooFewChannelsAreRefused) {
  Ready r(test::morph_triangle(3));
  const std::vector<float> channels(2);
  SkinJob job = r.job();
  job.channels = channels;
  CaughtContracts caught;
  run(job);
  EXPECT_TRUE(caught.took("SkinJob.channels"));
}

TEST(SkinStage, IdentityPaletteGivesTheStoredMeshToTheBit) {
  Ready r(test::tube());
  run(r.job());
  for (std::size_t i = 0; i < r.positions.size(); ++i)
    EXPECT_LT(glm::distance(r.positions[i], r.mesh->positions[i]), 3e-7f);
  Ready rigid(test::morph_triangle(0));
  run(rigid.job());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(rigid.positions[i], rigid.mesh->positions[i]);
}

TEST(SkinStage, WithoutChannelsMorphTargetsAddNothing) {
  Ready r(test::morph_triangle(2));
  run(r.job());
  EXPECT_EQ(r.positions[r.vertex(0)], Vec3(0));
  const std::vector<float> channels{0.5f, 0.25f};
  SkinJob job = r.job();
  job.channels = channels;
  run(job);
  EXPECT_EQ(r.positions[r.vertex(0)], Vec3(0.75f, 0, 0));
  EXPECT_EQ(r.positions[r.vertex(1)], Vec3(1, 0, 0));
}

TEST(SkinStage, MorphTargetsTurnNormalsAndTangents) {
  Scene scene = test::morph_triangle(1);
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.tangents.assign(3, {1, 0, 0, -1});
  p.targets[0].normals.assign(3, {1, 0, -1});
  p.targets[0].tangents.assign(3, {-1, 2, 0});
  Ready r(scene);
  const std::vector<float> channels{1};
  SkinJob job = r.job();
  job.channels = channels;
  run(job);
  EXPECT_LT(glm::distance(r.normals[0], Vec3(1, 0, 0)), 1e-6f);
  EXPECT_LT(glm::distance(r.tangents[0], Vec4(0, 1, 0, -1)), 1e-6f) << "unit length, and its own handedness";
}

TEST(SkinStage, ExactNormalsStayUprightUnderUnevenScale) {
  Scene scene = test::morph_triangle(0);
  const float half = std::sqrt(0.5f);
  scene.meshes[0].primitives[0].normals.assign(3, {half, half, 0});
  Ready r(scene);
  r.palette = {to_affine({{}, {}, {1, 4, 1}})};
  run(r.job());
  EXPECT_LT(glm::distance(r.normals[0], Vec3(0.970143f, 0.242536f, 0)), 1e-6f);
  SkinJob fast = r.job();
  fast.normal_mode = NormalMode::fast;
  run(fast);
  EXPECT_LT(glm::distance(r.normals[0], Vec3(0.242536f, 0.970143f, 0)), 1e-6f) << "the matrix itself";
}

TEST(SkinStage, BothNormalModesAgreeForTurnsAndEvenScale) {
  Ready r(test::tube());
  r.palette = {to_affine({{1, 2, 3}, quat_axis_angle({1, 2, 3}, 1), Vec3(2.0f)}),
               to_affine({{}, quat_axis_angle({1, 2, 3}, 1), Vec3(2.0f)})};
  run(r.job());
  const std::vector<Vec3> exact = r.normals;
  SkinJob fast = r.job();
  fast.normal_mode = NormalMode::fast;
  run(fast);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_LT(glm::distance(exact[i], r.normals[i]), 1e-6f);
}

TEST(SkinStage, MirroringKeepsNormalsOutside) {
  Ready r(test::tube());
  const Affine mirror = to_affine({{}, {}, {1, -1, 1}});
  r.palette.assign(2, mirror);
  run(r.job());
  for (std::size_t i = 0; i < r.normals.size(); ++i) {
    EXPECT_LT(glm::distance(r.normals[i], transform_vector(mirror, r.mesh->normals[i])), 1e-6f);
  }
}

TEST(SkinStage, ScaleZeroGivesAPointAndNoNaN) {
  Ready r(test::strip());
  r.palette.assign(2, to_affine({{1, 2, 3}, {}, Vec3(0.0f)}));
  run(r.job());
  for (const Vec3& p : r.positions) EXPECT_EQ(p, Vec3(1, 2, 3));
  for (const Vec3& n : r.normals) EXPECT_EQ(n, Vec3(0));
  for (const Vec4& t : r.tangents) EXPECT_EQ(t, Vec4(0, 0, 0, 1));
}

TEST(SkinStage, TinyAndHugeScalesStillHaveNormals) {
  Ready r(test::strip());
  for (float scale : {1e-30f, 1e-15f, 1e-8f, 1e8f, 1e20f, 1e30f}) {
    r.palette.assign(2, to_affine({{}, {}, Vec3(scale)}));
    run(r.job());
    for (const Vec3& n : r.normals) EXPECT_LT(glm::distance(n, Vec3(0, 0, 1)), 1e-6f) << scale;
  }
}

TEST(SkinStage, AZeroNormalStaysZero) {
  Scene scene = test::morph_triangle(0);
  scene.meshes[0].primitives[0].normals.assign(3, Vec3(0));
  Ready r(scene);
  run(r.job());
  EXPECT_EQ(r.normals[0], Vec3(0));
}

TEST(SkinStage, PositionsAloneCanBeAskedFor) {
  Ready r(test::strip());
  SkinJob job = r.job();
  job.output.normals = {};
  job.output.tangents = {};
  const std::vector<Vec3> before = r.normals;
  run(job);
  EXPECT_EQ(r.normals, before);
  EXPECT_NE(r.positions, std::vector<Vec3>(r.positions.size()));
}

TEST(SkinStage, StridedOutputTouchesNothingElse) {
  struct User {
    char before = 'b';
    Vec3 position{-1};
    Vec3 normal{-1};
    int after = 1234;
  };
  Ready r(test::strip());
  const std::size_t count = r.mesh->vertex_count();
  std::vector<User> users(count + 1);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(users)).first(count * sizeof(User));
  SkinJob job = r.job();
  job.output = {};
  job.output.positions = {bytes, offsetof(User, position), sizeof(User)};
  job.output.normals = {bytes, offsetof(User, normal), sizeof(User)};
  EXPECT_EQ(job.output.positions.size(), count);
  run(job);
  run(r.job());
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(users[i].position, r.positions[i]);
    EXPECT_EQ(users[i].normal, r.normals[i]);
    EXPECT_EQ(users[i].before, 'b');
    EXPECT_EQ(users[i].after, 1234);
  }
  EXPECT_EQ(users[count].position, Vec3(-1)) << "past the span";
}

TEST(SkinStage, OutputNeedsNoAlignment) {
  Ready r(test::strip());
  const std::size_t count = r.mesh->vertex_count(), stride = sizeof(Vec3) + 1;
  std::vector<std::byte> bytes(1 + count * stride);
  SkinJob job = r.job();
  job.output = {};
  job.output.positions = {std::span(bytes), 1, stride};
  run(job);
  run(r.job());
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 p;
    std::memcpy(&p, bytes.data() + 1 + i * stride, sizeof p);
    EXPECT_EQ(p, r.positions[i]);
  }
}

TEST(SkinStage, StridedCountsWhatFits) {
  std::vector<std::byte> bytes(100);
  EXPECT_EQ((Strided<Vec3>(bytes, 0, 12).size()), 8u);
  EXPECT_EQ((Strided<Vec3>(bytes, 0, 44).size()), 3u) << "the last value ends with the span: 2 * 44 + 12";
  EXPECT_EQ((Strided<Vec3>(bytes, 1, 44).size()), 2u);
  EXPECT_EQ((Strided<Vec3>(bytes, 88, 12).size()), 1u);
  EXPECT_EQ((Strided<Vec3>(bytes, 89, 12).size()), 0u);
  EXPECT_EQ((Strided<Vec3>(bytes, 1000, 12).size()), 0u);
  EXPECT_EQ((Strided<Vec3>(bytes, 0, 11).size()), 0u) << "values would overlap";
  EXPECT_TRUE(Strided<Vec3>().empty());
}

TEST(SkinStage, VerticesHaveRoomForWhatTheMeshHas) {
  const Ready strip(test::strip()), tube(test::tube());
  const Vertices a(*strip.mesh), b(*tube.mesh);
  EXPECT_EQ(a.positions().size(), 10u);
  EXPECT_EQ(a.normals().size(), 10u);
  EXPECT_EQ(a.tangents().size(), 10u);
  EXPECT_EQ(b.normals().size(), b.positions().size());
  EXPECT_TRUE(b.tangents().empty());
}

TEST(SkinStage, AnyNumberOfInfluencesCounts) {
  // Twelve joints pull one point, each by its own translation.
  Scene scene;
  std::vector<int> joints;
  test::Influences influences;
  Vec3 expected(0);
  float total = 0;
  for (int i = 0; i < 12; ++i) total += float(i + 1);
  for (int i = 0; i < 12; ++i) {
    joints.push_back(
        test::add_node(scene, "joint" + std::to_string(i), kNone, {{float(i * i), float(i), 1}, {}, Vec3(1.0f)}));
    influences.emplace_back(i, float(i + 1) / total);
    expected += influences.back().second * Vec3(float(i * i), float(i), 1);
  }
  const int node = test::add_node(scene, "mesh");
  scene.nodes[node].mesh = 0, scene.nodes[node].skin = 0;
  Scene::Primitive& p = scene.meshes.emplace_back().primitives.emplace_back();
  p.topology = Topology::points;
  p.positions = {{0, 0, 0}};
  p.influences = test::influence_sets({influences});
  scene.skins.emplace_back().joints.assign(joints.begin(), joints.end());
  const test::Evaluated result = test::evaluate(scene);
  EXPECT_LT(test::distance(result.part(node)->positions[0], test::to_double(expected)), 1e-5);
}

}  // namespace
}  // namespace sinew
