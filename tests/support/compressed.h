// Scenes compressed, and played.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/compress.h"
#include "sinew/scene.h"
#include "support/evaluate.h"

namespace sinew::test {

/// A scene through `compress`, `write` and `open`.
struct CompressedCharacter {
  Compression compression;
  Loaded loaded;
};
Result<CompressedCharacter> load_compressed(const Scene& scene, const CompressOptions& options = {});

/// A scene with one clip of a benchmark file (.rawclip), joints alone; and what the file says of the character.
struct RawClip {
  Scene scene;
  double unit = 1;  ///< a centimetre of a character scaled to 1.8 m
  std::size_t frame_count = 0;
};
RawClip read_raw_clip(const std::filesystem::path& path);

/// A row of acl.tsv, by clip.
struct PeerBytes {
  std::string clip;
  double bytes = 0;  ///< highest level, with bind-pose stripping
};
std::vector<PeerBytes> read_peer_bytes(const std::filesystem::path& path);

}  // namespace sinew::test
