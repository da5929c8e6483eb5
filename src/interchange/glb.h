// The GLB container (glTF 2.0, chapter 4): a header, one JSON chunk, at most one binary chunk.
#pragma once

#include <cstdint>

#include "interchange/reader.h"
#include "interchange/source.h"

namespace sinew::gltf {

/// Places in the file.
struct Chunk {
  std::uint64_t offset = 0, length = 0;
};
struct Glb {
  Chunk json, binary;
  bool has_binary = false;
};

/// Finds the chunks; lengths are proved against the file. False: an error is recorded.
bool read_container(Reader& reader, const Source& source, Glb& out);

}  // namespace sinew::gltf
