#include "interchange/export_check.h"

#include <cmath>
#include <limits>
#include <string>

namespace sinew::glb {
namespace {

std::string at(const char* list, std::size_t index) { return std::string(list) + "[" + std::to_string(index) + "]"; }

Error bad(ErrorCode code, std::string where, std::string what) {
  return {code, std::move(where), std::move(what), "mend the scene before it is written"};
}

bool in_range(std::int32_t index, std::size_t count) { return index >= 0 && std::size_t(index) < count; }
bool none_or_in_range(std::int32_t index, std::size_t count) { return index == kNone || in_range(index, count); }

template <class T>
bool finite(const std::vector<T>& values) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  for (const T& value : values)
    for (std::size_t i = 0; i < sizeof(T) / sizeof(float); ++i)
      if (!std::isfinite(reinterpret_cast<const float*>(&value)[i])) return false;
  return true;
}

std::optional<Error> check_nodes(const Scene& scene) {
  const std::size_t count = scene.nodes.size();
  std::vector<std::int32_t> parents(count, kNone);
  for (std::size_t i = 0; i < count; ++i) {
    const Scene::Node& node = scene.nodes[i];
    if (!none_or_in_range(node.mesh, scene.meshes.size()))
      return bad(ErrorCode::out_of_range, at("nodes", i) + ".mesh",
                 "mesh " + std::to_string(node.mesh) + " of " + std::to_string(scene.meshes.size()));
    if (!none_or_in_range(node.skin, scene.skins.size()))
      return bad(ErrorCode::out_of_range, at("nodes", i) + ".skin",
                 "skin " + std::to_string(node.skin) + " of " + std::to_string(scene.skins.size()));
    if (!is_finite(to_affine(node.rest)) || !finite(node.weights))
      return bad(ErrorCode::bad_value, at("nodes", i), "the rest transform or a morph weight is not finite");
    for (std::int32_t child : node.children) {
      if (!in_range(child, count))
        return bad(ErrorCode::out_of_range, at("nodes", i) + ".children",
                   "node " + std::to_string(child) + " of " + std::to_string(count));
      if (parents[std::size_t(child)] != kNone)
        return bad(ErrorCode::cyclic, at("nodes", std::size_t(child)), "is listed as a child twice");
      parents[std::size_t(child)] = std::int32_t(i);
    }
  }
  // Each node has one parent at most, so a cycle is a set of nodes that no root reaches.
  std::vector<std::int32_t> open;
  std::size_t reached = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (parents[i] != scene.nodes[i].parent)
      return bad(ErrorCode::inconsistent, at("nodes", i), "its parent and its parent's children disagree");
    if (parents[i] == kNone) open.push_back(std::int32_t(i));
  }
  while (!open.empty()) {
    const Scene::Node& node = scene.nodes[std::size_t(open.back())];
    open.pop_back();
    ++reached;
    open.insert(open.end(), node.children.begin(), node.children.end());
  }
  if (reached != count)
    return bad(ErrorCode::cyclic, "nodes", std::to_string(count - reached) + " nodes are their own ancestors");
  return std::nullopt;
}

std::optional<Error> check_skins(const Scene& scene) {
  for (std::size_t i = 0; i < scene.skins.size(); ++i) {
    const Scene::Skin& skin = scene.skins[i];
    for (std::int32_t joint : skin.joints)
      if (!in_range(joint, scene.nodes.size()))
        return bad(ErrorCode::out_of_range, at("skins", i) + ".joints",
                   "node " + std::to_string(joint) + " of " + std::to_string(scene.nodes.size()));
    if (!none_or_in_range(skin.skeleton, scene.nodes.size()))
      return bad(ErrorCode::out_of_range, at("skins", i) + ".skeleton", "node " + std::to_string(skin.skeleton));
    const std::size_t given = skin.inverse_bind_matrices.size();
    if (given != 0 && given < skin.joints.size())
      return bad(
          ErrorCode::inconsistent, at("skins", i),
          std::to_string(given) + " inverse bind matrices for " + std::to_string(skin.joints.size()) + " joints");
    if (!finite(skin.inverse_bind_matrices))
      return bad(ErrorCode::bad_value, at("skins", i), "an inverse bind matrix is not finite");
  }
  return std::nullopt;
}

bool fits(std::size_t given, std::size_t vertices) { return given == 0 || given == vertices; }

