#include <algorithm>
#include <cmath>

#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

bool in_range(std::int32_t index, std::size_t count) { return index >= 0 && std::size_t(index) < count; }
bool in_range_or_none(std::int32_t index, std::size_t count) { return index == kNone || in_range(index, count); }

Fault bad_index(const DataPath& where, std::int32_t index, std::size_t count, const char* of_what) {
  return fault(ErrorCode::out_of_range, where,
               "index " + std::to_string(index) + ", there are " + std::to_string(count) + " " + of_what,
               "point it at one of them");
}

/// Parents and children say the same, and no node is its own ancestor.
Fault check_forest(const Scene& scene) {
  const DataPath root;
  const std::size_t count = scene.nodes.size();
  std::vector<bool> listed(count);
  for (std::size_t i = 0; i < count; ++i) {
    const DataPath where(root, "nodes", i);
    const Scene::Node& node = scene.nodes[i];
    if (!in_range_or_none(node.parent, count)) return bad_index(DataPath(where, "parent"), node.parent, count, "nodes");
    for (std::size_t c = 0; c < node.children.size(); ++c) {
      const DataPath child(where, "children", c);
      const std::int32_t index = node.children[c];
      if (!in_range(index, count)) return bad_index(child, index, count, "nodes");
      if (scene.nodes[index].parent != std::int32_t(i) || listed[index]) {
        return fault(ErrorCode::inconsistent, child,
                     "node " + std::to_string(index) + " has parent " + std::to_string(scene.nodes[index].parent) +
                         (listed[index] ? ", and is listed twice" : ""),
                     "list each node once, as a child of its parent");
      }
      listed[index] = true;
    }
  }
  std::vector<std::int32_t> stack;
  std::size_t reached = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (scene.nodes[i].parent == kNone) {
      stack.push_back(std::int32_t(i));
    } else if (!listed[i]) {
      return fault(ErrorCode::inconsistent, DataPath(root, "nodes", i),
                   "its parent, node " + std::to_string(scene.nodes[i].parent) + ", does not list it as a child",
                   "list each node once, as a child of its parent");
    }
  }
  std::vector<bool> seen(count);
  for (; !stack.empty(); ++reached) {
    const Scene::Node& node = scene.nodes[stack.back()];
    seen[stack.back()] = true;
    stack.pop_back();
    stack.insert(stack.end(), node.children.begin(), node.children.end());
  }
  if (reached == count) return {};
  const auto lost = std::size_t(std::find(seen.begin(), seen.end(), false) - seen.begin());
  return fault(ErrorCode::cyclic, DataPath(root, "nodes", lost), "the node is its own ancestor", "break the cycle");
}

template <class T>
Fault check_count(const DataPath& where, const std::vector<T>& values, std::size_t count, bool optional) {
  if (values.size() == count || (optional && values.empty())) return {};
  return fault(ErrorCode::inconsistent, where,
               std::to_string(values.size()) + " elements for " + std::to_string(count) + " vertices",
               "give one a vertex");
}

template <class T>
Fault check_finite(const DataPath& parent, const char* name, const std::vector<T>& values) {
  const auto* floats = reinterpret_cast<const float*>(values.data());
  constexpr std::size_t kEach = sizeof(T) / sizeof(float);
  for (std::size_t i = 0; i < values.size() * kEach; ++i) {
    if (!std::isfinite(floats[i])) {
      return fault(ErrorCode::bad_value, DataPath(parent, name, i / kEach), number(floats[i]) + " is not finite",
                   "mend the vertex in the program that made the file");
    }
  }
  return {};
}

template <class T>
Fault check_array(const DataPath& parent, const char* name, const std::vector<T>& values, std::size_t count) {
  if (Fault f = check_count(DataPath(parent, name), values, count, true)) return f;
  return check_finite(parent, name, values);
}

}  // namespace

