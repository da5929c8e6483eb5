#include "sinew/twist.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "offline/twist_detail.h"

namespace sinew::detail {
namespace {

// Bind and rest pose this near to each other are one pose, written in rounded numbers.
constexpr float kSamePlace = 1e-4f;     // share of the limb's length
constexpr float kSameTurn = 3.5e-4f;    // radians
constexpr float kNoLength = 1e-5f;      // share of the distance from the origin, which is what floats lose
constexpr float kOtherBinding = 1e-2f;  // share of the limb's length, and radians

std::size_t entry_of(const Scene::Skin& skin, std::int32_t node) {
  return std::size_t(std::ranges::find(skin.joints, node) - skin.joints.begin());
}

std::string node_name(const Scene& scene, std::int32_t node) {
  return "node " + std::to_string(node) + " \"" + scene.nodes[std::size_t(node)].name + "\"";
}

/// Names of twist joints are this and their number.
std::string stem_of(const Scene& scene, std::int32_t joint) {
  const std::string& name = scene.nodes[std::size_t(joint)].name;
  return (name.empty() ? "node_" + std::to_string(joint) : name) + "_twist_";
}

Result<std::vector<std::size_t>> skins_of(const Scene& scene, const Limb& limb) {
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    const Scene::Skin& skin = scene.skins[s];
    if (entry_of(skin, limb.joint) == skin.joints.size()) continue;
    if (entry_of(skin, limb.parent) == skin.joints.size())
      return fail(ErrorCode::bad_argument, place("skins", s),
                  "has " + node_name(scene, limb.joint) + " but not its parent, " + node_name(scene, limb.parent) +
                      ": no vertex can follow both",
                  "name a joint whose parent is in the skin, or bind the mesh to the parent too");
    constexpr std::size_t kMostJoints = 65536;  // indices of influences have 16 bits
    if (skin.joints.size() + limb.count > kMostJoints)
      return fail(ErrorCode::too_large, place("skins", s),
                  std::to_string(skin.joints.size()) + " joints and " + std::to_string(limb.count) + " more",
                  "split the skin");
    out.push_back(s);
  }
  return out;
}

/// The joint's local transform when the skin's mesh was made.
Result<Transform> bound_transform(const Scene& scene, std::size_t skin_index, const Limb& limb) {
  const Scene::Skin& skin = scene.skins[skin_index];
  if (skin.inverse_bind_matrices.empty()) return Transform{};
  const Affine& parent_from_mesh = skin.inverse_bind_matrices[entry_of(skin, limb.parent)];
  const auto mesh_from_joint = inverse(skin.inverse_bind_matrices[entry_of(skin, limb.joint)]);
  if (!mesh_from_joint)
    return fail(ErrorCode::bad_value, place("skins", skin_index) + ".inverseBindMatrices",
                "the matrix of " + node_name(scene, limb.joint) + " is singular",
                "bind the mesh again, to a joint whose scale is not zero");
  Transform out = decompose(parent_from_mesh * *mesh_from_joint).transform;
  const Vec3 offset{parent_from_mesh.rows[0][3], parent_from_mesh.rows[1][3], parent_from_mesh.rows[2][3]};
  if (glm::length(out.translation) <= kNoLength * glm::length(offset)) out.translation = Vec3(0.0f);
  return out;
}

bool same_place(Vec3 a, Vec3 b, float share) { return glm::length(a - b) <= share * glm::length(b); }

/// Where the limb lies and what counts as untwisted, from the first skin. Bind matrices are rounded numbers: where they
/// tell what the nodes tell, the nodes' are taken, so that nothing moves at rest.
std::optional<Error> measure(const Scene& scene, const std::vector<std::size_t>& skins, Limb& limb, Report* report) {
  const Transform& rest = scene.nodes[std::size_t(limb.joint)].rest;
  const Result<Transform> first = bound_transform(scene, skins[0], limb);
  if (!first) return first.error();
  Transform bound = *first;
  if (bound.translation == Vec3(0.0f) || same_place(bound.translation, rest.translation, kSamePlace))
    bound.translation = rest.translation;
  if (angle(conjugate(normalize(rest.rotation)) * bound.rotation) <= kSameTurn) bound.rotation = rest.rotation;
  limb.end = bound.translation;
  const Vec3d end = widened(limb.end);
  if (!(length(end) > 0))
    return Error{ErrorCode::bad_value, place("nodes", std::size_t(limb.joint)),
                 "its origin is that of its parent, so there is no axis to twist about",
                 "name the joint at the limb's other end"};
  limb.axis = end * (1 / length(end));
  limb.from_bound = conjugate(widened(bound.rotation));
  limb.rest = twist_of(limb, rest.rotation);
  for (const std::size_t s : skins) {
    const Result<Transform> other = bound_transform(scene, s, limb);
    if (!other) return other.error();
    if (!report || (same_place(other->translation, first->translation, kOtherBinding) &&
                    angle(conjugate(first->rotation) * other->rotation) <= kOtherBinding))
      continue;
    add(*report, {Severity::warning, "twist.other_binding", place("skins", s),
                  "its mesh was made in another pose of " + node_name(scene, limb.joint) + " than that of " +
                      place("skins", skins[0]) + ", from which the twist is measured",
                  "look at both meshes; bind them in one pose if one of them looks wrong"});
  }
  return std::nullopt;
}

void add_nodes(Twisted& out, const Limb& limb, const std::string& stem) {
  for (std::uint32_t k = 1; k <= limb.count; ++k) {
    out.joints.push_back(std::int32_t(out.scene.nodes.size()));
    Scene::Node node;
    node.name = stem + std::to_string(k);
    node.parent = limb.parent;
    node.rest.translation = limb.end * float(limb.share(k));
    node.rest.rotation = twist_rotation(limb, limb.rest, k);
    out.scene.nodes.push_back(std::move(node));
    out.scene.nodes[std::size_t(limb.parent)].children.push_back(out.joints.back());
  }
}

/// A twist joint without twist moves vertices as the parent does, whatever the pose: what it adds to the parent's
/// matrix, its inverse bind matrix takes off again.
void add_to_skin(Scene::Skin& skin, const Limb& limb, const std::vector<std::int32_t>& joints) {
  const std::size_t before = skin.joints.size(), parent = entry_of(skin, limb.parent);
  skin.inverse_bind_matrices.resize(before);  // identities where there were none; what no joint uses goes
  for (std::uint32_t k = 1; k <= limb.count; ++k) {
    Affine joint_from_parent;
    for (int r = 0; r < 3; ++r) joint_from_parent.rows[r][3] = -limb.end[r] * float(limb.share(k));
    skin.inverse_bind_matrices.push_back(joint_from_parent * skin.inverse_bind_matrices[parent]);
    skin.joints.push_back(joints[k - 1]);
  }
}

Result<Limb> find_limb(const Scene& scene, const TwistOptions& options) {
  if (options.count < 1 || options.count > kMostTwistJoints)
    return fail(ErrorCode::bad_argument, "count", std::to_string(options.count) + " twist joints",
                "give 1 to " + std::to_string(kMostTwistJoints) + "; 2 or 3 are enough for most limbs");
  const Result<std::int32_t> joint = find_joint(scene, options.joint);
  if (!joint) return Unexpected(joint.error());
  Limb limb;
  limb.joint = *joint, limb.count = options.count;
  limb.parent = scene.nodes[std::size_t(limb.joint)].parent;
  if (limb.parent == kNone)
    return fail(ErrorCode::bad_argument, "joint", node_name(scene, limb.joint) + " has no parent to twist against",
                "name the joint at a limb's end: a hand, a foot");
  const std::string first = stem_of(scene, limb.joint) + "1";
  for (const std::int32_t child : scene.nodes[std::size_t(limb.parent)].children)
    if (scene.nodes[std::size_t(child)].name == first)
      return fail(ErrorCode::bad_argument, "joint", node_name(scene, limb.joint) + " has twist joints already",
                  "start from the file without them, or name another joint");
  return limb;
}

/// No other node has a name that begins so and ends in a number of ours.
std::string unique_stem(const Scene& scene, const Limb& limb) {
  std::string stem = stem_of(scene, limb.joint);
  const auto taken = [&](const Scene::Node& node) {
    for (std::uint32_t k = 1; k <= limb.count; ++k)
      if (node.name == stem + std::to_string(k)) return true;
    return false;
  };
  while (std::ranges::any_of(scene.nodes, taken)) stem += "_";
  return stem;
}

}  // namespace

