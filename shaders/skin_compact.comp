// Skins two neighbouring vertices of the compact format a thread: `sinew::vulkan::SkinDispatch`. At 52 bytes a vertex
// near memory binds, not the device's: 192 bytes of palette a vertex, and the output once more to be written in the order
// of memory. So an entry is read once where the two share their joints, as `write` orders them.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutBlocks { uvec4 v[]; };

layout(push_constant, std430) uniform Constants {
  SkinInput mesh;
  OutBlocks vertices, unused_normals, unused_tangents;
  uint first_vertex, instance_count;
} constants;

// The group's vertices, 20 bytes each, written from here in the order of memory.
const uint words_a_thread = 10;
shared uvec4 staged[words_a_thread * gl_WorkGroupSize.x / 4];

// Octahedral needs no unit length.
uint[5] skinned(SkinVertex vertex, SkinMatrix m) {
  vec3 position = skin_point(m, vertex.position);
  float side;
  vec3 normal = skin_normal(m, vertex.normal, side);
  vec4 tangent = vec4(skin_direction(m, vertex.tangent.xyz), vertex.tangent.w);
  return uint[5](floatBitsToUint(position.x), floatBitsToUint(position.y), floatBitsToUint(position.z),
                 skin_has_normals ? packSnorm2x16(skin_octahedral(side < 0.0 ? -normal : normal)) : 0u,
                 skin_has_tangents ? skin_pack_tangent(tangent) : 0u);
}

// Sums of both vertices, which share their joints: an entry is read once.
SkinMatrix[2] sums_of(SkinInput mesh, uvec4 joints, SkinInfluences influences[2], uint row) {
  SkinMatrix sums[2];
  SkinMatrix entry = skin_read_palette(mesh, joints.x, row);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_scaled(entry, influences[v].weights.x);
  entry = skin_read_palette(mesh, joints.y, row);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, influences[v].weights.y);
  entry = skin_read_palette(mesh, joints.z, row);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, influences[v].weights.z);
  entry = skin_read_palette(mesh, joints.w, row);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, influences[v].weights.w);
  return sums;
}

SkinDual[2] dual_sums_of(SkinInput mesh, uvec4 joints, SkinInfluences influences[2]) {
  SkinDual sums[2];
  SkinDual entry = skin_read_dual(mesh, joints.x);
  vec4 pivot = entry.real;
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_scaled(entry, influences[v].weights.x);
  entry = skin_read_dual(mesh, joints.y);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, influences[v].weights.y, pivot);
  entry = skin_read_dual(mesh, joints.z);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, influences[v].weights.z, pivot);
  entry = skin_read_dual(mesh, joints.w);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, influences[v].weights.w, pivot);
  return sums;
}

void main() {
  SkinInput mesh = constants.mesh;
  uint local = gl_LocalInvocationID.x, instance = gl_WorkGroupID.y, base = instance * mesh.palette_stride;
  uint pairs = 2 * skin_quads(mesh.vertex_count);
  uint group_pair = constants.first_vertex / 2 + gl_WorkGroupID.x * gl_WorkGroupSize.x;
  // Threads past the end do the last vertex again: all are needed at the barrier.
  SkinVertex vertices[2];
  SkinInfluences influences[2];
  [[unroll]] for (uint v = 0; v < 2; ++v) {
    uint i = min(2 * (group_pair + local) + v, mesh.vertex_count - 1);
    skin_read_interleaved(mesh, i, vertices[v], influences[v]);
    if (skin_has_morphs) skin_add_morphs(mesh, i, instance, vertices[v]);
  }
  SkinMatrix sums[2];
  if (influences[0].joints == influences[1].joints) {
    uvec4 joints = base + skin_joints(influences[0]);
    SkinMatrix linear[2], stretch[2];
    SkinDual dual[2];
    if (skin_has_matrix) linear = sums_of(mesh, joints, influences, 0);
    if (skin_has_dual) dual = dual_sums_of(mesh, joints, influences);
    if (skin_stretch) stretch = sums_of(mesh, joints, influences, skin_stretch_row);
    [[unroll]] for (uint v = 0; v < 2; ++v)
      sums[v] = skin_of_sums(linear[v], dual[v], stretch[v], influences[v].share);
  } else {
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_blend(mesh, base, influences[v]);
  }
  [[unroll]] for (uint v = 0; v < 2; ++v) {
    uint words[5] = skinned(vertices[v], sums[v]);
    [[unroll]] for (uint n = 0; n < 5; ++n) {
      uint at = words_a_thread * local + 5 * v + n;
      staged[at / 4][at % 4] = words[n];
    }
  }
  barrier();
  uint rows = 5 * min(gl_WorkGroupSize.x, pairs - group_pair) / 2;  // of 16 bytes
  uint first = 5 * (instance * pairs + group_pair) / 2;
  for (uint row = local; row < rows; row += gl_WorkGroupSize.x) constants.vertices.v[first + row] = staged[row];
}