Fault check_scene(const Scene& scene, const WriteOptions& options) {
  const DataPath root;
  if (options.scene != kNone && !in_range(options.scene, scene.scenes.size())) {
    return fault(ErrorCode::bad_argument, DataPath(root, "scenes"),
                 "scene " + std::to_string(options.scene) + " was asked for, the file has " +
                     std::to_string(scene.scenes.size()),
                 "name one from 0 on, or none to take all roots");
  }
  for (const std::int32_t node : options.dual_joints)
    if (!in_range(node, scene.nodes.size()))
      return fault(ErrorCode::bad_argument, DataPath(root, "nodes"),
                   "dual_joints names node " + std::to_string(node) + " of " + std::to_string(scene.nodes.size()),
                   "name nodes of the scene");
  if (Fault f = check_forest(scene)) return f;
  for (std::size_t s = 0; s < scene.scenes.size(); ++s)
    for (const std::int32_t node : scene.scenes[s])
      if (!in_range(node, scene.nodes.size()))
        return bad_index(DataPath(root, "scenes", s), node, scene.nodes.size(), "nodes");
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const DataPath where(root, "nodes", i);
    const Scene::Node& node = scene.nodes[i];
    if (!in_range_or_none(node.mesh, scene.meshes.size()))
      return bad_index(DataPath(where, "mesh"), node.mesh, scene.meshes.size(), "meshes");
    if (!in_range_or_none(node.skin, scene.skins.size()))
      return bad_index(DataPath(where, "skin"), node.skin, scene.skins.size(), "skins");
  }
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    const DataPath where(root, "skins", s);
    const Scene::Skin& skin = scene.skins[s];
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
      if (!in_range(skin.joints[j], scene.nodes.size()))
        return bad_index(DataPath(where, "joints", j), skin.joints[j], scene.nodes.size(), "nodes");
    if (!skin.inverse_bind_matrices.empty() && skin.inverse_bind_matrices.size() < skin.joints.size()) {
      return fault(ErrorCode::inconsistent, DataPath(where, "inverse_bind_matrices"),
                   std::to_string(skin.inverse_bind_matrices.size()) + " matrices for " +
                       std::to_string(skin.joints.size()) + " joints",
                   "give one a joint, or none");
    }
  }
  return {};
}

Fault check_primitive(const DataPath& where, const Scene::Primitive& primitive) {
  const std::size_t count = primitive.positions.size();
  if (count > UINT32_MAX)
    return fault(ErrorCode::too_large, where, std::to_string(count) + " vertices", "split the mesh");
  if (primitive.topology > Topology::triangle_fan)
    return fault(ErrorCode::bad_value, DataPath(where, "topology"),
                 std::to_string(int(primitive.topology)) + " is not in 0 to 6", "use glTF's primitive.mode");
  if (Fault f = check_finite(where, "positions", primitive.positions)) return f;
  if (Fault f = check_array(where, "normals", primitive.normals, count)) return f;
  if (Fault f = check_array(where, "tangents", primitive.tangents, count)) return f;
  if (Fault f = check_array(where, "uvs", primitive.uvs, count)) return f;
  if (Fault f = check_array(where, "dual_weights", primitive.dual_weights, count)) return f;
  for (std::size_t v = 0; v < primitive.dual_weights.size(); ++v)
    if (const float share = primitive.dual_weights[v]; share < 0 || share > 1)
      return fault(ErrorCode::bad_value, DataPath(where, "dual_weights", v), number(share) + " is not in 0 to 1",
                   "give a share, or none");
  for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
    const DataPath target(where, "targets", t);
    if (Fault f = check_array(target, "positions", primitive.targets[t].positions, count)) return f;
    if (Fault f = check_array(target, "normals", primitive.targets[t].normals, count)) return f;
    if (Fault f = check_array(target, "tangents", primitive.targets[t].tangents, count)) return f;
  }
  for (std::size_t s = 0; s < primitive.influences.size(); ++s) {
    const DataPath set(where, "influences", s);
    if (Fault f = check_count(DataPath(set, "joints"), primitive.influences[s].joints, count, false)) return f;
    if (Fault f = check_count(DataPath(set, "weights"), primitive.influences[s].weights, count, false)) return f;
    if (Fault f = check_finite(set, "weights", primitive.influences[s].weights)) return f;
  }
  for (std::size_t i = 0; i < primitive.indices.size(); ++i)
    if (primitive.indices[i] >= count)
      return fault(ErrorCode::out_of_range, DataPath(where, "indices", i),
                   "vertex " + std::to_string(primitive.indices[i]) + " of " + std::to_string(count),
                   "let indices point at vertices of the primitive");
  return {};
}

double length(Quat q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return std::sqrt(x * x + y * y + z * z + w * w);
}

std::optional<Quat> unit_rotation(Quat q) {
  constexpr double kRounding = 2.5e-7;  // about two units in the last place of each component
  const double l = length(q);
  if (!std::isfinite(l) || !(l > 0)) return std::nullopt;
  return std::fabs(l - 1) <= kRounding ? q : normalize(q);
}

}  // namespace sinew::detail
