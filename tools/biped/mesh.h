// The biped's mesh as a primitive of a scene: both halves, triangles, texture seams, tangents, influences.
#pragma once

#include <vector>

#include "biped/weights.h"
#include "sinew/scene.h"

namespace sinew::biped {

/// Joint indices of the influences are rows of the skeleton.
Scene::Primitive make_primitive(const Surface& left_half, const std::vector<Shares>& shares);

}  // namespace sinew::biped
