#include "sinew/model.h"

#include <cstddef>

#include "core/contract.h"

namespace sinew {

void run(const ModelJob& job) {
  const Skeleton& skeleton = *job.skeleton;
  const std::size_t count = skeleton.joint_count();
  SINEW_CONTRACT(job.pose->made_for(skeleton), "ModelJob.pose: made for another skeleton than ModelJob.skeleton");
  SINEW_CONTRACT(job.model_from_joint.size() >= count,
                 "ModelJob.model_from_joint: %zu matrices, the skeleton has %zu joints", job.model_from_joint.size(),
                 count);
  for (std::size_t j = 0; j < count; ++j) {
    const Affine parent_from_joint = to_affine(job.pose->transform(j));
    const std::int32_t parent = skeleton.parents[j];  // an earlier row: done already
    job.model_from_joint[j] =
        parent < 0 ? parent_from_joint : job.model_from_joint[std::size_t(parent)] * parent_from_joint;
  }
}

}  // namespace sinew
