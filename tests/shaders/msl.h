// Generated MSL, compiled as C++.
#pragma once

#include <array>
#include <map>
#include <string>

#include "exported.h"

namespace sinew::test {

/// One thread of a kernel, or one vertex of a draw.
struct MslCall {
  std::array<void*, 31> buffers{};
  std::uint32_t thread_x = 0, thread_y = 0;
  std::uint32_t instance = 0, vertex = 0;
  // The vertex stage's attributes, and what it gives.
  Vec4 position{0.0f};
  Vec3 normal{0.0f};
  Vec2 uv{0.0f};
  std::uint16_t joints[8] = {};
  float weights[8] = {};
  Vec4 tangent{0.0f};
  Vec4 clip_position{0.0f}, out_tangent{0.0f};
  Vec3 out_normal{0.0f};
  Vec2 out_uv{0.0f};
};
/// By name.
const std::map<std::string, void (*)(MslCall&)>& msl_shaders();

}  // namespace sinew::test