Quat twist_rotation(const Limb& limb, double radians, std::uint32_t k) {
  const double half = radians * limb.share(k) / 2, s = std::sin(half);
  if (half == 0) return {};
  return quat_xyzw(float(limb.axis.x * s), float(limb.axis.y * s), float(limb.axis.z * s), float(std::cos(half)));
}

double twist_of(const Limb& limb, Quat rotation) {
  const Quatd turned = widened(rotation) * limb.from_bound;
  const double s = dot(Vec3d{turned.x, turned.y, turned.z}, limb.axis);
  return turned.w < 0 ? 2 * std::atan2(-s, -turned.w) : 2 * std::atan2(s, turned.w);
}

}  // namespace sinew::detail

namespace sinew {

Result<Twisted> add_twist_joints(Scene scene, const TwistOptions& options, Report* report) {
  Result<detail::Limb> limb = detail::find_limb(scene, options);
  if (!limb) return Unexpected(limb.error());
  const Result<std::vector<std::size_t>> skins = detail::skins_of(scene, *limb);
  if (!skins) return Unexpected(skins.error());
  if (auto error = detail::measure(scene, *skins, *limb, report)) return Unexpected(std::move(*error));
  Twisted out;
  out.scene = std::move(scene);
  out.joint = limb->joint, out.parent = limb->parent;
  out.rest = float(limb->rest);
  detail::add_nodes(out, *limb, detail::unique_stem(out.scene, *limb));
  for (const std::size_t skin : *skins) detail::add_to_skin(out.scene.skins[skin], *limb, out.joints);
  if (auto error = detail::share_weights(out, *limb, *skins, report)) return Unexpected(std::move(*error));
  if (auto error = detail::add_twist_tracks(out, *limb, report)) return Unexpected(std::move(*error));
  return out;
}

}  // namespace sinew
