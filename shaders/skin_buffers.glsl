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
const uint SKIN_LINEAR = 0, SKIN_DUAL_QUATERNION = 1, SKIN_MIXED = 2;
layout(constant_id = 7) const uint skin_method = 0;
layout(constant_id = 8) const bool skin_stretch = false;  // palettes have stretches; not with linear

// A palette entry, in rows of 16 bytes (`pack_palette`): three of the matrix, two of the dual quaternion, three of the
// stretch, each where the method reads it.
const bool skin_has_matrix = skin_method != SKIN_DUAL_QUATERNION, skin_has_dual = skin_method != SKIN_LINEAR;
const uint skin_dual_row = skin_has_matrix ? 3 : 0;
const uint skin_stretch_row = skin_dual_row + 2;
const uint skin_entry_rows = skin_has_dual ? skin_stretch_row + (skin_stretch ? 3 : 0) : 3;

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
  vec4 weights;  // the first is the greatest
  float share;   // mixed: how much of it is dual quaternion
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
    influences = SkinInfluences(c.zw, uintBitsToFloat(d), uintBitsToFloat(a.w));
  } else if (skin_format == SKIN_COMPACT) {
    uvec4 a = blocks.v[i], b = SkinBlocks(mesh.joints).v[i];
    vertex.position = uintBitsToFloat(a.xyz);
    vertex.normal = skin_unpack_normal(a.w);
    if (skin_has_tangents) vertex.tangent = skin_unpack_tangent(b.x);
    influences = SkinInfluences(uvec2(b.y, 0), skin_weights_of_words(b.zw), 0.0);  // mixed is always wide
  } else {
    // The box of all positions comes first: its corner and its extent.
    uvec4 a = blocks.v[i + 2], b = SkinBlocks(mesh.joints).v[i];
    vec2 last = unpackUnorm2x16(a.y);
    vec3 within = vec3(unpackUnorm2x16(a.x), last.x);
    vertex.position = uintBitsToFloat(blocks.v[0].xyz) + within * uintBitsToFloat(blocks.v[1].xyz);
    vertex.normal = skin_unpack_normal(a.z);
    if (skin_has_tangents) vertex.tangent = skin_unpack_tangent(a.w);
    influences = SkinInfluences(b.xy, skin_weights_of_words(b.zw), last.y);
  }
}

// The matrix that begins at row `row` of a palette's entry.
SkinMatrix skin_read_palette(SkinInput mesh, uint entry, uint row) {
  if (skin_palette_4x4) {
    return skin_matrix_from_columns(mesh.palettes.v[4 * entry], mesh.palettes.v[4 * entry + 1],
                                    mesh.palettes.v[4 * entry + 2], mesh.palettes.v[4 * entry + 3]);
  }
  uint first = skin_entry_rows * entry + row;
  return SkinMatrix(mesh.palettes.v[first], mesh.palettes.v[first + 1], mesh.palettes.v[first + 2]);
}

SkinDual skin_read_dual(SkinInput mesh, uint entry) {
  uint first = skin_entry_rows * entry + skin_dual_row;
  return SkinDual(mesh.palettes.v[first], mesh.palettes.v[first + 1]);
}

// The weighted sum of four entries' matrices from row `row` on, of the palette that begins at `base`.
SkinMatrix skin_sum(SkinInput mesh, uint base, SkinInfluences influences, uint row) {
  uvec4 joints = base + skin_joints(influences);
  SkinMatrix sum = skin_scaled(skin_read_palette(mesh, joints.x, row), influences.weights.x);
  sum = skin_added(sum, skin_read_palette(mesh, joints.y, row), influences.weights.y);
  sum = skin_added(sum, skin_read_palette(mesh, joints.z, row), influences.weights.z);
  return skin_added(sum, skin_read_palette(mesh, joints.w, row), influences.weights.w);
}

SkinDual skin_dual_sum(SkinInput mesh, uint base, SkinInfluences influences) {
  uvec4 joints = base + skin_joints(influences);
  SkinDual entry = skin_read_dual(mesh, joints.x);
  vec4 pivot = entry.real;
  SkinDual sum = skin_dual_scaled(entry, influences.weights.x);
  sum = skin_dual_added(sum, skin_read_dual(mesh, joints.y), influences.weights.y, pivot);
  sum = skin_dual_added(sum, skin_read_dual(mesh, joints.z), influences.weights.z, pivot);
  return skin_dual_added(sum, skin_read_dual(mesh, joints.w), influences.weights.w, pivot);
}

