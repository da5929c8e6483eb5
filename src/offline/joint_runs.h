// Which vertices are skinned side by side: the runs of a mesh in the runtime's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::detail {

/// The arrays of `JointRuns`, to be written.
struct RunArrays {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

/// Of `k` influences a vertex. Neighbours of different joints share a run where that is the faster way.
RunArrays joint_runs(std::size_t k, std::span<const std::uint16_t> joints, std::span<const float> weights);

}  // namespace sinew::detail
