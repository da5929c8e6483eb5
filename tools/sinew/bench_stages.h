// What `sinew bench` times: each stage of the runtime on one character, with the buffers that it works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "timing.h"

namespace sinew::tool {

struct Stage {
  std::string id;         ///< for JSON; those of several parts share one
  std::string name;       ///< for people
  std::string unit;       ///< what the work grows with: `joint` (a row of the skeleton, a palette entry) or `vertex`
  std::size_t units = 0;  ///< a call
  std::int64_t part = kNone;  ///< of skinning: the part's index
  Work work;
};

/// The stages, from sampling to a crowd. Without a clip sampling is left out and poses are at rest; without a mesh
/// skinning is. Stages keep their buffers alive; the character and the clip must outlive them.
std::vector<Stage> stages_of(const Character& character, const Clip* clip, std::size_t instances);

/// Memory that one instance of the crowd takes, and the copy beside it.
std::uint64_t crowd_bytes(const Character& character, const Clip* clip);

}  // namespace sinew::tool
