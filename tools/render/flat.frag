// One colour: wireframe.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"

layout(location = 0) out vec4 colour;

void main() { colour = push.colour; }
