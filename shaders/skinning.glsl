// The skinning maths: one source for the compute and the vertex stage, and for every target that `sinew shaders` writes.
// Linear blend skinning with column vectors; morph targets are added before. No buffers here: the stages read them.
#ifndef SINEW_SKINNING_GLSL
#define SINEW_SKINNING_GLSL

// A palette entry, or a weighted sum of some: the three rows of a 3x4 matrix (`Affine` in C++).
struct SkinMatrix {
  vec4 x, y, z;
};

// From the columns of a 4x4 matrix; its last row is 0 0 0 1 and not read.
SkinMatrix skin_matrix_from_columns(vec4 c0, vec4 c1, vec4 c2, vec4 c3) {
  return SkinMatrix(vec4(c0.x, c1.x, c2.x, c3.x), vec4(c0.y, c1.y, c2.y, c3.y), vec4(c0.z, c1.z, c2.z, c3.z));
}

SkinMatrix skin_scaled(SkinMatrix m, float weight) { return SkinMatrix(m.x * weight, m.y * weight, m.z * weight); }

SkinMatrix skin_added(SkinMatrix sum, SkinMatrix m, float weight) {
  return SkinMatrix(sum.x + m.x * weight, sum.y + m.y * weight, sum.z + m.z * weight);
}

// A point has w = 1 whatever the weights sum to: what is missing from the sum shows in every stage alike.
vec3 skin_point(SkinMatrix m, vec3 p) {
  return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

// A direction has w = 0.
vec3 skin_direction(SkinMatrix m, vec3 v) { return vec3(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v)); }

float skin_largest(vec3 v) { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }

// Of unit length; zero stays zero. The largest component is divided out first, so that no square vanishes or overflows.
vec3 skin_unit(vec3 v) {
  float largest = skin_largest(v);
  if (!(largest > 0.0)) return vec3(0.0);
  v /= largest;
  return v * inversesqrt(dot(v, v));
}

// `NormalMode::fast`: right for rotations and uniform scale.
vec3 skin_normal_fast(SkinMatrix m, vec3 n) { return skin_unit(skin_direction(m, n)); }

// `NormalMode::exact`: by the cofactor matrix, which is the inverse transpose up to a factor, turned where the matrix
// mirrors. Right under any scale, and without a division by the determinant, which may be 0.
vec3 skin_normal_exact(SkinMatrix m, vec3 n) {
  float largest = max(max(skin_largest(m.x.xyz), skin_largest(m.y.xyz)), skin_largest(m.z.xyz));
  if (!(largest > 0.0)) return vec3(0.0);
  vec3 x = m.x.xyz / largest, y = m.y.xyz / largest, z = m.z.xyz / largest;
  vec3 cx = cross(y, z), cy = cross(z, x), cz = cross(x, y);
  vec3 v = vec3(dot(cx, n), dot(cy, n), dot(cz, n));
  return skin_unit(dot(x, cx) < 0.0 ? -v : v);
}

// Octahedral encoding of a direction in two numbers from -1 to 1 (Cigolle et al. 2014).
vec2 skin_octahedral(vec3 v) {
  float sum = abs(v.x) + abs(v.y) + abs(v.z);
  vec2 p = sum > 0.0 ? v.xy / sum : vec2(0.0);
  vec2 folded = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
  return v.z < 0.0 ? folded : p;
}

vec3 skin_from_octahedral(vec2 p) {
  vec3 v = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  float fold = max(-v.z, 0.0);
  v.xy -= vec2(v.x < 0.0 ? -fold : fold, v.y < 0.0 ? -fold : fold);
  return normalize(v);
}

#endif
