#include "limbs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "evaluate.h"

namespace sinew::tool {

namespace {

constexpr float kLeastShare = 0.25f, kLeastOfBoth = 0.9f;  // of the two joints in a ring's vertex
constexpr float kHalfWay = 0.1f;                           // leaning towards one of them
constexpr std::size_t kLeastVertices = 2, kLeastMiddle = 6;
constexpr double kLeastDistance = 0.5;  // of the ring's mean: what lies near the bones says little

double distance(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const float square = glm::dot(along, along);
  const float t = square > 0 ? std::clamp(glm::dot(p - a, along) / square, 0.0f, 1.0f) : 0.0f;
  return static_cast<double>(glm::length(p - (a + t * along)));
}

Vec3 origin(const Affine& m) { return transform_point(m, Vec3(0.0f)); }

/// Whether `near` is the parent of `entry` in the skin, or a joint on the way from there, as twist joints are.
bool on_limb(const Skin& skin, std::size_t entry, std::size_t near, const std::vector<Affine>& model) {
  constexpr double kAside = 0.05;  // of the limb's length
  const std::int32_t parent = skin.parents[entry];
  if (parent == kNone) return false;
  if (near == static_cast<std::size_t>(parent)) return true;
  if (near == entry || skin.parents[near] != parent) return false;
  const Vec3 from = origin(model[skin.joints[static_cast<std::size_t>(parent)]]),
             to = origin(model[skin.joints[entry]]), at = origin(model[skin.joints[near]]);
  const double length = static_cast<double>(glm::length(to - from));
  return static_cast<double>(glm::length(at - from)) < length && distance(at, from, to) <= kAside * length;
}

/// The end of a joint's own bone, in its space: its farthest child in the skin, or as far again as its parent's bone goes.
Vec3 bone_end(const Skin& skin, std::size_t entry, const std::vector<Affine>& model) {
  const Affine joint_from_model = inverse(model[skin.joints[entry]]).value_or(Affine());
  Vec3 best(0.0f);
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    if (skin.parents[i] != static_cast<std::int32_t>(entry)) continue;
    const Vec3 child = transform_point(joint_from_model, origin(model[skin.joints[i]]));
    if (glm::length(child) > glm::length(best)) best = child;
  }
  if (glm::length(best) > 0) return best;
  return -transform_point(joint_from_model, origin(model[skin.joints[static_cast<std::size_t>(skin.parents[entry])]]));
}

}  // namespace

LimbMeter::LimbMeter(const Character& character) : character_(character) {
  const Instance rest = evaluate(character, Moment{});
  const std::vector<Affine> model(rest.model_from_joint.begin(), rest.model_from_joint.end());
  for (std::size_t part = 0; part < character.parts().size(); ++part) add_rings(part, model), add_closed(part);
  std::erase_if(rings_, [&](Ring& ring) { return !finish(ring, rest); });
  rest_volume_ = volume(rest);
}

/// Leaves out what lies near the bones, and puts first what is half way between the joints. False: too few are left.
bool LimbMeter::finish(Ring& ring, const Instance& rest) {
  const std::vector<double> all = distances(ring, rest);
  double mean = 0;
  for (const double d : all) mean += d / static_cast<double>(all.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] > kLeastDistance * mean) order.push_back(i);
  if (order.size() < kLeastVertices) return false;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ring.leanings[i]; });
  Ring sorted = ring;
  sorted.vertices.clear(), sorted.leanings.clear();
  sorted.width = 2 * mean;
  for (const std::size_t i : order) {
    sorted.vertices.push_back(ring.vertices[i]);
    sorted.leanings.push_back(ring.leanings[i]);
    sorted.distances.push_back(all[i]);
    if (sorted.middle < kLeastMiddle || ring.leanings[i] <= kHalfWay) ++sorted.middle;
  }
  ring = std::move(sorted);
  return true;
}

