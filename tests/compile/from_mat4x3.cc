// GLM's glm::mat4x3 does not become an Affine: its rows and columns are too easily mistaken.
// expect: use of deleted function .*from_mat4
// expect: call to deleted function 'from_mat4'
#include <glm/mat4x3.hpp>

#include "sinew/math.h"

#ifdef SHOULD_NOT_COMPILE
sinew::Affine convert(const glm::mat4x3& m) { return sinew::from_mat4(m); }
#else
sinew::Affine convert(const glm::mat4& m) { return sinew::from_mat4(m); }
#endif
