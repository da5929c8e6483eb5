// Skinning in a vertex shader with vertex attributes: the source of what `sinew shaders --stage vertex` writes.
// Variants by macros: SINEW_INFLUENCES 1, 2, 4 or 8; SINEW_TANGENTS, SINEW_MORPHS, SINEW_INSTANCES,
// SINEW_NORMAL_FAST, SINEW_PALETTE_4X4, SINEW_PALETTE_MAX; SINEW_DUAL_QUATERNION or SINEW_MIXED, SINEW_STRETCH.
// Bindings: docs/shaders.md.
#version 450
#extension GL_GOOGLE_include_directive : require

#define SINEW_PALETTE_BINDING 12
#define SINEW_DELTAS_BINDING 13
#define SINEW_MORPH_WEIGHTS_BINDING 14
#include "palette.glsl"

#ifdef SINEW_MIXED
layout(location = 0) in vec4 position;  // w: how much is dual quaternion
#define SINEW_SHARE position.w
#else
layout(location = 0) in vec3 position;
#define SINEW_SHARE 0.0
#endif
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;
#ifdef SINEW_TANGENTS
layout(location = 5) in vec4 tangent;
#endif
#if SINEW_INFLUENCES > 4
layout(location = 6) in uvec4 joints_1;
layout(location = 7) in vec4 weights_1;
#endif

layout(location = 0) out vec3 world_normal;
layout(location = 1) out vec2 surface_uv;
#ifdef SINEW_TANGENTS
layout(location = 2) out vec4 world_tangent;
#endif

// A variant that needs less ends earlier; offsets stay.
layout(std140, binding = 11) uniform Uniforms {
  mat4 modelViewProjection;  // offset 0
  mat3 normalMatrix;         // 64: inverse transpose of the model matrix's 3x3
#if defined(SINEW_TANGENTS) || defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  mat3 tangentMatrix;  // 112: the model matrix's 3x3
#endif
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  uint palette_joints;  // 160: entries of one instance's palette
  uint first_instance;  // 164: whose palette instance 0 of the draw has
  uint vertex_count;    // 168
  uint target_count;    // 172
#endif
} uniforms;

void main() {
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  uint instance = uniforms.first_instance + uint(gl_InstanceIndex);
  uint base = instance * uniforms.palette_joints;
#else
  uint base = 0u;
#endif
  vec3 p = position.xyz;
  vec3 n = normal;
#ifdef SINEW_TANGENTS
  vec3 t = tangent.xyz;
#endif
#ifdef SINEW_MORPHS
  for (uint target = 0u; target < uniforms.target_count; ++target) {
    float weight = morph_weights.values[instance * uniforms.target_count + target];
    if (weight == 0.0) continue;
    uint first = (target * uniforms.vertex_count + uint(gl_VertexIndex)) * SINEW_DELTA_FLOATS;
    p += weight * morph_delta(first);
    n += weight * morph_delta(first + 3u);
#ifdef SINEW_TANGENTS
    t += weight * morph_delta(first + 6u);
#endif
  }
#endif
#if SINEW_INFLUENCES > 4
  SkinMatrix matrix = palette_blend(base, joints, weights, joints_1, weights_1, SINEW_SHARE);
#else
  SkinMatrix matrix = palette_blend(base, joints, weights, SINEW_SHARE);
#endif
  gl_Position = uniforms.modelViewProjection * vec4(skin_point(matrix, p), 1.0);
  world_normal = skin_unit(uniforms.normalMatrix * palette_normal(matrix, n));
  surface_uv = uv;
#ifdef SINEW_TANGENTS
  world_tangent = vec4(skin_unit(uniforms.tangentMatrix * skin_unit(skin_direction(matrix, t))), tangent.w);
#endif
}
