#include "../skinning.wgsl"
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
#define SINEW_INFLUENCE_PARAMETERS joints: vec4<u32>, weights: vec4<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>
#define SINEW_INFLUENCES_OF joints, weights, joints_1, weights_1
#else
#define SINEW_INFLUENCE_PARAMETERS joints: vec4<u32>, weights: vec4<f32>
#define SINEW_INFLUENCES_OF joints, weights
#endif

@group(0) @binding(SINEW_PALETTE_BINDING) var<storage, read> palette: array<vec4<f32>>;

// The matrix that begins at a vector of an entry.
fn palette_entry(joint: u32, at: u32) -> SkinMatrix {
  let first = joint * u32(SINEW_PALETTE_VECTORS) + at;
#ifdef SINEW_PALETTE_4X4
  // Four columns a joint.
  return skin_matrix_from_columns(palette[first], palette[first + 1u], palette[first + 2u], palette[first + 3u]);
#else
  // Three rows.
  return SkinMatrix(palette[first], palette[first + 1u], palette[first + 2u]);
#endif
}

fn palette_sum(base: u32, SINEW_INFLUENCE_PARAMETERS, at: u32) -> SkinMatrix {
  var sum = skin_scaled(palette_entry(base + joints.x, at), weights.x);
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
fn palette_dual(joint: u32) -> SkinDual {
  let first = joint * u32(SINEW_PALETTE_VECTORS) + SINEW_DUAL_VECTOR;
  return SkinDual(palette[first], palette[first + 1u]);
}

// The joint of the greatest weight, of equal ones the first: the others take the sign that is nearer to it.
struct PaletteStrongest {
  joint: u32,
  weight: f32,
}
fn palette_stronger(known: PaletteStrongest, joint: u32, weight: f32) -> PaletteStrongest {
  if (weight > known.weight) {
    return PaletteStrongest(joint, weight);
  }
  return known;
}

fn palette_strongest(SINEW_INFLUENCE_PARAMETERS) -> u32 {
  var known = PaletteStrongest(joints.x, weights.x);
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

fn palette_dual_sum(base: u32, SINEW_INFLUENCE_PARAMETERS) -> SkinDual {
  let pivot = palette_dual(base + palette_strongest(SINEW_INFLUENCES_OF)).real;
  let zero = SkinDual(vec4<f32>(0.0, 0.0, 0.0, 0.0), vec4<f32>(0.0, 0.0, 0.0, 0.0));
  var sum = skin_dual_added(zero, palette_dual(base + joints.x), weights.x, pivot);
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
fn palette_blend(base: u32, SINEW_INFLUENCE_PARAMETERS, share: f32) -> SkinMatrix {
#ifdef SINEW_HAS_DUAL
  var skin = skin_matrix_from_dual(palette_dual_sum(base, SINEW_INFLUENCES_OF));
#ifdef SINEW_STRETCH
  skin = skin_product(skin, palette_sum(base, SINEW_INFLUENCES_OF, SINEW_STRETCH_VECTOR));
#endif
#ifdef SINEW_MIXED
  skin = skin_between(palette_sum(base, SINEW_INFLUENCES_OF, 0u), skin, share);
#endif
  return skin;
#else
  return palette_sum(base, SINEW_INFLUENCES_OF, 0u);
#endif
}

fn palette_normal(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
#if defined(SINEW_NORMAL_FAST) || (defined(SINEW_DUAL_QUATERNION) && !defined(SINEW_STRETCH))
  return skin_normal_fast(m, n);
#else
  return skin_normal_exact(m, n);
#endif
}

#ifdef SINEW_MORPHS
// Target after target, vertex after vertex; weights: one a target, instance after instance.
@group(0) @binding(SINEW_DELTAS_BINDING) var<storage, read> morph_deltas: array<f32>;
@group(0) @binding(SINEW_MORPH_WEIGHTS_BINDING) var<storage, read> morph_weights: array<f32>;
#ifdef SINEW_TANGENTS
const kDeltaFloats = 9u;
#else
const kDeltaFloats = 6u;
#endif

fn morph_delta(first: u32) -> vec3<f32> {
  return vec3<f32>(morph_deltas[first], morph_deltas[first + 1u], morph_deltas[first + 2u]);
}
#endif
