// Keys that their neighbours give anyway are left out.
#pragma once

#include <vector>

#include "sinew/scene.h"

namespace sinew::detail {

/// Steps keep the keys that change something, lines those that bend by more than `allowed`: an angle in radians for rotations,
/// else a distance of values. The first key and the last one stay, no turn between keys gets longer than a third of a
/// circle, and splines and tracks with two keys at one time stay whole.
void reduce_keys(std::vector<float>& times, Scene::Track& track, double allowed);

}  // namespace sinew::detail
