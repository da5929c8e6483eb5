// Skins: joints and inverse bind matrices.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "interchange/decode.h"
#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

/// The forest in depth-first order: who is below whom is then one comparison.
struct Ancestry {
  std::vector<std::uint32_t> begin, end;  ///< of a node's subtree, in that order
  std::vector<std::int32_t> root;         ///< the topmost node above each
  explicit Ancestry(const Scene& scene) : begin(scene.nodes.size()), end(scene.nodes.size()), root(scene.nodes.size()) {
    std::uint32_t next = 0;
    std::vector<std::pair<std::int32_t, std::size_t>> stack;  // node, next child
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      if (scene.nodes[i].parent != kNone) continue;
      stack.emplace_back(std::int32_t(i), 0);
      while (!stack.empty()) {
        auto& [node, child] = stack.back();
        const auto& children = scene.nodes[std::size_t(node)].children;
        if (child == 0) begin[std::size_t(node)] = next++, root[std::size_t(node)] = std::int32_t(i);
        if (child < children.size()) {
          const std::int32_t below = children[child++];
          stack.emplace_back(below, 0);
        } else {
          end[std::size_t(node)] = next;
          stack.pop_back();
        }
      }
    }
  }
  bool below(std::int32_t node, std::int32_t ancestor) const {
    return begin[std::size_t(node)] >= begin[std::size_t(ancestor)] &&
           begin[std::size_t(node)] < end[std::size_t(ancestor)];
  }
};

std::string skin_text(std::size_t i, const Scene::Skin& skin) { return "skin " + numbered(i, skin.name); }

bool read_joints(Import& task, Json json, std::size_t i, Scene::Skin& skin) {
  Reader& reader = task.reader;
  const Json joints = reader.array(json, "joints");
  if (!reader.ok()) return false;
  if (joints.size() == 0) {
    return reader.fail(ErrorCode::bad_value, json.path() + ".joints", text(skin_text(i, skin), " has no joints"),
                       "remove the skin or give it joints");
  }
  if (!reader.take(joints.size() * sizeof(std::int32_t), json.path(), joints.size(), "joints")) return false;
  skin.joints.reserve(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::int32_t node = reader.index(joints[j], task.scene.nodes.size(), "node");
    if (node == kNone) return false;
    skin.joints.push_back(node);
  }
  std::vector<std::int32_t> sorted = skin.joints;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    reader.note(Severity::warning, "skin.joint_twice", joints.path(),
                text(skin_text(i, skin), " lists node ", *twice, " twice"), "list each joint once");
  }
  return true;
}

/// Row 3 must be 0, 0, 0, 1. Exporters that invert in single precision miss it by a little; one known to be used never
/// writes it, with matrices that are the identity in all else.
void check_last_rows(Import& task, const std::string& where, std::size_t i, const std::vector<float>& values) {
  constexpr float kCloseEnough = 1e-3f;
  const Scene::Skin& skin = task.scene.skins[i];
  std::size_t unwritten = 0;
  const std::size_t before = task.bad_binds.size();
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    const float* m = &values[16 * j];
    const float off = std::max({std::fabs(m[3]), std::fabs(m[7]), std::fabs(m[11]), std::fabs(m[15] - 1)});
    if (off == 0) continue;
    if (off > kCloseEnough) {
      task.bad_binds.push_back({i, j, {m[3], m[7], m[11], m[15]}});
      unwritten +=
          std::size_t(skin.inverse_bind_matrices[j] == Affine{} && m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 0);
      continue;
    }
    task.reader.note(Severity::warning, "ibm.last_row", 1, off, [&] {
      return Told{where,
                  text("the last row of the inverse bind matrix of joint ", j, " of ", skin_text(i, skin),
                       " is off by ", off, "; it is read as 0, 0, 0, 1"),
                  "write affine matrices"};
    });
  }
  if (unwritten != skin.joints.size()) return;
  task.bad_binds.resize(before);
  task.reader.note(Severity::warning, "ibm.unwritten_row", where,
                   text("all inverse bind matrices of ", skin_text(i, skin),
                        " are the identity but for a last row of zeros; they are read as the identity"),
                   "write affine matrices, or no list at all");
}

