// Skins two neighbouring vertices a thread, for several instances one after another: `sinew::vulkan::SkinDispatch` of
// streams with 1, 2 or 4 influences and without morph targets. A crowd is bound by what it reads for a vertex, 192 bytes
// of palette and 48 of mesh, not by what it writes. So the mesh is read once for all of a thread's instances, the group
// keeps its instance's palette in shared memory, and where the two vertices share their joints, as `write` orders them,
// an entry is read once for both.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "skin_buffers.glsl"

layout(local_size_x = 256) in;
// PALETTE_ROOM, a macro: entries of three rows that a palette may have; the smaller, the more groups run at once. As a specialisation
// constant it cost a tenth of the speed.
const uint rows_a_thread = (3 * PALETTE_ROOM + gl_WorkGroupSize.x - 1) / gl_WorkGroupSize.x;

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer SkinPairs { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer OutPairs { vec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer OutRows { vec4 v[]; };

layout(push_constant, std430) uniform Constants {
  SkinInput mesh;  // `channel_stride` is the number of palette entries here
  OutPairs positions, normals;
  OutRows tangents;
  uint first_vertex, instance_count;
} constants;

// Of this instance. Entries are an odd number of rows apart: rows of other entries then lie in other banks.
shared vec4 palette[3 * PALETTE_ROOM];
const uint entry_stride = skin_entry_rows | 1;
uint place_of(uint row) {
  return entry_stride == skin_entry_rows ? row : row / skin_entry_rows * entry_stride + row % skin_entry_rows;
}

// What the group's threads have to write, 24 bytes each of positions and of normals, written from here in the order of
// memory: stores that each leave gaps are slower, though the next ones fill the gaps.
shared vec2 staged[2][3 * gl_WorkGroupSize.x];

void read_pair(SkinFloats from, uint pair, out vec3 values[2]) {
  SkinPairs words = SkinPairs(from);
  vec2 a = uintBitsToFloat(words.v[3 * pair]), b = uintBitsToFloat(words.v[3 * pair + 1]),
       c = uintBitsToFloat(words.v[3 * pair + 2]);
  values = vec3[2](vec3(a, b.x), vec3(b.y, c));
}

void stage_pair(uint array, vec3 values[2]) {
  uint at = 3 * gl_LocalInvocationID.x;
  staged[array][at] = values[0].xy;
  staged[array][at + 1] = vec2(values[0].z, values[1].x);
  staged[array][at + 2] = values[1].yz;
}

void write_staged(uint array, OutPairs to, uint group_word, uint word_count) {
  [[unroll]] for (uint n = 0; n < 3; ++n) {
    uint word = gl_LocalInvocationID.x + n * gl_WorkGroupSize.x;
    if (word < word_count) to.v[group_word + word] = staged[array][word];
  }
}

// Joints of two vertices, two a word, unused ones as the first; and their weights.
void read_influences(SkinInput mesh, uint pair, out uvec2 joints[2], out vec4 weights[2]) {
  if (skin_influences == 4) {
    uvec4 words = SkinBlocks(mesh.joints).v[pair];
    joints = uvec2[2](words.xy, words.zw);
    weights = vec4[2](SkinRows(mesh.weights).v[2 * pair], SkinRows(mesh.weights).v[2 * pair + 1]);
  } else if (skin_influences == 2) {
    uvec2 words = SkinPairs(mesh.joints).v[pair];
    joints = uvec2[2](words.xx, words.yy);
    vec4 w = SkinRows(mesh.weights).v[pair];
    weights = vec4[2](vec4(w.xy, 0.0, 0.0), vec4(w.zw, 0.0, 0.0));
  } else {
    uint word = mesh.joints.v[pair];
    joints = uvec2[2](uvec2((word & 0xffffu) * 0x10001u), uvec2((word >> 16) * 0x10001u));
    vec2 w = uintBitsToFloat(SkinPairs(mesh.weights).v[pair]);
    weights = vec4[2](vec4(w.x, 0.0, 0.0, 0.0), vec4(w.y, 0.0, 0.0, 0.0));
  }
}

SkinMatrix entry_of(uint joint, uint row) {
  uint first = entry_stride * joint + row;
  return SkinMatrix(palette[first], palette[first + 1], palette[first + 2]);
}

SkinDual dual_of(uint joint) {
  uint first = entry_stride * joint + skin_dual_row;
  return SkinDual(palette[first], palette[first + 1]);
}

SkinMatrix sum_of(uvec4 joints, vec4 weights, uint row) {
  SkinMatrix sum = skin_scaled(entry_of(joints.x, row), weights.x);
  if (skin_influences > 1) sum = skin_added(sum, entry_of(joints.y, row), weights.y);
  if (skin_influences > 2) {
    sum = skin_added(sum, entry_of(joints.z, row), weights.z);
    sum = skin_added(sum, entry_of(joints.w, row), weights.w);
  }
  return sum;
}

SkinDual dual_sum_of(uvec4 joints, vec4 weights, vec4 pivot) {
  SkinDual sum = skin_dual_added(skin_no_dual, dual_of(joints.x), weights.x, pivot);
  if (skin_influences > 1) sum = skin_dual_added(sum, dual_of(joints.y), weights.y, pivot);
  if (skin_influences > 2) {
    sum = skin_dual_added(sum, dual_of(joints.z), weights.z, pivot);
    sum = skin_dual_added(sum, dual_of(joints.w), weights.w, pivot);
  }
  return sum;
}

// Of a vertex by itself. `strongest`: the joint whose sign counts.
SkinMatrix blend_of(uvec2 words, vec4 weights, uint strongest, float share) {
  uvec4 joints = skin_joints_of_words(words);
  SkinMatrix linear = skin_no_matrix, stretch = skin_no_matrix;
  SkinDual dual = skin_no_dual;
  if (skin_has_matrix) linear = sum_of(joints, weights, 0);
  if (skin_has_dual) dual = dual_sum_of(joints, weights, dual_of(strongest).real);
  if (skin_stretch) stretch = sum_of(joints, weights, skin_stretch_row);
  return skin_of_sums(linear, dual, stretch, share);
}

// Of two vertices that share their joints: an entry is read once for both.
SkinMatrix[2] sums_of(uvec4 j, vec4 weights[2], uint row) {
  SkinMatrix sums[2];
  SkinMatrix entry = entry_of(j.x, row);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_scaled(entry, weights[v].x);
  if (skin_influences > 1) {
    entry = entry_of(j.y, row);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, weights[v].y);
  }
  if (skin_influences > 2) {
    entry = entry_of(j.z, row);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, weights[v].z);
    entry = entry_of(j.w, row);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_added(sums[v], entry, weights[v].w);
  }
  return sums;
}

