// The skinning maths in WGSL, written by hand: function by function the same as skinning.glsl, which says why.

struct SkinMatrix {
  x: vec4<f32>,
  y: vec4<f32>,
  z: vec4<f32>,
}

fn skin_matrix_from_columns(c0: vec4<f32>, c1: vec4<f32>, c2: vec4<f32>, c3: vec4<f32>) -> SkinMatrix {
  return SkinMatrix(vec4<f32>(c0.x, c1.x, c2.x, c3.x), vec4<f32>(c0.y, c1.y, c2.y, c3.y),
                    vec4<f32>(c0.z, c1.z, c2.z, c3.z));
}

fn skin_scaled(m: SkinMatrix, weight: f32) -> SkinMatrix {
  return SkinMatrix(m.x * weight, m.y * weight, m.z * weight);
}

fn skin_added(sum: SkinMatrix, m: SkinMatrix, weight: f32) -> SkinMatrix {
  return SkinMatrix(sum.x + m.x * weight, sum.y + m.y * weight, sum.z + m.z * weight);
}

#if defined(SINEW_DUAL_QUATERNION) || defined(SINEW_MIXED)
// `a * b`: `b` is applied first.
fn skin_row_product(row: vec4<f32>, m: SkinMatrix) -> vec4<f32> {
  return row.x * m.x + row.y * m.y + row.z * m.z + vec4<f32>(0.0, 0.0, 0.0, row.w);
}
fn skin_product(a: SkinMatrix, b: SkinMatrix) -> SkinMatrix {
  return SkinMatrix(skin_row_product(a.x, b), skin_row_product(a.y, b), skin_row_product(a.z, b));
}

// From `a` at share 0 to `b` at share 1.
fn skin_between(a: SkinMatrix, b: SkinMatrix, share: f32) -> SkinMatrix {
  return SkinMatrix(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share);
}

// A rigid transform, or a weighted sum of some, x y z w each.
struct SkinDual {
  real: vec4<f32>,
  dual: vec4<f32>,
}

// Both signs of `q` mean the same; the one nearer to `pivot` counts, the real part of the entry of the greatest weight.
fn skin_dual_added(sum: SkinDual, q: SkinDual, weight: f32, pivot: vec4<f32>) -> SkinDual {
  let signed_weight = select(weight, -weight, dot(q.real, pivot) < 0.0);
  return SkinDual(sum.real + q.real * signed_weight, sum.dual + q.dual * signed_weight);
}

// What a sum stands for: divided by the real part's square instead of by its length.
fn skin_matrix_from_dual(sum: SkinDual) -> SkinMatrix {
  let q = sum.real;
  let scale = 2.0 / dot(q, q);
  let v = q.xyz * scale;
  let squares = q.xyz * v;
  let turns = q.w * v;
  let xy = q.x * v.y;
  let xz = q.x * v.z;
  let yz = q.y * v.z;
  let moved = scale * (q.w * sum.dual.xyz - sum.dual.w * q.xyz + cross(q.xyz, sum.dual.xyz));
  return SkinMatrix(vec4<f32>(1.0 - (squares.y + squares.z), xy - turns.z, xz + turns.y, moved.x),
                    vec4<f32>(xy + turns.z, 1.0 - (squares.x + squares.z), yz - turns.x, moved.y),
                    vec4<f32>(xz - turns.y, yz + turns.x, 1.0 - (squares.x + squares.y), moved.z));
}
#endif

// A point has w = 1 whatever the weights sum to.
fn skin_point(m: SkinMatrix, p: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

// A direction has w = 0.
fn skin_direction(m: SkinMatrix, v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v));
}

// Of unit length, turned round where `side` is negative; zero stays zero. What is so short or so long that its square
// may vanish or overflow, which is told by the square's bits, is brought near 1 first.
fn skin_unit_on_side(direction: vec3<f32>, side: f32) -> vec3<f32> {
  var v = direction;
  var square = dot(v, v);
  if (bitcast<u32>(square) - 0x0d800000u >= 0x64000000u) {
    v *= select(1.2676506e30, 7.8886091e-31, square > 1.0);  // 2^100, 2^-100
    square = dot(v, v);
    if (!(square > 0.0)) {
      return vec3<f32>(0.0, 0.0, 0.0);
    }
  }
  let scale = inverseSqrt(square);
  return v * select(scale, -scale, side < 0.0);
}
fn skin_unit(v: vec3<f32>) -> vec3<f32> {
  return skin_unit_on_side(v, 1.0);
}

// Right for rotations and uniform scale.
fn skin_normal_fast(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
  return skin_unit(skin_direction(m, n));
}

// By the cofactor matrix: right under any scale from 1e-12 to 1e12. Of its rows only the first is formed.
fn skin_normal_exact(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
  let yz = cross(m.y.xyz, m.z.xyz);
  let nx = cross(n, m.x.xyz);
  let v = vec3<f32>(dot(yz, n), -dot(m.z.xyz, nx), dot(m.y.xyz, nx));
  return skin_unit_on_side(v, dot(m.x.xyz, yz));
}
