#include "sinew/palette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/model.h"
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

std::vector<Affine> rest_matrices(const Loaded& loaded) {
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose pose(skeleton);
  std::vector<Affine> out(skeleton.joint_count());
  run(ModelJob{.skeleton = skeleton, .pose = pose, .model_from_joint = out});
  return out;
}

TEST(PaletteDeathTest, ABufferTooSmallIsRefusedAndNotWritten) {
  const Loaded loaded = must(load(test::strip()));
  const Skin& skin = loaded.character.skins()[loaded.character.parts()[0].skin];
  const std::vector<Affine> model = rest_matrices(loaded);
  const Affine mark = test::translation({7, 7, 7});
  std::vector<Affine> palette(skin.joints.size() - 1, mark);
  const PaletteJob job{.skin = skin, .model_from_joint = model, .palette = palette};
  EXPECT_DEATH(run(job), "PaletteJob.palette");
  CaughtContracts caught;
  run(job);
  EXPECT_TRUE(caught.took("PaletteJob.palette"));
  for (const Affine& m : palette) EXPECT_EQ(m, mark);
}

TEST(PaletteDeathTest, MatricesOfASmallerSkeletonAreRefused) {
  const Loaded loaded = must(load(test::strip()));
  const Skin& skin = loaded.character.skins()[loaded.character.parts()[0].skin];
  const std::vector<Affine> model(1);
  std::vector<Affine> palette(skin.joints.size());
  CaughtContracts caught;
  run(PaletteJob{.skin = skin, .model_from_joint = model, .palette = palette});
  EXPECT_TRUE(caught.took("PaletteJob.model_from_joint"));
}

TEST(PaletteStage, IsModelTimesInverseBind) {
  const Loaded loaded = must(load(test::strip()));
  const Skin& skin = loaded.character.skins()[loaded.character.parts()[0].skin];
  std::vector<Affine> model = rest_matrices(loaded);
  const auto joint1 = std::size_t(loaded.character.skeleton().find("joint1"));
  model[joint1] = to_affine({{5, 0, 0}, test::about_z(90), Vec3(1.0f)});
  Palette palette(skin);
  ASSERT_EQ(palette.size(), skin.joints.size());
  run(PaletteJob{.skin = skin, .model_from_joint = model, .palette = palette.matrices()});
  for (std::size_t i = 0; i < palette.size(); ++i) {
    EXPECT_EQ(palette.matrices()[i], model[skin.joints[i]] * skin.inverse_bind_matrices[i]) << i;
    if (skin.joints[i] != joint1) continue;
    const Vec3 p = transform_point(palette.matrices()[i], {1, 1, 0});  // (1,0,0) in the joint, turned to (0,1,0)
    EXPECT_LT(glm::distance(p, Vec3(5, 1, 0)), 1e-6f);
  }
}

TEST(PaletteStage, MemoryIsAligned) {
  const Loaded loaded = must(load(test::strip()));
  Palette palette(loaded.character.skins()[0]);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(palette.matrices().data()) % kAlignment, 0u);
}

TEST(PaletteStage, APartWithoutASkinHasOneEntryItsOwnNode) {
  Scene scene = test::morph_triangle(0);
  scene.nodes[0].rest = {{1, 2, 3}, test::about_z(90), {2, 2, 2}};
  scene.clips.clear();
  const Loaded loaded = must(load(scene));
  const Part& part = loaded.character.parts()[0];
  const Skin& skin = loaded.character.skins()[part.skin];
  ASSERT_EQ(skin.joints.size(), 1u);
  EXPECT_EQ(skin.joints[0], part.joint);
  EXPECT_EQ(skin.source_skin, kNone);
  EXPECT_EQ(skin.inverse_bind_matrices[0], Affine());
}

}  // namespace
}  // namespace sinew
