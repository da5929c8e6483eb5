// Doubles numbers, found by their address.
#version 460
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Numbers { float at[]; };
layout(push_constant) uniform Push {
  Numbers numbers;
  uint count;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) numbers.at[i] *= 2.0;
}
