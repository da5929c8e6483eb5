#include "trace.h"

#include <algorithm>

#include "sinew/packed.h"

namespace sinew::tool {

namespace {

/// Floats before the section of a path in a key row: rotations, translations, scales, channels.
std::size_t section_start(const ClipGroup& group, Path path) {
  const std::size_t r = 4 * padded(group.rotations.size()), t = 3 * padded(group.translations.size()),
                    s = 3 * padded(group.scales.size());
  switch (path) {
    case Path::rotation:
      return 0;
    case Path::translation:
      return r;
    case Path::scale:
      return r + t;
    case Path::weights:
      return r + t + s;
  }
  return 0;
}

/// The interval as SampleJob's contract says, found here by another search: the last key with time <= `time`.
KeyTrace find_keys(const ClipGroup& group, Path path, std::size_t track, float time) {
  KeyTrace out;
  out.path = path;
  out.interpolation = group.interpolation;
  out.key_count = group.times.size();
  const auto next = std::upper_bound(group.times.begin(), group.times.end(), time);
  const auto index = static_cast<std::size_t>(next - group.times.begin());
  out.before = index == 0 ? 0 : index - 1;
  out.after = index == 0 ? 0 : std::min(index, out.key_count - 1);
  out.time_before = group.times[out.before];
  out.time_after = group.times[out.after];
  if (out.time_after > out.time_before) out.factor = (time - out.time_before) / (out.time_after - out.time_before);
  out.value_before = key_value(group, path, track, out.before);
  out.value_after = key_value(group, path, track, out.after);
  return out;
}

void add_keys(std::vector<KeyTrace>& out, const ClipGroup& group, Path path, std::span<const std::uint32_t> targets,
              std::size_t target, float time) {
  const auto found = std::find(targets.begin(), targets.end(), target);
  if (found != targets.end())
    out.push_back(find_keys(group, path, static_cast<std::size_t>(found - targets.begin()), time));
}

/// What is packed at a moment: between which frames it lies, and the poses of those.
struct PackedMoment {
  PackedSummary summary;
  PackedFrames frames;
  Pose before, after;

  PackedMoment(const Character& character, const Moment& moment)
      : before(character.skeleton()), after(character.skeleton()) {
    if (!moment.clip || moment.clip->packed_bytes.empty()) return;
    summary = packed_summary(*moment.clip);
    frames = packed_frames(*moment.clip, moment.time);
    run(SampleJob{*moment.clip, character.skeleton(), frames.time_before, before});
    run(SampleJob{*moment.clip, character.skeleton(), frames.time_after, after});
  }
  /// Tracks of a joint's paths, or of a channel.
  void add_frames(std::vector<KeyTrace>& out, bool channel, std::size_t target) const;
};

std::vector<float> value_of(const Pose& pose, Path path, std::size_t target) {
  if (path == Path::weights) return {pose.channels()[target]};
  const Transform t = pose.transform(target);
  if (path == Path::rotation) return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
  const Vec3& v = path == Path::translation ? t.translation : t.scale;
  return {v.x, v.y, v.z};
}

void PackedMoment::add_frames(std::vector<KeyTrace>& out, bool channel, std::size_t target) const {
  for (const PackedTrack& track : summary.tracks) {
    if ((track.path == Path::weights) != channel || track.target != target) continue;
    KeyTrace& traced = out.emplace_back();
    traced.path = track.path;
    traced.packed = true;
    traced.key_count = track.moves ? summary.frame_count : 1;
    if (track.moves) {
      traced.before = frames.before, traced.after = frames.after;
      traced.time_before = frames.time_before, traced.time_after = frames.time_after;
      traced.factor = frames.factor;
    }
    traced.value_before = value_of(before, track.path, target);
    traced.value_after = value_of(after, track.path, target);
  }
}

std::vector<KeyTrace> joint_keys(const Moment& moment, const PackedMoment& packed, std::size_t row) {
  std::vector<KeyTrace> out;
  if (!moment.clip) return out;
  packed.add_frames(out, false, row);
  for (const ClipGroup& group : moment.clip->groups) {
    add_keys(out, group, Path::translation, group.translations, row, moment.time);
    add_keys(out, group, Path::rotation, group.rotations, row, moment.time);
    add_keys(out, group, Path::scale, group.scales, row, moment.time);
  }
  return out;
}

std::vector<MorphTrace> trace_morphs(const Mesh& mesh, const Part& part, std::size_t vertex, const Moment& moment,
                                     const PackedMoment& packed, const Pose& pose) {
  std::vector<MorphTrace> out;
  for (std::size_t target = 0; target < std::min(mesh.target_count, part.channel_count); ++target) {
    MorphTrace morph;
    morph.target = target;
    morph.weight = pose.channels()[part.first_channel + target];
    if (!mesh.target_positions.empty()) morph.delta = mesh.target_positions[target * mesh.vertex_count() + vertex];
    std::vector<KeyTrace> keys;
    packed.add_frames(keys, true, part.first_channel + target);
    if (moment.clip)
      for (const ClipGroup& group : moment.clip->groups)
        add_keys(keys, group, Path::weights, group.channels, part.first_channel + target, moment.time);
    if (!keys.empty()) morph.keys = keys.front();
    out.push_back(std::move(morph));
  }
  return out;
}

/// The rows of the influences and all their ancestors, parents first.
std::vector<std::size_t> rows_above(const Skeleton& skeleton, const std::vector<InfluenceTrace>& influences) {
  std::vector<bool> wanted(skeleton.joint_count(), false);
  for (const InfluenceTrace& influence : influences)
    for (auto row = static_cast<std::int32_t>(influence.row); row != kNone && !wanted[static_cast<std::size_t>(row)];
         row = skeleton.parents[static_cast<std::size_t>(row)])
      wanted[static_cast<std::size_t>(row)] = true;
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < wanted.size(); ++row)
    if (wanted[row]) out.push_back(row);
  return out;
}

}  // namespace

