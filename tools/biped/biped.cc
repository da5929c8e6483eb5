#include "biped/biped.h"

#include "biped/mesh.h"
#include "biped/motion.h"

namespace sinew {
namespace {

using namespace biped;

Surface make_surface(const Skeleton& skeleton) {
  constexpr int kRoundsCoarse = 2, kRoundsFine = 3;
  const Field body = make_body(skeleton);
  Surface surface = subdivided(make_cage(skeleton));
  fit(surface, body, kRoundsCoarse);
  surface = subdivided(surface);
  fit(surface, body, kRoundsFine);
  return surface;
}

void add_nodes(Scene& scene, const Skeleton& skeleton) {
  for (int i = 0; i < kJointCount; ++i) {
    Scene::Node node;
    node.name = skeleton.names[i];
    node.parent = skeleton.parents[i];
    node.rest = skeleton.rest[i];
    scene.nodes.push_back(std::move(node));
    if (skeleton.parents[i] >= 0) scene.nodes[skeleton.parents[i]].children.push_back(i);
  }
  Scene::Node body;
  body.name = "body";
  body.mesh = 0, body.skin = 0;
  scene.nodes.push_back(std::move(body));
  scene.scenes = {{kHips, kJointCount}};
  scene.default_scene = 0;
}

void add_skin(Scene& scene) {
  Scene::Skin skin;
  skin.name = "biped";
  skin.skeleton = kHips;
  for (int i = 0; i < kJointCount; ++i) skin.joints.push_back(i);
  std::vector<Affine> model = rest_model_matrices(scene);
  model.resize(kJointCount);
  // The bind pose has turns and places only: no matrix is singular.
  skin.inverse_bind_matrices = *inverse_bind_matrices(model);
  scene.skins.push_back(std::move(skin));
}

}  // namespace

Scene make_biped() {
  const Skeleton skeleton = make_skeleton();
  Scene scene;
  add_nodes(scene, skeleton);
  add_skin(scene);
  const Surface surface = make_surface(skeleton);
  Scene::Mesh mesh;
  mesh.name = "body";
  mesh.primitives.push_back(make_primitive(surface, make_shares(surface, skeleton)));
  scene.meshes.push_back(std::move(mesh));
  scene.clips = make_clips(skeleton);
  return scene;
}

}  // namespace sinew
