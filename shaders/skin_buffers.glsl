// How the Vulkan stages read a mesh, its palettes and its morph weights: by buffer device addresses, in one of the
// layouts of `sinew::vulkan::VertexFormat`. Included by skin.comp and skin.vert, and by an engine's own vertex shader.
#ifndef SINEW_SKIN_BUFFERS_GLSL
#define SINEW_SKIN_BUFFERS_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_GOOGLE_include_directive : require

#include "skinning.glsl"

// `sinew::vulkan::Kernel`, one constant a member.
const uint SKIN_STREAMS = 0, SKIN_FULL = 1, SKIN_COMPACT = 2, SKIN_COMPACT_WIDE = 3;
layout(constant_id = 0) const uint skin_format = 0;
layout(constant_id = 1) const uint skin_influences = 4;
layout(constant_id = 2) const bool skin_has_normals = true;
layout(constant_id = 3) const bool skin_has_tangents = false;
layout(constant_id = 4) const bool skin_has_morphs = false;
layout(constant_id = 5) const bool skin_exact_normals = true;
layout(constant_id = 6) const bool skin_palette_4x4 = false;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SkinFloats { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SkinWords { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer SkinBlocks { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer SkinRows { vec4 v[]; };

// `sinew::vulkan::SkinInput`. Full has all of a vertex at `positions`; compact has its two halves there and at `joints`.
struct SkinInput {
  SkinFloats positions, normals, tangents;
  SkinWords joints;
  SkinFloats weights, target_positions, target_normals, target_tangents, channels;
  SkinRows palettes;
  uint vertex_count, target_count;
  uint palette_stride;  // entries from one instance's palette to the next
  uint channel_stride;  // floats from one instance's morph weights to the next
};

struct SkinVertex {
  vec3 position, normal;
  vec4 tangent;
  vec2 uv;
};

// Groups of four vertices: an instance's output ends with a whole one.
uint skin_quads(uint vertex_count) { return (vertex_count + 3) / 4; }

vec3 skin_read3(SkinFloats from, uint i) { return vec3(from.v[3 * i], from.v[3 * i + 1], from.v[3 * i + 2]); }

// Only morph targets, which are added to it, need the length: the skinned direction is given its own.
vec3 skin_unpack_normal(uint packed) {
  vec3 v = skin_from_octahedral(unpackSnorm2x16(packed));
  return skin_has_morphs ? normalize(v) : v;
}

// Octahedral in two signed 16-bit numbers, the lowest bit of the second holding the handedness.
vec4 skin_unpack_tangent(uint packed) {
  return vec4(skin_unpack_normal(packed & 0xfffeffffu), (packed & 0x10000u) != 0u ? -1.0 : 1.0);
}
uint skin_pack_tangent(vec4 tangent) {
  return (packSnorm2x16(skin_octahedral(tangent.xyz)) & 0xfffeffffu) | (tangent.w < 0.0 ? 0x10000u : 0u);
}

uvec4 skin_joints_of_words(uvec2 words) {
  return uvec4(words.x & 0xffffu, words.x >> 16, words.y & 0xffffu, words.y >> 16);
}
vec4 skin_weights_of_words(uvec2 words) { return vec4(unpackUnorm2x16(words.x), unpackUnorm2x16(words.y)); }

// Of an interleaved format; the joints as they are stored, which tells at once whether two vertices share them.
struct SkinInfluences {
  uvec2 joints;
  vec4 weights;
};
uvec4 skin_joints(SkinInfluences influences) {
  if (skin_format == SKIN_COMPACT) return (influences.joints.xxxx >> uvec4(0, 8, 16, 24)) & 0xffu;
  return skin_joints_of_words(influences.joints);
}

// A vertex of an interleaved format. Blocks are read whole: a word of one costs as much.
void skin_read_interleaved(SkinInput mesh, uint i, out SkinVertex vertex, out SkinInfluences influences) {
  SkinBlocks blocks = SkinBlocks(mesh.positions);
  vertex = SkinVertex(vec3(0.0), vec3(0.0), vec4(0.0), vec2(0.0));
  if (skin_format == SKIN_FULL) {
    uvec4 a = blocks.v[4 * i], b = blocks.v[4 * i + 1], c = blocks.v[4 * i + 2], d = blocks.v[4 * i + 3];
    vertex.position = uintBitsToFloat(a.xyz);
    vertex.normal = uintBitsToFloat(b.xyz);
    vertex.uv = uintBitsToFloat(c.xy);
    influences = SkinInfluences(c.zw, uintBitsToFloat(d));
  } else if (skin_format == SKIN_COMPACT) {
    uvec4 a = blocks.v[i], b = SkinBlocks(mesh.joints).v[i];
    vertex.position = uintBitsToFloat(a.xyz);
    vertex.normal = skin_unpack_normal(a.w);
    if (skin_has_tangents) vertex.tangent = skin_unpack_tangent(b.x);
    influences = SkinInfluences(uvec2(b.y, 0), skin_weights_of_words(b.zw));
  } else {
    // The box of all positions comes first: its corner and its extent.
    uvec4 a = blocks.v[i + 2], b = SkinBlocks(mesh.joints).v[i];
    vec3 share = vec3(unpackUnorm2x16(a.x), unpackUnorm2x16(a.y).x);
    vertex.position = uintBitsToFloat(blocks.v[0].xyz) + share * uintBitsToFloat(blocks.v[1].xyz);
    vertex.normal = skin_unpack_normal(a.z);
    if (skin_has_tangents) vertex.tangent = skin_unpack_tangent(a.w);
    influences = SkinInfluences(b.xy, skin_weights_of_words(b.zw));
  }
}

SkinMatrix skin_read_palette(SkinInput mesh, uint entry) {
  if (skin_palette_4x4) {
    return skin_matrix_from_columns(mesh.palettes.v[4 * entry], mesh.palettes.v[4 * entry + 1],
                                    mesh.palettes.v[4 * entry + 2], mesh.palettes.v[4 * entry + 3]);
  }
  return SkinMatrix(mesh.palettes.v[3 * entry], mesh.palettes.v[3 * entry + 1], mesh.palettes.v[3 * entry + 2]);
}

// The weighted sum of four entries of the palette that begins at `base`.
SkinMatrix skin_sum(SkinInput mesh, uint base, SkinInfluences influences) {
  uvec4 joints = base + skin_joints(influences);
  SkinMatrix sum = skin_scaled(skin_read_palette(mesh, joints.x), influences.weights.x);
  sum = skin_added(sum, skin_read_palette(mesh, joints.y), influences.weights.y);
  sum = skin_added(sum, skin_read_palette(mesh, joints.z), influences.weights.z);
  return skin_added(sum, skin_read_palette(mesh, joints.w), influences.weights.w);
}

// Row `row` of a palette that begins at entry `first`: three an entry.
vec4 skin_read_palette_row(SkinInput mesh, uint first, uint row) {
  if (!skin_palette_4x4) return mesh.palettes.v[3 * first + row];
  uint entry = first + row / 3, component = row % 3;
  return vec4(mesh.palettes.v[4 * entry][component], mesh.palettes.v[4 * entry + 1][component],
              mesh.palettes.v[4 * entry + 2][component], mesh.palettes.v[4 * entry + 3][component]);
}

void skin_add_morphs(SkinInput mesh, uint i, uint instance, inout SkinVertex vertex) {
  for (uint target = 0; target < mesh.target_count; ++target) {
    float weight = mesh.channels.v[instance * mesh.channel_stride + target];
    if (weight == 0.0) continue;
    uint at = target * mesh.vertex_count + i;
    vertex.position += weight * skin_read3(mesh.target_positions, at);
    if (skin_has_normals) vertex.normal += weight * skin_read3(mesh.target_normals, at);
    if (skin_has_tangents) vertex.tangent.xyz += weight * skin_read3(mesh.target_tangents, at);
  }
}

// A normal through the weighted sum of palette entries: not of unit length, to be turned round where `side` is negative.
vec3 skin_normal(SkinMatrix m, vec3 normal, out float side) {
  side = 1.0;
  return skin_exact_normals ? skin_cofactors(m, normal, side) : skin_direction(m, normal);
}

// The vertex, morphed, through the weighted sum of its palette entries.
SkinVertex skin_apply(SkinVertex vertex, SkinMatrix m) {
  vertex.position = skin_point(m, vertex.position);
  if (skin_has_normals) {
    float side;
    vec3 normal = skin_normal(m, vertex.normal, side);
    vertex.normal = skin_unit_on_side(normal, side);
  }
  if (skin_has_tangents) vertex.tangent.xyz = skin_unit(skin_direction(m, vertex.tangent.xyz));
  return vertex;
}

// Vertex `i` of an instance, in model space.
SkinVertex skin_vertex(SkinInput mesh, uint i, uint instance) {
  uint base = instance * mesh.palette_stride;
  SkinVertex vertex;
  SkinMatrix sum;
  if (skin_format == SKIN_STREAMS) {
    vertex = SkinVertex(skin_read3(mesh.positions, i), vec3(0.0), vec4(0.0), vec2(0.0));
    if (skin_has_normals) vertex.normal = skin_read3(mesh.normals, i);
    if (skin_has_tangents) vertex.tangent = SkinRows(mesh.tangents).v[i];
    for (uint k = 0; k < skin_influences; ++k) {
      uint at = i * skin_influences + k;
      uint joint = (mesh.joints.v[at >> 1] >> (16 * (at & 1))) & 0xffffu;
      SkinMatrix entry = skin_read_palette(mesh, base + joint);
      sum = k == 0 ? skin_scaled(entry, mesh.weights.v[at]) : skin_added(sum, entry, mesh.weights.v[at]);
    }
  } else {
    SkinInfluences influences;
    skin_read_interleaved(mesh, i, vertex, influences);
    sum = skin_sum(mesh, base, influences);
  }
  if (skin_has_morphs) skin_add_morphs(mesh, i, instance, vertex);
  return skin_apply(vertex, sum);
}

#endif
