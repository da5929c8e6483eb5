#include "interchange/export_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "interchange/export_weights.h"

namespace sinew::glb {
namespace {

constexpr double kUnitTolerance = 1e-3;  // well inside what validators allow (0.00769), well outside rounding

Quat unit_if_not(Quat q) {
  const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
  return std::fabs(length - 1) > kUnitTolerance ? normalize(q) : q;
}

Json vector_json(Vec3 v) { return numbers(std::array{v.x, v.y, v.z}); }

}  // namespace

void set_transform(Json& node, const Transform& transform) {
  const Transform identity;
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) node.erase(key);
  if (transform.translation != identity.translation) node["translation"] = vector_json(transform.translation);
  if (transform.rotation != identity.rotation) {
    const Quat q = unit_if_not(transform.rotation);
    node["rotation"] = numbers(std::array{q.x, q.y, q.z, q.w});
  }
  if (transform.scale != identity.scale) node["scale"] = vector_json(transform.scale);
}

Json node_json(const Scene::Node& node) {
  Json out = Json::object();
  set_text(out, "name", node.name);
  set_transform(out, node.rest);
  set_array(out, "children", node.children);
  set_index(out, "mesh", node.mesh);
  set_index(out, "skin", node.skin);
  set_array(out, "weights", numbers(node.weights));
  return out;
}

std::int32_t add_matrices(GlbWriter& writer, const std::vector<Affine>& matrices) {
  std::vector<Mat4> columns;  // GLM and glTF both store columns
  for (const Affine& matrix : matrices) columns.push_back(to_mat4(matrix));
  return writer.add(
      {Use::matrices, Component::f32, "MAT4", columns.size(), std::as_bytes(std::span<const Mat4>(columns))});
}

Json skin_json(GlbWriter& writer, const Scene::Skin& skin) {
  Json out = {{"joints", skin.joints}};
  set_text(out, "name", skin.name);
  set_index(out, "skeleton", skin.skeleton);
  if (!skin.inverse_bind_matrices.empty())
    out["inverseBindMatrices"] = add_matrices(writer, skin.inverse_bind_matrices);
  return out;
}

namespace {

/// Joins weights of a joint named twice at a vertex, and points influences without weight to joint 0.
void tidy(std::vector<Scene::InfluenceSet>& sets) {
  const std::size_t influences = 4 * sets.size();
  for (std::size_t v = 0; v < sets.front().weights.size(); ++v) {
    for (std::size_t i = 0; i < influences; ++i) {
      std::uint16_t& joint = sets[i / 4].joints[v][i % 4];
      float& weight = sets[i / 4].weights[v][int(i % 4)];
      for (std::size_t k = 0; k < i && weight != 0; ++k) {
        float& earlier = sets[k / 4].weights[v][int(k % 4)];
        if (sets[k / 4].joints[v][k % 4] != joint || earlier == 0) continue;
        earlier += weight;
        weight = 0;
      }
      if (weight == 0) joint = 0;
    }
  }
}

std::int32_t add_joints(GlbWriter& writer, const std::vector<std::array<std::uint16_t, 4>>& joints, bool narrow) {
  if (!narrow)
    return writer.add({Use::vertices, Component::u16, "VEC4", joints.size(), std::as_bytes(std::span(joints))});
  std::vector<std::array<std::uint8_t, 4>> bytes(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i)
    std::transform(joints[i].begin(), joints[i].end(), bytes[i].begin(),
                   [](std::uint16_t j) { return std::uint8_t(j); });
  return writer.add({Use::vertices, Component::u8, "VEC4", bytes.size(), std::as_bytes(std::span(bytes))});
}

}  // namespace

std::int32_t add_weights(GlbWriter& writer, const std::vector<Vec4>& weights, std::uint32_t levels) {
  if (levels == 0) return writer.add(Use::vertices, weights);
  const std::size_t stride = 4 * weight_size(levels);
  std::vector<std::byte> bytes(weights.size() * stride);
  for (std::size_t v = 0; v < weights.size(); ++v) store_weights(bytes.data() + v * stride, weights[v], levels);
  const Component component = levels == 255 ? Component::u8 : Component::u16;
  return writer.add({Use::vertices, component, "VEC4", weights.size(), bytes, true});
}

void set_influences(GlbWriter& writer, Json& attributes, const std::vector<Scene::InfluenceSet>& sets,
                    std::uint32_t levels) {
  std::vector<Scene::InfluenceSet> tidied = sets;
  if (!tidied.empty()) tidy(tidied);
  bool narrow = true;
  for (const Scene::InfluenceSet& set : tidied)
    for (const auto& joints : set.joints)
      narrow = narrow && std::all_of(joints.begin(), joints.end(), [](std::uint16_t j) { return j < 256; });
  for (std::size_t i = 0; i < tidied.size(); ++i) {
    attributes["JOINTS_" + std::to_string(i)] = add_joints(writer, tidied[i].joints, narrow);
    attributes["WEIGHTS_" + std::to_string(i)] = add_weights(writer, tidied[i].weights, levels);
  }
}

Json targets_json(GlbWriter& writer, const Scene::Primitive& primitive) {
  if (primitive.targets.empty()) return nullptr;
  Json list = Json::array();
  for (const Scene::MorphTarget& target : primitive.targets) {
    Json attributes = Json::object();
    if (!target.positions.empty()) attributes["POSITION"] = writer.add(Use::vertices, target.positions, true);
    if (!target.normals.empty() && !primitive.normals.empty())
      attributes["NORMAL"] = writer.add(Use::vertices, target.normals, true);
    if (!target.tangents.empty() && !primitive.tangents.empty())
      attributes["TANGENT"] = writer.add(Use::vertices, target.tangents, true);
    if (attributes.empty()) {  // a target that moves nothing still needs an attribute: zeros, without data of their own
      attributes["POSITION"] = append(writer.root(), "accessors",
                                      {{"componentType", Component::f32},
                                       {"count", primitive.positions.size()},
                                       {"type", "VEC3"},
                                       {"min", numbers(std::array{0.f, 0.f, 0.f})},
                                       {"max", numbers(std::array{0.f, 0.f, 0.f})}});
    }
    list.push_back(std::move(attributes));
  }
  return list;
}

