// What a dispatch is checked for, and how a job over the device's limits is split.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/vulkan.h"

namespace sinew::vulkan {

inline constexpr std::uint32_t kGroupVertices = 64;  // local_size_x of skin.comp
/// Vertices that one dispatch may write: shaders count them in 32 bits, and drivers take an index as a signed number.
inline constexpr std::uint32_t kMostElements = 0x7fffffff;

/// One dispatch of a split job. Instances are counted from `first_instance`, whose data the addresses begin at.
struct DispatchRange {
  std::uint32_t first_vertex, first_instance, groups_x, groups_y;
};

/// Calls `each` with ranges that cover every vertex of every instance once, none over the limits.
template <class Each>
void for_each_dispatch(std::uint32_t vertices, std::uint32_t instances, const DispatchLimits& limits,
                       const Each& each) {
  const std::uint32_t most = std::max(1u, std::min(limits.groups_y, limits.elements / std::max(1u, vertices)));
  const std::uint64_t groups = (std::uint64_t(vertices) + kGroupVertices - 1) / kGroupVertices;
  for (std::uint32_t instance = 0; instance < instances; instance += std::min(most, instances - instance)) {
    for (std::uint64_t group = 0; group < groups; group += limits.groups_x) {
      each(DispatchRange{std::uint32_t(group * kGroupVertices), instance,
                         std::uint32_t(std::min<std::uint64_t>(limits.groups_x, groups - group)),
                         std::min(most, instances - instance)});
    }
  }
}

inline unsigned long long as_printed(std::uint64_t value) { return value; }
inline bool fits(const Region& region, std::uint64_t bytes) {
  return bytes == 0 || (region.address != 0 && region.address % 16 == 0 && region.size >= bytes);
}

/// The contract of a job's source; false where it is broken and the handler returned.
bool check_source(const SkinSource& source);

}  // namespace sinew::vulkan
