// Scene: an imported character as authored. Nodes, skins (inverse bind matrices), meshes (influences, morph targets, blend shapes), clips (animations, channels and samplers).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/math.h"
#include "sinew/result.h"

namespace sinew {

inline constexpr std::int32_t kNone = -1;  ///< an index that points nowhere

/// How a track moves between its keys (glTF 2.0, animation.sampler.interpolation).
enum class Interpolation : std::uint8_t { step, linear, cubicspline };
/// What a track drives: the node's translation, rotation or scale, or its mesh's morph weights.
enum class Path : std::uint8_t { translation, rotation, scale, weights };
/// Floats a key value has: 3, 4, 3; for `weights` the number of morph targets (given).
constexpr std::size_t component_count(Path path, std::size_t targets = 0) {
  return path == Path::rotation ? 4 : path == Path::weights ? targets : 3;
}
/// glTF's primitive.mode.
enum class Topology : std::uint8_t { points, lines, line_loop, line_strip, triangles, triangle_strip, triangle_fan };

/// What an importer returns: everything as authored, in plain vectors, in the file's order and with the file's
/// indices (`nodes[i]` is node i of the file). Nothing is sorted, normalised or dropped here: stored weights and
/// times are untouched. `write` makes the runtime's `Character` from it. Space: right-handed, Y up, metres as stored.
struct Scene {
  struct Node {
    std::string name;
    std::int32_t parent = kNone;
    std::vector<std::int32_t> children;
    Transform rest;            ///< local, parent space; a matrix in the file is decomposed
    bool from_matrix = false;  ///< the file gave a matrix
    std::int32_t mesh = kNone;
    std::int32_t skin = kNone;
    std::vector<float> weights;  ///< this node's morph weights; empty: the mesh's
  };

  /// One set of four influences a vertex (JOINTS_n and WEIGHTS_n), as stored.
  struct InfluenceSet {
    std::vector<std::array<std::uint16_t, 4>> joints;  ///< indices into `Skin::joints`
    std::vector<Vec4> weights;
  };
  /// Differences that a morph target adds to the base; an empty vector adds nothing.
  struct MorphTarget {
    std::vector<Vec3> positions, normals, tangents;
  };
  struct Primitive {
    Topology topology = Topology::triangles;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;   ///< empty, or one a position; so are all vertex arrays
    std::vector<Vec4> tangents;  ///< w: handedness, +1 or -1
    std::vector<Vec2> uvs;       ///< TEXCOORD_0
    std::vector<InfluenceSet> influences;
    std::vector<float>
        dual_weights;  ///< empty, or one a vertex: how much of `mixed` skinning is dual quaternion, 0 to 1
    std::vector<MorphTarget> targets;
    std::vector<std::uint32_t> indices;  ///< empty: vertices in order
    std::int32_t material = kNone;       ///< index in the source document
  };
  struct Mesh {
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<float> weights;             ///< default morph weights; missing ones are 0
    std::vector<std::string> target_names;  ///< may be empty
  };
  struct Skin {
    std::string name;
    std::vector<std::int32_t> joints;  ///< nodes
    /// `joint_from_mesh`, one a joint; empty: identity, as glTF says. Takes a vertex from where the mesh was made
    /// (the bind pose) into the joint's space. The bind pose need not be the rest pose.
    std::vector<Affine> inverse_bind_matrices;
    std::int32_t skeleton = kNone;  ///< the file's hint; changes nothing
  };
  /// Keys of one node's one path.
  struct Track {
    std::int32_t node = kNone;
    Path path = Path::translation;
    Interpolation interpolation = Interpolation::linear;
    std::uint32_t times = 0;  ///< index into `Clip::times`; tracks may share a list
    /// Key after key, `component_count` floats each; cubicspline: in-tangent, value, out-tangent of each key.
    std::vector<float> values;
  };
  struct Clip {
    std::string name;
    std::vector<std::vector<float>> times;  ///< seconds, not decreasing
    std::vector<Track> tracks;
    float wrap_period = 0;  ///< seconds after which a loop repeats; 0: not said
  };

  /// What the scene was read from, kept so that what sinew does not model passes through to `export_glb`: materials,
  /// textures, cameras, extensions, extras. Empty for scenes made in code.
  struct Document {
    std::string json;                             ///< glTF JSON; data URIs of buffers are cut out of it
    std::vector<std::vector<std::byte>> buffers;  ///< `buffers[i]` of the JSON
    std::filesystem::path directory;              ///< where relative image URIs point
  };

  std::vector<Node> nodes;
  std::vector<std::vector<std::int32_t>> scenes;  ///< root nodes of each scene of the file
  std::int32_t default_scene = kNone;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Clip> clips;
  Report findings;                           ///< what the importer had to overlook, mend or leave out
  std::shared_ptr<const Document> document;  ///< shared by copies; never changed
};

/// First and last key of all tracks of a clip, in seconds; (0, 0) without keys.
struct ClipSpan {
  float first_key = 0, last_key = 0;
};
ClipSpan span_of(const Scene::Clip& clip);
/// Moves all keys by one amount so that the first is at 0 s.
void trim(Scene::Clip& clip);

/// A node's transform to the scene's space at rest: the product of the local matrices from its root down.
/// `scene.nodes` must be a forest, which importers have proved.
std::vector<Affine> rest_model_matrices(const Scene& scene);

/// Inverse bind matrices for a mesh made in a known pose: `joint_from_mesh = inverse(model_from_joint) *
/// model_from_mesh` for each joint, by a full affine inverse. Rest and bind pose are two things: give the
/// places that the joints had when the mesh was made. Error: the first joint whose matrix is singular.
Result<std::vector<Affine>> inverse_bind_matrices(std::span<const Affine> model_from_joint,
                                                  const Affine& model_from_mesh = {});

}  // namespace sinew
