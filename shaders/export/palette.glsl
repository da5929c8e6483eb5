// The palette as the exported stages read it, vec4 after vec4. Linear: three rows a joint, or four columns
// (SINEW_PALETTE_4X4). SINEW_DUAL_QUATERNION: two, real and dual; SINEW_MIXED: three rows, then those two. With
// SINEW_STRETCH three rows more, of the stretch. A storage buffer, or with SINEW_PALETTE_MAX a uniform block of so many
// joints.
#include "../skinning.glsl"

#ifndef SINEW_INFLUENCES
#define SINEW_INFLUENCES 4
#endif

#if defined(SINEW_DUAL_QUATERNION) || defined(SINEW_MIXED)
#define SINEW_HAS_DUAL
#endif
// Where in an entry its dual quaternion and its stretch begin, and where it ends.
#ifdef SINEW_MIXED
#define SINEW_DUAL_VECTOR 3u
#define SINEW_STRETCH_VECTOR 5u
#else
#define SINEW_DUAL_VECTOR 0u
#define SINEW_STRETCH_VECTOR 2u
#endif
#if defined(SINEW_MIXED) && defined(SINEW_STRETCH)
#define SINEW_PALETTE_VECTORS 8
#elif defined(SINEW_MIXED) || defined(SINEW_STRETCH)
#define SINEW_PALETTE_VECTORS 5
#elif defined(SINEW_DUAL_QUATERNION)
#define SINEW_PALETTE_VECTORS 2
#elif defined(SINEW_PALETTE_4X4)
#define SINEW_PALETTE_VECTORS 4
#else
#define SINEW_PALETTE_VECTORS 3
#endif

#if SINEW_INFLUENCES > 4
#define SINEW_INFLUENCE_PARAMETERS uvec4 joints, vec4 weights, uvec4 joints_1, vec4 weights_1
#define SINEW_INFLUENCES_OF joints, weights, joints_1, weights_1
#else
#define SINEW_INFLUENCE_PARAMETERS uvec4 joints, vec4 weights
#define SINEW_INFLUENCES_OF joints, weights
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

// The matrix that begins at a vector of an entry.
SkinMatrix palette_entry(uint joint, uint at) {
  uint first = joint * uint(SINEW_PALETTE_VECTORS) + at;
#ifdef SINEW_PALETTE_4X4
  return skin_matrix_from_columns(palette.vectors[first], palette.vectors[first + 1u], palette.vectors[first + 2u],
                                  palette.vectors[first + 3u]);
#else
  return SkinMatrix(palette.vectors[first], palette.vectors[first + 1u], palette.vectors[first + 2u]);
#endif
}

// Sum of the first SINEW_INFLUENCES of four (or eight) influences; `base`: the instance's first joint.
SkinMatrix palette_sum(uint base, SINEW_INFLUENCE_PARAMETERS, uint at) {
  SkinMatrix sum = skin_scaled(palette_entry(base + joints.x, at), weights.x);
#if SINEW_INFLUENCES > 1
  sum = skin_added(sum, palette_entry(base + joints.y, at), weights.y);
#endif
#if SINEW_INFLUENCES > 2
  sum = skin_added(sum, palette_entry(base + joints.z, at), weights.z);
  sum = skin_added(sum, palette_entry(base + joints.w, at), weights.w);
#endif
#if SINEW_INFLUENCES > 4
  sum = skin_added(sum, palette_entry(base + joints_1.x, at), weights_1.x);
  sum = skin_added(sum, palette_entry(base + joints_1.y, at), weights_1.y);
  sum = skin_added(sum, palette_entry(base + joints_1.z, at), weights_1.z);
  sum = skin_added(sum, palette_entry(base + joints_1.w, at), weights_1.w);
#endif
  return sum;
}

#ifdef SINEW_HAS_DUAL
SkinDual palette_dual(uint joint) {
  uint first = joint * uint(SINEW_PALETTE_VECTORS) + SINEW_DUAL_VECTOR;
  return SkinDual(palette.vectors[first], palette.vectors[first + 1u]);
}

// The joint of the greatest weight, of equal ones the first: the others take the sign that is nearer to it.
struct PaletteStrongest {
  uint joint;
  float weight;
};
PaletteStrongest palette_stronger(PaletteStrongest known, uint joint, float weight) {
  if (weight > known.weight) return PaletteStrongest(joint, weight);
  return known;
}

uint palette_strongest(SINEW_INFLUENCE_PARAMETERS) {
  PaletteStrongest known = PaletteStrongest(joints.x, weights.x);
#if SINEW_INFLUENCES > 1
  known = palette_stronger(known, joints.y, weights.y);
#endif
#if SINEW_INFLUENCES > 2
  known = palette_stronger(known, joints.z, weights.z);
  known = palette_stronger(known, joints.w, weights.w);
#endif
#if SINEW_INFLUENCES > 4
  known = palette_stronger(known, joints_1.x, weights_1.x);
  known = palette_stronger(known, joints_1.y, weights_1.y);
  known = palette_stronger(known, joints_1.z, weights_1.z);
  known = palette_stronger(known, joints_1.w, weights_1.w);
#endif
  return known.joint;
}

SkinDual palette_dual_sum(uint base, SINEW_INFLUENCE_PARAMETERS) {
  vec4 pivot = palette_dual(base + palette_strongest(SINEW_INFLUENCES_OF)).real;
  SkinDual sum = skin_dual_added(SkinDual(vec4(0.0), vec4(0.0)), palette_dual(base + joints.x), weights.x, pivot);
#if SINEW_INFLUENCES > 1
  sum = skin_dual_added(sum, palette_dual(base + joints.y), weights.y, pivot);
#endif
#if SINEW_INFLUENCES > 2
  sum = skin_dual_added(sum, palette_dual(base + joints.z), weights.z, pivot);
  sum = skin_dual_added(sum, palette_dual(base + joints.w), weights.w, pivot);
#endif
#if SINEW_INFLUENCES > 4
  sum = skin_dual_added(sum, palette_dual(base + joints_1.x), weights_1.x, pivot);
  sum = skin_dual_added(sum, palette_dual(base + joints_1.y), weights_1.y, pivot);
  sum = skin_dual_added(sum, palette_dual(base + joints_1.z), weights_1.z, pivot);
  sum = skin_dual_added(sum, palette_dual(base + joints_1.w), weights_1.w, pivot);
#endif
  return sum;
}
#endif

// One matrix of a vertex's influences. `share`: how much of SINEW_MIXED is dual quaternion, else not looked at.
SkinMatrix palette_blend(uint base, SINEW_INFLUENCE_PARAMETERS, float share) {
#ifdef SINEW_HAS_DUAL
  SkinMatrix matrix = skin_matrix_from_dual(palette_dual_sum(base, SINEW_INFLUENCES_OF));
#ifdef SINEW_STRETCH
  matrix = skin_product(matrix, palette_sum(base, SINEW_INFLUENCES_OF, SINEW_STRETCH_VECTOR));
#endif
#ifdef SINEW_MIXED
  matrix = skin_between(palette_sum(base, SINEW_INFLUENCES_OF, 0u), matrix, share);
#endif
  return matrix;
#else
  return palette_sum(base, SINEW_INFLUENCES_OF, 0u);
#endif
}

vec3 palette_normal(SkinMatrix m, vec3 n) {
#if defined(SINEW_NORMAL_FAST) || (defined(SINEW_DUAL_QUATERNION) && !defined(SINEW_STRETCH))
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
