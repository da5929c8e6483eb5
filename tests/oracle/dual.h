// Dual quaternion skinning in double precision, from the paper (Kavan et al. 2008) and docs/skinning.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/mesh.h"
#include "sinew/skeleton.h"
#include "support/doubles.h"

namespace sinew::test {

/// A palette's matrices, taken apart: rigid * stretch.
struct DualParts {
  std::vector<DAffine> rigid, stretch;
};
DualParts dual_parts(const Skin& skin, const Skeleton& skeleton, std::span<const Affine> palette);

/// The matrix of a vertex with these influences. `sign_test`: false leaves signs as they come, which is wrong.
DAffine dual_blend(const DualParts& parts, std::span<const std::uint16_t> joints, std::span<const float> weights,
                   bool sign_test = true);

}  // namespace sinew::test
