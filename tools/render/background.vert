// One triangle over the whole picture.
#version 460
layout(location = 0) out float height;

void main() {
  vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 1.0, 1.0);
  height = corner.y * 0.5 + 0.5;
}
