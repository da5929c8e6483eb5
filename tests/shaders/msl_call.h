// Between MslCall and the types of a generated shader. Included once, after the stand-in for Metal's library.
#pragma once

#include "msl.h"

namespace sinew::test {

struct MslThread {
  const MslCall& call;
  operator metal::uint3() const { return {call.thread_x, call.thread_y, 0}; }
};

template <class In>
In stage_in(const MslCall& call) {
  In in{};
  if constexpr (requires { in.position.w; })
    in.position = {call.position.x, call.position.y, call.position.z, call.position.w};
  else
    in.position = {call.position.x, call.position.y, call.position.z};
  in.normal = {call.normal.x, call.normal.y, call.normal.z};
  in.uv = {call.uv.x, call.uv.y};
  const auto& j = call.joints;
  const auto& w = call.weights;
  in.joints = {j[0], j[1], j[2], j[3]};
  in.weights = {w[0], w[1], w[2], w[3]};
  if constexpr (requires { in.tangent; }) in.tangent = {call.tangent.x, call.tangent.y, call.tangent.z, call.tangent.w};
  if constexpr (requires { in.joints_1; }) {
    in.joints_1 = {j[4], j[5], j[6], j[7]};
    in.weights_1 = {w[4], w[5], w[6], w[7]};
  }
  return in;
}

template <class Out>
void stage_out(const Out& out, MslCall& call) {
  const auto& p = out.gl_Position;
  call.clip_position = Vec4(p.x, p.y, p.z, p.w);
  call.out_normal = Vec3(out.world_normal.x, out.world_normal.y, out.world_normal.z);
  call.out_uv = Vec2(out.surface_uv.x, out.surface_uv.y);
  if constexpr (requires { out.world_tangent; }) {
    const auto& t = out.world_tangent;
    call.out_tangent = Vec4(t.x, t.y, t.z, t.w);
  }
}

}  // namespace sinew::test
