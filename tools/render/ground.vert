// A square around what is shown, on the ground.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec3 world_position;

void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
  vec2 place = push.frame.centre.xz + corner * push.frame.ground.w;
  world_position = vec3(place.x, push.frame.ground.x, place.y);
  gl_Position = push.frame.clip_from_world[0] * vec4(world_position, 1.0);
}
