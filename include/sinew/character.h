// Character: the runtime file (.sinew) opened. Skeleton, skins, meshes, parts and clips, as views into the caller's bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/bytes.h"
#include "sinew/clip.h"
#include "sinew/mesh.h"
#include "sinew/result.h"
#include "sinew/skeleton.h"

namespace sinew {

/// One character, many poses: an instance's memory is its pose. The views point into the bytes given to `open`, which
/// must outlive it; only small tables of views are its own. Moves, and does not copy.
class Character {
 public:
  Character(Character&&) noexcept;
  Character& operator=(Character&&) noexcept;
  ~Character();

  const Skeleton& skeleton() const;
  std::span<const Skin> skins() const;
  std::span<const Mesh> meshes() const;
  std::span<const Part> parts() const;
  std::span<const Clip> clips() const;
  /// Clip of that name, or null.
  const Clip* find_clip(std::string_view name) const;
  /// Diagonal of the rest box of all vertices, or of the joints; relative tolerances are a share of it.
  float size() const;

 private:
  struct Tables;
  explicit Character(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
  friend Result<Character> open(std::span<const std::byte> bytes);
};

/// Opens a runtime file (`.sinew`) without copying its arrays, and proves all that the jobs trust, in time proportional
/// to the file. Bytes must begin at a multiple of 64 (`misaligned`), as those of `write`, `read_file` and a map do.
Result<Character> open(std::span<const std::byte> bytes);
Result<Character> open(Bytes&&) = delete;  // the views would dangle

}  // namespace sinew
