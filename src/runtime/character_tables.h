// What an opened character owns: tables of views into the file's bytes.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "runtime/packed_tracks.h"
#include "sinew/character.h"

namespace sinew {
namespace detail {

struct CharacterTables {
  Skeleton skeleton;
  std::vector<std::string_view> names;
  std::vector<Skin> skins;
  std::vector<Mesh> meshes;
  std::vector<Part> parts;
  std::deque<PackedTracks> packed;  // clips point at them
  std::vector<ClipGroup> groups;    // of all clips, one after another
  std::vector<Clip> clips;
  float size = 0;
};

}  // namespace detail

struct Character::Tables : detail::CharacterTables {};

}  // namespace sinew
