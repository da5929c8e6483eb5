#include "sinew/additive.h"

#include <algorithm>
#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {

AdditivePose::AdditivePose(const Skeleton& skeleton) : difference(skeleton) {
  for (std::size_t j = 0; j < difference.joint_count(); ++j) difference.set_transform(j, Transform{});
  std::ranges::fill(difference.channels(), 0.0f);
}

void run(const AdditiveJob& job) {
  const Pose& pose = *job.pose;
  const auto like_pose = [&](const Pose& other) {
    return other.skeleton_id() == pose.skeleton_id() && other.joint_count() == pose.joint_count() &&
           other.channel_count() == pose.channel_count();
  };
  SINEW_CONTRACT(like_pose(*job.reference), "AdditiveJob.reference: made for another skeleton than AdditiveJob.pose");
  SINEW_CONTRACT(like_pose(job.additive->difference),
                 "AdditiveJob.additive: made for another skeleton than AdditiveJob.pose");
  kernels::difference(pose, *job.reference, job.additive->difference);
}

}  // namespace sinew