bool read_inverse_binds(Import& task, Json json, std::size_t i, Scene::Skin& skin) {
  Reader& reader = task.reader;
  const Json reference = json["inverseBindMatrices"];
  if (!reference) {
    reader.note(Severity::info, "ibm.missing", 1, 0, [&] {
      return Told{json.path(),
                  text("no inverse bind list, identity used, in ", skin_text(i, skin),
                       ": its meshes are stored in joint space"),
                  {}};
    });
    return true;
  }
  const std::string where = reference.path();
  Elements elements;
  if (!task.data.elements(reference, elements)) return false;
  if (elements.components != 16 || elements.component != Component::f32) {
    return reader.fail(
        ErrorCode::bad_type, where,
        text(skin_text(i, skin), ": ", elements.where, " has ", elements.components, " numbers of type ",
             to_string(elements.component), " an element where inverse bind matrices are MAT4 of FLOAT (16)"),
        "write the matrices as MAT4 of FLOAT");
  }
  if (elements.count < skin.joints.size()) {
    return reader.fail(ErrorCode::inconsistent, where,
                       text(skin_text(i, skin), " has ", skin.joints.size(), " joints, but ", elements.count,
                            " inverse bind matrices"),
                       "write one matrix a joint, or none at all");
  }
  if (!elements.has_data()) {
    reader.note(Severity::warning, "ibm.no_data", where,
                text(elements.where, " has no data, so all inverse bind matrices of ", skin_text(i, skin),
                     " would be zero; identity used"),
                "write the matrices");
    return true;
  }
  if (elements.stride != elements.element_bytes())
    reader.note(Severity::warning, "ibm.stride", where,
                text("the buffer view of ", elements.where, " has a byteStride of ", elements.stride,
                     ", which glTF forbids for matrices"));
  // More matrices than joints are legal, and belong to nothing.
  if (elements.sparse_count == 0) elements.count = skin.joints.size();
  std::vector<float> values;
  if (!read(reader, elements, Allowed::floats, 16, reference, values)) return false;
  if (!reader.take(skin.joints.size() * sizeof(Affine), where, skin.joints.size(), "matrices")) return false;
  skin.inverse_bind_matrices.resize(skin.joints.size());
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    const float* m = &values[16 * j];
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r) skin.inverse_bind_matrices[j].rows[r][c] = m[4 * c + r];
  }
  check_last_rows(task, where, i, values);
  return true;
}

void check_root(Import& task, Json json, std::size_t i, const Scene::Skin& skin, const Ancestry& ancestry) {
  const auto root = [&](std::int32_t joint) { return ancestry.root[std::size_t(joint)]; };
  const auto other = std::find_if(skin.joints.begin(), skin.joints.end(),
                                  [&](std::int32_t joint) { return root(joint) != root(skin.joints[0]); });
  if (other != skin.joints.end()) {
    task.reader.note(Severity::warning, "hier.no_common_root", json.path() + ".joints",
                     text("the joints of ", skin_text(i, skin), " have no common root: nodes ", skin.joints[0], " and ",
                          *other, " are under different ones"),
                     "put them below one node; here they work as they are");
  }
  if (skin.skeleton == kNone) return;
  const auto outside = std::find_if(skin.joints.begin(), skin.joints.end(),
                                    [&](std::int32_t joint) { return !ancestry.below(joint, skin.skeleton); });
  if (outside != skin.joints.end()) {
    task.reader.note(Severity::warning, "hier.skeleton", json.path() + ".skeleton",
                     text("node ", skin.skeleton, " is no ancestor of joint node ", *outside, " of ",
                          skin_text(i, skin), "; the hint changes nothing here"),
                     "remove it");
  }
}

}  // namespace

bool read_skins(Import& task) {
  Reader& reader = task.reader;
  const Json list = task.skins;
  if (!reader.ok() || list.size() == 0) return reader.ok();
  if (!reader.take(list.size() * sizeof(Scene::Skin), "skins", list.size(), "skins")) return false;
  const Ancestry ancestry(task.scene);
  task.scene.skins.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json json = list[i];
    Scene::Skin& skin = task.scene.skins[i];
    skin.name = reader.string(json, "name");
    if (!reader.ok() || !read_joints(task, json, i, skin) || !read_inverse_binds(task, json, i, skin)) return false;
    skin.skeleton = reader.index(json, "skeleton", task.scene.nodes.size(), "node");
    if (auto error = reader.take_error()) {
      // The hint changes nothing, so it may be wrong.
      reader.note(Severity::warning, "hier.skeleton", error->where, error->what + "; the hint changes nothing here",
                  "remove it");
    }
    check_root(task, json, i, skin, ancestry);
  }
  return true;
}

}  // namespace sinew::gltf
