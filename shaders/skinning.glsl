// The skinning maths: one source for the compute and the vertex stage, and for every target that `sinew shaders` writes.
// Linear blend and dual quaternion skinning with column vectors; morph targets are added before. No buffers here: the
// stages read them.
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

// `a * b`: `b` is applied first.
vec4 skin_row_product(vec4 row, SkinMatrix m) {
  return row.x * m.x + row.y * m.y + row.z * m.z + vec4(0.0, 0.0, 0.0, row.w);
}
SkinMatrix skin_product(SkinMatrix a, SkinMatrix b) {
  return SkinMatrix(skin_row_product(a.x, b), skin_row_product(a.y, b), skin_row_product(a.z, b));
}

// From `a` at share 0 to `b` at share 1.
SkinMatrix skin_between(SkinMatrix a, SkinMatrix b, float share) {
  return SkinMatrix(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share);
}

// A rigid transform, or a weighted sum of some, x y z w each (`DualQuaternion` in C++).
struct SkinDual {
  vec4 real, dual;
};

SkinDual skin_dual_scaled(SkinDual q, float weight) { return SkinDual(q.real * weight, q.dual * weight); }

// Both signs of `q` mean the same; the one nearer to `pivot` counts, the real part of the entry of the greatest weight.
SkinDual skin_dual_added(SkinDual sum, SkinDual q, float weight, vec4 pivot) {
  float signed_weight = dot(q.real, pivot) < 0.0 ? -weight : weight;
  return SkinDual(sum.real + q.real * signed_weight, sum.dual + q.dual * signed_weight);
}

// Sums are divided by the real part's square instead of by its length: no root is needed (Kavan et al. 2008,
// algorithm 1).
float skin_dual_scale(SkinDual sum) { return 2.0 / dot(sum.real, sum.real); }

// What a sum stands for.
SkinMatrix skin_matrix_from_dual(SkinDual sum) {
  vec4 q = sum.real;
  float scale = skin_dual_scale(sum);
  vec3 v = q.xyz * scale, squares = q.xyz * v, turns = q.w * v;
  float xy = q.x * v.y, xz = q.x * v.z, yz = q.y * v.z;
  vec3 moved = scale * (q.w * sum.dual.xyz - sum.dual.w * q.xyz + cross(q.xyz, sum.dual.xyz));
  return SkinMatrix(vec4(1.0 - (squares.y + squares.z), xy - turns.z, xz + turns.y, moved.x),
                    vec4(xy + turns.z, 1.0 - (squares.x + squares.z), yz - turns.x, moved.y),
                    vec4(xz - turns.y, yz + turns.x, 1.0 - (squares.x + squares.y), moved.z));
}

// A point and a direction through a sum itself, whose scale is `skin_dual_scale`: for two of them fewer operations than by
// the matrix.
vec3 skin_dual_point(SkinDual sum, float scale, vec3 p) {
  vec3 q = sum.real.xyz, e = sum.dual.xyz;
  vec3 inner = cross(q, p) + (sum.real.w * p + e);
  return p + scale * (cross(q, inner) + (sum.real.w * e - sum.dual.w * q));
}
vec3 skin_dual_direction(SkinDual sum, float scale, vec3 v) {
  return v + scale * cross(sum.real.xyz, cross(sum.real.xyz, v) + sum.real.w * v);
}

// A point has w = 1 whatever the weights sum to: what is missing from the sum shows in every stage alike.
vec3 skin_point(SkinMatrix m, vec3 p) {
  return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

// A direction has w = 0.
vec3 skin_direction(SkinMatrix m, vec3 v) { return vec3(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v)); }

// Below SKIN_SOUND where a square lies between 2^-100 and 2^100, so that it neither vanished nor overflowed: told by its
// bits, in one comparison.
const uint SKIN_SOUND = 0x64000000u;
uint skin_soundness(float square) { return floatBitsToUint(square) - 0x0d800000u; }

// Of unit length, turned round where `side` is negative; zero stays zero.
vec3 skin_unit_on_side(vec3 v, float side) {
  float square = dot(v, v);
  if (skin_soundness(square) >= SKIN_SOUND) {
    v *= square > 1.0 ? 7.8886091e-31 : 1.2676506e30;  // 2^-100, 2^100
    square = dot(v, v);
    if (!(square > 0.0)) return vec3(0.0);
  }
  float scale = inversesqrt(square);
  return v * (side < 0.0 ? -scale : scale);
}
vec3 skin_unit(vec3 v) { return skin_unit_on_side(v, 1.0); }

// `NormalMode::fast`: right for rotations and uniform scale.
vec3 skin_normal_fast(SkinMatrix m, vec3 n) { return skin_unit(skin_direction(m, n)); }

// Through the cofactor matrix, which is the inverse transpose up to a factor; to be turned round where `side`, the
// determinant, is negative. Of its rows y*z, z*x and x*y only the first is formed: z*x.n is -z.(n*x), x*y.n is y.(n*x).
vec3 skin_cofactors(SkinMatrix m, vec3 n, out float side) {
  vec3 yz = cross(m.y.xyz, m.z.xyz), nx = cross(n, m.x.xyz);
  side = dot(m.x.xyz, yz);
  return vec3(dot(yz, n), -dot(m.z.xyz, nx), dot(m.y.xyz, nx));
}

// `NormalMode::exact`: right under any scale from 1e-12 to 1e12, and without a division by the determinant, which may
// be 0.
vec3 skin_normal_exact(SkinMatrix m, vec3 n) {
  float side;
  vec3 v = skin_cofactors(m, n, side);
  return skin_unit_on_side(v, side);
}

// Octahedral encoding of a direction in two numbers from -1 to 1 (Cigolle et al. 2014).
vec2 skin_octahedral(vec3 v) {
  float sum = abs(v.x) + abs(v.y) + abs(v.z);
  vec2 p = sum > 0.0 ? v.xy / sum : vec2(0.0);
  vec2 folded = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
  return v.z < 0.0 ? folded : p;
}

// Back to the direction, of a length between 0.57 and 1.
vec3 skin_from_octahedral(vec2 p) {
  vec3 v = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  float fold = max(-v.z, 0.0);
  v.xy -= vec2(v.x < 0.0 ? -fold : fold, v.y < 0.0 ? -fold : fold);
  return v;
}

#endif
