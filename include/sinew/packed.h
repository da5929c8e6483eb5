// Packed: what `compress` packed of a clip, track by track, for tools that show it: frames, bits, places in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/clip.h"
#include "sinew/scene.h"

namespace sinew {

/// A packed track, and the bits that are its alone.
struct PackedTrack {
  Path path = Path::rotation;
  std::uint32_t target = 0;          ///< joint, or channel of the pose
  bool moves = false;                ///< false: one value at all times
  std::uint64_t parameter_bits = 0;  ///< the constant; or centre, steps and widths of knots
  std::uint64_t knot_bits = 0;       ///< numbers of the frames that begin and end segments
  std::uint64_t code_bits = 0;       ///< widths of residuals, by segment
  std::uint64_t residual_bits = 0;   ///< numbers of the frames between
  std::uint64_t bits() const { return parameter_bits + knot_bits + code_bits + residual_bits; }
};

struct PackedSummary {
  std::uint32_t frame_count = 0;     ///< 0: nothing is packed; 1: nothing packed moves
  double first_frame = 0;            ///< seconds
  double seconds_per_frame = 0;      ///< 0 for a single frame; the last one may come earlier
  std::uint32_t segment_frames = 0;  ///< from knot to knot
  std::vector<PackedTrack> tracks;   ///< by path, moving ones first, then by target
  std::uint64_t shared_bits = 0;     ///< of `Clip::packed_bytes` what no track has alone: header, sets, filled up bytes
  std::size_t table_bytes = 0;       ///< of memory, that `open` keeps of it beside the file
  std::size_t pose_bytes = 0;        ///< of those, a rest pose with the constants in it; 0 where there is none
};
/// Time in proportion to tracks and segments.
PackedSummary packed_summary(const Clip& clip);

/// The packed frames that a time lies between: 0 at `before`, 1 at `after`. Times before the first frame and after the
/// last one are held, as sampling does.
struct PackedFrames {
  std::uint32_t before = 0, after = 0;
  float time_before = 0, time_after = 0;  ///< seconds
  float factor = 0;
};
/// All zeros where nothing packed moves.
PackedFrames packed_frames(const Clip& clip, float time);

}  // namespace sinew
