// Matrices that are not rigid, in the two steps of dual quaternion skinning. Rare, so in double precision and scalar.
#pragma once

#include <span>

#include "sinew/math.h"
#include "sinew/mesh.h"

namespace sinew::detail {

/// `palette[i] = rigid[i] * stretch[i]`, entry by entry.
void split(const Skin& skin, std::span<const Affine> palette, std::span<DualQuaternion> rigid,
           std::span<Affine> stretch);

}  // namespace sinew::detail
