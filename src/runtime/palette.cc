#include "sinew/palette.h"

#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"
#include "runtime/stretch.h"

namespace sinew {

void run(const PaletteJob& job) {
  const Skin& skin = *job.skin;
  SINEW_CONTRACT(job.palette.size() >= skin.joints.size(), "PaletteJob.palette: %zu matrices, the skin has %zu joints",
                 job.palette.size(), skin.joints.size());
  SINEW_CONTRACT(job.model_from_joint.size() >= skin.joint_limit,
                 "PaletteJob.model_from_joint: %zu matrices, the skin uses joint %u", job.model_from_joint.size(),
                 skin.joint_limit - 1);
  DualPalette* const dual = job.dual;
  SINEW_CONTRACT(!dual || dual->size() == skin.joints.size(), "PaletteJob.dual: %zu entries, the skin has %zu joints",
                 dual ? dual->size() : 0, skin.joints.size());
  SINEW_CONTRACT(!dual || skin.parents_first.size() == skin.joints.size(),
                 "PaletteJob.skin: its parents are not known, which open finds");
  kernels::palette(job.model_from_joint.data(), skin.joints, skin.inverse_bind_matrices.data(), job.palette.data());
  if (!dual) return;
  constexpr float kTolerance = 4e-6f;  // of squares of lengths: rounding of a long chain of rigid matrices stays below
  const std::span<const Affine> matrices(job.palette.data(), skin.joints.size());
  dual->stretched_ = !kernels::rigid(matrices, kTolerance, dual->rigid_.data());
  if (dual->stretched_) detail::split(skin, matrices, dual->rigid_, dual->stretch_);
  // Either sign means the same. Where neighbours agree, skinning need not look at the signs of most vertices.
  for (const std::uint32_t i : skin.parents_first) {
    DualQuaternion& q = dual->rigid_[i];
    if (skin.parents[i] != kNone && dot(q.real, dual->rigid_[std::size_t(skin.parents[i])].real) < 0) q = -q;
  }
}

}  // namespace sinew
