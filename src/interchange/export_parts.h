// glTF JSON of a Scene's parts, with their arrays added to the file: for whole new documents and for what is new in
// one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interchange/glb_writer.h"
#include "interchange/json_patch.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// Translation, rotation and scale as members, each left out where it is the identity; a matrix is removed. A rotation
/// that the format would refuse (not of unit length) is normalised.
void set_transform(Json& node, const Transform& transform);
/// `nodes[i]` with all that a Scene knows of it.
Json node_json(const Scene::Node& node);
Json skin_json(GlbWriter& writer, const Scene::Skin& skin);
/// One accessor for the matrices of a skin.
std::int32_t add_matrices(GlbWriter& writer, const std::vector<Affine>& matrices);

/// One accessor for the weights of a set: floats, or for 255 or 65535 levels normalized bytes or shorts.
std::int32_t add_weights(GlbWriter& writer, const std::vector<Vec4>& weights, std::uint32_t levels);
/// The attributes JOINTS_n and WEIGHTS_n of new arrays: weights as `add_weights` has them, joints as bytes where they
/// fit. Influences without weight point to joint 0, and a joint named twice at a vertex has its weights joined, as the
/// format demands.
void set_influences(GlbWriter& writer, Json& attributes, const std::vector<Scene::InfluenceSet>& sets,
                    std::uint32_t levels = 0);
/// The morph targets of a primitive; null where it has none.
Json targets_json(GlbWriter& writer, const Scene::Primitive& primitive);
/// What a new mesh must have to be written: primitives with vertices, and as many morph targets in each.
std::optional<Error> check_mesh(const Scene::Mesh& mesh, const std::string& where);
/// A primitive all of whose arrays are added; weights are normalised, which is reported under `where`. `material`:
/// kNone takes the primitive's own, where the document has it.
Json primitive_json(GlbWriter& writer, const Scene::Primitive& primitive, std::int32_t material, Report* report,
                    const std::string& where);
Json mesh_json(GlbWriter& writer, const Scene::Mesh& mesh, std::int32_t material, Report* report,
               const std::string& where);
void set_target_names(Json& mesh, const std::vector<std::string>& names);

/// glTF's name: "rotation".
const char* path_name(Path path);
/// Channels and samplers of a clip; null where no track has keys, for the format has no empty animations.
Json clip_json(GlbWriter& writer, const Scene::Clip& clip);

}  // namespace sinew::glb
