// Which tracks of a clip share a list of key times in the runtime file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/scene.h"

namespace sinew::detail {

/// A track in a group: what it drives, and for one morph weight which of the track's components.
struct Lane {
  std::uint32_t target = 0;
  const Scene::Track* track = nullptr;
  std::uint32_t component = 0;
  const std::vector<float>* times = nullptr;  ///< of the track's own keys
  bool constant = false;                      ///< `is_constant`
};

/// The same values at each of its keys, to the bit.
bool is_constant(const Scene::Track& track, std::size_t key_count);

struct Group {
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;
  bool united = false;         ///< of lists that differ: lanes have keys of their own at some of the times only
  std::vector<Lane> lanes[4];  ///< by Path, by target

  std::size_t row_floats() const;
  static constexpr Path kSections[] = {Path::rotation, Path::translation, Path::scale, Path::weights};
};

/// Where a time of its group falls among a lane's own keys: at `key`, or a share of the way to the next one.
struct KeyPlace {
  std::size_t key = 0;
  double factor = 0;
};
KeyPlace place_key(const Group& group, const Lane& lane, std::size_t group_key);

/// Makes one group of several where that takes hardly more bytes: a group costs a search and blocks of 16 tracks however
/// few it has. Programs that thin out keys leave each track some times of a common grid; those find together again.
/// Tracks get keys where others have them, which changes no value but for rounding. Splines, whose keys have tangents,
/// and lists with a jump (two keys at one time) stay as they are.
void unite_groups(std::vector<Group>& groups);

}  // namespace sinew::detail
