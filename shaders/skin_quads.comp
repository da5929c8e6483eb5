// Skins four neighbouring vertices a thread, for several instances one after another: `sinew::vulkan::SkinDispatch` of
// streams without morph targets. The mesh is read once for all of a thread's instances, and where the four share their
// joints, as `write` orders vertices, each palette entry once for the four: a crowd is bound by those reads, not by memory.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer SkinPairs { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutRows { vec4 v[]; };

layout(push_constant, std430) uniform Constants {
  SkinInput mesh;
  OutRows positions, normals, tangents;
  uint first_vertex, instance_count;
} constants;

// What the group's threads have to write, 48 bytes each. Written from there in the order of memory: stores that each
// leave gaps, though the gaps are filled by the next, cost a crowd a third of its speed.
shared vec4 staged[3 * gl_WorkGroupSize.x];

void write_three_rows(OutRows to, uint group_row, uint row_count, vec3 values[4]) {
  uint local = gl_LocalInvocationID.x;
  barrier();  // the last rows have been read
  staged[3 * local] = vec4(values[0], values[1].x);
  staged[3 * local + 1] = vec4(values[1].yz, values[2].xy);
  staged[3 * local + 2] = vec4(values[2].z, values[3]);
  barrier();
  [[unroll]] for (uint n = 0; n < 3; ++n) {
    uint row = local + n * gl_WorkGroupSize.x;
    if (row < row_count) to.v[group_row + row] = staged[row];
  }
}

void read_three_rows(SkinRows from, uint at, out vec3 values[4]) {
  vec4 r0 = from.v[at], r1 = from.v[at + 1], r2 = from.v[at + 2];
  values = vec3[4](r0.xyz, vec3(r0.w, r1.xy), vec3(r1.zw, r2.x), r2.yzw);
}

// The influences of the four, entry by entry: x, y, z, w are the vertices. Loops have constant bounds, so that they are
// unrolled and nothing is kept outside registers.
struct Entry {
  uvec4 joints;
  vec4 weights;
};

void read_entries(SkinInput mesh, uint quad, out Entry entries[4]) {
  uvec2 joints[4];  // of the four vertices together, two a word
  vec4 weights[4];
  [[unroll]] for (uint n = 0; n < 4; ++n) {
    if (n < skin_influences) {
      joints[n] = SkinPairs(mesh.joints).v[quad * skin_influences + n];
      weights[n] = SkinRows(mesh.weights).v[quad * skin_influences + n];
    }
  }
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    if (k < skin_influences) {
      [[unroll]] for (uint v = 0; v < 4; ++v) {
        uint at = v * skin_influences + k;
        uint word = joints[at >> 2][(at >> 1) & 1];
        entries[k].joints[v] = (at & 1) != 0 ? word >> 16 : word & 0xffffu;
        entries[k].weights[v] = weights[at >> 2][at & 3];
      }
    }
  }
}

void add_entry(inout SkinMatrix sum, uint k, SkinMatrix entry, float weight) {
  if (k == 0)
    sum = skin_scaled(entry, weight);
  else
    sum = skin_added(sum, entry, weight);
}

void main() {
  SkinInput mesh = constants.mesh;
  uint quads = skin_quads(mesh.vertex_count);
  uint group_quad = constants.first_vertex / 4 + gl_WorkGroupID.x * gl_WorkGroupSize.x;
  uint row_count = 3 * min(gl_WorkGroupSize.x, quads - group_quad);
  // Threads past the end do the last quad again and write nothing: all are needed at the barriers.
  uint quad = min(group_quad + gl_LocalInvocationID.x, quads - 1);

  vec3 positions[4], normals[4];
  vec4 tangents[4];
  read_three_rows(SkinRows(mesh.positions), 3 * quad, positions);
  if (skin_has_normals) read_three_rows(SkinRows(mesh.normals), 3 * quad, normals);
  if (skin_has_tangents)
    [[unroll]] for (uint v = 0; v < 4; ++v) tangents[v] = SkinRows(mesh.tangents).v[4 * quad + v];
  Entry entries[4];
  read_entries(mesh, quad, entries);
  bool shared_joints = true;
  [[unroll]] for (uint k = 0; k < 4; ++k)
    if (k < skin_influences) shared_joints = shared_joints && entries[k].joints == entries[k].joints.xxxx;

  uint share = (constants.instance_count + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
  uint from = gl_WorkGroupID.y * share, to = min(from + share, constants.instance_count);
  for (uint instance = from; instance < to; ++instance) {
    uint base = instance * mesh.palette_stride;
    SkinMatrix sums[4];
    if (shared_joints) {
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        if (k < skin_influences) {
          SkinMatrix entry = skin_read_palette(mesh, base + entries[k].joints.x);
          [[unroll]] for (uint v = 0; v < 4; ++v) add_entry(sums[v], k, entry, entries[k].weights[v]);
        }
      }
    } else {
      [[unroll]] for (uint v = 0; v < 4; ++v) {
        [[unroll]] for (uint k = 0; k < 4; ++k) {
          if (k < skin_influences)
            add_entry(sums[v], k, skin_read_palette(mesh, base + entries[k].joints[v]), entries[k].weights[v]);
        }
      }
    }
    vec3 out_positions[4], out_normals[4];
    [[unroll]] for (uint v = 0; v < 4; ++v) {
      SkinVertex vertex = skin_apply(SkinVertex(positions[v], normals[v], tangents[v], vec2(0.0)), sums[v]);
      out_positions[v] = vertex.position;
      out_normals[v] = vertex.normal;
      if (skin_has_tangents) constants.tangents.v[4 * (instance * quads + quad) + v] = vertex.tangent;
    }
    uint group_row = 3 * (instance * quads + group_quad);
    write_three_rows(constants.positions, group_row, row_count, out_positions);
    if (skin_has_normals) write_three_rows(constants.normals, group_row, row_count, out_normals);
  }
}
