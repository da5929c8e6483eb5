// Cases from public bug reports, kind DQS: one test each, named by its id. DQS-06, a report of the tool, is in
// tests/tool/methods_test.cc.
#include <algorithm>
#include <cmath>

#include "cases/case_support.h"
#include "sinew/sinew.h"

namespace sinew {
namespace {

using namespace test;

/// A scene read from a file, posed at a time of its first clip.
struct DualScene {
  Loaded loaded;
  Instance instance;

  DualScene(const Scene& scene, float time) : loaded(must(load(through_file(scene)))), instance(loaded.character) {
    run(SampleJob{loaded.character.clips()[0], loaded.character.skeleton(), time, instance.pose});
  }
  std::vector<Vec3> skinned(SkinMethod method) {
    run(InstanceJob{.character = loaded.character, .instance = instance, .method = method});
    const auto positions = instance.vertices[0].positions();
    return {positions.begin(), positions.end()};
  }
};

/// Of the vertices half way along the tube.
float middle_radius(const DualScene& scene, const std::vector<Vec3>& positions) {
  const Mesh& mesh = scene.loaded.character.meshes()[0];
  float least = 1;
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (mesh.source_vertices[v] / 12 == 10) least = std::min(least, std::hypot(positions[v].y, positions[v].z));
  return least;
}

TEST(Cases, DQS_01) {
  DualScene scene(tube(), 1);
  EXPECT_NEAR(middle_radius(scene, scene.skinned(SkinMethod::linear)), 0, 1e-4f);
  EXPECT_GE(middle_radius(scene, scene.skinned(SkinMethod::dual_quaternion)), 0.2475f);
}

TEST(Cases, DQS_02) {
  DualScene scene(tube(), 0.8f);
  const std::vector<Vec3> before = scene.skinned(SkinMethod::dual_quaternion);
  DualPalette& dual = scene.instance.dual_palettes[0];
  const Part& part = scene.loaded.character.parts()[0];
  for (std::size_t i = 0; i < dual.size(); i += 2) {
    dual.rigid()[i] = -dual.rigid()[i];
    run(SkinJob{.mesh = scene.loaded.character.meshes()[part.mesh],
                .palette = scene.instance.palettes[0].matrices(),
                .output = scene.instance.vertices[0],
                .method = SkinMethod::dual_quaternion,
                .dual = &dual});
    for (std::size_t v = 0; v < before.size(); ++v)
      EXPECT_LE(glm::length(scene.instance.vertices[0].positions()[v] - before[v]), 1e-6f);
  }
}

TEST(Cases, DQS_03) {
  Scene armature = tube();
  // A node above the joints scales, and the mesh was made at that scale's inverse.
  const int top = add_node(armature, "armature", kNone, {Vec3(0), Quat(), Vec3(0.25f)});
  armature.nodes[0].parent = top;
  armature.nodes[std::size_t(top)].children.push_back(0);
  for (Affine& m : armature.skins[0].inverse_bind_matrices) m = to_affine({Vec3(0), Quat(), Vec3(4)}) * m;
  armature.scenes = {{2, top}};
  DualScene scene(armature, 0);
  const std::vector<Vec3> linear = scene.skinned(SkinMethod::linear), dual = scene.skinned(SkinMethod::dual_quaternion);
  for (std::size_t v = 0; v < linear.size(); ++v) EXPECT_LE(glm::length(linear[v] - dual[v]), 1e-5f);
}

}  // namespace
}  // namespace sinew
