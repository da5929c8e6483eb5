// Vertices of the main pass: already skinned, in model space.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 colour;
layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 texture_place;
layout(location = 3) out vec4 vertex_colour;
invariant gl_Position;

void main() {
  gl_Position = clip_matrix() * vec4(position, 1.0);
  gl_PointSize = 3.0;
  world_position = position;
  world_normal = normal;
  texture_place = uv;
  vertex_colour = vec4(pow(colour.rgb, vec3(2.2)), colour.a);  // given as a screen shows it
}
