// A whole glTF document for a Scene that was built in code.
#pragma once

#include "interchange/glb_writer.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

Result<GlbWriter> new_document(const Scene& scene, Report* report);
/// Adds the material that primitives without one of their own get; returns its index.
std::int32_t add_plain_material(Json& root);

}  // namespace sinew::glb
