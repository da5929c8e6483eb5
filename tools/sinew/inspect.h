// The two forms of what `sinew inspect` prints.
#pragma once

#include <string>

#include "input.h"
#include "json.h"

namespace sinew::tool {

std::string inspect_text(const std::string& file, const Input& input);
Json inspect_json(const std::string& file, const Input& input);

/// Costs of a frame and of each clip, as tables.
std::string costs_text(const Character& character);
/// `packed`, `step`, `linear`, `cubicspline`; several joined by " + ".
std::string interpolations(const Clip& clip);
/// Tracks and keys of a clip; a morph channel counts as a track.
struct ClipCounts {
  std::size_t rotations = 0, translations = 0, scales = 0, channels = 0;
  std::size_t keys = 0;      ///< of all tracks that have keys
  std::size_t moving = 0;    ///< packed tracks: their frames
  std::size_t constant = 0;  ///< packed tracks: one value
  std::size_t kept() const { return tracks() - moving - constant; }
  std::size_t tracks() const { return rotations + translations + scales + channels; }
};
ClipCounts count(const Clip& clip);
const char* to_string(Interpolation interpolation);
const char* to_string(Topology topology);

}  // namespace sinew::tool
