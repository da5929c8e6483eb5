#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "light.glsl"

layout(set = 1, binding = 0) uniform sampler2D base_colour;
layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 texture_place;
layout(location = 3) in vec4 vertex_colour;
layout(location = 0) out vec4 colour;

void main() {
  vec4 base = push.colour;
  if ((push.flags & kTextured) != 0u) base *= texture(base_colour, texture_place);
  if ((push.flags & kColoured) != 0u) base = vec4(vertex_colour.rgb, 1.0);
  if ((push.flags & kMasked) != 0u) {
    if (base.a < push.cutoff) discard;
    base.a = 1.0;
  }
  if ((push.flags & kOpaque) != 0u) base.a = 1.0;
  if (base.a < 0.01) discard;  // its depth would hide what is behind
  vec3 to_eye = normalize(push.frame.eye.xyz - world_position);
  // The side that is seen, whatever the winding: files disagree, and a mirrored part turns it round.
  vec3 face = cross(dFdx(world_position), dFdy(world_position));
  face *= dot(face, to_eye) < 0.0 ? -1.0 : 1.0;
  float size = length(face), given = length(world_normal);
  face = size > 0.0 ? face / size : to_eye;
  vec3 normal = given > 0.0 ? world_normal / given : face;
  // The inside of a surface is lit as seen. Smooth normals lean over at an outline, and `face` means little there.
  if (dot(normal, to_eye) < ((push.flags & kFlat) != 0u ? 0.0 : -0.3)) normal = -normal;

  vec3 light = push.frame.light.xyz;
  float facing = dot(normal, light);
  float key = facing > 0.0 ? key_light(world_position, normal) : 0.0;
  vec3 diffuse = sky_light(normal) + vec3(0.66, 0.63, 0.585) * max(facing, 0.0) * key +
                 vec3(0.08) * max(dot(normal, to_eye), 0.0);
  float gloss = pow(max(dot(normal, normalize(light + to_eye)), 0.0), 40.0) * key;
  float rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0);
  vec3 lit = base.rgb * diffuse + vec3(0.07) * gloss + vec3(0.05, 0.055, 0.065) * rim;
  if ((push.flags & kUnlit) != 0u) lit = base.rgb * (0.65 + 0.35 * diffuse);
  colour = vec4(shoulder(lit) * base.a, base.a);
}
