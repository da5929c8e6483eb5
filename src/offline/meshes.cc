#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "offline/joint_runs.h"
#include "offline/rest_box.h"
#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

constexpr std::size_t kMostEntries = 65536;  // what a vertex can index: 16 bits

/// A skin of the source while its palette is gathered.
struct SkinInUse {
  std::vector<bool> used;              // joints that vertices use
  bool needs_root = false;             // some vertex has no weight
  std::vector<std::uint16_t> entries;  // palette entry of each used joint
  std::uint16_t root_entry = 0;
  std::vector<std::uint16_t> dual_entries;  // ascending: of joints that are skinned by dual quaternions
  std::uint32_t index = 0;                  // among the runtime's skins
  std::vector<Affine> palette;              // by joint of the source skin, at rest
  Affine root;                              // of the extra entry, at rest
};

/// The vertices of one runtime mesh, before they are put in order.
struct MeshSource {
  const Scene::Primitive& primitive;
  const Influences* influences;            // null: moved by its node alone
  std::span<const std::uint16_t> entries;  // palette entry of each joint of the source skin
  std::uint16_t root_entry;
  std::span<const std::uint16_t> dual_entries;  // ascending: of joints that are skinned by dual quaternions
};

class Meshes {
 public:
  explicit Meshes(WriteState& state) : state_(state), skins_(state.scene.skins.size()) {}
  Fault run();

 private:
  Fault gather_influences();
  Fault add_skin(std::size_t s);
  std::int32_t common_root(const Scene::Skin& skin) const;
  std::uint32_t rigid_skin(std::int32_t row);
  Fault add_part(const PlannedPart& part);
  Fault mesh_of(const PlannedPart& part, std::uint32_t& mesh);
  Fault add_mesh(const DataPath& where, const std::string& name, const MeshSource& source);
  Fault measure(const PlannedPart& part);
  Fault finish_size();

  const CleanedInfluences& influences(const PlannedPart& part) const {
    return influences_.at({part.mesh, part.primitive});
  }
  const Scene::Primitive& primitive(const PlannedPart& part) const {
    return state_.scene.meshes[part.mesh].primitives[part.primitive];
  }

  using MeshKey = std::tuple<std::int32_t, std::int32_t, bool, std::vector<std::uint16_t>>;
  WriteState& state_;
  std::vector<SkinInUse> skins_;
  std::map<std::pair<std::int32_t, std::int32_t>, CleanedInfluences> influences_;
  std::map<std::int32_t, std::uint32_t> rigid_skins_;  // by row
  std::map<MeshKey, std::uint32_t> meshes_;
  RestBox box_;
};

Fault Meshes::gather_influences() {
  const DataPath root;
  for (const PlannedPart& part : state_.plan.parts) {
    if (part.skin == kNone) continue;
    const DataPath mesh(root, "meshes", std::size_t(part.mesh)), where(mesh, "primitives", std::size_t(part.primitive));
    const auto [place, added] = influences_.try_emplace({part.mesh, part.primitive});
    if (added)
      if (Fault f = clean_influences(state_, where, primitive(part), place->second)) return f;
    const Scene::Skin& skin = state_.scene.skins[part.skin];
    SkinInUse& use = skins_[part.skin];
    const Influences& all = place->second.all;
    if (!all.used.empty() && all.used.back() >= skin.joints.size()) {
      return fault(ErrorCode::out_of_range, where,
                   "vertex " + std::to_string(all.user_of_last) + " uses joint " + std::to_string(all.used.back()) +
                       ", skins[" + std::to_string(part.skin) + "] has " + std::to_string(skin.joints.size()),
                   "let influences of a weight above 0 name joints of the skin");
    }
    const Influences& stored = place->second.stored();
    use.used.resize(skin.joints.size());
    for (const std::uint16_t joint : stored.used) use.used[joint] = true;
    use.needs_root |= stored.unweighted;
  }
  return {};
}

