// Skins a mesh once into a buffer that every later reader shares: `sinew::vulkan::SkinDispatch`. Streams and full
// vertices; skin_pairs.comp and skin_compact.comp have what is faster in its own way.
#version 460
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutFloats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutRows { vec4 v[]; };

layout(push_constant, std430) uniform Constants {
  SkinInput mesh;
  OutFloats positions, normals, tangents;
  uint first_vertex, instance_count;
} constants;

void write3(OutFloats to, uint i, vec3 value) {
  to.v[3 * i] = value.x;
  to.v[3 * i + 1] = value.y;
  to.v[3 * i + 2] = value.z;
}

void write_vertex(uint i, SkinVertex vertex) {
  if (skin_format == SKIN_STREAMS) {
    write3(constants.positions, i, vertex.position);
    if (skin_has_normals) write3(constants.normals, i, vertex.normal);
    if (skin_has_tangents) OutRows(constants.tangents).v[i] = vertex.tangent;
  } else {
    OutRows rows = OutRows(constants.positions);
    rows.v[3 * i] = vec4(vertex.position, 0.0);
    rows.v[3 * i + 1] = vec4(vertex.normal, 0.0);
    rows.v[3 * i + 2] = vec4(vertex.uv, 0.0, 0.0);
  }
}

void main() {
  uint count = constants.mesh.vertex_count, instance = gl_WorkGroupID.y;
  uint i = constants.first_vertex + gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i < count) write_vertex(4 * instance * skin_quads(count) + i, skin_vertex(constants.mesh, i, instance));
}
