// Write: makes the runtime file (.sinew) from a Scene: sorts joints, cleans weights (skin influences), groups tracks.
#pragma once

#include <cstdint>

#include "sinew/bytes.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct WriteOptions {
  /// Strongest influences kept a vertex; 0: all. What is dropped, and the shift that it caused at rest, is reported.
  std::uint32_t influences = 0;
  /// Only what this scene of the file shows; -1: all roots of the file.
  std::int32_t scene = kNone;
  /// Tracks of unlike times share a group where that takes hardly more bytes: they get keys at each other's times, which
  /// changes values by rounding only, and sampling is faster. Without it each track has the keys that are stored.
  bool unite_tracks = true;
};

/// The runtime file's bytes, for `open`. Joints are sorted parents-first (depth-first), skins drop entries that no
/// vertex uses, vertices are ordered by joint set, weights are made to sum to 1 exactly, rotation keys to unit length,
/// and tracks of equal times and interpolation, or nearly so, share a group. Source indices are kept. The same scene gives the same
/// bytes. `report` receives what was changed. Error: what would leave a result undefined.
Result<Bytes> write(const Scene& scene, const WriteOptions& options = {}, Report* report = nullptr);

}  // namespace sinew