/// The deepest node that all joints descend from or are; where there is none, the topmost ancestor of the first.
std::int32_t Meshes::common_root(const Scene::Skin& skin) const {
  const Rows& rows = state_.rows;
  std::int32_t common = rows.row_of_node[skin.joints.front()];
  for (const std::int32_t node : skin.joints) {
    const auto row = std::uint32_t(rows.row_of_node[node]);
    // In depth-first order a row is below another where it lies in its subtree's range.
    while (row < std::uint32_t(common) || row >= rows.subtree_ends[common]) {
      if (rows.parents[common] < 0) {
        common = rows.row_of_node[skin.joints.front()];
        while (rows.parents[common] >= 0) common = rows.parents[common];
        return common;
      }
      common = rows.parents[common];
    }
  }
  return common;
}

Fault Meshes::add_skin(std::size_t s) {
  const DataPath root, where(root, "skins", s);
  const Scene::Skin& skin = state_.scene.skins[s];
  SkinInUse& use = skins_[s];
  std::vector<std::uint32_t> joints;
  std::vector<Affine> matrices;
  use.index = std::uint32_t(state_.file.skins.size());
  use.entries.resize(skin.joints.size());
  use.palette.resize(skin.joints.size());
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    const Affine joint_from_mesh = skin.inverse_bind_matrices.empty() ? Affine() : skin.inverse_bind_matrices[j];
    const auto row = std::uint32_t(state_.rows.row_of_node[skin.joints[j]]);
    use.palette[j] =
        state_.rows.model_from_joint[row] * joint_from_mesh;  // also of joints that lost all their vertices
    if (!use.used[j]) continue;
    if (!is_finite(joint_from_mesh)) {
      return fault(ErrorCode::bad_value, DataPath(where, "inverse_bind_matrices", j), "it is not finite",
                   "give the joint a finite inverse bind matrix");
    }
    use.entries[j] = std::uint16_t(joints.size());
    if (std::ranges::find(state_.options.dual_joints, skin.joints[j]) != state_.options.dual_joints.end())
      use.dual_entries.push_back(use.entries[j]);
    joints.push_back(row);
    matrices.push_back(joint_from_mesh);
  }
  if (use.needs_root) {
    if (skin.joints.empty())
      return fault(ErrorCode::bad_value, DataPath(where, "joints"), "the skin has no joints",
                   "give it one, or take it from the node");
    const auto row = std::uint32_t(common_root(skin));
    // A root of scale 0 shows nothing at rest; its vertices then follow it from where they are stored.
    const Affine joint_from_mesh = inverse(state_.rows.model_from_joint[row]).value_or(Affine());
    use.root_entry = std::uint16_t(joints.size());
    use.root = state_.rows.model_from_joint[row] * joint_from_mesh;
    joints.push_back(row);
    matrices.push_back(joint_from_mesh);
  }
  if (joints.size() > kMostEntries) {
    return fault(ErrorCode::unsupported, where,
                 "skin \"" + skin.name + "\" needs " + std::to_string(joints.size()) + " palette entries, " +
                     std::to_string(kMostEntries) + " at most are allowed",
                 "split the mesh, or give every vertex a weight");
  }
  if (Fault f = state_.budget.take(where, joints.size(), sizeof(std::uint32_t) + sizeof(Affine), "palette entries"))
    return f;
  if (const std::size_t unused = skin.joints.size() - (joints.size() - (use.needs_root ? 1 : 0)); unused > 0) {
    add(state_.report, {Severity::info, "skin.unused_joints", where.text(),
                        std::to_string(unused) + " of " + std::to_string(skin.joints.size()) +
                            " joints move no vertex and get no palette entry",
                        ""});
  }
  const schema::Array joint_array = state_.file.add(joints), matrix_array = state_.file.add(matrices);
  const auto name = state_.file.name(skin.name);
  state_.file.skins.push_back(
      schema::CreateSkin(state_.file.directory(), name, std::int32_t(s), &joint_array, &matrix_array));
  return {};
}

/// One entry: the mesh node's own row.
std::uint32_t Meshes::rigid_skin(std::int32_t row) {
  const auto [place, added] = rigid_skins_.emplace(row, std::uint32_t(state_.file.skins.size()));
  if (added) {
    const std::vector<std::uint32_t> joints = {std::uint32_t(row)};
    const std::vector<Affine> matrices(1);
    const schema::Array joint_array = state_.file.add(joints), matrix_array = state_.file.add(matrices);
    const auto name = state_.file.name({});
    state_.file.skins.push_back(schema::CreateSkin(state_.file.directory(), name, kNone, &joint_array, &matrix_array));
  }
  return place->second;
}

