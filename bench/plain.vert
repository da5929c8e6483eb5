// A pass that reads vertices skinned before: positions, and normals where it shades.
#version 460
#extension GL_EXT_buffer_reference : require
layout(constant_id = 0) const bool has_normals = false;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Floats { float v[]; };
layout(push_constant, std430) uniform Constants {
  layout(column_major) mat4 clip_from_model;
  Floats positions, normals;
} constants;
layout(location = 0) out vec3 model_position;
layout(location = 1) out vec3 model_normal;

vec3 read3(Floats from, uint i) { return vec3(from.v[3 * i], from.v[3 * i + 1], from.v[3 * i + 2]); }

void main() {
  uint i = uint(gl_VertexIndex);
  model_position = read3(constants.positions, i);
  model_normal = has_normals ? read3(constants.normals, i) : vec3(0.0);
  gl_Position = constants.clip_from_model * vec4(model_position, 1.0);
}
