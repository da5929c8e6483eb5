// Every step of one vertex, with its numbers: what `sinew explain` prints.
#pragma once

#include <optional>
#include <vector>

#include "evaluate.h"

namespace sinew::tool {

/// The keys that a track's value comes from, or the frames of a packed one.
struct KeyTrace {
  Path path = Path::rotation;
  bool packed = false;  ///< frames are numbered where keys are; a constant has one
  Interpolation interpolation = Interpolation::linear;
  std::size_t key_count = 0;
  std::size_t before = 0, after = 0;  ///< equal where one key alone counts: at it, before the first, after the last
  float time_before = 0, time_after = 0;
  float factor = 0;                              ///< 0 at `before`, 1 at `after`
  std::vector<float> value_before, value_after;  ///< 3, 4 or 1 floats, without cubicspline's tangents
};

/// One joint that moves the vertex, or an ancestor of such.
struct JointTrace {
  std::size_t row = 0;
  std::vector<KeyTrace> keys;  ///< of each track; none: the rest transform
  Transform local;
  Affine model_from_joint;
};

/// One morph target of the part.
struct MorphTrace {
  std::size_t target = 0;
  float weight = 0;
  Vec3 delta{0.0f};              ///< of the position, at weight 1
  std::optional<KeyTrace> keys;  ///< none: the weight at rest
};

/// One influence: what a joint alone would do with the vertex, and how much that counts.
struct InfluenceTrace {
  std::size_t entry = 0;  ///< of the palette
  std::size_t row = 0;    ///< of the skeleton
  float weight = 0;
  Affine joint_from_mesh, palette;
  Vec3 bound{0.0f};  ///< joint_from_mesh * vertex: where the vertex is, seen from the joint
  Vec3 alone{0.0f};  ///< palette * vertex
};

struct VertexTrace {
  std::size_t source_vertex = 0, vertex = 0;  ///< in the source's order and in the runtime's
  Vec3 stored{0.0f}, morphed{0.0f};
  std::optional<Vec3> stored_normal, normal;
  std::vector<MorphTrace> morphs;          ///< all targets of the part
  std::vector<JointTrace> joints;          ///< parents first
  std::vector<InfluenceTrace> influences;  ///< strongest first
  Vec3 sum{0.0f};                          ///< weights times opinions, added up here
  Vec3 skinned{0.0f};                      ///< what SkinJob writes, as `sinew skin` prints it
};

/// What a key holds: 3, 4 or 1 floats, without cubicspline's tangents. `track` is a place in the group's list of that
/// path.
std::vector<float> key_value(const ClipGroup& group, Path path, std::size_t track, std::size_t key);

/// `source_vertex` must be one of the part.
VertexTrace trace(const Character& character, const Part& part, std::size_t source_vertex, const Moment& moment);

}  // namespace sinew::tool
