#include "sinew/instance.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/model.h"
#include "sinew/sample.h"
#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::load;
using test::Loaded;
using test::must;

/// Two parts, of which one is rigid and has morph targets.
Scene strip_and_face() {
  Scene scene = test::strip();
  Scene::Mesh face = test::morph_triangle(2).meshes[0];
  const int node = test::add_node(scene, "face", 0);
  scene.nodes[node].mesh = int(scene.meshes.size());
  scene.meshes.push_back(face);
  test::add_track(scene.clips.emplace_back(), node, Path::weights, Interpolation::linear, {0, 1}, {0, 0, 1, 0.5f});
  return scene;
}

TEST(InstanceDeathTest, AnInstanceOfAnotherCharacterIsRefusedAndNotWritten) {
  const Loaded one = must(load(test::strip())), two = must(load(strip_and_face()));
  Instance instance(one.character);
  EXPECT_DEATH(run(InstanceJob{two.character, instance}), "InstanceJob.instance");
  test::CaughtContracts caught;
  run(InstanceJob{two.character, instance});
  EXPECT_TRUE(caught.took("InstanceJob.instance"));
  EXPECT_EQ(instance.model_from_joint[0], Instance(one.character).model_from_joint[0]);
}

TEST(InstanceStage, HasABufferForEveryStageAndStandsAtRest) {
  const Loaded loaded = must(load(strip_and_face()));
  const Character& character = loaded.character;
  const Instance instance(character);
  EXPECT_TRUE(instance.pose.made_for(character.skeleton()));
  EXPECT_EQ(instance.model_from_joint.size(), character.skeleton().joint_count());
  ASSERT_EQ(instance.palettes.size(), character.skins().size());
  for (std::size_t i = 0; i < instance.palettes.size(); ++i)
    EXPECT_EQ(instance.palettes[i].size(), character.skins()[i].joints.size());
  ASSERT_EQ(instance.vertices.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(instance.vertices[i].positions().size(), character.meshes()[character.parts()[i].mesh].vertex_count());
}

TEST(InstanceStage, EqualsTheJobsOneByOneToTheBit) {
  const Loaded loaded = must(load(strip_and_face()));
  const Character& character = loaded.character;
  for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
    Instance instance(character);
    run(SampleJob{character.clips().back(), character.skeleton(), 0.4f, instance.pose});
    run(InstanceJob{character, instance, mode});
    std::vector<Affine> model(character.skeleton().joint_count());
    run(ModelJob{character.skeleton(), instance.pose, model});
    for (std::size_t j = 0; j < model.size(); ++j) EXPECT_EQ(instance.model_from_joint[j], model[j]);
    for (std::size_t i = 0; i < character.parts().size(); ++i) {
      const Part& part = character.parts()[i];
      const Mesh& mesh = character.meshes()[part.mesh];
      Palette palette(character.skins()[part.skin]);
      run(PaletteJob{character.skins()[part.skin], model, palette.matrices()});
      Vertices wanted(mesh);
      run(SkinJob{mesh, palette.matrices(), wanted,
                  instance.pose.channels().subspan(part.first_channel, part.channel_count), mode});
      for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        EXPECT_EQ(instance.vertices[i].positions()[v], wanted.positions()[v]);
      }
      for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        EXPECT_EQ(instance.vertices[i].normals()[v], wanted.normals()[v]);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
