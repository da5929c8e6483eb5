// Blending: cross-fade and weighted mean of poses (local transforms), before any matrix is made.
#pragma once

#include <span>

#include "sinew/character.h"
#include "sinew/job.h"
#include "sinew/pose.h"

namespace sinew {

/// One pose and its share.
struct BlendLayer {
  In<Pose> pose;
  float weight;  ///< finite, not negative
};

/// The weighted mean of poses; weights are divided by their sum. Translations, scales and channels are averaged;
/// rotations are summed on one hemisphere (that of the running sum, from the first layer on) and normalised, so that
/// two at equal weight meet half way along the shorter arc. One layer gives its pose unchanged. With no layers, or
/// weights that sum to 0, the rest pose. The output may be one of the layers.
struct BlendJob {
  In<Skeleton> skeleton;
  std::span<const BlendLayer> layers;  ///< poses of this skeleton
  Out<Pose> pose;
};
void run(const BlendJob& job);

}  // namespace sinew
