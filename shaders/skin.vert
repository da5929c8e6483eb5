// Skins in the vertex stage of each pass; vertices are pulled by gl_VertexIndex, so that no vertex input is bound.
// `sinew::vulkan::vertex_shader`. An engine with a vertex shader of its own includes skin_buffers.glsl instead.
#version 460
#include "skin_buffers.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Input { SkinInput mesh; };

layout(push_constant, std430) uniform Constants {
  layout(column_major) mat4 clip_from_model;
  Input input_;  // in memory of the caller: `sinew::vulkan::SkinInput`
} constants;

#ifdef SINEW_TRANSFORM_FEEDBACK
layout(xfb_buffer = 0, xfb_stride = 48) out;
#define CAPTURED(at) , xfb_buffer = 0, xfb_offset = at
#else
#define CAPTURED(at)
#endif
layout(location = 0 CAPTURED(0)) out vec3 model_position;
layout(location = 1 CAPTURED(12)) out vec3 model_normal;
layout(location = 2 CAPTURED(24)) out vec4 model_tangent;
layout(location = 3 CAPTURED(40)) out vec2 uv;

void main() {
  SkinVertex vertex = skin_vertex(constants.input_.mesh, uint(gl_VertexIndex), uint(gl_InstanceIndex));
  model_position = vertex.position;
  model_normal = vertex.normal;
  model_tangent = vertex.tangent;
  uv = vertex.uv;
#ifdef SINEW_TRANSFORM_FEEDBACK
  gl_PointSize = 1.0;  // points are drawn, one a vertex
#endif
  gl_Position = constants.clip_from_model * vec4(vertex.position, 1.0);
}
