// Transform feedback for a vertex shader that was not compiled for it.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew::test {

inline constexpr std::uint32_t kXfbStride = 52;
/// The module with its outputs captured into buffer 0: position at 0, location 0 (three floats) at 16, location 1 (two)
/// at 28, location 2 (four) at 36; 52 bytes a vertex. Throws where the module has no position.
std::vector<std::uint32_t> with_transform_feedback(const std::vector<std::uint32_t>& module);

}  // namespace sinew::test
