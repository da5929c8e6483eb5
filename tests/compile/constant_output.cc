// What is constant is no output.
// expect: discards qualifiers
// expect: no viable conversion from .* to .*Out<
#include "sinew/sample.h"

#ifdef SHOULD_NOT_COMPILE
using Target = const sinew::Pose;
#else
using Target = sinew::Pose;
#endif

void sample(const sinew::Skeleton& skeleton, const sinew::Clip& clip, Target& pose) {
  run(sinew::SampleJob{.clip = clip, .skeleton = skeleton, .time = 0, .pose = pose});
}
