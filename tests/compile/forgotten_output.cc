// A job that lacks its output does not compile.
// expect: could not convert .* to .sinew::Out<sinew::Pose>
// expect: no (matching constructor|viable).*Out<
#include "sinew/sample.h"

void sample(const sinew::Skeleton& skeleton, const sinew::Clip& clip, sinew::Pose& pose) {
#ifdef SHOULD_NOT_COMPILE
  run(sinew::SampleJob{.clip = clip, .skeleton = skeleton, .time = 0.5f});
#else
  run(sinew::SampleJob{.clip = clip, .skeleton = skeleton, .time = 0.5f, .pose = pose});
#endif
}
