// Sampling of one joint: a clip (animation) at a time, one local transform out, without a pose.
#pragma once

#include <cstdint>

#include "sinew/clip.h"
#include "sinew/job.h"
#include "sinew/math.h"
#include "sinew/skeleton.h"

namespace sinew {

/// One joint's local transform, as SampleJob has it to a few units in the last place: for a camera or a weapon that follows
/// one joint, or for looking into a clip. Costs a search among each group's tracks, and of packed tracks a walk over the
/// widths of those before it; for more than a few joints SampleJob is faster.
struct SampleJointJob {
  In<Clip> clip;
  In<Skeleton> skeleton;  ///< the clip's own
  std::uint32_t joint;    ///< row of the skeleton
  float time;             ///< seconds; finite
  Out<Transform> transform;
};
void run(const SampleJointJob& job);

}  // namespace sinew
