#include "support/scenes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/files.h"

namespace sinew::test {

Quat about_z(float degrees) { return quat_axis_angle({0, 0, 1}, radians(degrees)); }

int add_node(Scene& scene, std::string name, int parent, const Transform& rest) {
  const int index = int(scene.nodes.size());
  Scene::Node& node = scene.nodes.emplace_back();
  node.name = std::move(name);
  node.parent = parent;
  node.rest = rest;
  if (parent != kNone) scene.nodes[parent].children.push_back(index);
  return index;
}

Scene::Track& add_track(Scene::Clip& clip, int node, Path path, Interpolation interpolation, std::vector<float> times,
                        std::vector<float> values) {
  clip.times.push_back(std::move(times));
  Scene::Track& track = clip.tracks.emplace_back();
  track.node = node, track.path = path, track.interpolation = interpolation;
  track.times = std::uint32_t(clip.times.size() - 1);
  track.values = std::move(values);
  return track;
}

std::vector<float> values_of(const std::vector<Quat>& keys) {
  std::vector<float> out;
  for (const Quat& q : keys) out.insert(out.end(), {q.x, q.y, q.z, q.w});
  return out;
}

Scene::Track& add_turn(Scene::Clip& clip, int node, std::vector<float> times, const std::vector<float>& degrees) {
  std::vector<Quat> keys;
  for (float d : degrees) keys.push_back(about_z(d));
  return add_track(clip, node, Path::rotation, Interpolation::linear, std::move(times), values_of(keys));
}

Scene::Clip& add_clip(Scene& scene, std::string name) {
  Scene::Clip& clip = scene.clips.emplace_back();
  clip.name = std::move(name);
  return clip;
}

std::vector<Scene::InfluenceSet> influence_sets(const std::vector<Influences>& vertices) {
  std::size_t most = 1;
  for (const Influences& v : vertices) most = std::max(most, v.size());
  std::vector<Scene::InfluenceSet> sets((most + 3) / 4);
  for (Scene::InfluenceSet& set : sets) {
    set.joints.assign(vertices.size(), {0, 0, 0, 0});
    set.weights.assign(vertices.size(), Vec4(0.0f));
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (std::size_t i = 0; i < vertices[v].size(); ++i) {
      sets[i / 4].joints[v][i % 4] = std::uint16_t(vertices[v][i].first);
      sets[i / 4].weights[v][int(i % 4)] = vertices[v][i].second;
    }
  }
  return sets;
}

Affine translation(Vec3 t) {
  Affine out;
  for (int r = 0; r < 3; ++r) out.rows[r][3] = t[r];
  return out;
}

std::vector<Affine> rest_inverse_binds(const Scene& scene, const std::vector<int>& joints) {
  const std::vector<Affine> model = rest_model_matrices(scene);
  std::vector<Affine> bind;
  for (int joint : joints) bind.push_back(model[joint]);
  return must(inverse_bind_matrices(bind));
}

int add_skinned(Scene& scene, std::string name, Scene::Primitive primitive, std::vector<int> joints,
                std::vector<Affine> inverse_binds) {
  const int index = add_node(scene, name);
  scene.nodes[index].mesh = int(scene.meshes.size());
  scene.nodes[index].skin = int(scene.skins.size());
  Scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.name = name;
  mesh.primitives.push_back(std::move(primitive));
  Scene::Skin& skin = scene.skins.emplace_back();
  skin.name = std::move(name);
  skin.joints.assign(joints.begin(), joints.end());
  skin.inverse_bind_matrices = std::move(inverse_binds);
  return index;
}

Scene two_joints() {
  Scene scene;
  add_node(scene, "Shoulder");
  add_node(scene, "Elbow", 0, {{1, 0, 0}, {}, Vec3(1.0f)});
  Scene::Primitive primitive;
  primitive.topology = Topology::points;
  primitive.positions = {{1, 0, 0}, {1.2f, 0, 0}, {1.2f, 0, 0}, {1.2f, 0, 0}, {0, 0, 0}};
  primitive.influences = influence_sets({{{1, 1.0f}}, {{0, 0.5f}, {1, 0.5f}}, {{0, 1.0f}}, {{1, 1.0f}}, {{0, 1.0f}}});
  add_skinned(scene, "Arm", std::move(primitive), {0, 1}, {Affine{}, translation({-1, 0, 0})});
  return scene;
}

Scene strip() {
  Scene scene;
  add_node(scene, "joint0");
  add_node(scene, "joint1", 0, {{0, 1, 0}, {}, Vec3(1.0f)});
  Scene::Primitive primitive;
  std::vector<Influences> influences;
  for (int row = 0; row < 5; ++row) {
    for (float x : {-0.5f, 0.5f}) {
      primitive.positions.push_back({x, 0.5f * float(row), 0});
      primitive.normals.push_back({0, 0, 1});
      primitive.tangents.push_back({1, 0, 0, 1});
      if (row < 2)
        influences.push_back({{0, 1.0f}});
      else if (row > 2)
        influences.push_back({{1, 1.0f}});
      else
        influences.push_back({{0, 0.5f}, {1, 0.5f}});
    }
  }
  for (std::uint32_t row = 0; row < 4; ++row) {
    const std::uint32_t a = 2 * row;
    primitive.indices.insert(primitive.indices.end(), {a, a + 1, a + 2, a + 1, a + 3, a + 2});
  }
  primitive.influences = influence_sets(influences);
  add_skinned(scene, "strip", std::move(primitive), {0, 1}, {Affine{}, translation({0, -1, 0})});
  add_turn(add_clip(scene, "bend"), 1, {0, 1}, {0, 90});
  return scene;
}

std::vector<Vec3> bent_strip() {
  return {{-0.5f, 0, 0},     {0.5f, 0, 0},     {-0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {-0.25f, 0.75f, 0},
          {0.25f, 1.25f, 0}, {-0.5f, 0.5f, 0}, {-0.5f, 1.5f, 0}, {-1, 0.5f, 0},   {-1, 1.5f, 0}};
}

Scene tube() {
  constexpr int kRings = 21, kSides = 12;
  constexpr float kRadius = 0.25f;
  Scene scene;
  add_node(scene, "joint0");
  add_node(scene, "joint1", 0, {{1, 0, 0}, {}, Vec3(1.0f)});
  Scene::Primitive primitive;
  std::vector<Influences> influences;
  for (int ring = 0; ring < kRings; ++ring) {
    const float x = 2.0f * float(ring) / (kRings - 1);
    const float weight = std::clamp(x - 0.5f, 0.0f, 1.0f);
    for (int side = 0; side < kSides; ++side) {
      const float angle = 2 * kPi * float(side) / kSides;
      const Vec3 normal{0, std::cos(angle), std::sin(angle)};
      primitive.positions.push_back(Vec3(x, 0, 0) + kRadius * normal);
      primitive.normals.push_back(normal);
      influences.push_back({{0, 1 - weight}, {1, weight}});
      if (ring + 1 == kRings) continue;
      const std::uint32_t a = std::uint32_t(ring * kSides + side),
                          b = std::uint32_t(ring * kSides + (side + 1) % kSides);
      primitive.indices.insert(primitive.indices.end(), {a, b, a + kSides, b, b + kSides, a + kSides});
    }
  }
  primitive.influences = influence_sets(influences);
  add_skinned(scene, "tube", std::move(primitive), {0, 1}, {Affine{}, translation({-1, 0, 0})});
  // Half a turn is the same either way round; a key in the middle says which.
  add_track(add_clip(scene, "twist"), 1, Path::rotation, Interpolation::linear, {0, 0.5f, 1},
            values_of({{}, quat_axis_angle({1, 0, 0}, kPi / 2), quat_axis_angle({1, 0, 0}, kPi)}));
  return scene;
}

Scene chain(int count) {
  Scene scene;
  std::vector<int> joints;
  Scene::Primitive primitive;
  primitive.topology = Topology::points;
  std::vector<Influences> influences;
  for (int i = 0; i < count; ++i) {
    Transform rest;
    rest.translation.y = i == 0 ? 0.0f : 1.0f;
    joints.push_back(add_node(scene, "joint" + std::to_string(i), i - 1, rest));
    for (float up : {0.0f, 0.5f}) {
      primitive.positions.push_back({0, float(i) + up, 0});
      influences.push_back({{i, 1.0f}});
    }
  }
  primitive.influences = influence_sets(influences);
  add_skinned(scene, "chain", std::move(primitive), joints, rest_inverse_binds(scene, joints));
  Scene::Clip& clip = add_clip(scene, "curl");
  for (int i = 0; i < count; ++i) {
    const float turn = radians(20.0f + 40.0f * float(i) / float(count));
    add_track(clip, i, Path::rotation, Interpolation::linear, {0, 0.5f, 1},
              values_of({{}, quat_axis_angle({0, 0, 1}, turn), quat_axis_angle({1, 0, 0}, turn)}));
  }
  return scene;
}

Scene morph_triangle(int targets) {
  Scene scene;
  add_node(scene, "triangle");
  scene.nodes[0].mesh = 0;
  Scene::Primitive primitive;
  primitive.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  primitive.normals.assign(3, {0, 0, 1});
  std::vector<float> times, values;
  for (int t = 0; t < targets; ++t) {
    Scene::MorphTarget& target = primitive.targets.emplace_back();
    target.positions = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  }
  for (int key = 0; key <= targets; ++key) {
    times.push_back(float(key));
    for (int t = 0; t < targets; ++t) values.push_back(t < key ? 1.0f : 0.0f);
  }
  scene.meshes.emplace_back().primitives.push_back(std::move(primitive));
  add_track(add_clip(scene, "raise"), 0, Path::weights, Interpolation::linear, std::move(times), std::move(values));
  return scene;
}

}  // namespace sinew::test
