// The difference of two poses is no pose: it goes on top of layers, and is not one of them.
// expect: could not convert .a. from .*AdditivePose. to .sinew::In<sinew::Pose>
// expect: no viable conversion from .*AdditivePose.* to .*In<
#include "sinew/blend.h"

void nod(const sinew::Skeleton& skeleton, const sinew::Pose& base, const sinew::AdditivePose& a, sinew::Pose& out) {
#ifdef SHOULD_NOT_COMPILE
  const sinew::BlendLayer layers[] = {{base, 1}, {a, 1}};
  run(sinew::BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
#else
  const sinew::BlendLayer layers[] = {{base, 1}};
  const sinew::AdditiveLayer additive[] = {{a, 1}};
  run(sinew::BlendJob{.skeleton = skeleton, .layers = layers, .pose = out, .additive = additive});
#endif
}
