// A job that lacks an input does not compile; a whole one copies, assigns and goes into vectors.
// expect: could not convert .* to .sinew::In<sinew::Pose>
// expect: no (matching constructor|viable).*In<
// expect: field in type .*In<.* no initializer
#include <vector>

#include "sinew/model.h"

void pose_all(const sinew::Skeleton& skeleton, const sinew::Pose& pose, std::vector<sinew::Affine>& matrices) {
#ifdef SHOULD_NOT_COMPILE
  sinew::ModelJob job{.skeleton = skeleton, .model_from_joint = matrices};
#else
  sinew::ModelJob job{.skeleton = skeleton, .pose = pose, .model_from_joint = matrices};
#endif
  std::vector<sinew::ModelJob> jobs{job, job};
  jobs[0] = jobs[1];
  run(jobs[0]);
}
