// sinew: skinning in a vertex shader. Bindings and attributes: docs/shaders.md.
#define SINEW_PALETTE_BINDING 12
#define SINEW_DELTAS_BINDING 13
#define SINEW_MORPH_WEIGHTS_BINDING 14
#include "palette.wgsl"

struct Input {
#ifdef SINEW_MIXED
  @location(0) position: vec4<f32>,  // w: how much is dual quaternion
#define SINEW_SHARE input.position.w
#else
  @location(0) position: vec3<f32>,
#define SINEW_SHARE 0.0
#endif
  @location(1) normal: vec3<f32>,
  @location(2) uv: vec2<f32>,
  @location(3) joints: vec4<u32>,
  @location(4) weights: vec4<f32>,
#ifdef SINEW_TANGENTS
  @location(5) tangent: vec4<f32>,
#endif
#if SINEW_INFLUENCES > 4
  @location(6) joints_1: vec4<u32>,
  @location(7) weights_1: vec4<f32>,
#endif
}
struct Output {
  @builtin(position) clip_position: vec4<f32>,
  @location(0) world_normal: vec3<f32>,
  @location(1) uv: vec2<f32>,
#ifdef SINEW_TANGENTS
  @location(2) world_tangent: vec4<f32>,
#endif
}
// A variant that needs less ends earlier; offsets stay.
struct Uniforms {
  modelViewProjection: mat4x4<f32>,
  normalMatrix: mat3x3<f32>,
#if defined(SINEW_TANGENTS) || defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  tangentMatrix: mat3x3<f32>,
#endif
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  palette_joints: u32,
  first_instance: u32,
  vertex_count: u32,
  target_count: u32,
#endif
}
@group(0) @binding(11) var<uniform> uniforms: Uniforms;

@vertex
#ifdef SINEW_MORPHS
fn sinew_skin_vertex(input: Input, @builtin(instance_index) instance_index: u32,
                     @builtin(vertex_index) vertex_index: u32) -> Output {
#elif defined(SINEW_INSTANCES)
fn sinew_skin_vertex(input: Input, @builtin(instance_index) instance_index: u32) -> Output {
#else
fn sinew_skin_vertex(input: Input) -> Output {
#endif
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  let instance = uniforms.first_instance + instance_index;
  let base = instance * uniforms.palette_joints;
#else
  let base = 0u;
#endif
  var position = input.position.xyz;
  var normal = input.normal;
#ifdef SINEW_TANGENTS
  var tangent = input.tangent.xyz;
#endif
#ifdef SINEW_MORPHS
  for (var morph = 0u; morph < uniforms.target_count; morph++) {
    let weight = morph_weights[instance * uniforms.target_count + morph];
    if (weight == 0.0) {
      continue;
    }
    let first = (morph * uniforms.vertex_count + vertex_index) * kDeltaFloats;
    position += weight * morph_delta(first);
    normal += weight * morph_delta(first + 3u);
#ifdef SINEW_TANGENTS
    tangent += weight * morph_delta(first + 6u);
#endif
  }
#endif
#if SINEW_INFLUENCES > 4
  let skin = palette_blend(base, input.joints, input.weights, input.joints_1, input.weights_1, SINEW_SHARE);
#else
  let skin = palette_blend(base, input.joints, input.weights, SINEW_SHARE);
#endif
  var output: Output;
  output.clip_position = uniforms.modelViewProjection * vec4<f32>(skin_point(skin, position), 1.0);
  output.world_normal = skin_unit(uniforms.normalMatrix * palette_normal(skin, normal));
  output.uv = input.uv;
#ifdef SINEW_TANGENTS
  let turned = skin_unit(skin_direction(skin, tangent));
  output.world_tangent = vec4<f32>(skin_unit(uniforms.tangentMatrix * turned), input.tangent.w);
#endif
  return output;
}
