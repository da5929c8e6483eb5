// What all shaders of the renderer share: the frame's constants, found by address, and what is pushed for each draw.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(buffer_reference, scalar) readonly buffer Frame {
  mat4 clip_from_world[3];  // of the camera, of the light, of the view of the ground from below
  vec4 eye;
  vec4 light;       // xyz: direction to the light; w: radius of its penumbra, in texels of the shadow map
  vec4 ground;      // y, grid step, radius within which it is whole, radius at which it is gone
  vec4 centre;      // xyz: of what is shown; w: height above the ground where it no longer darkens it
  vec4 background[2];  // bottom and top, linear, alpha 1 or 0
  vec4 pixel;  // x: how wide a pixel is, seen from a distance of 1
};

layout(push_constant, scalar) uniform Push {
  Frame frame;
  uint flags;
  float cutoff;
  vec4 colour;
} push;

const uint kTextured = 1u, kColoured = 2u, kFlat = 4u, kMasked = 8u, kUnlit = 16u, kOpaque = 32u;
const uint kViewShift = 8u;  // which of clip_from_world

mat4 clip_matrix() { return push.frame.clip_from_world[(push.flags >> kViewShift) & 3u]; }