// One matrix of a vertex's sums: `linear` of the matrices, `dual` of the dual quaternions, `stretch` of the stretches.
// What the method does not have is not looked at.
SkinMatrix skin_of_sums(SkinMatrix linear, SkinDual dual, SkinMatrix stretch, float share) {
  if (!skin_has_dual) return linear;
  SkinMatrix m = skin_matrix_from_dual(dual);
  if (skin_stretch) m = skin_product(m, stretch);
  return skin_has_matrix ? skin_between(linear, m, share) : m;
}

const SkinMatrix skin_no_matrix = SkinMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
const SkinDual skin_no_dual = SkinDual(vec4(0.0), vec4(0.0));

// Of a vertex of an interleaved format.
SkinMatrix skin_blend(SkinInput mesh, uint base, SkinInfluences influences) {
  SkinMatrix linear = skin_no_matrix, stretch = skin_no_matrix;
  SkinDual dual = skin_no_dual;
  if (skin_has_matrix) linear = skin_sum(mesh, base, influences, 0);
  if (skin_has_dual) dual = skin_dual_sum(mesh, base, influences);
  if (skin_stretch) stretch = skin_sum(mesh, base, influences, skin_stretch_row);
  return skin_of_sums(linear, dual, stretch, influences.share);
}

uint skin_stream_joint(SkinInput mesh, uint at) { return (mesh.joints.v[at >> 1] >> (16 * (at & 1))) & 0xffffu; }

// Shares of mixed lie behind the weights.
float skin_stream_share(SkinInput mesh, uint i) {
  return mesh.weights.v[4 * skin_quads(mesh.vertex_count) * skin_influences + i];
}

// Of vertex `i` of streams, whose influences are in the order of their joints: the first of the greatest weights is that
// of the lowest entry.
SkinMatrix skin_stream_blend(SkinInput mesh, uint base, uint i) {
  SkinMatrix linear = skin_no_matrix, stretch = skin_no_matrix;
  SkinDual dual = skin_no_dual;
  vec4 pivot = vec4(0.0);
  if (skin_has_dual) {
    uint strongest = i * skin_influences;
    for (uint at = strongest + 1; at < (i + 1) * skin_influences; ++at)
      if (mesh.weights.v[at] > mesh.weights.v[strongest]) strongest = at;
    pivot = skin_read_dual(mesh, base + skin_stream_joint(mesh, strongest)).real;
  }
  for (uint k = 0; k < skin_influences; ++k) {
    uint at = i * skin_influences + k, entry = base + skin_stream_joint(mesh, at);
    float weight = mesh.weights.v[at];
    if (skin_has_matrix) {
      SkinMatrix m = skin_read_palette(mesh, entry, 0);
      linear = k == 0 ? skin_scaled(m, weight) : skin_added(linear, m, weight);
    }
    if (skin_has_dual) dual = skin_dual_added(dual, skin_read_dual(mesh, entry), weight, pivot);
    if (skin_stretch) stretch = skin_added(stretch, skin_read_palette(mesh, entry, skin_stretch_row), weight);
  }
  return skin_of_sums(linear, dual, stretch, skin_has_matrix && skin_has_dual ? skin_stream_share(mesh, i) : 0.0);
}

// Row `row` of a palette that begins at entry `first`.
vec4 skin_read_palette_row(SkinInput mesh, uint first, uint row) {
  if (!skin_palette_4x4) return mesh.palettes.v[skin_entry_rows * first + row];
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

// Through a rotation normals go as they are.
const bool skin_is_rigid = !skin_has_matrix && !skin_stretch;
const bool skin_by_cofactors = skin_exact_normals && !skin_is_rigid;

// A normal through a vertex's matrix: not of unit length, to be turned round where `side` is negative.
vec3 skin_normal(SkinMatrix m, vec3 normal, out float side) {
  side = 1.0;
  return skin_by_cofactors ? skin_cofactors(m, normal, side) : skin_direction(m, normal);
}

// The vertex, morphed, through its matrix.
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
    sum = skin_stream_blend(mesh, base, i);
  } else {
    SkinInfluences influences;
    skin_read_interleaved(mesh, i, vertex, influences);
    sum = skin_blend(mesh, base, influences);
  }
  if (skin_has_morphs) skin_add_morphs(mesh, i, instance, vertex);
  return skin_apply(vertex, sum);
}

#endif
