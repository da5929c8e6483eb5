// Light on a surface: one key light with a soft shadow, a dim fill from the eye, and a sky above a ground.

layout(set = 0, binding = 0) uniform sampler2DShadow shadow_map;

// Share of the key light that arrives: the mean of 32 comparisons on a disk, each bilinear.
float key_light(vec3 position, vec3 normal) {
  // A point is lifted off its surface, so that the surface does not shadow itself.
  vec4 clip = push.frame.clip_from_world[1] * vec4(position + normal * push.frame.centre.w * 0.02, 1.0);
  vec3 place = vec3(clip.xy * 0.5 + 0.5, clip.z);
  if (any(lessThan(place.xy, vec2(0.0))) || any(greaterThan(place.xy, vec2(1.0)))) return 1.0;
  vec2 texel = push.frame.light.w / vec2(textureSize(shadow_map, 0));
  float sum = 0.0;
  for (int i = 0; i < 32; ++i) {
    float radius = sqrt((float(i) + 0.5) / 32.0), angle = float(i) * 2.39996323;  // a sunflower's seeds
    sum += texture(shadow_map, vec3(place.xy + radius * texel * vec2(cos(angle), sin(angle)), place.z));
  }
  return sum / 32.0;
}

vec3 sky_light(vec3 normal) {
  return mix(vec3(0.19, 0.17, 0.16), vec3(0.31, 0.335, 0.37), normal.y * 0.5 + 0.5);
}

// Up to 0.75 as it is; beyond, towards 1.
vec3 shoulder(vec3 c) {
  vec3 over = max(c - 0.75, 0.0);
  return min(c, 0.75) + 0.25 * (1.0 - exp(-over / 0.25));
}