SkinDual[2] dual_sums_of(uvec4 j, vec4 weights[2], uint strongest[2]) {
  SkinDual sums[2];
  vec4 pivots[2] = vec4[2](dual_of(strongest[0]).real, dual_of(strongest[1]).real);
  SkinDual entry = dual_of(j.x);
  [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(skin_no_dual, entry, weights[v].x, pivots[v]);
  if (skin_influences > 1) {
    entry = dual_of(j.y);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, weights[v].y, pivots[v]);
  }
  if (skin_influences > 2) {
    entry = dual_of(j.z);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, weights[v].z, pivots[v]);
    entry = dual_of(j.w);
    [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_dual_added(sums[v], entry, weights[v].w, pivots[v]);
  }
  return sums;
}

// The joint of the greatest weight; of equal ones the first, which is the lowest.
uint strongest_of(uvec2 words, vec4 weights) {
  uvec4 joints = skin_joints_of_words(words);
  uint joint = joints.x;
  float most = weights.x;
  [[unroll]] for (int k = 1; k < 4; ++k) {
    if (weights[k] > most) {
      most = weights[k];
      joint = joints[k];
    }
  }
  return joint;
}

void main() {
  SkinInput mesh = constants.mesh;
  uint local = gl_LocalInvocationID.x, pairs = 2 * skin_quads(mesh.vertex_count);
  uint row_count = skin_entry_rows * mesh.channel_stride;
  uint group_pair = constants.first_vertex / 2 + gl_WorkGroupID.x * gl_WorkGroupSize.x;
  uint word_count = 3 * min(gl_WorkGroupSize.x, pairs - group_pair);
  // Threads past the end do the last pair again and write nothing: all are needed at the barriers.
  uint pair = min(group_pair + local, pairs - 1);

  vec3 positions[2], normals[2];
  vec4 tangents[2];
  read_pair(mesh.positions, pair, positions);
  if (skin_has_normals) read_pair(mesh.normals, pair, normals);
  if (skin_has_tangents)
    tangents = vec4[2](SkinRows(mesh.tangents).v[2 * pair], SkinRows(mesh.tangents).v[2 * pair + 1]);
  uvec2 joints[2];
  vec4 weights[2];
  read_influences(mesh, pair, joints, weights);
  bool shared_joints = joints[0] == joints[1];
  uint strongest[2] = uint[2](0, 0);
  vec2 shares = vec2(0.0);
  if (skin_has_dual)
    strongest = uint[2](strongest_of(joints[0], weights[0]), strongest_of(joints[1], weights[1]));
  if (skin_has_dual && skin_has_matrix)
    shares = uintBitsToFloat(SkinPairs(mesh.weights).v[pairs * skin_influences + pair]);  // behind the weights

  uint share = (constants.instance_count + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
  uint from = gl_WorkGroupID.y * share, to = min(from + share, constants.instance_count);
  // No function takes `next`: as a parameter it was put into memory, which cost a fifth of the speed.
  [[unroll]] for (uint n = 0; n < rows_a_thread; ++n) {
    uint row = local + n * gl_WorkGroupSize.x;
    if (row < row_count) palette[place_of(row)] = skin_read_palette_row(mesh, from * mesh.palette_stride, row);
  }
  barrier();
  for (uint instance = from; instance < to; ++instance) {
    bool last = instance + 1 == to;
    vec4 next[rows_a_thread];
    if (!last) {
      [[unroll]] for (uint n = 0; n < rows_a_thread; ++n) {
        uint row = local + n * gl_WorkGroupSize.x;
        if (row < row_count) next[n] = skin_read_palette_row(mesh, (instance + 1) * mesh.palette_stride, row);
      }
    }

    SkinMatrix sums[2];
    SkinDual dual[2];  // rigid: instead of the matrix
    if (shared_joints) {
      uvec4 j = skin_joints_of_words(joints[0]);
      SkinMatrix linear[2], stretch[2];
      if (skin_has_matrix) linear = sums_of(j, weights, 0);
      if (skin_has_dual) dual = dual_sums_of(j, weights, strongest);
      if (skin_stretch) stretch = sums_of(j, weights, skin_stretch_row);
      if (!skin_is_rigid)
        [[unroll]] for (uint v = 0; v < 2; ++v) sums[v] = skin_of_sums(linear[v], dual[v], stretch[v], shares[v]);
    } else {
      // Not unrolled: this way would take the registers that the other one needs.
      [[dont_unroll]] for (uint v = 0; v < 2; ++v) {
        uvec2 words = v == 0 ? joints[0] : joints[1];
        vec4 own_weights = v == 0 ? weights[0] : weights[1];
        uint own_strongest = v == 0 ? strongest[0] : strongest[1];
        if (skin_is_rigid) {
          SkinDual sum = dual_sum_of(skin_joints_of_words(words), own_weights, dual_of(own_strongest).real);
          if (v == 0)
            dual[0] = sum;
          else
            dual[1] = sum;
        } else {
          SkinMatrix sum = blend_of(words, own_weights, own_strongest, v == 0 ? shares.x : shares.y);
          if (v == 0)
            sums[0] = sum;
          else
            sums[1] = sum;
        }
      }
    }
    vec3 out_positions[2], out_normals[2];
    float sides[2], squares[2];
    [[unroll]] for (uint v = 0; v < 2; ++v) {
      vec3 tangent;
      if (skin_is_rigid) {
        float scale = skin_dual_scale(dual[v]);
        sides[v] = 1.0;
        out_positions[v] = skin_dual_point(dual[v], scale, positions[v]);
        if (skin_has_normals) out_normals[v] = skin_dual_direction(dual[v], scale, normals[v]);
        if (skin_has_tangents) tangent = skin_dual_direction(dual[v], scale, tangents[v].xyz);
      } else {
        out_positions[v] = skin_point(sums[v], positions[v]);
        if (skin_has_normals) out_normals[v] = skin_normal(sums[v], normals[v], sides[v]);
        if (skin_has_tangents) tangent = skin_direction(sums[v], tangents[v].xyz);
      }
      if (skin_has_normals) squares[v] = dot(out_normals[v], out_normals[v]);
      if (skin_has_tangents)
        constants.tangents.v[2 * (instance * pairs + pair) + v] = vec4(skin_unit(tangent), tangents[v].w);
    }
    if (skin_has_normals) {
      // `skin_unit_on_side` for both, with one branch.
      if (max(skin_soundness(squares[0]), skin_soundness(squares[1])) < SKIN_SOUND) {
        [[unroll]] for (uint v = 0; v < 2; ++v) {
          float scale = inversesqrt(squares[v]);
          out_normals[v] *= sides[v] < 0.0 ? -scale : scale;
        }
      } else {
        [[unroll]] for (uint v = 0; v < 2; ++v) out_normals[v] = skin_unit_on_side(out_normals[v], sides[v]);
      }
    }
    stage_pair(0, out_positions);
    if (skin_has_normals) stage_pair(1, out_normals);
    barrier();  // all is staged, and the palette used
    uint group_word = 3 * (instance * pairs + group_pair);
    write_staged(0, constants.positions, group_word, word_count);
    if (skin_has_normals) write_staged(1, constants.normals, group_word, word_count);
    if (!last) {
      [[unroll]] for (uint n = 0; n < rows_a_thread; ++n) {
        uint row = local + n * gl_WorkGroupSize.x;
        if (row < row_count) palette[place_of(row)] = next[n];
      }
    }
    barrier();
  }
}
