// Whether a Scene hangs together well enough to be written.
#pragma once

#include <optional>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// Indices inside their ranges, arrays of matching lengths, nodes a forest, numbers finite: what importers have proved
/// and code may have broken. The first fault, or nothing.
std::optional<Error> check_scene(const Scene& scene);

}  // namespace sinew::glb
