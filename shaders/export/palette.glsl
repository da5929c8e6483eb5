// The palette as the exported stages read it: vec4 after vec4, three rows a joint, or four columns (SINEW_PALETTE_4X4).
// A storage buffer, or with SINEW_PALETTE_MAX a uniform block of so many joints.
#include "../skinning.glsl"

#ifndef SINEW_INFLUENCES
#define SINEW_INFLUENCES 4
#endif

#ifdef SINEW_PALETTE_4X4
#define SINEW_PALETTE_VECTORS 4
#else
#define SINEW_PALETTE_VECTORS 3
#endif

#ifdef SINEW_PALETTE_MAX
layout(std140, binding = SINEW_PALETTE_BINDING) uniform Palette {
  vec4 vectors[SINEW_PALETTE_VECTORS * SINEW_PALETTE_MAX];
} palette;
#else
layout(std430, binding = SINEW_PALETTE_BINDING) readonly buffer Palette {
  vec4 vectors[];
} palette;
#endif

SkinMatrix palette_entry(uint joint) {
  uint first = joint * uint(SINEW_PALETTE_VECTORS);
#ifdef SINEW_PALETTE_4X4
  return skin_matrix_from_columns(palette.vectors[first], palette.vectors[first + 1u], palette.vectors[first + 2u],
                                  palette.vectors[first + 3u]);
#else
  return SkinMatrix(palette.vectors[first], palette.vectors[first + 1u], palette.vectors[first + 2u]);
#endif
}

// Sum of the first SINEW_INFLUENCES of four (or eight) influences; `base`: the instance's first joint.
SkinMatrix palette_blend(uint base, uvec4 joints, vec4 weights
#if SINEW_INFLUENCES > 4
                         , uvec4 joints_1, vec4 weights_1
#endif
) {
  SkinMatrix sum = skin_scaled(palette_entry(base + joints.x), weights.x);
#if SINEW_INFLUENCES > 1
  sum = skin_added(sum, palette_entry(base + joints.y), weights.y);
#endif
#if SINEW_INFLUENCES > 2
  sum = skin_added(sum, palette_entry(base + joints.z), weights.z);
  sum = skin_added(sum, palette_entry(base + joints.w), weights.w);
#endif
#if SINEW_INFLUENCES > 4
  sum = skin_added(sum, palette_entry(base + joints_1.x), weights_1.x);
  sum = skin_added(sum, palette_entry(base + joints_1.y), weights_1.y);
  sum = skin_added(sum, palette_entry(base + joints_1.z), weights_1.z);
  sum = skin_added(sum, palette_entry(base + joints_1.w), weights_1.w);
#endif
  return sum;
}

vec3 palette_normal(SkinMatrix m, vec3 n) {
#ifdef SINEW_NORMAL_FAST
  return skin_normal_fast(m, n);
#else
  return skin_normal_exact(m, n);
#endif
}

#ifdef SINEW_MORPHS
// Target after target, vertex after vertex: three floats for the position, three for the normal, and with tangents
// three for the tangent. Weights: one a target, instance after instance.
#ifdef SINEW_TANGENTS
#define SINEW_DELTA_FLOATS 9u
#else
#define SINEW_DELTA_FLOATS 6u
#endif
layout(std430, binding = SINEW_DELTAS_BINDING) readonly buffer MorphDeltas {
  float values[];
} morph_deltas;
layout(std430, binding = SINEW_MORPH_WEIGHTS_BINDING) readonly buffer MorphWeights {
  float values[];
} morph_weights;

vec3 morph_delta(uint first) {
  return vec3(morph_deltas.values[first], morph_deltas.values[first + 1u], morph_deltas.values[first + 2u]);
}
#endif
