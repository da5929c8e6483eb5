// Blending: cross-fade and weighted mean of poses (local transforms), with joint masks and additive layers, before any matrix is made.
#pragma once

#include <span>

#include "sinew/additive.h"
#include "sinew/job.h"
#include "sinew/joint_mask.h"
#include "sinew/pose.h"
#include "sinew/skeleton.h"

namespace sinew {

/// One pose and its share.
struct BlendLayer {
  In<Pose> pose;
  float weight;                     ///< finite, not negative
  const JointMask* mask = nullptr;  ///< of this skeleton; null: 1 everywhere
};

/// A difference and how much of it is added on top of the mean. A joint's weight is w = weight * mask:
///
///     translation += w * difference,  channel likewise
///     rotation     = rotation * unit(identity + w * (difference - identity)), along the shorter arc
///     scale       *= 1 + w * (difference - 1)
///
/// A negative weight takes away what the same positive one adds: minus, the conjugate, and a division (by 0: nothing).
/// Weights beyond 1 go on in the same direction.
struct AdditiveLayer {
  In<AdditivePose> pose;
  float weight;                     ///< finite; may be negative
  const JointMask* mask = nullptr;  ///< of this skeleton; null: 1 everywhere
};

/// The weighted mean of poses. A joint's weight in a layer is the layer's, times its mask's value for that joint,
/// divided by the sum of this over the layers; so is a channel's. Translations, scales and channels are averaged;
/// rotations are summed on one hemisphere (that of the running sum, from the first layer on) and normalised, so that
/// two at equal weight meet half way along the shorter arc. Where the sum is 0 (less than 1e-15 of the layers' own
/// weights), the rest value: for all joints if there are no layers or all weigh 0. There is no threshold above that; to
/// fade towards the rest pose, give it as a layer. Exactly one layer that weighs anything, without a mask, gives its
/// pose unchanged.
///
/// Additive layers then go on top of the mean, one after another; their weights are not divided by anything.
///
/// The output may be one of the layers.
struct BlendJob {
  In<Skeleton> skeleton;
  std::span<const BlendLayer> layers;  ///< poses of this skeleton
  Out<Pose> pose;
  std::span<const AdditiveLayer> additive = {};  ///< likewise
};
void run(const BlendJob& job);

}  // namespace sinew
