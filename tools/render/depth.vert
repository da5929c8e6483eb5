// Positions alone: shadow map, depth prepass, wireframe.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) in vec3 position;
invariant gl_Position;

void main() { gl_Position = clip_matrix() * vec4(position, 1.0); }
