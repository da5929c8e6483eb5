// What a character costs: bytes of a file, of a frame, of clips, and of the same clips as vertex snapshots.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character.h"

namespace sinew::tool {

std::uint64_t clip_bytes(const Clip& clip);
std::uint64_t skin_bytes(const Skin& skin);
std::uint64_t skeleton_bytes(const Skeleton& skeleton);
struct MeshBytes {
  std::uint64_t vertices = 0;    ///< positions, normals, tangents, texture coordinates
  std::uint64_t influences = 0;  ///< joints and weights, and once more by run
  std::uint64_t indices = 0;     ///< triangles and the map to source vertices
  std::uint64_t targets = 0;     ///< morph targets
  std::uint64_t sum() const { return vertices + influences + indices + targets; }
};
MeshBytes mesh_bytes(const Mesh& mesh);

/// A share of a runtime file.
struct Share {
  std::string_view name;
  std::uint64_t bytes;
  std::string of;
};
/// Where the bytes of a file of `total` bytes are; the last row is what remains: header, names, padding.
std::vector<Share> file_shares(const Character& character, std::uint64_t total);

/// Bytes that a frame needs in memory.
std::uint64_t pose_bytes(const Skeleton& skeleton);
/// One matrix an entry of each skin.
std::uint64_t palette_bytes(const Character& character);
/// Vertices of all parts: a mesh placed twice counts twice, as it is skinned twice.
std::uint64_t placed_vertices(const Character& character);
/// Skin joints: rows of the skeleton that a skin uses.
std::size_t skin_joint_count(const Skeleton& skeleton);

inline constexpr double kSnapshotRate = 30;  ///< frames a second of vertex snapshots
/// Frames from the first key to the last, both counted, 1/30 s apart.
std::uint64_t snapshot_frames(const Clip& clip);
/// Bytes of the clip as stored positions: vertices * frames * 12.
std::uint64_t snapshot_bytes(const Character& character, const Clip& clip);

}  // namespace sinew::tool
