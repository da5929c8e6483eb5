#include "interchange/export_new.h"

#include <string>
#include <utility>

#include "interchange/export_parts.h"

namespace sinew::glb {

std::int32_t add_plain_material(Json& root) {
  return append(root, "materials",
                {{"name", "plain"},
                 {"pbrMetallicRoughness",
                  {{"baseColorFactor", {0.75, 0.75, 0.75, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.75}}}});
}

namespace {

void add_scenes(Json& root, const Scene& scene) {
  std::vector<std::vector<std::int32_t>> scenes = scene.scenes;
  if (scenes.empty()) {  // without a scene, other programs would show nothing
    scenes.emplace_back();
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
      if (scene.nodes[i].parent == kNone) scenes[0].push_back(std::int32_t(i));
  }
  for (const auto& roots : scenes) {
    Json entry = Json::object();
    set_array(entry, "nodes", roots);
    append(root, "scenes", std::move(entry));
  }
  root["scene"] = scene.default_scene == kNone ? 0 : scene.default_scene;
}

std::optional<Error> add_meshes(GlbWriter& writer, const Scene& scene, Report* report) {
  if (scene.meshes.empty()) return std::nullopt;
  const std::int32_t material = add_plain_material(writer.root());
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    const std::string where = "meshes[" + std::to_string(i) + "]";
    if (auto error = check_mesh(scene.meshes[i], where)) return error;
    append(writer.root(), "meshes", mesh_json(writer, scene.meshes[i], material, report, where));
  }
  return std::nullopt;
}

}  // namespace

Result<GlbWriter> new_document(const Scene& scene, Report* report) {
  GlbWriter writer;
  Json& root = writer.root();
  add_scenes(root, scene);
  for (const Scene::Node& node : scene.nodes) append(root, "nodes", node_json(node));
  if (auto error = add_meshes(writer, scene, report)) return Unexpected(std::move(*error));
  for (const Scene::Skin& skin : scene.skins) append(root, "skins", skin_json(writer, skin));
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    Json animation = clip_json(writer, scene.clips[i]);
    if (!animation.is_null()) {
      append(root, "animations", std::move(animation));
    } else if (report) {
      sinew::add(*report, {Severity::warning, "clip.empty", "clips[" + std::to_string(i) + "]",
                           "a clip without keys was left out", ""});
    }
  }
  return writer;
}

}  // namespace sinew::glb