/// Vertices with equal sets of joints side by side, otherwise in the source's order.
std::vector<std::uint32_t> joint_set_order(const MeshSource& source) {
  std::vector<std::uint32_t> order(source.primitive.positions.size());
  std::iota(order.begin(), order.end(), 0u);
  if (!source.influences) return order;
  const std::vector<std::uint32_t>& begins = source.influences->begins;
  std::vector<std::uint16_t> joints = source.influences->joints;
  for (std::size_t v = 0; v < order.size(); ++v) std::sort(joints.begin() + begins[v], joints.begin() + begins[v + 1]);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(joints.begin() + begins[a], joints.begin() + begins[a + 1],
                                        joints.begin() + begins[b], joints.begin() + begins[b + 1]);
  });
  return order;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> out;
  out.reserve(values.size());
  if (!values.empty())
    for (const std::uint32_t v : order) out.push_back(values[v]);
  return out;
}

std::vector<std::uint32_t> permuted_indices(const Scene::Primitive& primitive,
                                            const std::vector<std::uint32_t>& order) {
  if (primitive.indices.empty() && std::is_sorted(order.begin(), order.end())) return {};
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t v = 0; v < order.size(); ++v) place[order[v]] = std::uint32_t(v);
  std::vector<std::uint32_t> out = primitive.indices;
  if (out.empty()) return place;  // the vertices were drawn in order; the order has changed
  for (std::uint32_t& index : out) index = place[index];
  return out;
}

/// One stream of all morph targets; targets without it add nothing.
std::vector<Vec3> permuted_targets(const Scene::Primitive& primitive, const std::vector<std::uint32_t>& order,
                                   std::vector<Vec3> Scene::MorphTarget::*stream) {
  std::vector<Vec3> out;
  out.reserve(primitive.targets.size() * order.size());
  for (const Scene::MorphTarget& target : primitive.targets) {
    const std::vector<Vec3>& values = target.*stream;
    for (const std::uint32_t v : order) out.push_back(values.empty() ? Vec3(0) : values[v]);
  }
  return out;
}

bool any_target(const Scene::Primitive& primitive, std::vector<Vec3> Scene::MorphTarget::*stream) {
  return std::any_of(primitive.targets.begin(), primitive.targets.end(),
                     [&](const Scene::MorphTarget& t) { return !(t.*stream).empty(); });
}

/// K joints and weights a vertex; what a vertex lacks repeats its first joint with weight 0.
void fill_influences(const MeshSource& source, const std::vector<std::uint32_t>& order, std::size_t k,
                     std::vector<std::uint16_t>& joints, std::vector<float>& weights) {
  joints.reserve(order.size() * k);
  weights.reserve(order.size() * k);
  for (const std::uint32_t v : order) {
    const std::size_t begin = source.influences ? source.influences->begins[v] : 0,
                      end = source.influences ? source.influences->begins[v + 1] : 0;
    const std::uint16_t first = begin == end ? source.root_entry : source.entries[source.influences->joints[begin]];
    for (std::size_t i = 0; i < k; ++i) {
      const bool own = begin + i < end;
      joints.push_back(own ? source.entries[source.influences->joints[begin + i]] : first);
      weights.push_back(own ? source.influences->weights[begin + i] : begin == end && i == 0 ? 1.0f : 0.0f);
    }
  }
}

/// How much of each vertex is skinned by dual quaternions; empty where nothing is.
std::vector<float> dual_weights(const MeshSource& source, const std::vector<std::uint32_t>& order, std::size_t k,
                                const std::vector<std::uint16_t>& joints, const std::vector<float>& weights) {
  if (!source.primitive.dual_weights.empty()) return permuted(source.primitive.dual_weights, order);
  if (source.dual_entries.empty()) return {};
  std::vector<float> out(order.size());
  for (std::size_t v = 0; v < order.size(); ++v) {
    bool all = true;  // exactly 1 then, whatever rounding makes of the sum
    for (std::size_t i = v * k; i < (v + 1) * k; ++i) {
      if (std::ranges::binary_search(source.dual_entries, joints[i]))
        out[v] += weights[i];
      else
        all = all && weights[i] == 0;
    }
    out[v] = all ? 1.0f : std::min(out[v], 1.0f);
  }
  return out;
}

