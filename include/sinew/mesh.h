// Mesh, Skin, Part: vertices with influences (skinning weights) and morph targets, the joints and inverse bind matrices that they are bound to, a mesh placed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/joint_runs.h"
#include "sinew/math.h"
#include "sinew/scene.h"

namespace sinew {

/// The joints that meshes are bound to, one a palette entry.
struct Skin {
  std::string_view name;
  std::int32_t source_skin = kNone;               ///< skin of the source file; -1: a part without a skin
  std::span<const std::uint32_t> joints;          ///< rows of the skeleton
  std::span<const Affine> inverse_bind_matrices;  ///< `joint_from_mesh`, one a joint
  std::uint32_t joint_limit = 0;                  ///< one more than the greatest of `joints`; `open` computes it
  /// Entry whose joint is the nearest ancestor among the skin's, or -1; and all entries, parents first. `open` computes both.
  std::span<const std::int32_t> parents;
  std::span<const std::uint32_t> parents_first;
};

/// Vertices in the runtime's order (by joint set), influences strongest first. All arrays are in mesh (bind) space.
struct Mesh {
  std::string_view name;
  Topology topology = Topology::triangles;
  std::span<const Vec3> positions;
  std::span<const Vec3> normals;           ///< empty, or one a vertex
  std::span<const Vec4> tangents;          ///< empty, or one a vertex; w: handedness
  std::span<const Vec2> uvs;               ///< empty, or one a vertex
  std::uint32_t influence_count = 1;       ///< influences a vertex, K
  std::uint32_t palette_limit = 0;         ///< one more than the greatest of `joints`; `open` computes it
  std::span<const std::uint16_t> joints;   ///< K a vertex: palette entries; unused ones repeat the first, weight 0
  std::span<const float> weights;          ///< K a vertex: none negative, descending, w0 = 1 - (w1 + … + wK-1)
  std::span<const float> dual_weights;     ///< empty, or one a vertex: how much of `mixed` is dual quaternion, 0 to 1
  JointRuns runs;                          ///< joints and weights once more, as SkinJob wants them
  std::span<const std::uint32_t> indices;  ///< empty: vertices in order
  std::span<const std::uint32_t> source_vertices;  ///< vertex of the source file; a permutation
  std::uint32_t target_count = 0;
  std::span<const Vec3> target_positions;  ///< target after target, one a vertex; so are the next two
  std::span<const Vec3> target_normals;    ///< may be empty
  std::span<const Vec3> target_tangents;   ///< may be empty

  std::size_t vertex_count() const { return positions.size(); }
};

/// A mesh placed in the character.
struct Part {
  std::uint32_t mesh = 0;
  std::uint32_t skin = 0;
  std::uint32_t joint = 0;          ///< the skeleton's row of the mesh node; ignored for skinned parts, as glTF says
  std::uint32_t first_channel = 0;  ///< morph weights: `channel_count` channels of the pose from here;
  std::uint32_t channel_count = 0;  ///< parts of one node share them
  std::int32_t source_node = kNone, source_mesh = kNone, source_primitive = kNone, material = kNone;
};

}  // namespace sinew
