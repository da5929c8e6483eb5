#include "sinew/palette.h"

#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {

void run(const PaletteJob& job) {
  const Skin& skin = *job.skin;
  SINEW_CONTRACT(job.palette.size() >= skin.joints.size(), "PaletteJob.palette: %zu matrices, the skin has %zu joints",
                 job.palette.size(), skin.joints.size());
  SINEW_CONTRACT(job.model_from_joint.size() >= skin.joint_limit,
                 "PaletteJob.model_from_joint: %zu matrices, the skin uses joint %u", job.model_from_joint.size(),
                 skin.joint_limit - 1);
  kernels::palette(job.model_from_joint.data(), skin.joints, skin.inverse_bind_matrices.data(), job.palette.data());
}

}  // namespace sinew
