#include "sinew/model.h"

#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {

void run(const ModelJob& job) {
  const Skeleton& skeleton = *job.skeleton;
  const std::size_t count = skeleton.joint_count();
  SINEW_CONTRACT(job.pose->made_for(skeleton), "ModelJob.pose: made for another skeleton than ModelJob.skeleton");
  SINEW_CONTRACT(job.model_from_joint.size() >= count,
                 "ModelJob.model_from_joint: %zu matrices, the skeleton has %zu joints", job.model_from_joint.size(),
                 count);
  kernels::model(job.pose->stream(Stream::tx).data(), job.pose->stream(Stream::tx).size(), skeleton.parents,
                 skeleton.second_walk, job.model_from_joint.data());
}

}  // namespace sinew
