// SkinReader: several meshes by one reader, and what it cannot do.
#include "gpu/skin_reader.h"

#include <gtest/gtest.h>

#include "gpu/paths.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

gpu::SkinnedVertices read(gpu::SkinReader& reader, const Character& character, const Instance& instance,
                          const Part& part) {
  const gpu::SkinnedInstance one{instance.palettes[part.skin].matrices(),
                                 instance.pose.channels().subspan(part.first_channel, part.channel_count)};
  return must(reader.skin(character.meshes()[part.mesh], std::span(&one, 1)))[0];
}

TEST(SkinReader, KeepsKernelsOfSeveralMeshesApart) {
  const Loaded loaded[] = {must(load(strip())), must(load(morph_triangle(2))), must(load(two_joints()))};
  for (const SkinStage stage : {SkinStage::compute, SkinStage::vertex}) {
    if (stage == SkinStage::vertex && !device().features().transform_feedback) continue;
    gpu::SkinReader reader(device(), {.stage = stage});
    for (const std::size_t i : {0, 1, 2, 1, 0, 2}) {
      const Character& character = loaded[i].character;
      Instance instance(character);
      run(InstanceJob{character, instance});
      const gpu::SkinnedVertices given = read(reader, character, instance, character.parts()[0]);
      const auto wanted = instance.vertices[0].positions();
      ASSERT_EQ(given.positions.size(), wanted.size());
      EXPECT_EQ(given.normals.size(), instance.vertices[0].normals().size());
      for (std::size_t v = 0; v < wanted.size(); ++v)
        EXPECT_LE(glm::distance(given.positions[v], wanted[v]), 2e-6f) << i << ", vertex " << v;
    }
  }
  EXPECT_EQ(device().messages(), std::vector<std::string>{});
}

TEST(SkinReader, NothingGivesNothing) {
  const Loaded loaded = must(load(strip()));
  gpu::SkinReader reader(device(), {});
  EXPECT_TRUE(must(reader.skin(loaded.character.meshes()[0], {})).empty());
  const gpu::SkinnedInstance instances[2];
  const auto none = must(reader.skin(Mesh{}, instances));
  ASSERT_EQ(none.size(), 2u);
  EXPECT_TRUE(none[0].positions.empty() && none[1].normals.empty());
}

TEST(SkinReader, VerticesThatTheDeviceDoesNotGiveBackAreAnError) {
  const gpu::Context context = must(gpu::Context::create({.graphics = true, .validation = true}));
  const Loaded loaded = must(load(strip()));
  Instance instance(loaded.character);
  run(InstanceJob{loaded.character, instance});
  const gpu::SkinnedInstance one{instance.palettes[0].matrices(), {}};
  gpu::SkinReader reader(context, {.stage = SkinStage::vertex});
  const auto refused = reader.skin(loaded.character.meshes()[0], std::span(&one, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_NE(refused.error().what.find("VK_EXT_transform_feedback"), std::string::npos);
  EXPECT_NE(refused.error().what_to_do, "");
  EXPECT_EQ(context.messages(), std::vector<std::string>{});
}

TEST(SkinReader, WhatALayoutCannotHoldIsAnError) {
  const Loaded loaded = must(load(two_joints()));
  Mesh mesh = loaded.character.meshes()[0];
  std::vector<std::uint16_t> joints(8 * mesh.vertex_count());
  std::vector<float> weights(joints.size(), 0.125f);
  mesh.influence_count = 8, mesh.joints = joints, mesh.weights = weights;
  const std::vector<Affine> palette(2);
  const gpu::SkinnedInstance one{palette, {}};
  gpu::SkinReader reader(device(), {.layout = {.format = VertexFormat::compact}});
  const auto refused = reader.skin(mesh, std::span(&one, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace sinew::test
