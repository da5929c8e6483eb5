// Write: makes the runtime file (.sinew) from a Scene: sorts joints, cleans weights (skin influences), groups tracks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/bytes.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

/// A clip of a scene as `compress` leaves it: tracks packed to bits, and those that stay keyframes.
struct CompressedClip {
  std::uint64_t skeleton_id = 0;      ///< of the skeleton whose joints the bits speak of
  float first_key = 0, duration = 0;  ///< seconds, as in Clip
  std::vector<std::uint8_t> packed;   ///< docs/compression.md; empty: nothing is packed
  Scene::Clip keyframes;              ///< name, wrap period, and the tracks with keys that stay
  /// Of those, by Path: the joints (rows of the skeleton) and channels that count. The others are packed, or equal to
  /// the rest pose.
  std::array<std::vector<std::uint32_t>, 4> kept;
};

struct WriteOptions {
  /// Strongest influences kept a vertex; 0: all. What is dropped, and the shift that it caused at rest, is reported.
  std::uint32_t influences = 0;
  /// Only what this scene of the file shows; -1: all roots of the file.
  std::int32_t scene = kNone;
  /// Tracks of unlike times share a group where that takes hardly more bytes: they get keys at each other's times, which
  /// changes values by rounding only, and sampling is faster. Without it each track has the keys that are stored.
  bool unite_tracks = true;
  /// Nodes of joints whose vertices `SkinMethod::mixed` skins by dual quaternions: a vertex by the share that their weights
  /// have in it, so that the surface stays whole. `Primitive::dual_weights` of a mesh that has them count instead.
  std::span<const std::int32_t> dual_joints = {};
  /// One a clip of the scene, as `compress` made them with the other options alike; empty: all clips as keyframes.
  std::span<const CompressedClip> compressed = {};
};

/// The runtime file's bytes, for `open`. Joints are sorted parents-first (depth-first), skins drop entries that no
/// vertex uses, vertices are ordered by joint set, weights are made to sum to 1 exactly, rotation keys to unit length,
/// and tracks of equal times and interpolation, or nearly so, share a group. Source indices are kept. The same scene gives the same
/// bytes. `report` receives what was changed. Error: what would leave a result undefined.
Result<Bytes> write(const Scene& scene, const WriteOptions& options = {}, Report* report = nullptr);

}  // namespace sinew
