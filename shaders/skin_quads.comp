// Skins four neighbouring vertices a thread, for several instances one after another: `sinew::vulkan::SkinDispatch` of
// streams without morph targets. The mesh is read once for all of a thread's instances, and where the four share their
// joints, as `write` orders vertices, each palette entry once for the four: a crowd is bound by those reads, not by memory.
#version 460
#include "skin_buffers.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutRows { vec4 v[]; };

layout(push_constant, std430) uniform Constants {
  SkinInput mesh;
  OutRows positions, normals, tangents;
  uint first_vertex, instance_count;
} constants;

void write_three_rows(OutRows to, uint at, vec3 a, vec3 b, vec3 c, vec3 d) {
  to.v[at] = vec4(a, b.x);
  to.v[at + 1] = vec4(b.yz, c.xy);
  to.v[at + 2] = vec4(c.z, d);
}

void read_three_rows(SkinRows from, uint at, out vec3 values[4]) {
  vec4 r0 = from.v[at], r1 = from.v[at + 1], r2 = from.v[at + 2];
  values = vec3[4](r0.xyz, vec3(r0.w, r1.xy), vec3(r1.zw, r2.x), r2.yzw);
}

void main() {
  SkinInput mesh = constants.mesh;
  uint quad = constants.first_vertex / 4 + gl_GlobalInvocationID.x, first = 4 * quad;
  if (first >= mesh.vertex_count) return;

  vec3 positions[4], normals[4];
  read_three_rows(SkinRows(mesh.positions), 3 * quad, positions);
  if (skin_has_normals) read_three_rows(SkinRows(mesh.normals), 3 * quad, normals);
  SkinVertex vertices[4];
  SkinInfluence influences[4 * skin_influences];
  bool shared_joints = true;
  for (uint v = 0; v < 4; ++v) {
    vertices[v] = SkinVertex(positions[v], normals[v], vec4(0.0), vec2(0.0));
    if (skin_has_tangents) vertices[v].tangent = SkinRows(mesh.tangents).v[first + v];
    for (uint k = 0; k < skin_influences; ++k) {
      influences[v * skin_influences + k] = skin_read_influence(mesh, first + v, k);
      shared_joints = shared_joints && influences[v * skin_influences + k].joint == influences[k].joint;
    }
  }

  uint quads = skin_quads(mesh.vertex_count);
  uint share = (constants.instance_count + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
  uint from = gl_WorkGroupID.y * share, to = min(from + share, constants.instance_count);
  for (uint instance = from; instance < to; ++instance) {
    uint base = instance * mesh.palette_stride;
    SkinMatrix sums[4];
    if (shared_joints) {
      for (uint k = 0; k < skin_influences; ++k) {
        SkinMatrix entry = skin_read_palette(mesh, base + influences[k].joint);
        for (uint v = 0; v < 4; ++v) {
          float weight = influences[v * skin_influences + k].weight;
          sums[v] = k == 0 ? skin_scaled(entry, weight) : skin_added(sums[v], entry, weight);
        }
      }
    } else {
      for (uint v = 0; v < 4; ++v) {
        for (uint k = 0; k < skin_influences; ++k) {
          SkinInfluence influence = influences[v * skin_influences + k];
          SkinMatrix entry = skin_read_palette(mesh, base + influence.joint);
          sums[v] = k == 0 ? skin_scaled(entry, influence.weight) : skin_added(sums[v], entry, influence.weight);
        }
      }
    }
    SkinVertex skinned[4];
    for (uint v = 0; v < 4; ++v) skinned[v] = skin_apply(vertices[v], sums[v]);
    uint at = 3 * (instance * quads + quad);
    write_three_rows(constants.positions, at, skinned[0].position, skinned[1].position, skinned[2].position,
                     skinned[3].position);
    if (skin_has_normals) {
      write_three_rows(constants.normals, at, skinned[0].normal, skinned[1].normal, skinned[2].normal,
                       skinned[3].normal);
    }
    if (skin_has_tangents) {
      for (uint v = 0; v < 4; ++v) constants.tangents.v[4 * (instance * quads + quad) + v] = skinned[v].tangent;
    }
  }
}
