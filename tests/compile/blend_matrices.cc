// Matrices are not blended: their mean shrinks (samples/why_not_matrices.cc). Layers are poses.
// expect: could not convert .b. from .*Affine. to .sinew::In<sinew::Pose>
// expect: no viable conversion from .*Affine.* to .*In<
#include "sinew/blend.h"

void mix(const sinew::Skeleton& skeleton, const sinew::Pose& a, const sinew::Affine& b, sinew::Pose& out) {
#ifdef SHOULD_NOT_COMPILE
  const sinew::BlendLayer layers[] = {{a, 0.5f}, {b, 0.5f}};
#else
  (void)b;
  const sinew::BlendLayer layers[] = {{a, 0.5f}, {a, 0.5f}};
#endif
  run(sinew::BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
}
