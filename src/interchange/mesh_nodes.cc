// What nodes, meshes and skins say together.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

struct Box {
  Vec3 least{std::numeric_limits<float>::infinity()}, most{-std::numeric_limits<float>::infinity()};
  bool empty() const { return least.x > most.x; }
};

Box box_of(const Scene::Mesh& mesh) {
  Box box;
  for (const Scene::Primitive& primitive : mesh.primitives) {
    for (const Vec3& p : primitive.positions) {
      for (int i = 0; i < 3; ++i)
        box.least[i] = std::min(box.least[i], p[i]), box.most[i] = std::max(box.most[i], p[i]);
    }
  }
  return box;
}

/// The farthest that the matrix moves a corner of the box, and so any point in it.
float largest_move(const Affine& matrix, const Box& box) {
  float out = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = corner >> i & 1 ? box.most[i] : box.least[i];
    out = std::max(out, glm::length(transform_point(matrix, p) - p));
  }
  return out;
}

std::string node_text(const Scene& scene, std::size_t i) { return "node " + numbered(i, scene.nodes[i].name); }

bool is_skinned(const Scene::Mesh& mesh) {
  return std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
                     [](const Scene::Primitive& p) { return !p.influences.empty(); });
}

/// A skinned mesh goes where its joints are; its node's own place, which glTF has readers ignore, is told.
void note_ignored_transform(Import& task, std::size_t i, const Affine& model_from_node,
                            std::vector<std::optional<Box>>& boxes) {
  constexpr float kNoticeable = 1e-4f;  // of the mesh's size
  if (model_from_node == Affine{}) return;
  const Scene::Node& node = task.scene.nodes[i];
  std::optional<Box>& box = boxes[std::size_t(node.mesh)];
  if (!box) box = box_of(task.scene.meshes[std::size_t(node.mesh)]);
  if (box->empty()) return;
  const float shift = largest_move(model_from_node, *box), size = glm::length(box->most - box->least);
  if (!(shift > kNoticeable * size)) return;
  task.reader.note(Severity::warning, "meshnode.ignored_transform", 1, shift, [&] {
    return Told{text("nodes[", i, "]"),
                text("the place of ", node_text(task.scene, i),
                     " is ignored, because its mesh follows its skin: a shift of length ", shift),
                "clear the transforms of the node and those above it, or bake them into the mesh and the inverse bind "
                "matrices"};
  });
}

void check_weights(Import& task, std::size_t i, std::size_t targets) {
  Scene::Node& node = task.scene.nodes[i];
  if (node.weights.empty() || node.weights.size() == targets) return;
  task.reader.note(Severity::warning, "morph.weight_count", 1, 0, [&] {
    return Told{text("nodes[", i, "].weights"),
                text("has ", node.weights.size(), " weights for ", targets,
                     " morph targets; missing ones are 0, further ones are not read"),
                "write one a target"};
  });
  node.weights.resize(targets);
}

/// Joint numbers that vertices of the mesh follow, ascending.
std::vector<std::uint16_t> followed_joints(const Scene::Mesh& mesh) {
  std::vector<bool> followed(std::size_t(std::numeric_limits<std::uint16_t>::max()) + 1);
  for (const Scene::Primitive& primitive : mesh.primitives) {
    for (const Scene::InfluenceSet& set : primitive.influences) {
      for (std::size_t v = 0; v < set.joints.size(); ++v)
        for (std::size_t i = 0; i < 4; ++i)
          if (set.weights[v][int(i)] != 0) followed[set.joints[v][i]] = true;
    }
  }
  std::vector<std::uint16_t> out;
  for (std::size_t j = 0; j < followed.size(); ++j)
    if (followed[j]) out.push_back(std::uint16_t(j));
  return out;
}

}  // namespace

bool check_bad_binds(Import& task) {
  if (task.bad_binds.empty()) return true;
  const Scene& scene = task.scene;
  std::vector<std::vector<std::size_t>> bad(scene.skins.size());  // places in `bad_binds`
  for (std::size_t i = 0; i < task.bad_binds.size(); ++i) bad[task.bad_binds[i].skin].push_back(i);
  std::vector<std::optional<std::vector<std::uint16_t>>> followed(scene.meshes.size());
  const auto told = [&](const BadBind& b) {
    return text("the inverse bind matrix of joint ", b.joint, " of skin ", numbered(b.skin, scene.skins[b.skin].name),
                " has the last row ", b.row[0], ", ", b.row[1], ", ", b.row[2], ", ", b.row[3],
                " where 0, 0, 0, 1 belongs");
  };
  const auto where = [](const BadBind& b) { return text("skins[", b.skin, "].inverseBindMatrices"); };
  for (const Scene::Node& node : scene.nodes) {
    if (node.mesh == kNone || node.skin == kNone || bad[std::size_t(node.skin)].empty()) continue;
    auto& joints = followed[std::size_t(node.mesh)];
    if (!joints) joints = followed_joints(scene.meshes[std::size_t(node.mesh)]);
    for (const std::size_t i : bad[std::size_t(node.skin)]) {
      const BadBind& b = task.bad_binds[i];
      if (std::binary_search(joints->begin(), joints->end(), b.joint))
        return task.reader.fail(ErrorCode::bad_value, where(b), told(b), "write affine matrices, column after column");
    }
  }
  task.reader.note(Severity::warning, "ibm.last_row", task.bad_binds.size(), 1, [&] {
    return Told{where(task.bad_binds[0]), told(task.bad_binds[0]) + "; no vertex follows that joint",
                "write affine matrices, column after column"};
  });
  return true;
}

bool check_mesh_nodes(Import& task) {
  Scene& scene = task.scene;
  std::vector<Affine> model_from_node;
  std::vector<std::optional<Box>> boxes(scene.meshes.size());
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const Scene::Node& node = scene.nodes[i];
    if (node.mesh == kNone) continue;
    const Scene::Mesh& mesh = scene.meshes[std::size_t(node.mesh)];
    check_weights(task, i, mesh.primitives.empty() ? 0 : mesh.primitives[0].targets.size());
    const bool skinned = is_skinned(mesh);
    if (skinned && node.skin == kNone) {
      task.reader.note(Severity::warning, "robust.joints_without_skin", 1, 0, [&] {
        return Told{text("nodes[", i, "]"),
                    text("the mesh of ", node_text(scene, i),
                         " has joints and weights, but the node has no skin; it is shown as a rigid mesh"),
                    "give the node its skin, or remove the joints and weights"};
      });
    }
    if (node.skin == kNone) continue;
    if (!skinned) {
      task.reader.note(Severity::warning, "robust.skin_without_joints", 1, 0, [&] {
        return Told{text("nodes[", i, "]"),
                    text(node_text(scene, i),
                         " has a skin, but its mesh has no joints and weights; it is shown as a rigid mesh"),
                    "bind the mesh or remove the skin"};
      });
      continue;
    }
    if (model_from_node.empty()) {
      if (!task.reader.take(scene.nodes.size() * sizeof(Affine), "nodes", scene.nodes.size(), "matrices")) return false;
      model_from_node = rest_model_matrices(scene);
    }
    note_ignored_transform(task, i, model_from_node[i], boxes);
  }
  return true;
}

}  // namespace sinew::gltf
