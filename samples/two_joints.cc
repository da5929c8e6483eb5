// Two joints, from keys to skinned vertices: the whole pipeline on a rig small enough to check by hand.
//
// A shoulder at the origin and an elbow one metre along X. Every stage prints what it gives beside what it must give;
// the program exits with 1 if any is off. Read it from top to bottom: it is the tutorial.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

using sinew::Affine;
using sinew::Quat;
using sinew::Scene;
using sinew::Vec3;

constexpr float kDegrees = 57.29577951308232f;  // in one radian
constexpr Vec3 kZ(0, 0, 1);

int failures = 0;

void expect(const char* what, float computed, float known, float tolerance) {
  const bool good = std::abs(computed - known) <= tolerance;
  std::printf("  %-4s %-58s %10.5f  known %g\n", good ? "ok" : "OFF", what, computed, known);
  failures += !good;
}

void expect(const char* what, Vec3 computed, Vec3 known) {
  const bool good = glm::length(computed - known) <= 1e-5f;
  std::printf("  %-4s %-36s (%8.5f, %8.5f, %8.5f)  known (%g, %g, %g)\n", good ? "ok" : "OFF", what, computed.x,
              computed.y, computed.z, known.x, known.y, known.z);
  failures += !good;
}

// Skeleton
// --------------------------------------------------------------------------------------------------------------

enum Node { kShoulder, kElbow, kBody };

void add_joints(Scene& scene) {
  // A node's rest transform is in its parent's space: the elbow is 1 m from the shoulder, wherever that points.
  scene.nodes.resize(3);
  scene.nodes[kShoulder].name = "Shoulder";
  scene.nodes[kShoulder].children = {kElbow};
  scene.nodes[kElbow].name = "Elbow";
  scene.nodes[kElbow].parent = kShoulder;
  scene.nodes[kElbow].rest.translation = Vec3(1, 0, 0);
  scene.nodes[kBody].name = "Body";
  scene.nodes[kBody].mesh = 0;
  scene.nodes[kBody].skin = 0;

  // The inverse bind matrix, `joint_from_mesh`, takes a vertex from where the mesh was made into the joint's own space.
  // This mesh was made around joints that stood as they rest, so it is the inverse of the joints' matrices at rest:
  // here the identity, and a translation by (-1, 0, 0).
  const std::vector<Affine> model_from_node = sinew::rest_model_matrices(scene);
  const std::vector<Affine> bind = {model_from_node[kShoulder], model_from_node[kElbow]};
  scene.skins.push_back({"arm", {kShoulder, kElbow}, *sinew::inverse_bind_matrices(bind), sinew::kNone});
}

// Mesh
// ------------------------------------------------------------------------------------------------------------------

void add_mesh(Scene& scene) {
  Scene::Primitive skin;
  skin.topology = sinew::Topology::points;
  skin.positions = {Vec3(1, 0, 0), Vec3(1.2f, 0, 0), Vec3(1.2f, 0, 0), Vec3(1.2f, 0, 0)};
  // Four influences a vertex; a weight of 0 is no influence. The joints are indices into the skin's list.
  Scene::InfluenceSet influences;
  influences.joints = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}};
  influences.weights = {sinew::Vec4(1, 0, 0, 0), sinew::Vec4(0.5f, 0.5f, 0, 0), sinew::Vec4(1, 0, 0, 0),
                        sinew::Vec4(1, 0, 0, 0)};
  skin.influences = {influences};
  scene.meshes.push_back({"arm", {skin}, {}, {}});
}

// Clips
// -----------------------------------------------------------------------------------------------------------------

struct Key {
  float seconds;
  Quat rotation;
};
Quat about_z(float degrees) { return sinew::quat_axis_angle(kZ, degrees / kDegrees); }