Fault Meshes::add_mesh(const DataPath& where, const std::string& name, const MeshSource& source) {
  const Scene::Primitive& p = source.primitive;
  const std::size_t k = source.influences ? std::max(source.influences->most, 1u) : 1;
  const bool target_normals = !p.normals.empty() && any_target(p, &Scene::MorphTarget::normals);
  const bool target_tangents = !p.tangents.empty() && any_target(p, &Scene::MorphTarget::tangents);
  const std::uint64_t target_bytes = p.targets.size() * sizeof(Vec3) * (1 + target_normals + target_tangents);
  constexpr std::uint64_t kVertexBytes = 2 * sizeof(Vec3) + sizeof(Vec4) + sizeof(Vec2) + 2 * sizeof(std::uint32_t);
  if (Fault f = state_.budget.take(where, p.positions.size(), kVertexBytes + k * 10 + 10 + target_bytes, "vertices"))
    return f;
  if (Fault f = state_.budget.take(where, p.indices.size(), sizeof(std::uint32_t), "indices")) return f;
  const std::vector<std::uint32_t> order = joint_set_order(source);
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  fill_influences(source, order, k, joints, weights);
  const std::vector<float> shares = dual_weights(source, order, k, joints, weights);
  const RunArrays runs = joint_runs(k, joints, weights);
  FileBuilder& file = state_.file;
  const schema::Array positions = file.add(permuted(p.positions, order)),
                      normals = file.add(permuted(p.normals, order)), tangents = file.add(permuted(p.tangents, order)),
                      uvs = file.add(permuted(p.uvs, order)), joint_array = file.add(joints),
                      weight_array = file.add(weights), share_array = file.add(shares), run_ends = file.add(runs.ends),
                      run_joints = file.add(runs.joints), run_weights = file.add(runs.weights),
                      indices = file.add(permuted_indices(p, order)), source_vertices = file.add(order),
                      targets = file.add(permuted_targets(p, order, &Scene::MorphTarget::positions));
  schema::Array normal_targets, tangent_targets;
  if (target_normals) normal_targets = file.add(permuted_targets(p, order, &Scene::MorphTarget::normals));
  if (target_tangents) tangent_targets = file.add(permuted_targets(p, order, &Scene::MorphTarget::tangents));
  const auto name_offset = file.name(name);
  file.meshes.push_back(schema::CreateMesh(
      file.directory(), name_offset, std::uint8_t(p.topology), &positions, unless_empty(normals),
      unless_empty(tangents), unless_empty(uvs), std::uint32_t(k), &joint_array, &weight_array, &run_ends, &run_joints,
      &run_weights, unless_empty(indices), &source_vertices, std::uint32_t(p.targets.size()), unless_empty(targets),
      unless_empty(normal_targets), unless_empty(tangent_targets), unless_empty(share_array)));
  return {};
}

/// The runtime mesh of a part: shared by all parts of the same primitive whose vertices use the same entries.
Fault Meshes::mesh_of(const PlannedPart& part, std::uint32_t& mesh) {
  const DataPath root, mesh_path(root, "meshes", std::size_t(part.mesh)),
      where(mesh_path, "primitives", std::size_t(part.primitive));
  const bool skinned = part.skin != kNone;
  const SkinInUse* use = skinned ? &skins_[part.skin] : nullptr;
  const Influences* stored = skinned ? &influences(part).stored() : nullptr;
  std::vector<std::uint16_t> entries;
  if (skinned) {
    for (const std::uint16_t joint : stored->used) entries.push_back(use->entries[joint]);
    if (stored->unweighted) entries.push_back(use->root_entry);
    entries.insert(entries.end(), use->dual_entries.begin(), use->dual_entries.end());
  }
  if (Fault f = state_.budget.take(where, entries.size(), sizeof(std::uint16_t), "palette entries")) return f;
  const auto [place, added] = meshes_.emplace(MeshKey(part.mesh, part.primitive, skinned, std::move(entries)),
                                              std::uint32_t(state_.file.meshes.size()));
  mesh = place->second;
  if (!added) return {};
  const MeshSource source{
      primitive(part), stored,
      skinned ? std::span<const std::uint16_t>(use->entries) : std::span<const std::uint16_t>(),
      skinned ? use->root_entry : std::uint16_t(0),
      skinned ? std::span<const std::uint16_t>(use->dual_entries) : std::span<const std::uint16_t>()};
  return add_mesh(where, state_.scene.meshes[part.mesh].name, source);
}

