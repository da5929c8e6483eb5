#include <algorithm>
#include <cmath>

#include "offline/content_hash.h"
#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

/// Flags of each node that a skin, a mesh or a clip needs; `needed` also holds all their ancestors.
void find_needed(const WriteState& state, std::vector<std::uint8_t>& flags, std::vector<bool>& needed) {
  const Scene& scene = state.scene;
  const auto need = [&](std::int32_t node, JointFlags flag) {
    flags[node] |= std::uint8_t(flag);
    for (; node != kNone && !needed[node]; node = scene.nodes[node].parent) needed[node] = true;
  };
  std::vector<bool> skin_shown(scene.skins.size(), state.options.scene == kNone);
  for (const PlannedPart& part : state.plan.parts) {
    need(part.node, JointFlags::mesh);
    if (part.skin != kNone) skin_shown[part.skin] = true;
  }
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    if (!skin_shown[s]) continue;
    for (const std::int32_t node : scene.skins[s].joints) need(node, JointFlags::skin);
  }
  // A track without keys drives nothing, but its clip names the node all the same.
  for (const Scene::Clip& clip : scene.clips)
    for (const Scene::Track& track : clip.tracks)
      if (track.node != kNone && state.plan.shown[track.node]) need(track.node, JointFlags::none);
  for (const auto& tracks : state.plan.tracks)
    for (const Scene::Track* track : tracks) need(track->node, JointFlags::animated);
}

/// Depth-first, children in the scene's order, roots by index.
void order_rows(WriteState& state, const std::vector<std::uint8_t>& flags, const std::vector<bool>& needed) {
  const Scene& scene = state.scene;
  Rows& rows = state.rows;
  rows.row_of_node.assign(scene.nodes.size(), -1);
  std::vector<std::int32_t> stack;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    if (scene.nodes[n].parent == kNone && needed[n]) stack.push_back(std::int32_t(n));
    while (!stack.empty()) {
      const std::int32_t index = stack.back();
      const Scene::Node& node = scene.nodes[index];
      stack.pop_back();
      rows.row_of_node[index] = std::int32_t(rows.nodes.size());
      rows.parents.push_back(node.parent == kNone ? -1 : rows.row_of_node[node.parent]);
      rows.nodes.push_back(index);
      rows.flags.push_back(flags[index]);
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        if (needed[*child]) stack.push_back(*child);
    }
  }
  rows.subtree_ends.resize(rows.nodes.size());
  for (std::size_t r = rows.nodes.size(); r-- > 0;) {
    rows.subtree_ends[r] = std::max(rows.subtree_ends[r], std::uint32_t(r + 1));
    if (rows.parents[r] < 0) continue;
    std::uint32_t& end = rows.subtree_ends[rows.parents[r]];
    end = std::max(end, rows.subtree_ends[r]);
  }
}

Fault unit_rest(WriteState& state, std::int32_t node, Transform& rest) {
  const DataPath root, where(root, "nodes", std::size_t(node)), path(where, "rest");
  rest = state.scene.nodes[node].rest;
  for (int i = 0; i < 3; ++i) {
    if (!std::isfinite(rest.translation[i]) || !std::isfinite(rest.scale[i]))
      return fault(ErrorCode::bad_value, path, "translation or scale is not finite",
                   "give the node a finite transform");
  }
  const auto rotation = unit_rotation(rest.rotation);
  const double stored = length(rest.rotation);
  if (!rotation)
    return fault(ErrorCode::bad_value, path, "the rotation has length " + number(stored),
                 "give the node a unit quaternion");
  if (!(*rotation == rest.rotation)) note_rotation(state, path, stored);
  rest.rotation = *rotation;
  return {};
}

