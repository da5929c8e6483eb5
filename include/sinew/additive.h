// Additive poses: the difference of a pose from a reference pose (additive animation, delta pose), for layers on top of others.
#pragma once

#include "sinew/job.h"
#include "sinew/pose.h"
#include "sinew/skeleton.h"

namespace sinew {

/// A difference of two poses: a type of its own, so that neither is taken for the other. A joint holds what brings the
/// reference to the pose, in the joint's own axes for the rotation:
///
///     translation = pose - reference
///     rotation    = conjugate(reference) * pose     so that pose = reference * rotation
///     scale       = pose / reference, an axis at a time; 1 where that is not finite (a reference of 0)
///     channel     = pose - reference
struct AdditivePose {
  /// No difference: translations and channels 0, rotations the identity, scales 1.
  explicit AdditivePose(const Skeleton& skeleton);

  Pose difference;
};

/// Takes the difference. A clip becomes additive by sampling it and its reference, often its first key or the rest
/// pose, and running this on the two; BlendJob adds what comes out (blend.h).
struct AdditiveJob {
  In<Pose> pose;
  In<Pose> reference;          ///< of the same skeleton, as the next
  Out<AdditivePose> additive;  ///< may hold one of the two
};
void run(const AdditiveJob& job);

}  // namespace sinew
