#include "../skinning.wgsl"
#ifndef SINEW_INFLUENCES
#define SINEW_INFLUENCES 4
#endif

@group(0) @binding(SINEW_PALETTE_BINDING) var<storage, read> palette: array<vec4<f32>>;

fn palette_entry(joint: u32) -> SkinMatrix {
#ifdef SINEW_PALETTE_4X4
  // Four columns a joint.
  let first = joint * 4u;
  return skin_matrix_from_columns(palette[first], palette[first + 1u], palette[first + 2u], palette[first + 3u]);
#else
  // Three rows a joint.
  let first = joint * 3u;
  return SkinMatrix(palette[first], palette[first + 1u], palette[first + 2u]);
#endif
}

#if SINEW_INFLUENCES > 4
fn palette_blend(base: u32, joints: vec4<u32>, weights: vec4<f32>, joints_1: vec4<u32>,
                 weights_1: vec4<f32>) -> SkinMatrix {
#else
fn palette_blend(base: u32, joints: vec4<u32>, weights: vec4<f32>) -> SkinMatrix {
#endif
  var sum = skin_scaled(palette_entry(base + joints.x), weights.x);
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

fn palette_normal(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
#ifdef SINEW_NORMAL_FAST
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
