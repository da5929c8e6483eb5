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

// A point has w = 1 whatever the weights sum to.
fn skin_point(m: SkinMatrix, p: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

// A direction has w = 0.
fn skin_direction(m: SkinMatrix, v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v));
}

fn skin_largest(v: vec3<f32>) -> f32 {
  return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// The power of two that brings a positive number to between 1 and 2.
fn skin_power_of_two(largest: f32) -> f32 {
  let exponent = min(bitcast<u32>(largest) >> 23u, 253u);
  return bitcast<f32>((254u - exponent) << 23u);
}

// Of unit length; zero stays zero. Scaled first, so that no square vanishes or overflows.
fn skin_unit(v: vec3<f32>) -> vec3<f32> {
  let largest = skin_largest(v);
  if (!(largest > 0.0)) {
    return vec3<f32>(0.0, 0.0, 0.0);
  }
  let scaled = v * skin_power_of_two(largest);
  return scaled * inverseSqrt(dot(scaled, scaled));
}

// Right for rotations and uniform scale.
fn skin_normal_fast(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
  return skin_unit(skin_direction(m, n));
}

// By the cofactor matrix: right under any scale from 1e-12 to 1e12.
fn skin_normal_exact(m: SkinMatrix, n: vec3<f32>) -> vec3<f32> {
  let cx = cross(m.y.xyz, m.z.xyz);
  let cy = cross(m.z.xyz, m.x.xyz);
  let cz = cross(m.x.xyz, m.y.xyz);
  let v = vec3<f32>(dot(cx, n), dot(cy, n), dot(cz, n));
  return skin_unit(select(v, -v, dot(m.x.xyz, cx) < 0.0));
}
