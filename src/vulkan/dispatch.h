// What a dispatch is checked for, and how a job over the device's limits is split.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/vulkan.h"

namespace sinew::vulkan {

inline constexpr std::uint32_t kGroupThreads = 64;  // local_size_x of skin.comp and skin_compact.comp
inline constexpr std::uint32_t kPairThreads = 256;  // and of skin_pairs.comp
/// Palette entries of 48 bytes that skin_pairs.comp is made to have room for; less room lets more groups run at once.
inline constexpr std::uint32_t kPaletteRooms[] = {64, 128, 192};
/// Bytes of its groups' memory that an entry takes there: an odd number of rows of 16, of 4x4 matrices the rows too.
constexpr std::size_t bytes_in_group(std::size_t entry_bytes) { return entry_bytes == 64 ? 48 : entry_bytes | 16; }
/// Whether it is made for such entries: the largest one is for 64 joints of the longest.
constexpr bool has_room_for(std::uint32_t room, std::size_t entry_bytes) { return room <= 128 || entry_bytes > 64; }
/// Shared memory of one of its groups: a palette, and the positions and normals that it has to write.
constexpr std::uint32_t pair_group_bytes(std::uint32_t room) { return room * 48 + 2 * kPairThreads * 24; }
/// Vertices that one dispatch may write: shaders count them in 32 bits, and drivers take an index as a signed number.
inline constexpr std::uint32_t kMostElements = 0x7fffffff;

/// What one work group does.
struct GroupShape {
  std::uint32_t vertices = kGroupThreads;
  std::uint32_t instances = 1;
};

/// One dispatch of a split job. Instances are counted from `first_instance`, whose data the addresses begin at.
struct DispatchRange {
  std::uint32_t first_vertex, first_instance, instance_count, groups_x, groups_y;
};

/// Calls `each` with ranges that cover every vertex of every instance once, none over the limits.
template <class Each>
void for_each_dispatch(std::uint32_t vertices, std::uint32_t instances, const GroupShape& shape,
                       const DispatchLimits& limits, const Each& each) {
  const std::uint64_t by_groups = std::uint64_t(limits.groups_y) * shape.instances;
  const auto most = std::uint32_t(std::clamp<std::uint64_t>(limits.elements / std::max(1u, vertices), 1, by_groups));
  const std::uint64_t groups = (std::uint64_t(vertices) + shape.vertices - 1) / shape.vertices;
  for (std::uint32_t instance = 0, count = 0; instance < instances; instance += count) {
    count = std::min(most, instances - instance);
    for (std::uint64_t group = 0; group < groups; group += limits.groups_x) {
      each(DispatchRange{std::uint32_t(group * shape.vertices), instance, count,
                         std::uint32_t(std::min<std::uint64_t>(limits.groups_x, groups - group)),
                         (count + shape.instances - 1) / shape.instances});
    }
  }
}

/// Instances that a thread of skin_pairs.comp takes in turn: as many as leave the device threads enough. Few threads
/// read the mesh less often; 2^19 fill the largest GPUs.
inline std::uint32_t instances_a_thread(std::uint32_t vertices, std::uint32_t instances) {
  constexpr std::uint64_t kThreads = 1 << 19, kMost = 32;
  const std::uint64_t all = (std::uint64_t(vertices) + 1) / 2 * instances;
  return std::uint32_t(std::clamp<std::uint64_t>(all / kThreads, 1, kMost));
}

inline unsigned long long as_printed(std::uint64_t value) { return value; }
inline bool fits(const Region& region, std::uint64_t bytes) {
  return bytes == 0 || (region.address != 0 && region.address % 16 == 0 && region.size >= bytes);
}

/// The contract of a job's source; false where it is broken and the handler returned.
bool check_source(const SkinSource& source);

}  // namespace sinew::vulkan
