// All jobs on all that a character has: what must be harmless once `open` has said yes.
#pragma once

#include <cstddef>

#include "sinew/character.h"

namespace sinew::test {

/// Every clip before, at, between and after its keys, with fresh and with wild cursors, blends, models, palettes, skins
/// of all parts. Returns the number of vertices skinned; it finds nothing wrong by itself: sanitizers and contract
/// checks do.
std::size_t run_everything(const Character& character);

}  // namespace sinew::test
