// Skeleton: the joints (bones, nodes) of a character, parents before children, with their rest transforms (rest pose).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/math.h"

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

}  // namespace sinew
