#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "interchange/json_patch.h"

namespace sinew::glb {
namespace {

template <class Visit>
void each(Json* array, Visit visit) {
  if (!array || !array->is_array()) return;
  for (Json& value : *array) visit(value);
}

void visit_index(Json* reference, const std::function<void(Json&)>& visit) {
  if (reference && reference->is_number()) visit(*reference);
}

void visit_members(Json* object, const std::function<void(Json&)>& visit) {
  if (!object || !object->is_object()) return;
  for (Json& value : *object) visit_index(&value, visit);
}

template <class Visit>
void each_primitive(Json& root, Visit visit) {
  each(find(&root, "meshes"), [&](Json& mesh) { each(find(&mesh, "primitives"), visit); });
}

Json* extension(Json* object, const char* name) { return find(find(object, "extensions"), name); }

}  // namespace

void each_accessor_reference(Json& root, const std::function<void(Json&)>& visit) {
  each_primitive(root, [&](Json& primitive) {
    visit_members(find(&primitive, "attributes"), visit);
    visit_index(find(&primitive, "indices"), visit);
    each(find(&primitive, "targets"), [&](Json& target) { visit_members(&target, visit); });
  });
  each(find(&root, "skins"), [&](Json& skin) { visit_index(find(&skin, "inverseBindMatrices"), visit); });
  each(find(&root, "animations"), [&](Json& animation) {
    each(find(&animation, "samplers"), [&](Json& sampler) {
      visit_index(find(&sampler, "input"), visit);
      visit_index(find(&sampler, "output"), visit);
    });
  });
  each(find(&root, "nodes"),
       [&](Json& node) { visit_members(find(extension(&node, "EXT_mesh_gpu_instancing"), "attributes"), visit); });
}

void each_view_reference(Json& root, const std::function<void(Json&)>& visit) {
  each(find(&root, "accessors"), [&](Json& accessor) {
    visit_index(find(&accessor, "bufferView"), visit);
    Json* sparse = find(&accessor, "sparse");
    visit_index(find(find(sparse, "indices"), "bufferView"), visit);
    visit_index(find(find(sparse, "values"), "bufferView"), visit);
  });
  each(find(&root, "images"), [&](Json& image) { visit_index(find(&image, "bufferView"), visit); });
  each_primitive(root, [&](Json& primitive) {
    visit_index(find(extension(&primitive, "KHR_draco_mesh_compression"), "bufferView"), visit);
  });
}

namespace {

/// Extensions that refer to accessors and views nowhere, or only where the functions above look.
bool is_known(std::string_view name) {
  constexpr std::array<std::string_view, 11> kFamilies{
      "KHR_materials_", "KHR_texture_",   "EXT_texture_", "MSFT_texture_",         "KHR_lights_",          "KHR_xmp",
      "KHR_node_",      "EXT_lights_ies", "VRMC_",        "KHR_animation_pointer", "KHR_mesh_quantization"};
  constexpr std::array<std::string_view, 6> kNames{"VRM",
                                                   "KHR_draco_mesh_compression",
                                                   "EXT_meshopt_compression",
                                                   "EXT_mesh_gpu_instancing",
                                                   "FB_ngon_encoding",
                                                   "KHR_techniques_webgl"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return name.substr(0, family.size()) == family; });
}

/// Drops the elements of an array that no reference names.
void drop_unused(Json& root, const char* key, void (*each_reference)(Json&, const std::function<void(Json&)>&)) {
  Json* list = find(&root, key);
  if (!list || !list->is_array()) return;
  std::vector<std::int32_t> new_index(list->size(), kNone);
  each_reference(root, [&](Json& reference) {
    const std::int32_t index = index_value(&reference);
    if (index >= 0 && std::size_t(index) < new_index.size()) new_index[std::size_t(index)] = 0;
  });
  Json kept = Json::array();
  for (std::size_t i = 0; i < new_index.size(); ++i) {
    if (new_index[i] == kNone) continue;
    new_index[i] = std::int32_t(kept.size());
    kept.push_back(std::move((*list)[i]));
  }
  set_array(root, key, std::move(kept));
  each_reference(root, [&](Json& reference) {
    const std::int32_t index = index_value(&reference);
    if (index >= 0 && std::size_t(index) < new_index.size()) reference = new_index[std::size_t(index)];
  });
}

}  // namespace

bool compact(Json& root) {
  for (const std::string& name : extensions_in_use(root))
    if (!is_known(name)) return false;
  drop_unused(root, "accessors", each_accessor_reference);
  drop_unused(root, "bufferViews", each_view_reference);
  return true;
}

}  // namespace sinew::glb
