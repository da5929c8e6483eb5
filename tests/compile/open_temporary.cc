// Opening bytes that nobody keeps does not compile: the character's views would dangle.
// expect: use of deleted function .*sinew::open
// expect: call to deleted function 'open'
#include "sinew/character.h"
#include "sinew/write.h"

bool opens(const sinew::Scene& scene) {
#ifdef SHOULD_NOT_COMPILE
  return sinew::open(sinew::write(scene).value()).has_value();
#else
  const sinew::Bytes bytes = sinew::write(scene).value();
  return sinew::open(bytes).has_value();
#endif
}
