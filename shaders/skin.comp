// Skins a mesh once into a buffer that every later reader shares: `sinew::vulkan::SkinDispatch`.
#version 460
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer OutFloats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutBlocks { uvec4 v[]; };
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

// The group's vertices of the compact format, 20 bytes each, written from here in the order of memory.
shared uint staged[5 * gl_WorkGroupSize.x];

void write_compact(uint group_vertex, uint vertex_count, SkinVertex vertex) {
  uint local = gl_LocalInvocationID.x, at = 5 * local;
  staged[at] = floatBitsToUint(vertex.position.x);
  staged[at + 1] = floatBitsToUint(vertex.position.y);
  staged[at + 2] = floatBitsToUint(vertex.position.z);
  staged[at + 3] = packSnorm2x16(skin_octahedral(vertex.normal));
  staged[at + 4] = skin_pack_tangent(vertex.tangent);
  barrier();
  uint rows = 5 * skin_quads(vertex_count), first = 5 * (group_vertex / 4);  // of 16 bytes
  for (uint row = local; row < rows; row += gl_WorkGroupSize.x) {
    OutBlocks(constants.positions).v[first + row] =
        uvec4(staged[4 * row], staged[4 * row + 1], staged[4 * row + 2], staged[4 * row + 3]);
  }
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
  uint group_vertex = constants.first_vertex + gl_WorkGroupID.x * gl_WorkGroupSize.x;
  uint i = group_vertex + gl_LocalInvocationID.x, base = 4 * instance * skin_quads(count);
  if (skin_format == SKIN_COMPACT || skin_format == SKIN_COMPACT_WIDE) {
    // Threads past the end do the last vertex again: all are needed at the barrier.
    write_compact(base + group_vertex, min(gl_WorkGroupSize.x, count - group_vertex),
                  skin_vertex(constants.mesh, min(i, count - 1), instance));
  } else if (i < count) {
    write_vertex(base + i, skin_vertex(constants.mesh, i, instance));
  }
}
