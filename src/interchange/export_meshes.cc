#include <algorithm>
#include <utility>

#include "interchange/export_parts.h"
#include "interchange/export_patch.h"

namespace sinew::glb {
namespace {

bool equal(const Scene::InfluenceSet& a, const Scene::InfluenceSet& b) {
  return a.joints == b.joints && a.weights == b.weights;
}

bool equal(const std::vector<Scene::InfluenceSet>& a, const std::vector<Scene::InfluenceSet>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return equal(x, y); });
}

bool equal(const std::vector<Scene::MorphTarget>& a, const std::vector<Scene::MorphTarget>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Scene::MorphTarget& x, const Scene::MorphTarget& y) {
                      return x.positions == y.positions && x.normals == y.normals && x.tangents == y.tangents;
                    });
}

/// What of a primitive is not as in the document.
struct Changes {
  bool positions, normals, tangents, uvs, influences, targets, indices, topology, material, count;
  bool any_array() const { return positions || normals || tangents || uvs || influences || targets || indices; }
};

Changes changes_of(const Scene::Primitive& a, const Scene::Primitive& b) {
  return {a.positions != b.positions,
          a.normals != b.normals,
          a.tangents != b.tangents,
          a.uvs != b.uvs,
          !equal(a.influences, b.influences),
          !equal(a.targets, b.targets),
          a.indices != b.indices,
          a.topology != b.topology,
          a.material != b.material,
          a.positions.size() != b.positions.size()};
}

class PrimitivePatch {
 public:
  PrimitivePatch(Patch& patch, WeightPatch& weights) : patch_(patch), weights_(weights) {}

  std::optional<Error> apply(Json& json, const Scene::Primitive& primitive, const Scene::Primitive& base,
                             const std::string& where) {
    const Changes changes = changes_of(primitive, base);
    std::vector<Scene::InfluenceSet> sets = primitive.influences;
    bool influences = changes.influences;
    const bool packed = has_draco(json);
    const std::uint32_t levels = packed ? 0 : weights_.stored_levels(json);  // changed weights keep their type
    if (changes.material) set_index(json, "material", primitive.material);
    if (!influences && !packed)
      influences = !weights_.normalize_stored(json, sets, where);
    else
      report_weights(patch_.report, normalize_weights(sets, levels), where);
    if (packed && (changes.any_array() || !equal(sets, primitive.influences))) {
      Scene::Primitive whole = primitive;
      whole.influences = std::move(sets);
      if (auto error = unpack_draco(patch_, json, whole, where)) return error;
      if (changes.count) drop_others(json, whole, where);
      return std::nullopt;
    }
    set_arrays(json, primitive, changes);
    if (influences) set_sets(json, sets, changes.influences ? levels : 0);
    if (changes.topology) json["mode"] = int(primitive.topology);
    if (changes.count) drop_others(json, primitive, where);
    patch_.replaced = patch_.replaced || changes.any_array() || influences;
    return std::nullopt;
  }

 private:
  static bool has_draco(const Json& json) {
    return find(find(&json, "extensions"), "KHR_draco_mesh_compression") != nullptr;
  }

  template <class T, class... More>
  void set_attribute(Json& json, const char* semantic, const std::vector<T>& values, More... more) {
    set_index(object_in(json, "attributes"), semantic,
              values.empty() ? kNone : patch_.writer.add(Use::vertices, values, more...));
  }

  void set_arrays(Json& json, const Scene::Primitive& primitive, const Changes& changes) {
    if (changes.positions) set_attribute(json, "POSITION", primitive.positions, true);
    if (changes.normals) set_attribute(json, "NORMAL", primitive.normals);
    if (changes.tangents) set_attribute(json, "TANGENT", primitive.tangents);
    if (changes.uvs) set_attribute(json, "TEXCOORD_0", primitive.uvs);
    if (changes.indices)
      set_index(json, "indices", primitive.indices.empty() ? kNone : patch_.writer.add_indices(primitive.indices));
    if (changes.targets) {
      Json targets = targets_json(patch_.writer, primitive);
      set_array(json, "targets", targets.is_null() ? Json::array() : std::move(targets));
    }
  }

  void set_sets(Json& json, const std::vector<Scene::InfluenceSet>& sets, std::uint32_t levels) {
    Json& attributes = object_in(json, "attributes");
    for (auto item = attributes.begin(); item != attributes.end();) {
      const bool old = item.key().rfind("JOINTS_", 0) == 0 || item.key().rfind("WEIGHTS_", 0) == 0;
      item = old ? attributes.erase(item) : std::next(item);
    }
    set_influences(patch_.writer, attributes, sets, levels);
  }

  /// Attributes that sinew does not model cannot follow another number of vertices.
  void drop_others(Json& json, const Scene::Primitive& primitive, const std::string& where) {
    Json& attributes = object_in(json, "attributes");
    for (auto item = attributes.begin(); item != attributes.end();) {
      const Json* accessor = element(find(&patch_.writer.root(), "accessors"), index_value(&item.value()));
      if (size_of(accessor, "count") == primitive.positions.size()) {
        ++item;
        continue;
      }
      patch_.note(Severity::warning, "attribute.dropped", where,
                  item.key() + " was left out: the number of vertices has changed");
      item = attributes.erase(item);
    }
  }

  Patch& patch_;
  WeightPatch& weights_;
};

void patch_mesh_members(Json& json, const Scene::Mesh& mesh, const Scene::Mesh& base) {
  if (mesh.name != base.name) set_text(json, "name", mesh.name);
  if (mesh.weights != base.weights) set_array(json, "weights", numbers(mesh.weights));
  if (mesh.target_names != base.target_names) set_target_names(json, mesh.target_names);
}

std::optional<Error> removed(const std::string& where, const char* what, std::size_t now, std::size_t before) {
  return Error{
      ErrorCode::inconsistent, where,
      std::to_string(now) + " " + what + ", but the document that the scene came from has " + std::to_string(before),
      "keep unused ones, or reset Scene::document to write a new file"};
}

}  // namespace

std::optional<Error> patch_meshes(Patch& patch) {
  WeightPatch weights(patch);
  PrimitivePatch primitives(patch, weights);
  for (std::size_t m = 0; m < patch.scene.meshes.size(); ++m) {
    const Scene::Mesh& mesh = patch.scene.meshes[m];
    const std::string where = "meshes[" + std::to_string(m) + "]";
    if (m >= patch.base.meshes.size()) {
      if (auto error = check_mesh(mesh, where)) return error;
      append(patch.writer.root(), "meshes", mesh_json(patch.writer, mesh, kNone, patch.report, where));
      continue;
    }
    const Scene::Mesh& base = patch.base.meshes[m];
    if (mesh.primitives.size() < base.primitives.size())
      return removed(where, "primitives", mesh.primitives.size(), base.primitives.size());
    Json* json = patch.entry("meshes", m);
    Json* list = find(json, "primitives");
    if (!list || !list->is_array()) continue;
    patch_mesh_members(*json, mesh, base);
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      const std::string place = where + ".primitives[" + std::to_string(p) + "]";
      if (p >= base.primitives.size()) {
        list->push_back(primitive_json(patch.writer, mesh.primitives[p], kNone, patch.report, place));
      } else if (auto error = primitives.apply((*list)[p], mesh.primitives[p], base.primitives[p], place)) {
        return error;
      }
    }
  }
  return std::nullopt;
}

}  // namespace sinew::glb