std::optional<Error> check_mesh(const Scene::Mesh& mesh, const std::string& where) {
  if (mesh.primitives.empty())
    return Error{ErrorCode::bad_value, where, "a mesh without primitives cannot be written", "remove the mesh"};
  for (const Scene::Primitive& primitive : mesh.primitives) {
    if (primitive.positions.empty())
      return Error{ErrorCode::bad_value, where, "a primitive without vertices cannot be written",
                   "remove the primitive"};
    if (primitive.targets.size() != mesh.primitives[0].targets.size())
      return Error{ErrorCode::inconsistent, where, "its primitives have different numbers of morph targets",
                   "give each primitive the same targets; empty ones move nothing"};
  }
  return std::nullopt;
}

Json primitive_json(GlbWriter& writer, const Scene::Primitive& primitive, std::int32_t material, Report* report,
                    const std::string& where) {
  Json attributes = Json::object();
  attributes["POSITION"] = writer.add(Use::vertices, primitive.positions, true);
  if (!primitive.normals.empty()) attributes["NORMAL"] = writer.add(Use::vertices, primitive.normals);
  if (!primitive.tangents.empty()) attributes["TANGENT"] = writer.add(Use::vertices, primitive.tangents);
  if (!primitive.uvs.empty()) attributes["TEXCOORD_0"] = writer.add(Use::vertices, primitive.uvs);
  std::vector<Scene::InfluenceSet> sets = primitive.influences;
  report_weights(report, normalize_weights(sets, 0), where);
  set_influences(writer, attributes, sets);
  Json out = {{"attributes", std::move(attributes)}};
  if (!primitive.indices.empty()) out["indices"] = writer.add_indices(primitive.indices);
  if (primitive.topology != Topology::triangles) out["mode"] = int(primitive.topology);
  if (Json targets = targets_json(writer, primitive); !targets.is_null()) out["targets"] = std::move(targets);
  const bool known = element(find(&writer.root(), "materials"), primitive.material) != nullptr;
  set_index(out, "material", material != kNone ? material : known ? primitive.material : kNone);
  return out;
}

void set_target_names(Json& mesh, const std::vector<std::string>& names) {
  if (!names.empty())
    object_in(mesh, "extras")["targetNames"] = names;
  else if (Json* extras = find(&mesh, "extras"); extras && extras->is_object())
    extras->erase("targetNames");
}

Json mesh_json(GlbWriter& writer, const Scene::Mesh& mesh, std::int32_t material, Report* report,
               const std::string& where) {
  Json primitives = Json::array();
  for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
    primitives.push_back(
        primitive_json(writer, mesh.primitives[i], material, report, where + ".primitives[" + std::to_string(i) + "]"));
  }
  Json out = {{"primitives", std::move(primitives)}};
  set_text(out, "name", mesh.name);
  set_array(out, "weights", numbers(mesh.weights));
  set_target_names(out, mesh.target_names);
  return out;
}

namespace {

constexpr const char* kInterpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};

std::int32_t add_keys(GlbWriter& writer, const Scene::Track& track) {
  if (track.path == Path::weights) return writer.add(Use::keys, track.values);
  std::vector<float> values = track.values;
  if (track.path == Path::rotation) {
    const bool cubic = track.interpolation == Interpolation::cubicspline;
    for (std::size_t i = 0; i + 4 <= values.size(); i += 4) {
      if (cubic && i / 4 % 3 != 1) continue;  // tangents are no rotations
      const Quat q = unit_if_not(quat_xyzw(values[i], values[i + 1], values[i + 2], values[i + 3]));
      values[i] = q.x, values[i + 1] = q.y, values[i + 2] = q.z, values[i + 3] = q.w;
    }
  }
  const std::size_t width = component_count(track.path);
  return writer.add({Use::keys, Component::f32, width == 4 ? "VEC4" : "VEC3", values.size() / width,
                     std::as_bytes(std::span<const float>(values))});
}

}  // namespace

const char* path_name(Path path) {
  constexpr const char* kNames[] = {"translation", "rotation", "scale", "weights"};
  return kNames[int(path)];
}

Json clip_json(GlbWriter& writer, const Scene::Clip& clip) {
  Json channels = Json::array(), samplers = Json::array();
  std::map<std::uint32_t, std::int32_t> inputs;  // a list of times is written once
  for (const Scene::Track& track : clip.tracks) {
    const std::vector<float>& times = clip.times[track.times];
    if (times.empty() || track.values.empty()) continue;
    const auto [input, is_new] = inputs.try_emplace(track.times, kNone);
    if (is_new) input->second = writer.add(Use::keys, times, true);
    Json sampler = {{"input", input->second}, {"output", add_keys(writer, track)}};
    if (track.interpolation != Interpolation::linear)
      sampler["interpolation"] = kInterpolations[int(track.interpolation)];
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", track.node}, {"path", path_name(track.path)}}}});
    samplers.push_back(std::move(sampler));
  }
  if (channels.empty()) return nullptr;
  Json out = {{"channels", std::move(channels)}, {"samplers", std::move(samplers)}};
  set_text(out, "name", clip.name);
  return out;
}

}  // namespace sinew::glb
