// Import: reads glTF 2.0 (.gltf, .glb, .vrm, .vrma) into a Scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct ImportOptions {
  /// Bytes that importing may take beyond the file itself; 0: 64 times the file and 64 MiB. What a file asks for is
  /// checked against this, and against the file's own size, before memory is taken.
  std::uint64_t memory_limit = 0;
  /// Moves each clip so that its first key is at 0 s.
  bool trim_clips = false;
};

/// Reads a file by its content, not its extension. External buffers are read relative to the file's folder, and
/// only below it. What could be read although it is not quite right is listed in `Scene::findings`.
Result<Scene> import_file(const std::filesystem::path& path, const ImportOptions& options = {});

/// Reads glTF JSON or GLB from memory. `directory`: where relative URIs of buffers point; empty: such URIs are an
/// error.
Result<Scene> import_gltf(std::span<const std::byte> bytes, const std::filesystem::path& directory = {},
                          const ImportOptions& options = {});

}  // namespace sinew
