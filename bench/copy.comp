// The yardstick: 16 bytes read and written a thread.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer From { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer To { uvec4 v[]; };
layout(push_constant, std430) uniform Constants {
  From from;
  To to;
  uint rows, groups;
} constants;

void main() {
  uint i = (gl_WorkGroupID.y * constants.groups + gl_WorkGroupID.x) * 256 + gl_LocalInvocationID.x;
  if (i < constants.rows) constants.to.v[i] = constants.from.v[i];
}