/// Adds the part's vertices at rest to the box, and notes how far dropped influences moved them.
Fault Meshes::measure(const PlannedPart& part) {
  const DataPath root, mesh(root, "meshes", std::size_t(part.mesh)),
      where(mesh, "primitives", std::size_t(part.primitive));
  const bool skinned = part.skin != kNone;
  const Affine own = state_.rows.model_from_joint[state_.rows.row_of_node[part.node]];
  const SkinInUse* use = skinned ? &skins_[part.skin] : nullptr;
  const RestPart rest{primitive(part),
                      std::span<const float>(state_.rows.rest_channels)
                          .subspan(state_.plan.first_channel[part.node], primitive(part).targets.size()),
                      skinned ? std::span<const Affine>(use->palette) : std::span<const Affine>(&own, 1),
                      skinned ? use->root : own};
  const CleanedInfluences* cleaned = skinned ? &influences(part) : nullptr;
  for (std::size_t v = 0; v < rest.primitive.positions.size(); ++v) {
    const Vec3 p = rest_position(rest, cleaned ? &cleaned->stored() : nullptr, v);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      return fault(ErrorCode::bad_value, where,
                   "vertex " + std::to_string(v) + " at rest goes beyond what a float holds",
                   "use smaller positions and matrices");
    }
    box_.add(p);
    if (!cleaned || cleaned->kept.begins.empty()) continue;
    if (cleaned->all.begins[v + 1] - cleaned->all.begins[v] == cleaned->kept.begins[v + 1] - cleaned->kept.begins[v])
      continue;
    const double moved = glm::distance(p, rest_position(rest, &cleaned->all, v));
    if (!state_.tallies.movement.take(moved)) continue;
    state_.tallies.movement.where = where.text();
    state_.tallies.movement.what =
        "dropped influences moved vertex " + std::to_string(v) + " by " + number(moved) + " at rest, the most of all";
  }
  return {};
}

Fault Meshes::add_part(const PlannedPart& part) {
  const std::int32_t row = state_.rows.row_of_node[part.node];
  std::uint32_t mesh = 0;
  if (Fault f = mesh_of(part, mesh)) return f;
  const std::uint32_t skin = part.skin == kNone ? rigid_skin(row) : skins_[part.skin].index;
  state_.file.parts.push_back(schema::CreatePart(
      state_.file.directory(), mesh, skin, std::uint32_t(row), state_.plan.first_channel[part.node],
      std::uint32_t(primitive(part).targets.size()), part.node, part.mesh, part.primitive, primitive(part).material));
  return measure(part);
}

Fault Meshes::finish_size() {
  if (box_.empty()) {
    for (const Affine& m : state_.rows.model_from_joint) box_.add({m.rows[0][3], m.rows[1][3], m.rows[2][3]});
  }
  state_.file.size = float(box_.diagonal());
  if (std::isfinite(state_.file.size)) return {};
  return fault(ErrorCode::too_large, {}, "the box of the rest pose goes beyond what a float holds",
               "use smaller positions");
}

Fault Meshes::run() {
  if (Fault f = gather_influences()) return f;
  std::vector<bool> done(skins_.size());
  for (const PlannedPart& part : state_.plan.parts) {
    if (part.skin == kNone || done[part.skin]) continue;
    done[part.skin] = true;
    if (Fault f = add_skin(std::size_t(part.skin))) return f;
  }
  for (const PlannedPart& part : state_.plan.parts)
    if (Fault f = add_part(part)) return f;
  return finish_size();
}

}  // namespace

Fault add_meshes(WriteState& state) { return Meshes(state).run(); }

}  // namespace sinew::detail
