// sinew: skinning in a compute shader. Bindings: docs/shaders.md.
#define SINEW_PALETTE_BINDING 2
#define SINEW_DELTAS_BINDING 7
#define SINEW_MORPH_WEIGHTS_BINDING 8
#include "palette.wgsl"

// 64 bytes; four 16-bit joint indices in `joints`, the first in the low half of x. With mixed, position.w is its share.
struct Vertex {
  position: vec4<f32>,
  normal: vec4<f32>,
  uv: vec2<f32>,
  joints: vec2<u32>,
  weights: vec4<f32>,
}
// 48 bytes.
struct Skinned {
  position: vec4<f32>,
  normal: vec4<f32>,
  uv: vec2<f32>,
  padding: vec2<f32>,
}
struct Counts {
  vertex_count: u32,
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  palette_joints: u32,
  target_count: u32,
#endif
}

@group(0) @binding(0) var<storage, read> vertices: array<Vertex>;
@group(0) @binding(1) var<storage, read_write> skinned: array<Skinned>;
@group(0) @binding(3) var<uniform> counts: Counts;
#if SINEW_INFLUENCES > 4
// Influences 4 to 7, 24 bytes a vertex.
struct MoreInfluences {
  joints: vec2<u32>,
  weights_xy: vec2<f32>,
  weights_zw: vec2<f32>,
}
@group(0) @binding(4) var<storage, read> more_influences: array<MoreInfluences>;
#endif
#ifdef SINEW_TANGENTS
@group(0) @binding(5) var<storage, read> tangents: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> skinned_tangents: array<vec4<f32>>;
#endif

fn unpacked(joints: vec2<u32>) -> vec4<u32> {
  return vec4<u32>(joints.x & 0xffffu, joints.x >> 16u, joints.y & 0xffffu, joints.y >> 16u);
}

@compute @workgroup_size(64)
fn sinew_skin_compute(@builtin(global_invocation_id) id: vec3<u32>) {
  let v = id.x;
  if (v >= counts.vertex_count) {
    return;
  }
#if defined(SINEW_INSTANCES) || defined(SINEW_MORPHS)
  let base = id.y * counts.palette_joints;
  let to = id.y * counts.vertex_count + v;
#else
  let base = 0u;
  let to = v;
#endif
  var position = vertices[v].position.xyz;
  var normal = vertices[v].normal.xyz;
#ifdef SINEW_TANGENTS
  var tangent = tangents[v].xyz;
#endif
#ifdef SINEW_MORPHS
  for (var morph = 0u; morph < counts.target_count; morph++) {
    let weight = morph_weights[id.y * counts.target_count + morph];
    if (weight == 0.0) {
      continue;
    }
    let first = (morph * counts.vertex_count + v) * kDeltaFloats;
    position += weight * morph_delta(first);
    normal += weight * morph_delta(first + 3u);
#ifdef SINEW_TANGENTS
    tangent += weight * morph_delta(first + 6u);
#endif
  }
#endif
#if SINEW_INFLUENCES > 4
  let more = more_influences[v];
  let skin = palette_blend(base, unpacked(vertices[v].joints), vertices[v].weights, unpacked(more.joints),
                           vec4<f32>(more.weights_xy, more.weights_zw), vertices[v].position.w);
#else
  let skin = palette_blend(base, unpacked(vertices[v].joints), vertices[v].weights, vertices[v].position.w);
#endif
  skinned[to] = Skinned(vec4<f32>(skin_point(skin, position), 1.0), vec4<f32>(palette_normal(skin, normal), 0.0),
                        vertices[v].uv, vec2<f32>(0.0, 0.0));
#ifdef SINEW_TANGENTS
  skinned_tangents[to] = vec4<f32>(skin_unit(skin_direction(skin, tangent)), tangents[v].w);
#endif
}
