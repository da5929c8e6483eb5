// A clip as compression sees it: every moving track at even times, as far as its keys lie there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "offline/clip_times.h"
#include "offline/compress_maths.h"
#include "runtime/packed_tracks.h"
#include "sinew/character.h"

namespace sinew::detail {

/// What becomes of a track.
enum class TrackForm : std::uint8_t {
  absent,     ///< no key drives it
  keyframes,  ///< steps, and keys off the even times: they stay
  constant,
  moving,
};

/// The values of one joint's path, or of one channel: one frame's, or one if it never changes.
struct SourceTrack {
  TrackForm form = TrackForm::absent;
  std::vector<double> values;  ///< frame after frame; keyframes: sampled at the frames' times
  std::vector<double> halves;  ///< halfway between frames, where those are not on lines: of splines
};

struct ClipSource {
  TimeGrid grid;
  bool exact = true;  ///< all keys lie on frames, and all that moves is lines between them
  std::array<std::vector<SourceTrack>, kSections> tracks;  ///< by section, by joint or channel

  std::uint32_t frame_count() const { return grid.steps + 1; }
};

/// Four numbers of a rotation, three, or one.
constexpr std::size_t source_components(std::size_t section) { return section == 0 ? 4 : section_components(section); }

/// How far lines between frames may be from what the keys say, by section: an angle in radians, a distance or a share of each joint,
/// a number of each channel.
using SamplingSlack = std::array<std::vector<double>, kSections>;

/// Of a clip of keyframes. The even times are those on which most keys lie, or parts of them where splines bend too much between;
/// a group with a key elsewhere stays keyframes.
ClipSource make_source(const Clip& clip, const Skeleton& skeleton, const SamplingSlack& slack);

}  // namespace sinew::detail
