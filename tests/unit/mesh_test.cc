#include "sinew/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/evaluate.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::Loaded;
using test::must;

TEST(Mesh, HasTheVerticesOfTheSceneInAnOrderOfItsOwn) {
  const Scene scene = test::every_array_scene();
  const Loaded loaded = must(test::load(scene));
  ASSERT_EQ(loaded.character.meshes().size(), 2u);
  const Mesh& mesh = loaded.character.meshes()[0];
  const Scene::Primitive& source = scene.meshes[0].primitives[0];
  ASSERT_EQ(mesh.vertex_count(), source.positions.size());
  ASSERT_EQ(mesh.target_count, source.targets.size());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::uint32_t from = mesh.source_vertices[v];
    EXPECT_EQ(mesh.positions[v], source.positions[from]);
    EXPECT_EQ(mesh.normals[v], source.normals[from]);
    EXPECT_EQ(mesh.tangents[v], source.tangents[from]);
    EXPECT_EQ(mesh.uvs[v], source.uvs[from]);
    for (std::size_t t = 0; t < mesh.target_count; ++t)
      EXPECT_EQ(mesh.target_positions[t * mesh.vertex_count() + v], source.targets[t].positions[from]);
  }
  std::vector<std::uint32_t> order(mesh.source_vertices.begin(), mesh.source_vertices.end()), all(order.size());
  std::sort(order.begin(), order.end());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(order, all) << "each source vertex once";
}

TEST(Mesh, ItsIndicesFollowItsVertices) {
  const Scene scene = test::every_array_scene();
  const Loaded loaded = must(test::load(scene));
  const Mesh& mesh = loaded.character.meshes()[0];
  const std::vector<std::uint32_t>& source = scene.meshes[0].primitives[0].indices;
  ASSERT_EQ(mesh.indices.size(), source.size());
  for (std::size_t i = 0; i < source.size(); ++i) EXPECT_EQ(mesh.source_vertices[mesh.indices[i]], source[i]);
}

TEST(Mesh, InfluencesAreStrongestFirstAndSumToOne) {
  const Loaded loaded = must(test::load(test::tube()));
  const Mesh& mesh = loaded.character.meshes()[0];
  const std::size_t k = mesh.influence_count;
  ASSERT_EQ(mesh.weights.size(), k * mesh.vertex_count());
  ASSERT_EQ(mesh.joints.size(), k * mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    float others = 0;
    for (std::size_t i = 1; i < k; ++i) {
      EXPECT_GE(mesh.weights[v * k + i - 1], mesh.weights[v * k + i]);
      others += mesh.weights[v * k + i];
    }
    EXPECT_EQ(mesh.weights[v * k], 1 - others);
  }
}

TEST(Mesh, LimitsAreOneMoreThanTheGreatestUsed) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  const Character& character = loaded.character;
  EXPECT_EQ(character.skins()[0].joint_limit, 2u);
  EXPECT_EQ(character.skins()[1].joint_limit, 5u);
  EXPECT_EQ(character.meshes()[0].palette_limit, 2u);
  EXPECT_EQ(character.meshes()[1].palette_limit, 1u);
}

TEST(Part, SaysWhereItCameFromAndSharesTheChannelsOfItsNode) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  const auto parts = loaded.character.parts();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].source_node, 2);
  EXPECT_EQ(parts[0].source_mesh, 0);
  EXPECT_EQ(parts[0].source_primitive, 0);
  EXPECT_EQ(parts[0].material, kNone);
  EXPECT_EQ(parts[0].first_channel, 0u);
  EXPECT_EQ(parts[0].channel_count, 2u);
  EXPECT_EQ(parts[1].source_node, 4);
  EXPECT_EQ(parts[1].material, 2);
  EXPECT_EQ(parts[1].channel_count, 0u);
}

TEST(Skin, OfAMeshWithoutOneIsItsOwnRow) {
  const Loaded loaded = must(test::load(test::every_array_scene()));
  const Part& rod = loaded.character.parts()[1];
  const Skin& skin = loaded.character.skins()[rod.skin];
  EXPECT_EQ(skin.source_skin, kNone);
  ASSERT_EQ(skin.joints.size(), 1u);
  EXPECT_EQ(skin.joints[0], rod.joint);
  EXPECT_EQ(skin.inverse_bind_matrices[0], Affine());
}

}  // namespace
}  // namespace sinew
