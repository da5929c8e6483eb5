#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in float height;
layout(location = 0) out vec4 colour;

void main() {
  // A slow gradient shows steps of one: noise of half a step hides them.
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  vec4 mixed = mix(push.frame.background[0], push.frame.background[1], smoothstep(0.0, 1.0, height));
  bool flat_colour = push.frame.background[0] == push.frame.background[1];
  colour = flat_colour ? mixed : vec4(mixed.rgb * (1.0 + noise * 0.012), mixed.a);
}
