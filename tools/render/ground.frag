// The ground: a soft grid, the key light's shadow, and the darkness under what stands on it; fades into the background.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "light.glsl"

layout(set = 0, binding = 1) uniform sampler2D height_map;  // 0: touches the ground, 1: nothing near
layout(location = 0) in vec3 world_position;
layout(location = 0) out vec4 colour;

// Share of a pixel that grid lines cover, each `width` of a step wide; where lines get finer than pixels, their mean.
float grid(vec2 place, vec2 pixel, float width) {
  vec2 drawn = max(vec2(width), pixel);
  vec2 from_line = abs(fract(place - 0.5) - 0.5);
  vec2 cover = (1.0 - smoothstep(drawn * 0.5 - pixel * 0.5, drawn * 0.5 + pixel, from_line)) * min(width / drawn, 1.0);
  cover = mix(cover, vec2(width), clamp(pixel * 2.0 - 0.5, 0.0, 1.0));
  return max(cover.x, cover.y);
}

float open_sky(vec3 position) {
  vec4 clip = push.frame.clip_from_world[2] * vec4(position, 1.0);
  vec2 place = clip.xy * 0.5 + 0.5;
  float sum = 0.0;
  for (int i = 0; i < 24; ++i) {
    float radius = sqrt((float(i) + 0.5) / 24.0) * 0.03, angle = float(i) * 2.39996323;
    float height = texture(height_map, place + radius * vec2(cos(angle), sin(angle))).r;
    float near = 1.0 - clamp(height, 0.0, 1.0);
    sum += near * near;
  }
  return 1.0 - 0.6 * sum / 24.0;
}

void main() {
  vec3 up = vec3(0.0, push.frame.eye.y < world_position.y ? -1.0 : 1.0, 0.0);
  float key = key_light(world_position, up);
  float open = open_sky(world_position);
  // What a pixel covers of the ground: the farther and the flatter it is seen, the more. Not by derivatives, which
  // jump at the borders of triangles.
  vec3 from_eye = world_position - push.frame.eye.xyz;
  float far = length(from_eye);
  vec3 ray = from_eye / far;
  vec2 stretch = ray.xz / max(abs(ray.y), 1e-3);
  vec2 pixel = far * push.frame.pixel.x * sqrt(1.0 + stretch * stretch) / push.frame.ground.y;
  float lines = grid(world_position.xz / push.frame.ground.y, pixel, 0.02);
  vec3 base = mix(vec3(0.52, 0.53, 0.55), vec3(0.37, 0.38, 0.40), lines);
  vec3 lit = base * (sky_light(vec3(0.0, 1.0, 0.0)) * open + vec3(0.50, 0.475, 0.44) * key);
  float away = distance(world_position.xz, push.frame.centre.xz);
  float alpha = 1.0 - smoothstep(push.frame.ground.z, push.frame.ground.w, away);
  alpha *= up.y > 0.0 ? 1.0 : 0.35;  // from below one looks through it
  // Seen at a grazing angle it fades too: no edge at the horizon.
  alpha *= smoothstep(0.0, 0.08, abs(ray.y));
  colour = vec4(shoulder(lit) * alpha, alpha);
}
