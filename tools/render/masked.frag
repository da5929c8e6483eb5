#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(set = 1, binding = 0) uniform sampler2D base_colour;
layout(location = 0) in vec2 texture_place;

void main() {
  if (push.colour.a * texture(base_colour, texture_place).a < push.cutoff) discard;
}
