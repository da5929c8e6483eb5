// A second reader of packed clips, in double precision, written from docs/compression.md alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/doubles.h"

namespace sinew::test {

/// What packed tracks give at a time: for each joint or channel that they drive.
struct UnpackedPose {
  struct Value {
    std::size_t section = 0;  ///< 0 rotation, 1 translation, 2 scale, 3 morph weight
    std::size_t target = 0;
    std::vector<double> numbers;  ///< 4, 3, 3 or 1
  };
  std::vector<Value> values;
};
UnpackedPose unpack_pose(std::span<const std::uint8_t> packed, std::size_t joint_count, std::size_t channel_count,
                         float time);

}  // namespace sinew::test
