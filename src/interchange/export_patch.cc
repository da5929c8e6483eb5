#include "interchange/export_patch.h"

#include <utility>

#include "interchange/export_parts.h"

namespace sinew::glb {
namespace {

void patch_node(Patch& patch, Json& json, const Scene::Node& node, const Scene::Node& base) {
  if (node.name != base.name) set_text(json, "name", node.name);
  if (node.rest != base.rest) set_transform(json, node.rest);
  if (node.children != base.children) set_array(json, "children", node.children);
  if (node.mesh != base.mesh) set_index(json, "mesh", node.mesh);
  if (node.skin != base.skin) set_index(json, "skin", node.skin);
  if (node.weights != base.weights) set_array(json, "weights", numbers(node.weights));
  if (node.mesh != base.mesh || node.skin != base.skin) patch.replaced = true;
}

}  // namespace

void patch_nodes(Patch& patch) {
  for (std::size_t i = 0; i < patch.scene.nodes.size(); ++i) {
    if (i >= patch.base.nodes.size())
      append(patch.writer.root(), "nodes", node_json(patch.scene.nodes[i]));
    else if (Json* json = patch.entry("nodes", i))
      patch_node(patch, *json, patch.scene.nodes[i], patch.base.nodes[i]);
  }
}

void patch_skins(Patch& patch) {
  for (std::size_t i = 0; i < patch.scene.skins.size(); ++i) {
    const Scene::Skin& skin = patch.scene.skins[i];
    if (i >= patch.base.skins.size()) {
      append(patch.writer.root(), "skins", skin_json(patch.writer, skin));
      continue;
    }
    const Scene::Skin& base = patch.base.skins[i];
    Json* json = patch.entry("skins", i);
    if (!json) continue;
    if (skin.name != base.name) set_text(*json, "name", skin.name);
    if (skin.joints != base.joints) (*json)["joints"] = skin.joints;
    if (skin.skeleton != base.skeleton) set_index(*json, "skeleton", skin.skeleton);
    if (skin.inverse_bind_matrices == base.inverse_bind_matrices) continue;
    const bool any = !skin.inverse_bind_matrices.empty();
    set_index(*json, "inverseBindMatrices", any ? add_matrices(patch.writer, skin.inverse_bind_matrices) : kNone);
    patch.replaced = true;
  }
}

void patch_scenes(Patch& patch) {
  Json& root = patch.writer.root();
  for (std::size_t i = 0; i < patch.scene.scenes.size(); ++i) {
    const auto& roots = patch.scene.scenes[i];
    if (i >= patch.base.scenes.size())
      append(root, "scenes", roots.empty() ? Json::object() : Json{{"nodes", roots}});
    else if (Json* json = patch.entry("scenes", i); json && roots != patch.base.scenes[i])
      set_array(*json, "nodes", roots);
  }
  if (patch.scene.default_scene != patch.base.default_scene) set_index(root, "scene", patch.scene.default_scene);
}

void remove_leftovers(GlbWriter& writer, const std::set<std::string>& extensions_before) {
  writer.remove_unreferenced();
  prune_extensions(writer.root(), extensions_before);
}

}  // namespace sinew::glb
