// Skins a mesh once into a buffer that every later reader shares: `sinew::vulkan::SkinDispatch`.
#version 460
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutFloats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutWords { uint v[]; };
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
  } else if (skin_format == SKIN_FULL) {
    OutRows rows = OutRows(constants.positions);
    rows.v[3 * i] = vec4(vertex.position, 0.0);
    rows.v[3 * i + 1] = vec4(vertex.normal, 0.0);
    rows.v[3 * i + 2] = vec4(vertex.uv, 0.0, 0.0);
  } else {
    OutWords words = OutWords(constants.positions);
    words.v[5 * i] = floatBitsToUint(vertex.position.x);
    words.v[5 * i + 1] = floatBitsToUint(vertex.position.y);
    words.v[5 * i + 2] = floatBitsToUint(vertex.position.z);
    words.v[5 * i + 3] = packSnorm2x16(skin_octahedral(vertex.normal));
    words.v[5 * i + 4] = skin_pack_tangent(vertex.tangent);
  }
}

void main() {
  uint i = constants.first_vertex + gl_GlobalInvocationID.x, instance = gl_WorkGroupID.y;
  if (i >= constants.mesh.vertex_count) return;
  write_vertex(4 * instance * skin_quads(constants.mesh.vertex_count) + i, skin_vertex(constants.mesh, i, instance));
}
