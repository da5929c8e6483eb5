// Nodes: the forest, its transforms, and the scenes.
#include <cmath>
#include <utility>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

constexpr float kUnitTolerance = 1e-3f;   // of a rotation's length
constexpr float kShearTolerance = 1e-4f;  // of a matrix's largest entry

bool read_matrix(Import& task, Json json, std::size_t i, Scene::Node& node) {
  float m[16] = {};
  if (!task.reader.numbers(json, "matrix", m)) return task.reader.ok();
  const std::string where = json.path() + ".matrix";
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) {
    return task.reader.fail(ErrorCode::bad_value, where,
                            text("the last row of node ", numbered(i, node.name), " is ", m[3], ", ", m[7], ", ", m[11],
                                 ", ", m[15], " where 0, 0, 0, 1 belongs"),
                            "give the node a translation, rotation and scale");
  }
  Affine affine;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) affine.rows[r][c] = m[4 * c + r];
  const Decomposed decomposed = decompose(affine);
  if (!(decomposed.residual <= kShearTolerance)) {
    return task.reader.fail(
        ErrorCode::unsupported, where,
        text("the matrix of node ", numbered(i, node.name), " has shear: translation, rotation and scale miss it by ",
             decomposed.residual, " of its largest entry"),
        "apply the node's transform to what is below it, or split it into two nodes");
  }
  if (json["translation"] || json["rotation"] || json["scale"]) {
    task.reader.note(
        Severity::warning, "node.matrix_and_trs", where,
        text("node ", numbered(i, node.name), " has a matrix and a translation, rotation or scale; the matrix counts"),
        "keep one of them");
  }
  node.rest = decomposed.transform;
  node.from_matrix = true;
  return true;
}

bool read_transform(Import& task, Json json, std::size_t i, Scene::Node& node) {
  if (json["matrix"]) return read_matrix(task, json, i, node);
  Transform& rest = node.rest;
  float q[4] = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
  task.reader.numbers(json, "translation", {&rest.translation.x, 3});
  task.reader.numbers(json, "scale", {&rest.scale.x, 3});
  if (!task.reader.numbers(json, "rotation", q)) return task.reader.ok();
  rest.rotation = quat_xyzw(q[0], q[1], q[2], q[3]);
  const double length =
      std::sqrt(double(q[0]) * q[0] + double(q[1]) * q[1] + double(q[2]) * q[2] + double(q[3]) * q[3]);
  if (length == 0) {
    return task.reader.fail(ErrorCode::bad_value, json.path() + ".rotation",
                            text("the rotation of node ", numbered(i, node.name), " is zero, which is no rotation"),
                            "write 0, 0, 0, 1 for none");
  }
  if (const double off = std::fabs(length - 1); off > kUnitTolerance) {
    task.reader.note(Severity::warning, "rotation.not_unit", 1, off, [&] {
      return Told{json.path() + ".rotation",
                  text("the rest rotation of node ", numbered(i, node.name), " has length ", length,
                       "; it is used at length 1"),
                  "normalise it"};
    });
  }
  return true;
}

bool read_node(Import& task, Json json, std::size_t i) {
  Reader& reader = task.reader;
  Scene::Node& node = task.scene.nodes[i];
  if (json.type() != JsonType::object)
    return reader.fail(ErrorCode::bad_type, json.path(),
                       text("is ", to_string(json.type()), " where an object belongs"));
  node.name = reader.string(json, "name");
  node.mesh = reader.index(json, "mesh", task.meshes.size(), "mesh");
  node.skin = reader.index(json, "skin", task.skins.size(), "skin");
  node.weights = reader.number_list(json, "weights");
  if (!reader.ok() || !read_transform(task, json, i, node)) return false;
  if (node.skin != kNone && node.mesh == kNone)
    reader.note(Severity::warning, "node.skin_without_mesh", json.path(),
                text("node ", numbered(i, node.name), " has a skin but no mesh"), "remove the skin or add the mesh");
  if (!node.weights.empty() && node.mesh == kNone) {
    reader.note(Severity::warning, "node.weights_without_mesh", json.path(),
                text("node ", numbered(i, node.name), " has morph weights but no mesh"),
                "remove the weights or add the mesh");
  }
  const Json children = reader.array(json, "children");
  node.children.reserve(children.size());
  for (std::size_t c = 0; c < children.size(); ++c) {
    const std::int32_t child = reader.index(children[c], task.scene.nodes.size(), "node");
    if (child == kNone) return false;
    node.children.push_back(child);
  }
  const Json extensions = json["extensions"];
  if (extensions["EXT_mesh_gpu_instancing"]) {
    reader.note(Severity::warning, "node.instancing", 1, 0, [&] {
      return Told{json.path(),
                  text("node ", numbered(i, node.name),
                       " shows its mesh many times (EXT_mesh_gpu_instancing); sinew shows it once"),
                  {}};
    });
  }
  return reader.ok();
}