std::vector<float> key_value(const ClipGroup& group, Path path, std::size_t track, std::size_t key) {
  const std::size_t components = component_count(path, 1);
  const std::size_t row = group.interpolation == Interpolation::cubicspline ? 3 * key + 1 : key;
  const std::size_t first =
      row * group.row_floats() + section_start(group, path) + track / kLanes * kLanes * components + track % kLanes;
  std::vector<float> out;
  for (std::size_t c = 0; c < components; ++c) out.push_back(group.keys[first + c * kLanes]);
  return out;
}

VertexTrace trace(const Character& character, const Part& part, std::size_t source_vertex, const Moment& moment) {
  const Mesh& mesh = character.meshes()[part.mesh];
  const Skin& skin = character.skins()[part.skin];
  const Instance instance = evaluate(character, moment);
  const PackedMoment packed(character, moment);
  VertexTrace out;
  out.source_vertex = source_vertex;
  const auto place = std::find(mesh.source_vertices.begin(), mesh.source_vertices.end(), source_vertex);
  out.vertex = static_cast<std::size_t>(place - mesh.source_vertices.begin());
  out.stored = out.morphed = mesh.positions[out.vertex];
  out.morphs = trace_morphs(mesh, part, out.vertex, moment, packed, instance.pose);
  for (const MorphTrace& morph : out.morphs) out.morphed += morph.weight * morph.delta;
  for (std::size_t k = 0; k < mesh.influence_count; ++k) {
    InfluenceTrace influence;
    influence.weight = mesh.weights[out.vertex * mesh.influence_count + k];
    if (influence.weight == 0) continue;  // they fill the row of a vertex that has fewer
    influence.entry = mesh.joints[out.vertex * mesh.influence_count + k];
    influence.row = skin.joints[influence.entry];
    influence.joint_from_mesh = skin.inverse_bind_matrices[influence.entry];
    influence.palette = instance.palettes[part.skin].matrices()[influence.entry];
    influence.bound = transform_point(influence.joint_from_mesh, out.morphed);
    influence.alone = transform_point(influence.palette, out.morphed);
    out.sum += influence.weight * influence.alone;
    out.influences.push_back(influence);
  }
  for (const std::size_t row : rows_above(character.skeleton(), out.influences))
    out.joints.push_back(
        {row, joint_keys(moment, packed, row), instance.pose.transform(row), instance.model_from_joint[row]});
  const SkinnedPart skinned = skin_part(character, part, instance);
  out.skinned = skinned.positions[source_vertex];
  if (!mesh.normals.empty()) {
    out.stored_normal = mesh.normals[out.vertex];
    out.normal = skinned.normals[source_vertex];
  }
  return out;
}

}  // namespace sinew::tool
