// A job that blends takes no list of matrices either.
// expect: could not convert .layers. from .*Affine>. to .*BlendLayer>
// expect: no viable conversion from .*Affine>.* to .*BlendLayer>
#include <span>

#include "sinew/blend.h"

#ifdef SHOULD_NOT_COMPILE
using Element = sinew::Affine;
#else
using Element = sinew::BlendLayer;
#endif

void mix(const sinew::Skeleton& skeleton, std::span<const Element> layers, sinew::Pose& out) {
  run(sinew::BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
}
