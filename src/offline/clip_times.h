// The times of a clip that matter: its keys, the frames of the even rate on which most keys lie, and halfway between.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/character.h"

namespace sinew::detail {

/// Even times, seconds, each rounded to a float; but for the last one, which may come earlier.
struct TimeGrid {
  double first = 0, interval = 0;
  std::uint32_t steps = 0;
  float last = 0;
  bool has(float time) const;
  /// Not only near a frame, but a frame's own.
  bool has_exactly(float time) const;
  float time(std::uint32_t frame) const { return frame == steps ? last : float(first + interval * double(frame)); }
  /// Of the earlier of the frames about a time; the last but one at most.
  std::uint32_t frame_before(float time) const;
  /// Between a frame and the next one.
  float half(std::uint32_t frame) const { return float((double(time(frame)) + double(time(frame + 1))) / 2); }
};

/// The grid on which most tracks of these groups have all their keys, with the fewest frames.
TimeGrid find_grid(const Clip& clip, std::span<const std::size_t> groups);
/// Whether it is worth sampling a group on a grid: few keys among very many frames stay keys, so that memory stays in
/// proportion to what is there.
bool fits(const ClipGroup& group, const TimeGrid& grid);
/// Groups that glide: neither steps, nor with two keys at one time.
bool glides(const ClipGroup& group);

/// In order, each once.
std::vector<float> times_to_watch(const Clip& clip);

}  // namespace sinew::detail
