// sinew inspect --json.
#include "costs.h"
#include "evaluate.h"
#include "inspect.h"
#include "sinew/packed.h"

namespace sinew::tool {

namespace {

Json flags_json(JointFlags flags) {
  Json out = Json::array();
  if (has(flags, JointFlags::skin)) out.push_back("skin");
  if (has(flags, JointFlags::mesh)) out.push_back("mesh");
  if (has(flags, JointFlags::animated)) out.push_back("animated");
  if (has(flags, JointFlags::helper)) out.push_back("helper");
  return out;
}

Json skeleton_json(const Skeleton& skeleton) {
  Json out = Json::array();
  for (std::size_t row = 0; row < skeleton.joint_count(); ++row)
    out.push_back({{"row", row},
                   {"parent", skeleton.parents[row]},
                   {"name", skeleton.names[row]},
                   {"node", skeleton.source_nodes[row]},
                   {"flags", flags_json(skeleton.flags[row])},
                   {"rest", to_json(skeleton.rest_transform(row))}});
  return out;
}

Json skins_json(const Character& character) {
  Json out = Json::array();
  for (const Skin& skin : character.skins())
    out.push_back({{"name", skin.name},
                   {"skin", skin.source_skin},
                   {"joints", std::vector<std::uint32_t>(skin.joints.begin(), skin.joints.end())},
                   {"bytes", skin_bytes(skin)}});
  return out;
}

Json meshes_json(const Character& character) {
  Json out = Json::array();
  for (const Mesh& mesh : character.meshes())
    out.push_back({{"name", mesh.name},
                   {"topology", to_string(mesh.topology)},
                   {"vertices", mesh.vertex_count()},
                   {"indices", mesh.indices.size()},
                   {"influences", mesh.influence_count},
                   {"targets", mesh.target_count},
                   {"normals", !mesh.normals.empty()},
                   {"tangents", !mesh.tangents.empty()},
                   {"uvs", !mesh.uvs.empty()},
                   {"dual_weights", !mesh.dual_weights.empty()},
                   {"bytes", mesh_bytes(mesh).sum()}});
  return out;
}

Json parts_json(const Character& character) {
  Json out = Json::array();
  for (const Part& part : character.parts())
    out.push_back({{"node", part.source_node},
                   {"node_name", node_name(character, part)},
                   {"mesh", part.source_mesh},
                   {"primitive", part.source_primitive},
                   {"character_mesh", part.mesh},
                   {"character_skin", part.skin},
                   {"joint", part.joint},
                   {"first_channel", part.first_channel},
                   {"channels", part.channel_count},
                   {"material", part.material}});
  return out;
}

/// Null for a clip of keyframes.
Json packed_json(const Clip& clip, const ClipCounts& counts) {
  if (clip.packed_bytes.empty()) return nullptr;
  const PackedSummary packed = packed_summary(clip);
  return {{"frames", packed.frame_count},
          {"first_frame", static_cast<float>(packed.first_frame)},
          {"seconds_per_frame", static_cast<float>(packed.seconds_per_frame)},
          {"segment_frames", packed.segment_frames},
          {"moving", counts.moving},
          {"constant", counts.constant},
          {"kept", counts.kept()},
          {"bytes", clip.packed_bytes.size()},
          {"table_bytes", packed.table_bytes}};
}

Json clips_json(const Character& character) {
  Json out = Json::array();
  for (const Clip& clip : character.clips()) {
    const ClipCounts counts = count(clip);
    out.push_back({{"name", clip.name},
                   {"clip", clip.source_clip},
                   {"first_key", clip.first_key},
                   {"duration", clip.duration},
                   {"wrap_period", clip.wrap_period},
                   {"groups", clip.groups.size()},
                   {"rotations", counts.rotations},
                   {"translations", counts.translations},
                   {"scales", counts.scales},
                   {"channels", counts.channels},
                   {"keys", counts.keys},
                   {"interpolation", interpolations(clip)},
                   {"bytes", clip_bytes(clip)},
                   {"packed", packed_json(clip, counts)},
                   {"snapshot_frames", snapshot_frames(clip)},
                   {"snapshot_bytes", snapshot_bytes(character, clip)}});
  }
  return out;
}

}  // namespace

Json inspect_json(const std::string& file, const Input& input) {
  const Character& character = *input.character;
  const Skeleton& skeleton = character.skeleton();
  return {{"asset", file},
          {"runtime_bytes", input.bytes.size()},
          {"size", character.size()},
          {"joint_count", skin_joint_count(skeleton)},
          {"row_count", skeleton.joint_count()},
          {"channel_count", skeleton.channel_count()},
          {"vertex_count", placed_vertices(character)},
          {"pose_bytes", pose_bytes(skeleton)},
          {"palette_bytes", palette_bytes(character)},
          {"skeleton", skeleton_json(skeleton)},
          {"skins", skins_json(character)},
          {"meshes", meshes_json(character)},
          {"parts", parts_json(character)},
          {"clips", clips_json(character)},
          {"findings", to_json(input.report)}};
}

}  // namespace sinew::tool
