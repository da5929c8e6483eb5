#include "cases.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "biped/biped.h"
#include "oracle/oracle.h"
#include "sinew/import.h"
#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"

namespace sinew::test {
namespace {

/// An eighth influence and fewer, into both sets of four.
void set_influence(Case& data, std::size_t v, std::size_t i, std::uint16_t joint, float weight) {
  if (i < 4) {
    data.vertices[v].joints[i] = joint;
    data.vertices[v].weights[glm::length_t(i)] = weight;
  } else {
    data.more[v].joints[i - 4] = joint;
    data.more[v].weights[i - 4] = weight;
  }
}

std::uint32_t shader_influences(std::uint32_t count) { return count <= 2 ? count : count <= 4 ? 4 : 8; }

void push(std::vector<float>& floats, const Vec3& v) { floats.insert(floats.end(), {v.x, v.y, v.z}); }

Case packed(const Mesh& mesh, const Part& part, const Pose& pose, std::span<const Affine> palette) {
  Case out;
  out.influences = shader_influences(mesh.influence_count);
  out.normals = !mesh.normals.empty();
  out.tangents = !mesh.tangents.empty();
  out.target_count = mesh.target_count;
  out.palette.assign(palette.begin(), palette.end());
  out.palette_joints = std::uint32_t(palette.size());
  out.vertices.resize(mesh.vertex_count());
  out.more.resize(mesh.vertex_count());
  out.tangent_stream.assign(mesh.tangents.begin(), mesh.tangents.end());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    PackedVertex& vertex = out.vertices[v];
    vertex.position = Vec4(mesh.positions[v], 7);  // what stands in the gaps must not matter
    if (out.normals) vertex.normal = Vec4(mesh.normals[v], 7);
    if (!mesh.uvs.empty()) vertex.uv = mesh.uvs[v];
    for (std::size_t i = 0; i < mesh.influence_count; ++i)
      set_influence(out, v, i, mesh.joints[v * mesh.influence_count + i], mesh.weights[v * mesh.influence_count + i]);
  }
  for (std::size_t i = 0; i < mesh.target_count * mesh.vertex_count(); ++i) {
    push(out.deltas, mesh.target_positions[i]);
    push(out.deltas, mesh.target_normals.empty() ? Vec3(0) : mesh.target_normals[i]);
    if (out.tangents) push(out.deltas, mesh.target_tangents.empty() ? Vec3(0) : mesh.target_tangents[i]);
  }
  const std::span<const float> channels = pose.channels();
  out.morph_weights.assign(channels.begin() + part.first_channel,
                           channels.begin() + part.first_channel + mesh.target_count);
  return out;
}

/// The oracle's vertices in the mesh's order.
Exact ordered(const PlacedVertices& placed, const Mesh& mesh) {
  Exact out;
  for (const std::uint32_t source : mesh.source_vertices) {
    out.positions.push_back(placed.positions[source]);
    if (!placed.normals.empty()) out.normals.push_back(placed.normals[source]);
    if (!placed.tangents.empty()) out.tangents.push_back(placed.tangents[source]);
  }
  return out;
}

}  // namespace

std::vector<Case> scene_cases(const std::string& name, const Scene& scene, int clip, float time) {
  const Loaded loaded = must(load(scene));
  const Character& character = loaded.character;
  const Evaluated expected = oracle(scene, clip, time);
  Instance instance(character);
  instance.pose = sample(character, clip, time);
  run(InstanceJob{character, instance});
  std::vector<Case> out;
  for (std::size_t i = 0; i < character.parts().size(); ++i) {
    const Part& part = character.parts()[i];
    const Mesh& mesh = character.meshes()[part.mesh];
    const PlacedVertices* placed = expected.part(part.source_node, part.source_primitive);
    if (!placed || mesh.influence_count > 8) continue;
    Case& data = out.emplace_back(packed(mesh, part, instance.pose, instance.palettes[part.skin].matrices()));
    data.name = name + " part " + std::to_string(i);
    data.size = character.size();
    data.oracle = ordered(*placed, mesh);
  }
  return out;
}

