// The built-in character: a smooth-skinned biped with clips, made by code alone.
#pragma once

#include "sinew/scene.h"

namespace sinew {

/// Right-handed, Y up, facing +Z, metres, 1.8 m tall, standing on y = 0. Always the same.
Scene make_biped();

}  // namespace sinew
