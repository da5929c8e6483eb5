// Character: the runtime file opened. Skeleton (joints, bones), Skin (inverse bind matrices), Mesh, Part, Clip (animation), as views into the caller's bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/bytes.h"
#include "sinew/joint_runs.h"
#include "sinew/math.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

/// What a row of the skeleton is; several may hold, none for a mere ancestor.
enum class JointFlags : std::uint8_t { none = 0, skin = 1, mesh = 2, animated = 4, helper = 8 };
constexpr bool has(JointFlags set, JointFlags flag) { return (std::uint8_t(set) & std::uint8_t(flag)) != 0; }

/// Ten streams of a pose, each of `padded(joint_count)` floats: structure of arrays.
enum class Stream : std::uint8_t { tx, ty, tz, rx, ry, rz, rw, sx, sy, sz };
inline constexpr std::size_t kStreams = 10;

/// The joints of a character: every node that a skin, a mesh or a clip needs, and all their ancestors; a forest,
/// parents before children, several roots allowed. Every row is called a joint, whatever the file called it.
struct Skeleton {
  std::uint64_t id = 0;                         ///< of its content; poses and clips carry it
  std::span<const std::int32_t> parents;        ///< an earlier row, or -1 for a root
  std::span<const std::uint32_t> subtree_ends;  ///< one past the joint's last descendant: rows are in depth-first order
  std::span<const JointFlags> flags;
  std::span<const std::int32_t> source_nodes;  ///< node of the source file
  std::span<const std::string_view> names;     ///< may be empty or repeated
  std::span<const float> rest;                 ///< rest transforms: kStreams streams; padding is the identity
  std::span<const float> rest_channels;        ///< morph weights at rest, one a channel
  std::uint32_t second_walk = 0;  ///< row at which ModelJob begins another walk beside the first; `open` computes it

  std::size_t joint_count() const { return parents.size(); }
  std::size_t channel_count() const { return rest_channels.size(); }
  Transform rest_transform(std::size_t joint) const;
  /// First joint of that name, or -1.
  std::int32_t find(std::string_view name) const;
};

/// The joints that meshes are bound to, one a palette entry.
struct Skin {
  std::string_view name;
  std::int32_t source_skin = kNone;               ///< skin of the source file; -1: a part without a skin
  std::span<const std::uint32_t> joints;          ///< rows of the skeleton
  std::span<const Affine> inverse_bind_matrices;  ///< `joint_from_mesh`, one a joint
  std::uint32_t joint_limit = 0;                  ///< one more than the greatest of `joints`; `open` computes it
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

/// Tracks with the same key times and interpolation. Row k of `keys` holds the values of key k of all tracks: four
/// sections (rotations, translations, scales, channels), each in blocks of 16 tracks, a block being 4, 3, 3 or 1 runs
/// of 16 floats, one a component. Cubicspline has three rows a key: in-tangent, value, out-tangent.
struct ClipGroup {
  Interpolation interpolation = Interpolation::linear;
  std::span<const float> times;              ///< seconds, not decreasing, at least one
  std::span<const std::uint32_t> buckets;    ///< last key at or before the start of each of so many equal spans of time
  std::span<const std::uint32_t> rotations;  ///< joints driven, one a track, without padding; so are the next
  std::span<const std::uint32_t> translations, scales;
  std::span<const std::uint32_t> channels;  ///< pose channels driven
  std::span<const float> keys;
  std::size_t row_floats() const {
    return 4 * padded(rotations.size()) + 3 * padded(translations.size()) + 3 * padded(scales.size()) +
           padded(channels.size());
  }
};

/// An animation: key data in groups. What no track drives keeps the rest value.
struct Clip {
  std::string_view name;
  std::uint64_t id = 0;  ///< of its content and place; no two clips of a character share one
  std::uint64_t skeleton_id = 0;
  std::int32_t source_clip = kNone;
  float first_key = 0;    ///< seconds; need not be 0
  float duration = 0;     ///< seconds; the time of the last key
  float wrap_period = 0;  ///< seconds after which a loop repeats; 0: none
  std::span<const ClipGroup> groups;
  std::uint32_t joint_count = 0, channel_count = 0;  ///< of its skeleton; `open` fills them in, and these:
  bool all_rotations = false, all_translations = false, all_scales = false;  ///< whether every joint's is driven
};

/// One character, many poses: an instance's memory is its pose. The views point into the bytes given to `open`, which
/// must outlive it; only small tables of views are its own. Moves, and does not copy.
class Character {
 public:
  Character(Character&&) noexcept;
  Character& operator=(Character&&) noexcept;
  ~Character();

  const Skeleton& skeleton() const;
  std::span<const Skin> skins() const;
  std::span<const Mesh> meshes() const;
  std::span<const Part> parts() const;
  std::span<const Clip> clips() const;
  /// Clip of that name, or null.
  const Clip* find_clip(std::string_view name) const;
  /// Diagonal of the rest box of all vertices, or of the joints; relative tolerances are a share of it.
  float size() const;

 private:
  struct Tables;
  explicit Character(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
  friend Result<Character> open(std::span<const std::byte> bytes);
};

/// Opens a runtime file (`.sinew`) without copying its arrays, and proves all that the jobs trust, in time proportional
/// to the file. Bytes must begin at a multiple of 64 (`misaligned`), as those of `write`, `read_file` and a map do.
Result<Character> open(std::span<const std::byte> bytes);
Result<Character> open(Bytes&&) = delete;  // the views would dangle

}  // namespace sinew
