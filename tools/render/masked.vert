// As depth.vert, for materials with holes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec2 texture_place;
invariant gl_Position;

void main() {
  gl_Position = clip_matrix() * vec4(position, 1.0);
  texture_place = uv;
}
