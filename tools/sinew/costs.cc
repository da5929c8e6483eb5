#include "costs.h"

#include <fmt/format.h>

#include <cmath>

#include "text.h"

namespace sinew::tool {

std::uint64_t clip_bytes(const Clip& clip) {
  std::uint64_t bytes = clip.packed_bytes.size();
  for (const ClipGroup& group : clip.groups)
    bytes += group.times.size_bytes() + group.buckets.size_bytes() + group.rotations.size_bytes() +
             group.translations.size_bytes() + group.scales.size_bytes() + group.channels.size_bytes() +
             group.keys.size_bytes();
  return bytes;
}

std::uint64_t skin_bytes(const Skin& skin) {
  return skin.joints.size_bytes() + skin.inverse_bind_matrices.size_bytes();
}

std::uint64_t skeleton_bytes(const Skeleton& skeleton) {
  return skeleton.parents.size_bytes() + skeleton.subtree_ends.size_bytes() + skeleton.flags.size_bytes() +
         skeleton.source_nodes.size_bytes() + skeleton.rest.size_bytes() + skeleton.rest_channels.size_bytes();
}

MeshBytes mesh_bytes(const Mesh& mesh) {
  MeshBytes out;
  out.vertices = mesh.positions.size_bytes() + mesh.normals.size_bytes() + mesh.tangents.size_bytes() +
                 mesh.uvs.size_bytes() + mesh.dual_weights.size_bytes();
  out.influences = mesh.joints.size_bytes() + mesh.weights.size_bytes() + mesh.runs.ends.size_bytes() +
                   mesh.runs.joints.size_bytes() + mesh.runs.weights.size_bytes();
  out.indices = mesh.indices.size_bytes() + mesh.source_vertices.size_bytes();
  out.targets =
      mesh.target_positions.size_bytes() + mesh.target_normals.size_bytes() + mesh.target_tangents.size_bytes();
  return out;
}

std::vector<Share> file_shares(const Character& character, std::uint64_t total) {
  MeshBytes meshes;
  std::uint64_t vertices = 0, targets = 0, skins = 0, entries = 0, clips = 0;
  for (const Mesh& mesh : character.meshes()) {
    const MeshBytes bytes = mesh_bytes(mesh);
    meshes.vertices += bytes.vertices, meshes.influences += bytes.influences;
    meshes.indices += bytes.indices, meshes.targets += bytes.targets;
    vertices += mesh.vertex_count(), targets += mesh.target_count;
  }
  for (const Skin& skin : character.skins()) skins += skin_bytes(skin), entries += skin.joints.size();
  for (const Clip& clip : character.clips()) clips += clip_bytes(clip);
  const Skeleton& skeleton = character.skeleton();
  std::vector<Share> shares{
      {"vertices", meshes.vertices,
       fmt::format("{} of {}", counted(vertices, "vertex"), counted(character.meshes().size(), "mesh"))},
      {"influences", meshes.influences, "joints and weights, by vertex and by run"},
      {"indices", meshes.indices, "triangles, and the map to source vertices"},
      {"morph targets", meshes.targets, counted(targets, "target")},
      {"skins", skins,
       fmt::format("{} of {}", counted(entries, "palette entry"), counted(character.skins().size(), "skin"))},
      {"skeleton", skeleton_bytes(skeleton), counted(skeleton.joint_count(), "row")},
      {"clips", clips, counted(character.clips().size(), "clip")}};
  std::uint64_t known = 0;
  for (const Share& share : shares) known += share.bytes;
  shares.push_back({"other", total > known ? total - known : 0, "header, names, padding"});
  return shares;
}

std::uint64_t pose_bytes(const Skeleton& skeleton) {
  return (kStreams * padded(skeleton.joint_count()) + padded(skeleton.channel_count())) * sizeof(float);
}

std::uint64_t palette_bytes(const Character& character) {
  std::uint64_t entries = 0;
  for (const Skin& skin : character.skins()) entries += skin.joints.size();
  return entries * sizeof(Affine);
}

std::uint64_t placed_vertices(const Character& character) {
  std::uint64_t count = 0;
  for (const Part& part : character.parts()) count += character.meshes()[part.mesh].vertex_count();
  return count;
}

std::size_t skin_joint_count(const Skeleton& skeleton) {
  std::size_t count = 0;
  for (const JointFlags flags : skeleton.flags) count += has(flags, JointFlags::skin);
  return count;
}

std::uint64_t snapshot_frames(const Clip& clip) {
  // A clip of 3 s whose last key was stored as 2.9999998 has 91 frames, not 90.
  constexpr double kSlack = 1e-3;
  const double span = double(clip.duration) - double(clip.first_key);
  return static_cast<std::uint64_t>(std::floor(span * kSnapshotRate + kSlack)) + 1;
}

std::uint64_t snapshot_bytes(const Character& character, const Clip& clip) {
  return placed_vertices(character) * snapshot_frames(clip) * sizeof(Vec3);
}

}  // namespace sinew::tool
