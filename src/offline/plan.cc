#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

std::uint64_t bytes_of(const Scene::Primitive& p) {
  std::uint64_t bytes = sizeof p + bytes_of(p.positions) + bytes_of(p.normals) + bytes_of(p.tangents) +
                        bytes_of(p.uvs) + bytes_of(p.dual_weights) + bytes_of(p.indices);
  for (const Scene::InfluenceSet& set : p.influences) bytes += bytes_of(set.joints) + bytes_of(set.weights);
  for (const Scene::MorphTarget& target : p.targets)
    bytes += sizeof target + bytes_of(target.positions) + bytes_of(target.normals) + bytes_of(target.tangents);
  return bytes;
}

std::uint64_t bytes_of(const Scene& scene) {
  std::uint64_t bytes = 0;
  for (const Scene::Node& node : scene.nodes)
    bytes += sizeof node + node.name.size() + bytes_of(node.children) + bytes_of(node.weights);
  for (const Scene::Mesh& mesh : scene.meshes) {
    bytes += sizeof mesh + mesh.name.size();
    for (const Scene::Primitive& primitive : mesh.primitives) bytes += bytes_of(primitive);
  }
  for (const Scene::Skin& skin : scene.skins)
    bytes += sizeof skin + bytes_of(skin.joints) + bytes_of(skin.inverse_bind_matrices);
  for (const Scene::Clip& clip : scene.clips) {
    bytes += sizeof clip;
    for (const auto& times : clip.times) bytes += sizeof times + bytes_of(times);
    for (const Scene::Track& track : clip.tracks) bytes += sizeof track + bytes_of(track.values);
  }
  return bytes;
}

}  // namespace

Budget::Budget(const Scene& scene) {
  constexpr std::uint64_t kTimes = 64, kMebibyte = 1 << 20;
  limit_ = left_ = kTimes * (bytes_of(scene) + kMebibyte);
}

Fault Budget::take(const DataPath& where, std::uint64_t count, std::uint64_t size, const char* what) {
  if (count <= left_ / size) {
    left_ -= count * size;
    return {};
  }
  return fault(ErrorCode::too_large, where,
               std::to_string(count) + " " + what + " of " + std::to_string(size) + " bytes go beyond the " +
                   std::to_string(limit_) + " bytes that this scene may take, 64 times its own size and 64 MiB",
               "split the scene, or share less of it");
}

void Tally::report_to(Report& report, Severity severity, const char* code, const char* what_to_do) const {
  if (count > 0) add(report, {severity, code, where, what, what_to_do, count});
}

namespace {

void find_shown(WriteState& state) {
  const Scene& scene = state.scene;
  std::vector<bool>& shown = state.plan.shown;
  shown.assign(scene.nodes.size(), state.options.scene == kNone);
  if (state.options.scene == kNone) return;
  std::vector<std::int32_t> stack = scene.scenes[std::size_t(state.options.scene)];
  while (!stack.empty()) {
    const std::int32_t node = stack.back();
    stack.pop_back();
    if (shown[node]) continue;
    shown[node] = true;
    stack.insert(stack.end(), scene.nodes[node].children.begin(), scene.nodes[node].children.end());
  }
}

/// The skin that moves a primitive of this node, if any.
std::int32_t skin_of(WriteState& state, const DataPath& where, const Scene::Node& node,
                     const Scene::Primitive& primitive) {
  if (node.skin == kNone && !primitive.influences.empty()) {
    add(state.report,
        {Severity::warning, "influences.no_skin", where.text(),
         "the mesh has joints and weights, its node \"" + node.name + "\" has no skin: it moves with the node alone",
         "give the node a skin, or leave joints and weights out"});
  }
  if (node.skin != kNone && primitive.influences.empty()) {
    add(state.report, {Severity::warning, "skin.no_influences", where.text(),
                       "the node has a skin, this primitive no joints and weights: it moves with the node alone",
                       "give every primitive of a skinned mesh joints and weights"});
    return kNone;
  }
  return node.skin;
}

Fault plan_parts(WriteState& state) {
  const Scene& scene = state.scene;
  const DataPath root;
  constexpr std::uint64_t kPartBytes = 256;  // a part's share of the directory, and of what writing needs for it
  std::set<std::pair<std::int32_t, std::int32_t>> checked;
  state.plan.first_channel.assign(scene.nodes.size(), 0);
  state.plan.channel_count.assign(scene.nodes.size(), 0);
  std::uint64_t channels = 0;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    const Scene::Node& node = scene.nodes[n];
    if (!state.plan.shown[n] || node.mesh == kNone) continue;
    const DataPath mesh(root, "meshes", std::size_t(node.mesh));
    const auto& primitives = scene.meshes[node.mesh].primitives;
    if (Fault f = state.budget.take(DataPath(root, "nodes", n), primitives.size(), kPartBytes, "parts")) return f;
    std::size_t targets = 0;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const DataPath where(mesh, "primitives", p);
      if (primitives[p].positions.empty()) {
        add(state.report,
            {Severity::info, "mesh.empty", where.text(), "the primitive has no vertices and is left out", ""});
        continue;
      }
      if (checked.emplace(node.mesh, std::int32_t(p)).second)
        if (Fault f = check_primitive(where, primitives[p])) return f;
      state.plan.parts.push_back(
          {std::int32_t(n), node.mesh, std::int32_t(p), skin_of(state, where, node, primitives[p])});
      targets = std::max(targets, primitives[p].targets.size());
    }
    if (Fault f = state.budget.take(DataPath(root, "nodes", n), targets, sizeof(float), "morph channels")) return f;
    state.plan.first_channel[n] = std::uint32_t(channels);
    state.plan.channel_count[n] = std::uint32_t(targets);
    channels += targets;
  }
  if (channels > UINT32_MAX)
    return fault(ErrorCode::too_large, root, std::to_string(channels) + " morph channels", "split the scene");
  return {};
}

