#include "interchange/export_baked.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "interchange/export_parts.h"
#include "interchange/export_patch.h"
#include "sinew/model.h"
#include "sinew/palette.h"
#include "sinew/skin.h"

namespace sinew::glb {
namespace {

/// Skinned vertices in the source's order, and which of them are turned inside out.
struct BakedVertices {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
  std::vector<bool> mirrored;
  bool any_mirrored = false;
};

bool is_mirrored(const Mesh& mesh, std::span<const Affine> palette, std::size_t v) {
  Affine sum{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  for (std::size_t i = v * mesh.influence_count; i < (v + 1) * mesh.influence_count; ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) sum.rows[r][c] += mesh.weights[i] * palette[mesh.joints[i]].rows[r][c];
  return determinant(sum) < 0;
}

/// A flattened vertex has no normal left; the format wants one of unit length all the same.
Vec3 unit_or(Vec3 v, Vec3 otherwise) { return v == Vec3(0) ? otherwise : v; }

Vec3 across(Vec3 normal) {
  const Vec3 axis = std::abs(normal.x) < 0.5f ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  return glm::normalize(glm::cross(normal, axis));
}

BakedVertices skinned(const Character& character, const Part& part, const Pose& pose, std::span<const Affine> model) {
  const Mesh& mesh = character.meshes()[part.mesh];
  const Skin& skin = character.skins()[part.skin];
  std::vector<Affine> entries(skin.joints.size());
  run(PaletteJob{skin, model, entries});
  Vertices vertices(mesh);
  SkinJob job{mesh, entries, vertices};
  if (mesh.target_count > 0) job.channels = pose.channels().subspan(part.first_channel, part.channel_count);
  run(job);
  BakedVertices out;
  out.positions.resize(mesh.vertex_count());
  out.normals.resize(vertices.normals().size());
  out.tangents.resize(vertices.tangents().size());
  out.mirrored.resize(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::uint32_t to = mesh.source_vertices[v];
    out.positions[to] = vertices.positions()[v];
    out.mirrored[to] = is_mirrored(mesh, entries, v);
    out.any_mirrored = out.any_mirrored || out.mirrored[to];
    if (!out.normals.empty()) out.normals[to] = unit_or(vertices.normals()[v], Vec3(0, 0, 1));
    if (out.tangents.empty()) continue;
    const Vec4 tangent = vertices.tangents()[v];
    const Vec3 direction = unit_or(Vec3(tangent), across(out.normals.empty() ? Vec3(0, 0, 1) : out.normals[to]));
    // The bitangent follows the mesh; of a mirrored frame it is on the other side of normal and tangent.
    out.tangents[to] = Vec4(direction, (tangent.w < 0) != out.mirrored[to] ? -1.0f : 1.0f);
  }
  return out;
}

/// Any kind of triangles as a list, with those turned round that are mirrored.
std::vector<std::uint32_t> facing_triangles(const Scene::Primitive& primitive, const std::vector<bool>& mirrored) {
  std::vector<std::uint32_t> corners = primitive.indices;
  if (corners.empty())
    for (std::size_t i = 0; i < primitive.positions.size(); ++i) corners.push_back(std::uint32_t(i));
  std::vector<std::uint32_t> out;
  const bool list = primitive.topology == Topology::triangles, fan = primitive.topology == Topology::triangle_fan;
  for (std::size_t i = 0; i + 2 < corners.size(); i += list ? 3 : 1) {
    std::array<std::uint32_t, 3> triangle{corners[fan ? 0 : i], corners[i + 1], corners[i + 2]};
    if (!list && !fan && i % 2 == 1)
      std::swap(triangle[0], triangle[1]);  // every other one of a strip is wound the other way
    const int turned = mirrored[triangle[0]] + mirrored[triangle[1]] + mirrored[triangle[2]];
    if (turned >= 2) std::swap(triangle[1], triangle[2]);
    out.insert(out.end(), triangle.begin(), triangle.end());
  }
  return out;
}

bool has_triangles(Topology topology) {
  return topology == Topology::triangles || topology == Topology::triangle_strip || topology == Topology::triangle_fan;
}

/// Keeps members of `extensions` that say something about materials only.
void keep_material_extensions(Json& object) {
  constexpr std::array<std::string_view, 4> kKept{"KHR_materials_variants", "KHR_xmp", "KHR_xmp_json_ld",
                                                  "FB_ngon_encoding"};
  Json* extensions = find(&object, "extensions");
  if (!extensions || !extensions->is_object()) return;
  for (auto item = extensions->begin(); item != extensions->end();)
    item = std::find(kKept.begin(), kKept.end(), item.key()) == kKept.end() ? extensions->erase(item) : std::next(item);
  if (extensions->empty()) object.erase("extensions");
}

bool follows_the_pose(const std::string& semantic) {
  return semantic == "POSITION" || semantic == "NORMAL" || semantic == "TANGENT" || semantic.rfind("JOINTS_", 0) == 0 ||
         semantic.rfind("WEIGHTS_", 0) == 0;
}

void set_baked(GlbWriter& writer, Json& json, const Scene::Primitive& primitive, const BakedVertices& baked) {
  Json& attributes = object_in(json, "attributes");
  for (auto item = attributes.begin(); item != attributes.end();)
    item = follows_the_pose(item.key()) ? attributes.erase(item) : std::next(item);
  attributes["POSITION"] = writer.add(Use::vertices, baked.positions, true);
  if (!baked.normals.empty()) attributes["NORMAL"] = writer.add(Use::vertices, baked.normals);
  if (!baked.tangents.empty()) attributes["TANGENT"] = writer.add(Use::vertices, baked.tangents);
  if (baked.any_mirrored && has_triangles(primitive.topology)) {
    const std::vector<std::uint32_t> indices = facing_triangles(primitive, baked.mirrored);
    if (!indices.empty()) json["indices"] = writer.add_indices(indices), json.erase("mode");
  }
  json.erase("targets");
  keep_material_extensions(json);
}

/// Leaves only what does not depend on nodes, and returns the meshes as they were.
Json clear(Json& root) {
  Json meshes = Json::array();
  if (Json* list = find(&root, "meshes")) meshes = std::move(*list);
  for (const char* gone : {"nodes", "scenes", "meshes", "skins", "animations", "cameras"}) root.erase(gone);
  root["scenes"] = Json::array({Json::object()});
  root["scene"] = 0;
  keep_material_extensions(root);
  return meshes;
}

}  // namespace

std::optional<Error> bake(GlbWriter& writer, const Scene& scene, const Character& character, const Pose& pose) {
  const auto extensions = extensions_in_use(writer.root());
  const Json meshes = clear(writer.root());
  writer.start_new_views();
  Patch patch{writer, scene, scene};
  std::vector<Affine> model(character.skeleton().joint_count());
  run(ModelJob{character.skeleton(), pose, model});
  std::vector<std::int32_t> baked_mesh(scene.nodes.size(), kNone);
  for (const Part& part : character.parts()) {
    const std::size_t m = std::size_t(part.source_mesh), p = std::size_t(part.source_primitive),
                      n = std::size_t(part.source_node);
    const Json* original = element(&meshes, part.source_mesh);
    const Json* primitive = element(find(original, "primitives"), part.source_primitive);
    if (!primitive) continue;
    Json json = *primitive;
    const Scene::Primitive& source = scene.meshes[m].primitives[p];
    const std::string where = "meshes[" + std::to_string(m) + "].primitives[" + std::to_string(p) + "]";
    if (find(find(&json, "extensions"), "KHR_draco_mesh_compression"))
      if (auto error = unpack_draco(patch, json, source, where)) return error;
    set_baked(writer, json, source, skinned(character, part, pose, model));
    if (baked_mesh[n] == kNone) {
      Json mesh = Json::object(), node = Json::object();
      set_text(mesh, "name", scene.meshes[m].name);
      set_text(node, "name", scene.nodes[n].name);
      node["mesh"] = baked_mesh[n] = append(writer.root(), "meshes", std::move(mesh));
      array_in(writer.root()["scenes"][0], "nodes").push_back(append(writer.root(), "nodes", std::move(node)));
    }
    array_in(writer.root()["meshes"][std::size_t(baked_mesh[n])], "primitives").push_back(std::move(json));
  }
  remove_leftovers(writer, extensions);
  return std::nullopt;
}

}  // namespace sinew::glb
