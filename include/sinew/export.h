// Export: writes a Scene as GLB (binary glTF 2.0): round trip, posed, or baked to plain meshes.
#pragma once

#include <span>
#include <string_view>

#include "sinew/character.h"
#include "sinew/pose.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

/// The scene as GLB. A scene that came from glTF keeps its document: only what differs is patched, all else (materials,
/// extensions, extras, images) passes through. Stored skin weights are normalised (sums of 1) and reported.
Result<Bytes> export_glb(const Scene& scene, Report* report = nullptr);

/// The same scene, at rest in `pose`: node transforms and morph weights are the pose's, clips are left out.
/// `character` was made from `scene`.
Result<Bytes> export_posed_glb(const Scene& scene, const Character& character, const Pose& pose);

/// The skinned vertices of `pose` as plain meshes: no skins, no morph targets, no clips; materials pass through.
Result<Bytes> export_baked_glb(const Scene& scene, const Character& character, const Pose& pose);

}  // namespace sinew