Scene::Clip rotation_clip(const char* name, Node node, const std::vector<Key>& keys) {
  Scene::Clip clip;
  clip.name = name;
  clip.times.emplace_back();
  Scene::Track track;
  track.node = node;
  track.path = sinew::Path::rotation;
  for (const Key& key : keys) {
    clip.times[0].push_back(key.seconds);
    track.values.insert(track.values.end(), {key.rotation.x, key.rotation.y, key.rotation.z, key.rotation.w});
  }
  clip.tracks.push_back(track);
  return clip;
}

void add_clips(Scene& scene) {
  scene.clips.push_back(rotation_clip("swing", kElbow, {{0, about_z(0)}, {0.2f, about_z(100)}, {0.4f, about_z(10)}}));
  scene.clips.push_back(rotation_clip("quarter", kElbow, {{0, about_z(0)}, {0.5f, about_z(45)}, {1, about_z(90)}}));
  // q and -q are the same rotation; between 0 degrees and the negated 20 the way is still 20 degrees long, not 340.
  scene.clips.push_back(rotation_clip("negated", kElbow, {{0, about_z(0)}, {1, -about_z(20)}}));
  scene.clips.push_back(rotation_clip("late", kElbow, {{0.1f, about_z(5)}, {0.2f, about_z(100)}, {0.4f, about_z(10)}}));
  scene.clips.push_back(rotation_clip("raise", kShoulder, {{0, about_z(90)}}));
}

// The stages
// ------------------------------------------------------------------------------------------------------------

float elbow_degrees(const sinew::Character& character, const char* clip, float seconds) {
  const sinew::Skeleton& skeleton = character.skeleton();
  sinew::Pose pose(skeleton);
  // A job is a plain struct; run(job) does it; we own every buffer.
  sinew::run(sinew::SampleJob{*character.find_clip(clip), skeleton, seconds, pose});
  return sinew::angle(pose.transform(static_cast<std::size_t>(skeleton.find("Elbow"))).rotation) * kDegrees;
}

void show_sampling(const sinew::Character& character) {
  std::printf("\nSampling: the angle of the elbow, in degrees\n");
  // 0.05 and 0.13 s tell slerp from a normalised straight line, which would give 23.75 and 65.93.
  for (const auto& [seconds, known] :
       {std::pair(0.05f, 25.0f), {0.13f, 65.0f}, {0.2f, 100.0f}, {0.27f, 68.5f}, {0.3f, 55.0f}})
    expect(("0, 100, 10 at 0, 0.2, 0.4 s: at " + std::to_string(seconds)).c_str(),
           elbow_degrees(character, "swing", seconds), known, 0.01f);
  expect("0, 45, 90 at 0, 0.5, 1 s: at 0.25", elbow_degrees(character, "quarter", 0.25f), 22.5f, 0.01f);
  expect("0, 45, 90 at 0, 0.5, 1 s: at 0.75", elbow_degrees(character, "quarter", 0.75f), 67.5f, 0.01f);
  expect("0 to the negated quaternion of 20: half way", elbow_degrees(character, "negated", 0.5f), 10, 0.01f);
  expect("first key 5 at 0.1 s: at 0.05, before it", elbow_degrees(character, "late", 0.05f), 5, 0.01f);
}

/// The vertices of the only part, in the order in which we gave them.
std::vector<Vec3> skinned(const sinew::Character& character, const sinew::Pose& pose,
                          std::vector<Affine>& model_from_joint) {
  const sinew::Part& part = character.parts()[0];
  const sinew::Mesh& mesh = character.meshes()[part.mesh];
  const sinew::Skin& skin = character.skins()[part.skin];
  sinew::Palette palette(skin);
  sinew::Vertices vertices(mesh);
  // Local transforms become matrices only now: blending is over, and matrices cannot be blended.
  sinew::run(sinew::ModelJob{character.skeleton(), pose, model_from_joint});
  // palette = model_from_joint * joint_from_mesh: out of the mesh into the joint, and with the joint to its new place.
  sinew::run(sinew::PaletteJob{skin, model_from_joint, palette.matrices()});
  sinew::run(sinew::SkinJob{mesh, palette.matrices(), vertices});
  // The file keeps vertices ordered by joint set, for speed; `source_vertices` says which was which.
  std::vector<Vec3> out(mesh.vertex_count());
  for (std::size_t i = 0; i < out.size(); ++i) out[mesh.source_vertices[i]] = vertices.positions()[i];
  return out;
}

