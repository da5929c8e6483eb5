// run(job) of every stage allocates nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "biped/biped.h"
#include "no_alloc/counting.h"
#include "sinew/sinew.h"
#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::CountAllocations;

/// Everything at once: skins with one and many influences, morph targets, all ways to interpolate, rigid parts.
Scene busy_scene() {
  Scene scene = test::chain(20);
  Scene::Clip& clip = scene.clips[0];
  test::add_track(clip, 0, Path::translation, Interpolation::step, {0, 0.3f}, {0, 0, 0, 1, 1, 1});
  test::add_track(clip, 1, Path::scale, Interpolation::cubicspline, {0, 1},
                  {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0});
  Scene::Mesh face = test::morph_triangle(3).meshes[0];
  face.primitives[0].tangents.assign(3, {1, 0, 0, 1});
  face.primitives[0].targets[0].normals.assign(3, {0, 0.1f, 0});
  const int node = test::add_node(scene, "face", 3);
  scene.nodes[node].mesh = int(scene.meshes.size());
  scene.meshes.push_back(face);
  test::add_track(clip, node, Path::weights, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0.5f, 0.25f});
  return scene;
}

class NoAlloc : public ::testing::TestWithParam<Scene (*)()> {
 protected:
  NoAlloc() : loaded(test::must(test::load(GetParam()()))) {}
  const Skeleton& skeleton() const { return loaded.character.skeleton(); }
  const test::Loaded loaded;
};

TEST_P(NoAlloc, Sample) {
  ASSERT_FALSE(loaded.character.clips().empty());
  Pose pose(skeleton());
  for (const Clip& clip : loaded.character.clips()) {
    std::vector<std::uint32_t> cursors(clip.groups.size());
    const CountAllocations allocated;
    for (float time : {-1.0f, 0.0f, 0.21f, 0.3f, 0.77f, 9.0f}) {
      run(SampleJob{.clip = clip, .skeleton = skeleton(), .time = time, .pose = pose});
      run(SampleJob{.clip = clip, .skeleton = skeleton(), .time = time, .pose = pose, .cursors = cursors});
    }
    EXPECT_EQ(allocated.count(), 0u) << clip.name;
  }
}

TEST(NoAllocPacked, SampleAndSampleJoint) {
  const Bytes bytes = test::packed_file();
  const Character character = test::must(open(bytes));
  const Clip& clip = character.clips()[0];
  Pose pose(character.skeleton());
  Transform transform;
  ASSERT_NE(clip.packed, nullptr);
  const CountAllocations allocated;
  for (float time : {-1.0f, 0.0f, 0.21f, 0.3f, 0.77f, 9.0f}) {
    run(SampleJob{.clip = clip, .skeleton = character.skeleton(), .time = time, .pose = pose});
    run(SampleJointJob{clip, character.skeleton(), 1, time, transform});
  }
  EXPECT_EQ(allocated.count(), 0u);
}

TEST_P(NoAlloc, Blend) {
  const Pose a(skeleton()), b = test::sample(loaded.character, 0, 0.5f);
  Pose out(skeleton());
  const std::vector<BlendLayer> layers{{a, 0.5f}, {b, 0.25f}, {a, 0}}, one{{b, 1}};
  JointMask mask(skeleton(), 0);
  const JointMask half(skeleton(), 0.5f);
  const std::vector<BlendLayer> masked{{a, 0.5f, &mask}, {b, 0.25f, &half}};
  AdditivePose difference(skeleton());
  const std::vector<AdditiveLayer> additive{{difference, 0.5f, &half}, {difference, -1}};
  const CountAllocations allocated;
  mask.set_subtree(skeleton(), 0, 1, 3);
  run(AdditiveJob{.pose = b, .reference = a, .additive = difference});
  run(BlendJob{.skeleton = skeleton(), .layers = masked, .pose = out});
  run(BlendJob{.skeleton = skeleton(), .layers = layers, .pose = out, .additive = additive});
  run(BlendJob{.skeleton = skeleton(), .layers = {}, .pose = out, .additive = additive});
  run(BlendJob{.skeleton = skeleton(), .layers = layers, .pose = out});
  run(BlendJob{.skeleton = skeleton(), .layers = one, .pose = out});
  run(BlendJob{.skeleton = skeleton(), .layers = {}, .pose = out});
  EXPECT_EQ(allocated.count(), 0u);
}

TEST_P(NoAlloc, ModelPaletteAndSkin) {
  const Pose pose = test::sample(loaded.character, 0, 0.5f);
  std::vector<Affine> model(skeleton().joint_count());
  {
    const CountAllocations allocated;
    run(ModelJob{.skeleton = skeleton(), .pose = pose, .model_from_joint = model});
    EXPECT_EQ(allocated.count(), 0u);
  }
  for (const Part& part : loaded.character.parts()) {
    const Skin& skin = loaded.character.skins()[part.skin];
    const Mesh& mesh = loaded.character.meshes()[part.mesh];
    Palette palette(skin);
    DualPalette dual(skin);
    Vertices vertices(mesh);
    const CountAllocations allocated;
    run(PaletteJob{.skin = skin, .model_from_joint = model, .palette = palette.matrices(), .dual = &dual});
    for (NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
      for (SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion, SkinMethod::mixed}) {
        run(SkinJob{.mesh = mesh,
                    .palette = palette.matrices(),
                    .output = vertices,
                    .channels = pose.channels().subspan(part.first_channel, part.channel_count),
                    .normal_mode = mode,
                    .method = method,
                    .dual = &dual});
      }
    }
    EXPECT_EQ(allocated.count(), 0u);
  }
}

TEST_P(NoAlloc, Instance) {
  Instance instance(loaded.character);
  const CountAllocations allocated;
  run(InstanceJob{loaded.character, instance});
  EXPECT_EQ(allocated.count(), 0u);
}

TEST_P(NoAlloc, PosesOfOneSkeletonAssignWithoutAllocating) {
  Pose a(skeleton());
  const Pose b = test::sample(loaded.character, 0, 0.5f);
  const CountAllocations allocated;
  a = b;
  a.set_rest(skeleton());
  a.set_transform(0, b.transform(0));
  EXPECT_EQ(allocated.count(), 0u);
}

std::size_t broken = 0;

TEST_P(NoAlloc, ABrokenContractAllocatesNothing) {
  Pose pose(skeleton());
  std::vector<Affine> none;
  const ContractHandler before = set_contract_handler([](const char*) { ++broken; });
  broken = 0;
  std::size_t count = 0;
  {
    const CountAllocations allocated;
    run(SampleJob{.clip = loaded.character.clips()[0], .skeleton = skeleton(), .time = std::nanf(""), .pose = pose});
    run(ModelJob{.skeleton = skeleton(), .pose = pose, .model_from_joint = none});
    count = allocated.count();
  }
  set_contract_handler(before);
  EXPECT_EQ(broken, 2u);
  EXPECT_EQ(count, 0u);
}

INSTANTIATE_TEST_SUITE_P(Scenes, NoAlloc, ::testing::Values(busy_scene, make_biped),
                         [](const auto& test) { return test.index == 0 ? "busy" : "biped"; });

}  // namespace
}  // namespace sinew
