// What an opened character owns: tables of views into the file's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/packed_tracks.h"
#include "sinew/character.h"

namespace sinew {
namespace detail {

/// Zeroed memory for many small tables, each aligned: they live as long as this does. Taken in pieces that grow with what is
/// there, so that little is spare.
class TableMemory {
 public:
  std::byte* take(std::size_t size);

 private:
  std::vector<Bytes> pieces_;
  std::size_t used_ = 0, total_ = 0;  // of the last piece; of all
};

struct CharacterTables {
  Skeleton skeleton;
  std::vector<std::string_view> names;
  std::vector<Skin> skins;
  std::vector<std::int32_t> skin_parents;  // of all skins, one after another; so are the next
  std::vector<std::uint32_t> skin_parents_first;
  std::vector<Mesh> meshes;
  std::vector<Part> parts;
  TableMemory packed;             // clips point at what is in it
  std::vector<ClipGroup> groups;  // of all clips, one after another
  std::vector<Clip> clips;
  float size = 0;
};

}  // namespace detail

struct Character::Tables : detail::CharacterTables {};

}  // namespace sinew
