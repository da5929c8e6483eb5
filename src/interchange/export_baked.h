// A document's meshes replaced by their skinned vertices.
#pragma once

#include <optional>

#include "interchange/glb_writer.h"
#include "sinew/character.h"
#include "sinew/pose.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// The document, whose indices are the scene's, keeps its materials and images; nodes, scenes, meshes, skins,
/// animations and cameras give way to one mesh a mesh node, at the root of one scene, without a transform. Extensions
/// that might refer to what is gone are left out. The character was made from the scene.
std::optional<Error> bake(GlbWriter& writer, const Scene& scene, const Character& character, const Pose& pose);

}  // namespace sinew::glb