std::optional<Error> check_primitive(const Scene::Primitive& p, const std::string& where) {
  const std::size_t count = p.positions.size();
  if (count > std::numeric_limits<std::uint32_t>::max())
    return bad(ErrorCode::too_large, where, std::to_string(count) + " vertices");
  bool equal = fits(p.normals.size(), count) && fits(p.tangents.size(), count) && fits(p.uvs.size(), count);
  bool numbers = finite(p.positions) && finite(p.normals) && finite(p.tangents) && finite(p.uvs);
  for (const Scene::InfluenceSet& set : p.influences) {
    equal = equal && set.joints.size() == count && set.weights.size() == count;
    numbers = numbers && finite(set.weights);
  }
  for (const Scene::MorphTarget& target : p.targets) {
    equal = equal && fits(target.positions.size(), count) && fits(target.normals.size(), count) &&
            fits(target.tangents.size(), count);
    numbers = numbers && finite(target.positions) && finite(target.normals) && finite(target.tangents);
  }
  if (!equal)
    return bad(ErrorCode::inconsistent, where,
               "its vertex arrays differ in length from its " + std::to_string(count) + " positions");
  if (!numbers) return bad(ErrorCode::bad_value, where, "a vertex array holds a number that is not finite");
  for (std::uint32_t index : p.indices)
    if (index >= count)
      return bad(ErrorCode::out_of_range, where + ".indices",
                 "vertex " + std::to_string(index) + " of " + std::to_string(count));
  return std::nullopt;
}

std::optional<Error> check_meshes(const Scene& scene) {
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (!finite(scene.meshes[m].weights))
      return bad(ErrorCode::bad_value, at("meshes", m), "a morph weight is not finite");
    for (std::size_t p = 0; p < scene.meshes[m].primitives.size(); ++p)
      if (auto error = check_primitive(scene.meshes[m].primitives[p], at("meshes", m) + "." + at("primitives", p)))
        return error;
  }
  return std::nullopt;
}

std::optional<Error> check_track(const Scene& scene, const Scene::Clip& clip, const Scene::Track& track,
                                 const std::string& where) {
  if (!in_range(track.node, scene.nodes.size()))
    return bad(ErrorCode::out_of_range, where + ".node",
               "node " + std::to_string(track.node) + " of " + std::to_string(scene.nodes.size()));
  if (track.times >= clip.times.size())
    return bad(ErrorCode::out_of_range, where + ".times",
               "list " + std::to_string(track.times) + " of " + std::to_string(clip.times.size()));
  const std::size_t keys = clip.times[track.times].size();
  const std::size_t rows = keys * (track.interpolation == Interpolation::cubicspline ? 3 : 1);
  const bool equal = track.path == Path::weights ? (rows == 0 ? track.values.empty() : track.values.size() % rows == 0)
                                                 : track.values.size() == rows * component_count(track.path);
  if (!equal)
    return bad(ErrorCode::inconsistent, where,
               std::to_string(track.values.size()) + " values for " + std::to_string(keys) + " keys");
  if (!finite(track.values)) return bad(ErrorCode::bad_value, where, "a key is not finite");
  return std::nullopt;
}

std::optional<Error> check_clips(const Scene& scene) {
  for (std::size_t c = 0; c < scene.clips.size(); ++c) {
    const Scene::Clip& clip = scene.clips[c];
    for (const auto& times : clip.times)
      for (std::size_t k = 0; k < times.size(); ++k)
        if (!std::isfinite(times[k]) || (k > 0 && times[k] < times[k - 1]))
          return bad(ErrorCode::bad_value, at("clips", c), "key times must be finite and must not decrease");
    for (std::size_t t = 0; t < clip.tracks.size(); ++t)
      if (auto error = check_track(scene, clip, clip.tracks[t], at("clips", c) + "." + at("tracks", t))) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> check_scene(const Scene& scene) {
  if (auto error = check_nodes(scene)) return error;
  if (auto error = check_skins(scene)) return error;
  if (auto error = check_meshes(scene)) return error;
  if (auto error = check_clips(scene)) return error;
  for (std::size_t s = 0; s < scene.scenes.size(); ++s)
    for (std::int32_t root : scene.scenes[s])
      if (!in_range(root, scene.nodes.size()))
        return bad(ErrorCode::out_of_range, at("scenes", s),
                   "node " + std::to_string(root) + " of " + std::to_string(scene.nodes.size()));
  if (!none_or_in_range(scene.default_scene, scene.scenes.size()))
    return bad(ErrorCode::out_of_range, "default_scene",
               "scene " + std::to_string(scene.default_scene) + " of " + std::to_string(scene.scenes.size()));
  return std::nullopt;
}

}  // namespace sinew::glb
