// A temporary vector as a required buffer does not compile; a span of something that lives does, also a temporary one.
// expect: no matching function for call to .sinew::Required
// expect: no matching constructor for initialization of .*Required<
#include <span>
#include <vector>

#include "sinew/job.h"
#include "sinew/math.h"

std::vector<sinew::Affine> matrices();

void take() {
#ifdef SHOULD_NOT_COMPILE
  sinew::Required<const sinew::Affine> buffer(matrices());
#else
  const std::vector<sinew::Affine> kept = matrices();
  sinew::Required<const sinew::Affine> buffer(kept);
  sinew::Required<const sinew::Affine> first(std::span<const sinew::Affine>(kept).first(1));
  (void)first;
#endif
  (void)buffer;
}