std::string node_text(const Scene& scene, std::int32_t i) {
  return "node " + numbered(std::size_t(i), scene.nodes[std::size_t(i)].name);
}

/// Every node has at most one parent, and no way down comes back.
bool check_forest(Import& task) {
  Scene& scene = task.scene;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    for (std::int32_t c : scene.nodes[i].children) {
      Scene::Node& child = scene.nodes[std::size_t(c)];
      if (child.parent != kNone) {
        const bool same = std::size_t(child.parent) == i;
        return task.reader.fail(
            ErrorCode::cyclic, text("nodes[", i, "].children"),
            text(node_text(scene, c), same ? " is listed twice by " : " is a child of both ",
                 node_text(scene, child.parent), same ? "" : " and " + node_text(scene, std::int32_t(i))),
            "a node can have one parent: duplicate it or remove one of the entries");
      }
      child.parent = std::int32_t(i);
    }
  }
  // From each node up: a way that meets itself is a loop. Nodes seen on earlier ways are settled.
  std::vector<std::uint32_t> way(scene.nodes.size(), 0);
  for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
    for (std::int32_t at = std::int32_t(i); at != kNone; at = scene.nodes[std::size_t(at)].parent) {
      if (way[std::size_t(at)] == i + 1) {
        const std::int32_t above = scene.nodes[std::size_t(at)].parent;
        return task.reader.fail(ErrorCode::cyclic, text("nodes[", above, "].children"),
                                above == at ? text(node_text(scene, at), " is its own child")
                                            : text(node_text(scene, at), " is a child of ", node_text(scene, above),
                                                   ", which is below it: a loop"),
                                "remove the child that leads back up");
      }
      if (way[std::size_t(at)] != 0) break;
      way[std::size_t(at)] = i + 1;
    }
  }
  return true;
}

}  // namespace

bool read_nodes(Import& task) {
  const Json list = task.reader.array(task.root, "nodes");
  if (!task.reader.ok() || !task.reader.take(list.size() * sizeof(Scene::Node), "nodes", list.size(), "nodes"))
    return false;
  task.scene.nodes.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!read_node(task, list[i], i)) return false;
  return check_forest(task);
}

bool read_scenes(Import& task) {
  Reader& reader = task.reader;
  const Json list = reader.array(task.root, "scenes");
  for (std::size_t i = 0; i < list.size(); ++i) {
    reader.string(list[i], "name");
    const Json nodes = reader.array(list[i], "nodes");
    std::vector<std::int32_t> roots;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const std::int32_t node = reader.index(nodes[n], task.scene.nodes.size(), "node");
      if (node == kNone) return false;
      roots.push_back(node);
      if (task.scene.nodes[std::size_t(node)].parent != kNone) {
        reader.note(Severity::warning, "scene.not_root", 1, 0, [&] {
          return Told{nodes[n].path(),
                      text(node_text(task.scene, node), " is not a root: it is below ",
                           node_text(task.scene, task.scene.nodes[std::size_t(node)].parent)),
                      "list root nodes only"};
        });
      }
    }
    task.scene.scenes.push_back(std::move(roots));
  }
  const std::uint64_t shown = reader.size(task.root, "scene", list.size());
  if (task.root["scene"] && shown >= list.size() && reader.ok()) {
    reader.note(Severity::warning, "scene.missing", "scene",
                text("is ", shown, ", but the file has ", list.size(), " scenes"), "name a scene that is there");
  } else if (task.root["scene"]) {
    task.scene.default_scene = std::int32_t(shown);
  }
  return reader.ok();
}

}  // namespace sinew::gltf