/// Whether a track drives anything; its sizes are right if so.
Fault keep_track(WriteState& state, const DataPath& where, const Scene::Clip& clip, const Scene::Track& track,
                 bool& keep) {
  const Scene& scene = state.scene;
  keep = false;
  if (track.node == kNone) return {};
  if (track.node < 0 || std::size_t(track.node) >= scene.nodes.size())
    return fault(ErrorCode::out_of_range, DataPath(where, "node"),
                 "node " + std::to_string(track.node) + " of " + std::to_string(scene.nodes.size()),
                 "point it at a node");
  if (track.path > Path::weights || track.interpolation > Interpolation::cubicspline)
    return fault(ErrorCode::bad_value, where, "its path or interpolation is none of those that exist",
                 "use the enumerators");
  if (track.times >= clip.times.size())
    return fault(ErrorCode::out_of_range, DataPath(where, "times"),
                 "list " + std::to_string(track.times) + " of " + std::to_string(clip.times.size()),
                 "point it at a list of times");
  const std::size_t keys = clip.times[track.times].size();
  if (keys == 0 || !state.plan.shown[track.node]) return {};
  const std::size_t targets = state.plan.channel_count[track.node];
  if (track.path == Path::weights && targets == 0) {
    add(state.report, {Severity::info, "track.no_targets", where.text(),
                       "it drives morph weights of node " + std::to_string(track.node) +
                           ", which shows no mesh with morph targets; it is left out",
                       ""});
    return {};
  }
  const std::size_t components = component_count(track.path, targets) * rows_per_key(track.interpolation);
  if (track.values.size() % components != 0 || track.values.size() / components != keys) {
    return fault(ErrorCode::inconsistent, DataPath(where, "values"),
                 std::to_string(track.values.size()) + " floats for " + std::to_string(keys) + " keys of " +
                     std::to_string(components),
                 "give each key its values");
  }
  keep = true;
  return {};
}

Fault plan_clip(WriteState& state, const DataPath& path, const Scene::Clip& clip,
                std::vector<const Scene::Track*>& kept) {
  std::map<std::pair<std::int32_t, Path>, std::size_t> place;
  for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
    const DataPath where(path, "tracks", t);
    const Scene::Track& track = clip.tracks[t];
    bool keep = false;
    if (Fault f = keep_track(state, where, clip, track, keep)) return f;
    if (!keep) continue;
    const auto [known, added] = place.emplace(std::pair(track.node, track.path), kept.size());
    if (added) {
      kept.push_back(&track);
      continue;
    }
    kept[known->second] = &track;
    add(state.report, {Severity::warning, "track.duplicate", where.text(),
                       "an earlier track of the clip drives the same path of node " + std::to_string(track.node) +
                           "; this one counts",
                       "keep one track a path"});
  }
  return {};
}

Fault plan_tracks(WriteState& state) {
  const DataPath root;
  const std::span<const Scene::Clip> clips = state.scene.clips;
  state.plan.tracks.resize(clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c)
    if (Fault f = plan_clip(state, DataPath(root, "clips", c), clips[c], state.plan.tracks[c])) return f;
  const std::span<const CompressedClip> compressed = state.options.compressed;
  const DataPath where(root, "compressed");
  if (!compressed.empty() && compressed.size() != clips.size()) {
    return fault(ErrorCode::bad_argument, where,
                 std::to_string(compressed.size()) + " clips, the scene has " + std::to_string(clips.size()),
                 "give what `compress` made of this scene");
  }
  state.plan.kept.resize(compressed.size());
  for (std::size_t c = 0; c < compressed.size(); ++c) {
    const DataPath clip(root, "compressed", c);
    if (Fault f = plan_clip(state, DataPath(clip, "keyframes"), compressed[c].keyframes, state.plan.kept[c])) return f;
  }
  return {};
}

/// FlatBuffers ends at 2 GB, and hard: names and tables must stay well below.
Fault check_directory(const WriteState& state) {
  constexpr std::uint64_t kLimit = 1 << 30, kTableBytes = 512;  // of the largest table, a mesh's, with all its arrays
  const Scene& scene = state.scene;
  std::uint64_t bytes = 0;
  for (const Scene::Node& node : scene.nodes) bytes += node.name.size() + sizeof(std::uint64_t);
  for (const Scene::Skin& skin : scene.skins) bytes += skin.name.size() + kTableBytes;
  for (const PlannedPart& part : state.plan.parts) bytes += scene.meshes[part.mesh].name.size() + 2 * kTableBytes;
  for (std::size_t c = 0; c < scene.clips.size(); ++c)
    bytes += scene.clips[c].name.size() + (1 + state.plan.tracks[c].size()) * kTableBytes;
  if (bytes <= kLimit) return {};
  return fault(ErrorCode::too_large, {},
               "names and tables may take " + std::to_string(bytes) + " bytes, " + std::to_string(kLimit) +
                   " at most are allowed",
               "shorten the names or split the scene");
}

}  // namespace

Fault make_plan(WriteState& state) {
  find_shown(state);
  if (Fault f = plan_parts(state)) return f;
  if (Fault f = plan_tracks(state)) return f;
  return check_directory(state);
}

}  // namespace sinew::detail
