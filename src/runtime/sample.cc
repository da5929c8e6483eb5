#include "sinew/sample.h"

#include <cmath>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {

void run(const SampleJob& job) {
  const Clip& clip = *job.clip;
  const Skeleton& skeleton = *job.skeleton;
  Pose& pose = *job.pose;
  SINEW_CONTRACT(clip.skeleton_id == skeleton.id && clip.joint_count == skeleton.joint_count() &&
                     clip.channel_count == skeleton.channel_count(),
                 "SampleJob.clip: made for another skeleton than SampleJob.skeleton");
  SINEW_CONTRACT(pose.made_for(skeleton), "SampleJob.pose: made for another skeleton than SampleJob.skeleton");
  SINEW_CONTRACT(std::isfinite(job.time), "SampleJob.time: %g is not finite", double(job.time));
  SINEW_CONTRACT(job.cursors.empty() || job.cursors.size() >= clip.groups.size(),
                 "SampleJob.cursors: %zu given, the clip has %zu groups", job.cursors.size(), clip.groups.size());
  kernels::sample(clip, skeleton, job.time, job.cursors.empty() ? nullptr : job.cursors.data(), pose);
}

}  // namespace sinew
