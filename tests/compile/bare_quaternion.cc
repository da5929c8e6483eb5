// Four bare floats are no quaternion: they do not say whether w is first or last.
// expect: no matching function for call to .sinew::Quat::Quat
// expect: no matching constructor for initialization of 'sinew::Quat'
#include "sinew/math.h"

#ifdef SHOULD_NOT_COMPILE
sinew::Quat turn{0.0f, 0.0f, 0.0f, 1.0f};
#else
sinew::Quat turn = sinew::quat_xyzw(0.0f, 0.0f, 0.0f, 1.0f);
#endif