Fault fill_rest(WriteState& state) {
  const DataPath root;
  Rows& rows = state.rows;
  const std::size_t count = rows.nodes.size(), stride = padded(count);
  rows.rest.resize(kStreams * stride);
  for (std::size_t s = 0; s < kStreams; ++s)
    std::fill_n(rows.rest.begin() + std::ptrdiff_t(s * stride), stride, kIdentityStreams[s]);
  rows.model_from_joint.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    Transform t;
    if (Fault f = unit_rest(state, rows.nodes[r], t)) return f;
    const float values[kStreams] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                    t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
    for (std::size_t s = 0; s < kStreams; ++s) rows.rest[s * stride + r] = values[s];
    const Affine local = to_affine(t);
    rows.model_from_joint[r] = rows.parents[r] < 0 ? local : rows.model_from_joint[rows.parents[r]] * local;
    if (!is_finite(rows.model_from_joint[r])) {
      return fault(ErrorCode::bad_value, DataPath(root, "nodes", std::size_t(rows.nodes[r])),
                   "its transform to model space at rest goes beyond what a float holds",
                   "use smaller translations and scales");
    }
  }
  return {};
}

/// The node's own morph weights, else its mesh's, else 0.
Fault fill_channels(WriteState& state) {
  const DataPath root;
  for (std::size_t n = 0; n < state.scene.nodes.size(); ++n) {
    const Scene::Node& node = state.scene.nodes[n];
    const std::size_t count = state.plan.channel_count[n];
    if (count == 0) continue;
    const std::vector<float>& weights = node.weights.empty() ? state.scene.meshes[node.mesh].weights : node.weights;
    for (std::size_t i = 0; i < count; ++i) {
      const float weight = i < weights.size() ? weights[i] : 0.0f;
      if (!std::isfinite(weight)) {
        return node.weights.empty() ? fault(ErrorCode::bad_value,
                                            DataPath(DataPath(root, "meshes", std::size_t(node.mesh)), "weights", i),
                                            "it is not finite", "give a finite morph weight")
                                    : fault(ErrorCode::bad_value, DataPath(DataPath(root, "nodes", n), "weights", i),
                                            "it is not finite", "give a finite morph weight");
      }
      state.rows.rest_channels.push_back(weight);
    }
  }
  return {};
}

}  // namespace

void note_rotation(WriteState& state, const DataPath& where, double stored_length) {
  Tally& tally = state.tallies.rotations;
  if (!tally.take(std::fabs(stored_length - 1))) return;
  tally.where = where.text();
  tally.what = "a rotation of length " + number(stored_length) + ", off by " + number(std::fabs(stored_length - 1)) +
               ", was normalised";
}

Fault make_rows(WriteState& state) {
  std::vector<std::uint8_t> flags(state.scene.nodes.size());
  std::vector<bool> needed(state.scene.nodes.size());
  find_needed(state, flags, needed);
  order_rows(state, flags, needed);
  if (Fault f = fill_rest(state)) return f;
  return fill_channels(state);
}

Fault add_skeleton(WriteState& state) {
  Rows& rows = state.rows;
  auto& directory = state.file.directory();
  ContentHash hash;
  hash.add(rows.parents), hash.add(rows.nodes), hash.add(rows.flags), hash.add(rows.rest), hash.add(rows.rest_channels);
  std::vector<flatbuffers::Offset<flatbuffers::String>> names;
  for (const std::int32_t node : rows.nodes) {
    const std::string& name = state.scene.nodes[node].name;
    hash.add(std::span<const char>(name));
    names.push_back(state.file.name(name));
  }
  rows.id = hash.value();
  const schema::Array parents = state.file.add(rows.parents), ends = state.file.add(rows.subtree_ends),
                      flags = state.file.add(rows.flags), nodes = state.file.add(rows.nodes),
                      rest = state.file.add(rows.rest), channels = state.file.add(rows.rest_channels);
  const auto name_list = directory.CreateVector(names);
  state.file.skeleton =
      schema::CreateSkeleton(directory, rows.id, unless_empty(parents), unless_empty(ends), unless_empty(flags),
                             unless_empty(nodes), name_list, unless_empty(rest), unless_empty(channels));
  return {};
}

}  // namespace sinew::detail
