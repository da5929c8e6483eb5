// Skinning in a compute shader with plain buffers: the source of what `sinew shaders --stage compute` writes.
// Variants by macros: SINEW_INFLUENCES 1, 2, 4 or 8; SINEW_TANGENTS, SINEW_MORPHS, SINEW_INSTANCES,
// SINEW_NORMAL_FAST, SINEW_PALETTE_4X4, SINEW_PALETTE_MAX; SINEW_DUAL_QUATERNION or SINEW_MIXED, SINEW_STRETCH.
// Bindings: docs/shaders.md.
#version 450
#extension GL_GOOGLE_include_directive : require

#define SINEW_PALETTE_BINDING 2
#define SINEW_DELTAS_BINDING 7
#define SINEW_MORPH_WEIGHTS_BINDING 8
#include "palette.glsl"

// A literal: a size by specialization constant would be 1 in HLSL and ESSL.
layout(local_size_x = 64) in;

// 64 bytes; four 16-bit joint indices in `joints`, the first in the low half of x. position.w: the share of SINEW_MIXED.
struct Vertex {
  vec4 position;
  vec4 normal;
  vec2 uv;
  uvec2 joints;
  vec4 weights;
};
// 48 bytes.
struct Skinned {
  vec4 position;
  vec4 normal;
  vec2 uv;
  vec2 padding;
};

layout(std430, binding = 0) readonly buffer Vertices {
  Vertex at[];
} vertices;
layout(std430, binding = 1) writeonly buffer SkinnedVertices {
  Skinned at[];
} skinned;
layout(std140, binding = 3) uniform Counts {
  uint vertex_count;
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  uint palette_joints;  // entries of one instance's palette
  uint target_count;
#endif
} counts;
#if SINEW_INFLUENCES > 4
// Influences 4 to 7, 24 bytes a vertex: joints as above, then the weights.
struct MoreInfluences {
  uvec2 joints;
  vec2 weights_xy;
  vec2 weights_zw;
};
layout(std430, binding = 4) readonly buffer MoreInfluencesOfVertices {
  MoreInfluences at[];
} more_influences;
#endif
#ifdef SINEW_TANGENTS
layout(std430, binding = 5) readonly buffer Tangents {
  vec4 at[];
} tangents;
layout(std430, binding = 6) writeonly buffer SkinnedTangents {
  vec4 at[];
} skinned_tangents;
#endif

uvec4 unpacked(uvec2 joints) {
  return uvec4(joints.x & 0xffffu, joints.x >> 16u, joints.y & 0xffffu, joints.y >> 16u);
}

void main() {
  uint v = gl_GlobalInvocationID.x;
  if (v >= counts.vertex_count) return;
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  uint instance = gl_GlobalInvocationID.y;
  uint base = instance * counts.palette_joints;
  uint to = instance * counts.vertex_count + v;
#else
  uint base = 0u;
  uint to = v;
#endif
  vec3 position = vertices.at[v].position.xyz;
  vec3 normal = vertices.at[v].normal.xyz;
#ifdef SINEW_TANGENTS
  vec4 tangent = tangents.at[v];
#endif
#ifdef SINEW_MORPHS
  for (uint target = 0u; target < counts.target_count; ++target) {
    float weight = morph_weights.values[instance * counts.target_count + target];
    if (weight == 0.0) continue;
    uint first = (target * counts.vertex_count + v) * SINEW_DELTA_FLOATS;
    position += weight * morph_delta(first);
    normal += weight * morph_delta(first + 3u);
#ifdef SINEW_TANGENTS
    tangent.xyz += weight * morph_delta(first + 6u);
#endif
  }
#endif
#if SINEW_INFLUENCES > 4
  SkinMatrix matrix =
      palette_blend(base, unpacked(vertices.at[v].joints), vertices.at[v].weights, unpacked(more_influences.at[v].joints),
                    vec4(more_influences.at[v].weights_xy, more_influences.at[v].weights_zw), vertices.at[v].position.w);
#else
  SkinMatrix matrix =
      palette_blend(base, unpacked(vertices.at[v].joints), vertices.at[v].weights, vertices.at[v].position.w);
#endif
  skinned.at[to].position = vec4(skin_point(matrix, position), 1.0);
  skinned.at[to].normal = vec4(palette_normal(matrix, normal), 0.0);
  skinned.at[to].uv = vertices.at[v].uv;
  skinned.at[to].padding = vec2(0.0);
#ifdef SINEW_TANGENTS
  skinned_tangents.at[to] = vec4(skin_unit(skin_direction(matrix, tangent.xyz)), tangent.w);
#endif
}