void show_skinning(const sinew::Character& character) {
  const sinew::Skeleton& skeleton = character.skeleton();
  const auto elbow = static_cast<std::size_t>(skeleton.find("Elbow"));
  std::vector<Affine> model_from_joint(skeleton.joint_count());
  sinew::Pose pose(skeleton);

  std::printf("\nAt rest every vertex stays where it was stored\n");
  std::vector<Vec3> vertices = skinned(character, pose, model_from_joint);
  expect("vertex (1, 0, 0)", vertices[0], Vec3(1, 0, 0));
  expect("vertex (1.2, 0, 0)", vertices[1], Vec3(1.2f, 0, 0));

  std::printf("\nShoulder turned by 90 degrees\n");
  sinew::run(sinew::SampleJob{*character.find_clip("raise"), skeleton, 0, pose});
  vertices = skinned(character, pose, model_from_joint);
  expect("the elbow joint itself", sinew::transform_point(model_from_joint[elbow], Vec3(0)), Vec3(0, 1, 0));
  expect("vertex (1, 0, 0), bound to the elbow", vertices[0], Vec3(0, 1, 0));

  std::printf("\nElbow turned by 30 degrees more; the vertex (1.2, 0, 0)\n");
  sinew::Transform bent = pose.transform(elbow);
  bent.rotation = about_z(30);
  pose.set_transform(elbow, bent);
  vertices = skinned(character, pose, model_from_joint);
  expect("as the shoulder alone would put it", vertices[2], Vec3(0, 1.2f, 0));
  expect("as the elbow alone would put it", vertices[3], Vec3(-0.1f, 1.17321f, 0));
  expect("half and half", vertices[1], Vec3(-0.05f, 1.18660f, 0));
}

void show_transforms() {
  std::printf("\nTransforms: scale first, then rotation, then translation\n");
  sinew::Transform t;
  t.translation = Vec3(1, 0, 0);
  t.rotation = about_z(90);
  t.scale = Vec3(2, 1, 1);
  // Rotating before scaling would give (1, 1, 0).
  expect("T(1,0,0) * Rz(90) * S(2,1,1) of (1, 0, 0)", sinew::transform_point(sinew::to_affine(t), Vec3(1, 0, 0)),
         Vec3(1, 2, 0));
  t.scale = Vec3(1);
  const auto joint_from_mesh = sinew::inverse_bind_matrices(std::vector<Affine>{sinew::to_affine(t)});
  expect("inverse bind of T(1,0,0) * Rz(90)", sinew::transform_point((*joint_from_mesh)[0], Vec3(1, 0.5f, 0)),
         Vec3(0.5f, 0, 0));
}

}  // namespace

int main() {
  Scene scene;
  add_joints(scene);
  add_mesh(scene);
  add_clips(scene);

  // From the scene, as authored, to the runtime's form. Both steps may fail on bad data and then say where and why.
  const auto bytes = sinew::write(scene);
  if (!bytes) return std::printf("write: %s\n", bytes.error().message().c_str()), 1;
  const auto character = sinew::open(*bytes);
  if (!character) return std::printf("open: %s\n", character.error().message().c_str()), 1;
  std::printf("%zu joints, %zu clips, %zu vertices, %zu bytes\n", character->skeleton().joint_count(),
              character->clips().size(), character->meshes()[0].vertex_count(), bytes->size());

  show_sampling(*character);
  show_transforms();
  show_skinning(*character);
  std::printf("\n%s\n", failures == 0 ? "All as known." : "Some are OFF.");
  return failures == 0 ? 0 : 1;
}
