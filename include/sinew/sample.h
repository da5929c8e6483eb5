// Sampling: evaluates a clip (animation) at a time into a pose of local transforms; keyframe interpolation.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/clip.h"
#include "sinew/job.h"
#include "sinew/pose.h"
#include "sinew/skeleton.h"

namespace sinew {

/// Writes the whole pose: the clip's value where a track drives it, the rest value elsewhere.
///
/// Between keys as glTF 2.0 appendix C says: STEP, LINEAR (rotations by slerp along the shorter arc), CUBICSPLINE
/// (rotations normalised). The interval is the last key with time <= `time`, so a STEP changes at its key and of
/// keys at one time the last counts. Before the first key the first value, after the last the last: nothing
/// extrapolates. Packed tracks are lines between frames likewise, every time at the same cost.
struct SampleJob {
  In<Clip> clip;
  In<Skeleton> skeleton;  ///< the clip's own
  float time;             ///< seconds; finite. Looping is the caller's: fmod by `wrap_period` or `duration`
  Out<Pose> pose;         ///< of the same skeleton
  /// Optional: at least one integer a group of the clip, kept by the caller from call to call, 0 at first. A hint
  /// that makes forward play faster; a wrong one costs time, never the value.
  std::span<std::uint32_t> cursors = {};
};
void run(const SampleJob& job);

}  // namespace sinew