void LimbMeter::add_rings(std::size_t part, const std::vector<Affine>& model) {
  const Part& placed = character_.parts()[part];
  const Mesh& mesh = character_.meshes()[placed.mesh];
  const Skin& skin = character_.skins()[placed.skin];
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> ring_of;  // by entries, the farther one first
  const std::size_t k = mesh.influence_count;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    for (std::size_t i = v * k; i < (v + 1) * k; ++i) {
      for (std::size_t n = v * k; n < (v + 1) * k; ++n) {
        const float own = mesh.weights[i], other = mesh.weights[n];
        const std::size_t entry = mesh.joints[i], near = mesh.joints[n];
        if (own < kLeastShare || other < kLeastShare || own + other < kLeastOfBoth ||
            !on_limb(skin, entry, near, model))
          continue;
        const auto [place, added] = ring_of.emplace(std::pair(entry, near), rings_.size());
        if (added) {
          Ring& ring = rings_.emplace_back();
          ring.part = part;
          ring.joint = skin.joints[entry], ring.parent = skin.joints[static_cast<std::size_t>(skin.parents[entry])];
          ring.end = bone_end(skin, entry, model);
        }
        rings_[place->second].vertices.push_back(v);
        rings_[place->second].leanings.push_back(std::fabs(own - other));
      }
    }
  }
}

/// A mesh is closed where each edge is passed once each way; vertices at one place count as one, for seams of uvs and
/// normals part them.
void LimbMeter::add_closed(std::size_t part) {
  const Mesh& mesh = character_.meshes()[character_.parts()[part].mesh];
  if (mesh.topology != Topology::triangles || mesh.indices.size() < 12 || mesh.indices.size() % 3 != 0) return;
  std::map<std::tuple<float, float, float>, std::uint32_t> places;
  std::vector<std::uint32_t> place_of;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3& p = mesh.positions[v];
    place_of.push_back(places.emplace(std::tuple(p.x, p.y, p.z), v).first->second);
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t from = place_of[mesh.indices[t + c]], to = place_of[mesh.indices[t + (c + 1) % 3]];
      if (from != to && !edges.emplace(from, to).second) return;
    }
  }
  for (const auto& [from, to] : edges)
    if (!edges.contains({to, from})) return;
  closed_.push_back({part, {mesh.indices.begin(), mesh.indices.end()}});
}

double LimbMeter::volume(const Instance& instance) const {
  using Double3 = glm::vec<3, double>;
  double sum = 0;
  for (const Closed& closed : closed_) {
    const auto positions = instance.vertices[closed.part].positions();
    for (std::size_t t = 0; t < closed.corners.size(); t += 3) {
      const Double3 a(positions[closed.corners[t]]), b(positions[closed.corners[t + 1]]),
          c(positions[closed.corners[t + 2]]);
      sum += glm::dot(a, glm::cross(b, c)) / 6;
    }
  }
  return sum;
}

std::vector<double> LimbMeter::distances(const Ring& ring, const Instance& instance) {
  const Affine& joint = instance.model_from_joint[ring.joint];
  const Vec3 a = origin(instance.model_from_joint[ring.parent]), b = origin(joint),
             c = transform_point(joint, ring.end);
  std::vector<double> out;
  for (const std::uint32_t v : ring.vertices) {
    const Vec3& p = instance.vertices[ring.part].positions()[v];
    out.push_back(std::min(distance(p, a, b), distance(p, b, c)));
  }
  return out;
}

LimbShape LimbMeter::measure(const Instance& instance) const {
  LimbShape out;
  for (const Ring& ring : rings_) {
    const std::vector<double> now = distances(ring, instance);
    double kept = 0;
    for (std::size_t i = 0; i < ring.middle; ++i) kept += now[i] / ring.distances[i] / static_cast<double>(ring.middle);
    if (kept < out.thinnest) out.thinnest = kept, out.thin_joint = static_cast<std::int32_t>(ring.joint);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double beyond = (now[i] - ring.distances[i]) / ring.width;
      if (beyond > out.bulge) out.bulge = beyond, out.bulge_joint = static_cast<std::int32_t>(ring.joint);
    }
  }
  if (rest_volume_ != 0) out.volume = volume(instance) / rest_volume_;
  return out;
}

}  // namespace sinew::tool
