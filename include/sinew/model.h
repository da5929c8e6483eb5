// Model: local to model space. Walks the hierarchy parents-first to `model_from_joint` (global, world or model-space transforms).
#pragma once

#include "sinew/job.h"
#include "sinew/math.h"
#include "sinew/pose.h"
#include "sinew/skeleton.h"

namespace sinew {

/// `model_from_joint[j] = model_from_joint[parent] * T * R * S`; a root's parent is the identity. Model space is the
/// file's scene space, before an instance's place in a world.
struct ModelJob {
  In<Skeleton> skeleton;
  In<Pose> pose;                      ///< of this skeleton
  Required<Affine> model_from_joint;  ///< at least one a joint
};
void run(const ModelJob& job);

}  // namespace sinew