Case random_case(const RandomMesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(0, 1);
  const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  constexpr std::uint32_t kJoints = 20, kVertices = 333;  // no multiple of 64
  Case out;
  out.name = "random " + std::to_string(seed);
  out.influences = mesh.influences, out.instances = mesh.instances, out.target_count = mesh.targets;
  out.normals = true, out.tangents = mesh.tangents;
  out.palette_joints = kJoints;
  out.method = mesh.method;
  out.size = 4;
  for (std::uint32_t i = 0; i < kJoints * mesh.instances; ++i) {
    Transform t{vec(), normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random))),
                Vec3(0.5f + uniform(random), 0.5f + uniform(random), 0.5f + uniform(random))};
    if (i % 5 == 0) t.scale.x = -t.scale.x;
    if (!mesh.stretch) t.scale = Vec3(1);
    out.palette.push_back(to_affine(t));
    if (mesh.method == SkinMethod::linear) continue;
    const DualQuaternion rigid = to_dual_quaternion(t.rotation, t.translation);
    out.rigid.push_back(random() % 2 ? -rigid : rigid);
    if (mesh.stretch) out.stretch.push_back(to_affine({Vec3(0), {}, t.scale}));
  }
  out.vertices.resize(kVertices), out.more.resize(kVertices);
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    out.vertices[v].position = Vec4(vec(), mesh.method == SkinMethod::mixed ? uniform(random) : 3);
    out.vertices[v].normal = Vec4(glm::normalize(vec()), 3);
    out.vertices[v].uv = Vec2(uniform(random), uniform(random));
    if (mesh.tangents) out.tangent_stream.push_back(Vec4(glm::normalize(vec()), v % 2 ? 1.0f : -1.0f));
    // One joint counts most: sums of opposite turns have no direction to agree on.
    float rest = v == 0 ? 0.8f : 1.0f;
    for (std::uint32_t i = 0; i < mesh.influences; ++i) {
      const float weight = i + 1 == mesh.influences ? rest : rest * (0.75f + 0.2f * uniform(random));
      set_influence(out, v, i, std::uint16_t(random() % kJoints), weight);
      rest -= weight;
    }
  }
  for (std::uint32_t i = 0; i < kVertices * mesh.targets * (mesh.tangents ? 3 : 2); ++i) push(out.deltas, 0.2f * vec());
  for (std::uint32_t i = 0; i < mesh.targets * mesh.instances; ++i)
    out.morph_weights.push_back(i % 3 == 2 ? 0 : uniform(random));
  return out;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    const auto add = [&](const std::vector<Case>& more) { out.insert(out.end(), more.begin(), more.end()); };
    unsigned seed = 1;
    for (const std::uint32_t influences : {1u, 2u, 4u, 8u})
      for (const bool tangents : {false, true}) {
        out.push_back(random_case({influences, 1, 0, tangents}, seed++));
        out.push_back(random_case({influences, 3, 0, tangents}, seed++));
        out.push_back(random_case({influences, 2, 4, tangents}, seed++));
      }
    for (const SkinMethod method : {SkinMethod::dual_quaternion, SkinMethod::mixed})
      for (const bool stretch : {false, true}) {
        for (const std::uint32_t influences : {4u, 8u}) {
          out.push_back(random_case({influences, 1, 0, false, method, stretch}, seed++));
          out.push_back(random_case({influences, 2, 4, true, method, stretch}, seed++));
        }
        if (method != SkinMethod::mixed && !stretch)
          for (const std::uint32_t influences : {1u, 2u})
            out.push_back(random_case({influences, 1, 0, false, method, stretch}, seed++));
      }
    const Scene biped = make_biped();
    add(scene_cases("biped at rest", biped, kNone, 0));
    add(scene_cases("biped, clip 1", biped, 1, 0.4f));
    if (!shared_dir()) return out;
    struct Asset {
      const char* file;
      int clip;
      float time;
    };
    for (const Asset& asset : {Asset{"AnimatedMorphCube/AnimatedMorphCube.gltf", 0, 1.3f},        // morphs, tangents
                               Asset{"MorphStressTest/MorphStressTest.gltf", 0, 0.6f},            // eight targets
                               Asset{"magnum_assimp/skin-multiple-sets.gltf", kNone, 0},          // eight influences
                               Asset{"magnum_assimp/skin.gltf", kNone, 0},                        // uneven scale
                               Asset{"Node_NegativeScale/Node_NegativeScale_11.gltf", kNone, 0},  // mirrored, tangents
                               Asset{"cesium_man.gltf", 0, 0.7f}, Asset{"player.glb", 0, 0.2f}})
      add(scene_cases(asset.file, must(import_file(*shared_dir() / "assets/gltf" / asset.file)), asset.clip,
                      asset.time));
    return out;
  }();
  return all;
}

}  // namespace sinew::test
