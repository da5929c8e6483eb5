// What the exported shaders are tried on: meshes packed as docs/shaders.md says, what must come out, and the comparison.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/gpu.h"
#include "sinew/skin.h"
#include "support/doubles.h"

namespace sinew::test {

/// One of the texts, by its options.
struct Variant {
  bool vertex_stage = false;
  std::uint32_t influences = 4;
  bool tangents = false, morphs = false, instances = false;  ///< morphs have instances too
  bool fast = false, palette_4x4 = false, constants = false;
  SkinMethod method = SkinMethod::linear;
  bool stretch = false;
  /// Its file's name without the ending.
  std::string name() const;
};

/// position.w: how much of mixed is dual quaternion.
struct PackedVertex {
  Vec4 position{0.0f}, normal{0.0f};
  Vec2 uv{0.0f};
  std::uint16_t joints[4] = {};
  Vec4 weights{0.0f};
};
static_assert(sizeof(PackedVertex) == 64);
struct MoreInfluences {
  std::uint16_t joints[4] = {};
  float weights[4] = {};
};
static_assert(sizeof(MoreInfluences) == 24);
struct PackedSkinned {
  Vec4 position{0.0f}, normal{0.0f};
  Vec2 uv{0.0f}, padding{0.0f};
};
static_assert(sizeof(PackedSkinned) == 48);

/// Positions, normals and tangents in double precision, instance after instance; empty where there are none.
struct Exact {
  std::vector<DVec3> positions, normals;
  std::vector<DVec4> tangents;
};

/// A mesh, its palettes and weights.
struct Case {
  std::string name;
  std::uint32_t influences = 4;  ///< of 1, 2, 4, 8 the first that holds the mesh's
  bool normals = false, tangents = false;
  std::uint32_t target_count = 0, palette_joints = 0, instances = 1;
  double size = 1;
  std::vector<PackedVertex> vertices;
  std::vector<MoreInfluences> more;  ///< one a vertex, zeros without need
  std::vector<Vec4> tangent_stream;  ///< one a vertex with tangents
  std::vector<float> deltas;         ///< 6 floats a target and vertex, with tangents 9
  std::vector<float> morph_weights;
  SkinMethod method = SkinMethod::linear;
  std::vector<Affine> palette;
  std::vector<DualQuaternion> rigid;  ///< but for linear one a matrix, some of them of the other sign
  std::vector<Affine> stretch;        ///< empty, or one a matrix
  Exact oracle;  ///< of the whole scene by tests/oracle, for the exact mode; empty for meshes made here
  std::uint32_t vertex_count() const { return std::uint32_t(vertices.size()); }
};

/// The built-in character, six assets with morphs, 8 influences and uneven scale (where the shared folder is), and
/// meshes made by chance: all numbers of influences, three instances, tangents, morphs, uneven scale, and a vertex
/// whose weights sum to 0.8; of other methods than linear some of them.
const std::vector<Case>& cases();

/// The case skinned in double precision from its packed numbers. Without `signs`: dual quaternions are added as they are.
Exact skin_exactly(const Case& data, bool fast, bool signs = true);

/// What a back end gives: positions, normals (zeros without), tangents, instance after instance.
struct Skinned {
  std::vector<PackedSkinned> vertices;
  std::vector<Vec4> tangents;
};

/// Ways to try a case: those that need no more than the back end has.
struct Abilities {
  bool vertex_stage = false;
  bool morphs = true, instances = true;
  bool constants = false;
  std::uint32_t joints = 65536;  ///< a palette
  std::uint32_t influences = 8;
  bool tangents = true;
  bool other_methods = true;
};
struct Run {
  Variant variant;
  const Case* data = nullptr;      ///< what the back end gets
  const Case* expected = nullptr;  ///< whose vertices must come out
  /// `data` has transposed matrices, or dual quaternions with w first, as a host that mixes up the orders gives them.
  bool witness = false;
};
/// All cases, exact with rows and fast with columns; then witnesses.
std::vector<Run> runs(const Abilities& abilities);
/// What may differ: positions as shares of the larger of the model's size and the distance from the origin, and unit
/// normals and tangents.
struct Limits {
  double positions = 2e-6, directions = 2e-6;
};
/// Prints one row of maximum differences, keeps it for the table, and expects it within the limits, and the witnesses
/// beyond. One result a run.
void judge(const std::string& name, const std::vector<Run>& all, const std::vector<Skinned>& results,
           const Limits& limits = {});

using Backend = std::function<Skinned(const Variant&, const Case&)>;
/// All runs through a back end, judged.
void expect_agreement(const std::string& name, const Abilities& abilities, const Backend& backend,
                      const Limits& limits = {});

/// The palette as the variant reads it.
std::vector<float> palette_floats(const Variant& variant, const Case& data);
/// A turn that the vertex stage's matrices make after skinning, so that they are tried too: columns of a 4x4.
std::array<float, 16> view_matrix();
/// The uniforms of the vertex stage, 176 bytes.
std::vector<std::byte> vertex_uniforms(const Case& data);
/// The counts of the compute stage, 12 bytes in 16.
std::vector<std::byte> compute_counts(const Case& data);
/// The inverse of what `view_matrix` did, in double precision, for vertices that came out of the vertex stage.
void undo_view(Skinned& skinned);

}  // namespace sinew::test
