// A temporary as an input does not compile: the job would hold a pointer to what is gone after the line.
// expect: use of deleted function .*sinew::In<
// expect: deleted constructor|invokes a deleted function
#include "sinew/blend.h"

void layer(const sinew::Skeleton& skeleton) {
#ifdef SHOULD_NOT_COMPILE
  sinew::BlendLayer layer{.pose = sinew::Pose(skeleton), .weight = 1};
#else
  sinew::Pose rest(skeleton);
  sinew::BlendLayer layer{.pose = rest, .weight = 1};
#endif
  (void)layer;
}
