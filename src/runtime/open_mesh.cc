#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/file_format.h"
#include "runtime/kernels.h"
#include "runtime/open_detail.h"

namespace sinew::detail {
namespace {

Fault view_arrays(const DataPath& where, const schema::Mesh& in, Arrays& arrays, Mesh& mesh) {
  if (Fault f = arrays.view(in.positions(), DataPath(where, "positions"), mesh.positions)) return f;
  if (Fault f = arrays.view(in.normals(), DataPath(where, "normals"), mesh.normals)) return f;
  if (Fault f = arrays.view(in.tangents(), DataPath(where, "tangents"), mesh.tangents)) return f;
  if (Fault f = arrays.view(in.uvs(), DataPath(where, "uvs"), mesh.uvs)) return f;
  if (Fault f = arrays.view(in.joints(), DataPath(where, "joints"), mesh.joints)) return f;
  if (Fault f = arrays.view(in.weights(), DataPath(where, "weights"), mesh.weights)) return f;
  if (Fault f = arrays.view(in.dual_weights(), DataPath(where, "dual_weights"), mesh.dual_weights)) return f;
  if (Fault f = arrays.view(in.run_ends(), DataPath(where, "run_ends"), mesh.runs.ends)) return f;
  if (Fault f = arrays.view(in.run_joints(), DataPath(where, "run_joints"), mesh.runs.joints)) return f;
  if (Fault f = arrays.view(in.run_weights(), DataPath(where, "run_weights"), mesh.runs.weights)) return f;
  if (Fault f = arrays.view(in.indices(), DataPath(where, "indices"), mesh.indices)) return f;
  if (Fault f = arrays.view(in.source_vertices(), DataPath(where, "source_vertices"), mesh.source_vertices)) return f;
  if (Fault f = arrays.view(in.target_positions(), DataPath(where, "target_positions"), mesh.target_positions))
    return f;
  if (Fault f = arrays.view(in.target_normals(), DataPath(where, "target_normals"), mesh.target_normals)) return f;
  return arrays.view(in.target_tangents(), DataPath(where, "target_tangents"), mesh.target_tangents);
}

template <class T>
Fault check_optional(const DataPath& where, std::span<const T> values, std::size_t count, const char* why) {
  if (values.empty()) return {};
  if (Fault f = check_count(where, values.size(), count, why)) return f;
  return check_finite(where, values);
}

/// Counts and finite numbers of all vertex arrays.
Fault check_vertices(const DataPath& where, const Mesh& mesh) {
  constexpr const char* kOneEach = "one a vertex";
  const std::size_t count = mesh.vertex_count();
  if (count == 0) return fault(ErrorCode::bad_value, DataPath(where, "positions"), "it is empty");
  if (Fault f = check_finite(DataPath(where, "positions"), mesh.positions)) return f;
  if (Fault f = check_optional(DataPath(where, "normals"), mesh.normals, count, kOneEach)) return f;
  if (Fault f = check_optional(DataPath(where, "tangents"), mesh.tangents, count, kOneEach)) return f;
  if (Fault f = check_optional(DataPath(where, "uvs"), mesh.uvs, count, kOneEach)) return f;
  const DataPath shares(where, "dual_weights");
  if (Fault f = check_optional(shares, mesh.dual_weights, count, kOneEach)) return f;
  for (const float share : mesh.dual_weights)
    if (share < 0 || share > 1) return fault(ErrorCode::bad_value, shares, number(share) + " is not in 0 to 1");
  return check_count(DataPath(where, "source_vertices"), mesh.source_vertices.size(), count, kOneEach);
}

Fault check_targets(const DataPath& where, const Mesh& mesh) {
  constexpr const char* kOneEach = "one a vertex and target";
  // Divided, not multiplied: a forged count must not wrap around.
  if (mesh.target_positions.size() % mesh.vertex_count() != 0 ||
      mesh.target_positions.size() / mesh.vertex_count() != mesh.target_count) {
    return fault(ErrorCode::inconsistent, DataPath(where, "target_positions"),
                 std::to_string(mesh.target_positions.size()) + " elements for " + std::to_string(mesh.target_count) +
                     " targets of " + std::to_string(mesh.vertex_count()) + " vertices");
  }
  if (Fault f = check_finite(DataPath(where, "target_positions"), mesh.target_positions)) return f;
  const std::size_t count = mesh.target_positions.size();
  if (Fault f = check_optional(DataPath(where, "target_normals"), mesh.target_normals, count, kOneEach)) return f;
  return check_optional(DataPath(where, "target_tangents"), mesh.target_tangents, count, kOneEach);
}

Fault check_influences(const DataPath& where, Mesh& mesh) {
  const std::size_t count = mesh.vertex_count(), k = mesh.influence_count;
  constexpr const char* kOneEach = "influence_count a vertex";
  if (k == 0 || k > mesh.joints.size() || mesh.joints.size() % k != 0 || mesh.joints.size() / k != count) {
    return fault(ErrorCode::inconsistent, DataPath(where, "joints"),
                 std::to_string(mesh.joints.size()) + " elements for " + std::to_string(count) + " vertices of " +
                     std::to_string(k) + " influences");
  }
  if (Fault f = check_count(DataPath(where, "weights"), mesh.weights.size(), mesh.joints.size(), kOneEach)) return f;
  constexpr std::size_t kAny = 65536;  // what 16 bits can say; read_parts compares with the skins
  if (Fault f = check_below(DataPath(where, "joints"), mesh.joints, kAny, "entries", mesh.palette_limit)) return f;
  if (kernels::sound_weights(mesh.weights, k, kSumTolerance)) return {};
  for (std::size_t v = 0; v < count; ++v) {
    float sum = 0, previous = 2;
    for (std::size_t i = v * k; i < (v + 1) * k; ++i) {
      const float weight = mesh.weights[i];
      if (!(weight >= 0 && weight <= previous))  // also where it is not a number
        return fault(ErrorCode::bad_value, DataPath(where, "weights", i),
                     "a weight is negative, not finite or greater than the one before it");
      sum += previous = weight;
    }
    if (!(std::fabs(sum - 1) <= kSumTolerance)) {
      return fault(ErrorCode::bad_value, DataPath(where, "weights", v * k),
                   "the weights of vertex " + std::to_string(v) + " sum to " + number(sum));
    }
  }
  return {};
}

/// `seen`: memory that one mesh leaves to the next.
Fault check_permutation(const DataPath& where, std::span<const std::uint32_t> values, std::vector<char>& seen) {
  const std::size_t count = values.size();
  seen.assign(count, 0);
  if (kernels::greatest(values) < count) {
    for (const std::uint32_t value : values) seen[value] = 1;
    // As many values as places: where none is left out, none is there twice.
    if (!std::memchr(seen.data(), 0, count)) return {};
    seen.assign(count, 0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = values[i];
    if (value >= count || seen[value]) {
      return fault(value >= count ? ErrorCode::out_of_range : ErrorCode::inconsistent, where,
                   std::to_string(value) + " at " + std::to_string(i) +
                       " is too large or there twice: no permutation of " + std::to_string(count) + " vertices");
    }
    seen[value] = 1;
  }
  return {};
}

}  // namespace

Fault read_meshes(const schema::Character& in, Arrays& arrays, CharacterTables& tables) {
  const DataPath root;
  const std::size_t count = in.meshes() ? in.meshes()->size() : 0;
  std::vector<char> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const DataPath where(root, "meshes", i);
    const schema::Mesh& table = *in.meshes()->Get(flatbuffers::uoffset_t(i));
    Mesh& mesh = tables.meshes.emplace_back();
    mesh.name = text(table.name());
    mesh.topology = Topology(table.topology());
    if (mesh.topology > Topology::triangle_fan)
      return fault(ErrorCode::bad_value, DataPath(where, "topology"),
                   std::to_string(table.topology()) + " is not in 0 to 6");
    mesh.influence_count = table.influence_count();
    mesh.target_count = table.target_count();
    if (Fault f = view_arrays(where, table, arrays, mesh)) return f;
    if (Fault f = check_vertices(where, mesh)) return f;
    if (Fault f = check_influences(where, mesh)) return f;
    if (Fault f = check_targets(where, mesh)) return f;
    if (Fault f = check_permutation(DataPath(where, "source_vertices"), mesh.source_vertices, seen)) return f;
    std::uint32_t limit = 0;
    if (Fault f = check_below(DataPath(where, "indices"), mesh.indices, mesh.vertex_count(), "vertices", limit))
      return f;
  }
  return {};
}

Fault read_parts(const schema::Character& in, CharacterTables& tables) {
  const DataPath root;
  const std::size_t count = in.parts() ? in.parts()->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const DataPath where(root, "parts", i);
    const schema::Part& table = *in.parts()->Get(flatbuffers::uoffset_t(i));
    const Part& part = tables.parts.emplace_back(Part{table.mesh(), table.skin(), table.joint(), table.first_channel(),
                                                      table.channel_count(), table.source_node(), table.source_mesh(),
                                                      table.source_primitive(), table.material()});
    const auto outside = [&](const char* field, std::uint32_t value, std::size_t limit) {
      return fault(ErrorCode::out_of_range, DataPath(where, field),
                   "index " + std::to_string(value) + " of " + std::to_string(limit));
    };
    if (part.mesh >= tables.meshes.size()) return outside("mesh", part.mesh, tables.meshes.size());
    if (part.skin >= tables.skins.size()) return outside("skin", part.skin, tables.skins.size());
    if (part.joint >= tables.skeleton.joint_count()) return outside("joint", part.joint, tables.skeleton.joint_count());
    const Mesh& mesh = tables.meshes[part.mesh];
    if (mesh.palette_limit > tables.skins[part.skin].joints.size()) {
      return fault(ErrorCode::out_of_range, DataPath(where, "skin"),
                   "meshes[" + std::to_string(part.mesh) + "] uses palette entry " +
                       std::to_string(mesh.palette_limit - 1) + ", skins[" + std::to_string(part.skin) + "] has " +
                       std::to_string(tables.skins[part.skin].joints.size()));
    }
    const std::size_t channels = tables.skeleton.channel_count();
    if (part.first_channel > channels || part.channel_count > channels - part.first_channel)
      return outside("first_channel", part.first_channel, channels);
    if (Fault f =
            check_count(DataPath(where, "channel_count"), part.channel_count, mesh.target_count, "one a morph target"))
      return f;
    for (const std::int32_t source : {part.source_node, part.source_mesh, part.source_primitive, part.material})
      if (source < kNone) return fault(ErrorCode::out_of_range, where, "a source index is below -1");
  }
  return {};
}

}  // namespace sinew::detail
