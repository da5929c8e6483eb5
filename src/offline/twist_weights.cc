// What vertices have of a limb's parent goes to the twist joints along it.
#include <algorithm>
#include <utility>

#include "offline/twist_detail.h"

namespace sinew::detail {
namespace {

struct LimbInfluence {
  std::uint16_t joint = 0;
  float weight = 0;
};

/// One skin's view of a limb: places by its parent's inverse bind matrix, entries by index.
class WeightShare {
 public:
  WeightShare(const Scene::Skin& skin, const Limb& limb)
      : parent_from_mesh_(widened(skin.inverse_bind_matrices[std::size_t(std::ranges::find(skin.joints, limb.parent) -
                                                                         skin.joints.begin())])),
        along_(limb.axis * (1 / length(widened(limb.end)))),
        count_(limb.count),
        first_(std::uint16_t(skin.joints.size() - limb.count)) {
    for (std::size_t j = 0; j < first_; ++j)
      if (skin.joints[j] == limb.parent) parents_.push_back(std::uint16_t(j));
  }

  struct Shared {
    bool any = false;      ///< something changed
    bool crowded = false;  ///< there was no room for two of the row, and
    double dropped = 0;    ///< this share of the weights was another joint's and went to the parent, or
    double moved = 0;      ///< this share of them went to the other of the two
  };
  /// The parent's part of a vertex shared out among at most `room` influences.
  Shared apply(Vec3 position, std::vector<LimbInfluence>& influences, std::size_t room) const {
    Shared out;
    double sum = 0;
    float whole = 0;
    std::uint16_t parent = 0;
    std::size_t at = influences.size();
    for (std::size_t i = 0; i < influences.size(); ++i) {
      sum += influences[i].weight;
      if (!is_parent(influences[i]) || !(influences[i].weight > 0)) continue;
      whole += influences[i].weight;
      if (at == influences.size()) at = i, parent = influences[i].joint;
    }
    const double row =
        std::min<double>(count_, dot(transform(parent_from_mesh_, widened(position)), along_) * (count_ + 1));
    if (!(whole > 0) || !(row > 0)) return out;
    const std::uint32_t lower = std::min(std::uint32_t(row), count_ - 1);
    double upper_share = std::min(1.0, row - lower);
    std::erase_if(influences, [this](const LimbInfluence& i) { return is_parent(i) && i.weight > 0; });
    if (upper_share > 0 && upper_share < 1 && influences.size() + 2 > room) {
      const double smaller = std::min(upper_share, 1 - upper_share) * whole;
      out.crowded = true;
      if (const float least = give_up(influences, at, smaller, sum); least > 0) {
        whole += least;
        out.dropped = least / sum;
      } else {
        out.moved = smaller / sum;
        upper_share = upper_share < 0.5 ? 0 : 1;
      }
    }
    const float upper = float(whole * upper_share);
    const auto put = [&](std::uint32_t k, float weight) {
      if (weight > 0) influences.insert(influences.begin() + std::ptrdiff_t(at), {entry(k, parent), weight});
    };
    put(lower + 1, upper);
    put(lower, whole - upper);
    out.any = upper > 0 || lower > 0 || out.dropped > 0;
    return out;
  }

 private:
  bool is_parent(const LimbInfluence& i) const { return std::ranges::find(parents_, i.joint) != parents_.end(); }
  /// Takes out the least of the others where it is small in itself and beside what would move within the row instead;
  /// else nothing, for bends would change more than the twist gains. Returns its weight. `at` stays at its place.
  static float give_up(std::vector<LimbInfluence>& others, std::size_t& at, double smaller, double sum) {
    constexpr double kSmall = 0.05, kBeside = 0.25;
    const auto least = std::ranges::min_element(others, {}, &LimbInfluence::weight);
    if (least == others.end() || !(least->weight > 0)) return 0;
    const float weight = least->weight;
    if (weight > kSmall * sum || weight > kBeside * smaller) return 0;
    if (std::size_t(least - others.begin()) < at) --at;
    others.erase(least);
    return weight;
  }
  std::uint16_t entry(std::uint32_t k, std::uint16_t parent) const {
    return k == 0 ? parent : std::uint16_t(first_ + k - 1);
  }

  Affined parent_from_mesh_;
  Vec3d along_;  ///< 1 at the limb's end
  std::uint32_t count_;
  std::uint16_t first_;  ///< twist joint 1
  std::vector<std::uint16_t> parents_;
};

/// Shares out the weights of one primitive.
class PrimitiveShare {
 public:
  PrimitiveShare(Twisted& out, const WeightShare& share) : out_(out), share_(share) {}

  bool apply(Scene::Primitive& primitive) {
    bool any = false;
    std::vector<LimbInfluence> influences;
    const std::size_t room = 4 * primitive.influences.size();
    for (std::size_t v = 0; v < primitive.positions.size() && room > 0; ++v) {
      read(primitive, v, influences);
      const WeightShare::Shared shared = share_.apply(primitive.positions[v], influences, room);
      out_.crowded += shared.crowded;
      out_.dropped = std::max(out_.dropped, float(shared.dropped));
      out_.moved = std::max(out_.moved, float(shared.moved));
      if (const double cost = std::max(shared.moved, shared.dropped); cost > worst_) worst_ = cost, worst_vertex_ = v;
      if (!shared.any) continue;
      any = true;
      ++out_.vertices;
      write(primitive, v, influences);
    }
    return any;
  }
  double worst() const { return worst_; }  ///< the largest share of a vertex's weights that had no room
  std::size_t worst_vertex() const { return worst_vertex_; }

 private:
  static void read(const Scene::Primitive& primitive, std::size_t v, std::vector<LimbInfluence>& influences) {
    influences.clear();
    for (const Scene::InfluenceSet& set : primitive.influences)
      for (int i = 0; i < 4; ++i)
        if (set.weights[v][i] != 0) influences.push_back({set.joints[v][std::size_t(i)], set.weights[v][i]});
  }
  static void write(Scene::Primitive& primitive, std::size_t v, const std::vector<LimbInfluence>& influences) {
    for (std::size_t i = 0; i < 4 * primitive.influences.size(); ++i) {
      const LimbInfluence influence = i < influences.size() ? influences[i] : LimbInfluence{};
      primitive.influences[i / 4].joints[v][i % 4] = influence.joint;
      primitive.influences[i / 4].weights[v][int(i % 4)] = influence.weight;
    }
  }

  Twisted& out_;
  const WeightShare& share_;
  double worst_ = 0;
  std::size_t worst_vertex_ = 0;
};

/// Of each mesh the skins that nodes show it with, each once.
std::vector<std::vector<std::size_t>> skins_of_meshes(const Scene& scene) {
  std::vector<std::vector<std::size_t>> out(scene.meshes.size());
  for (const Scene::Node& node : scene.nodes) {
    if (node.mesh == kNone || node.skin == kNone) continue;
    std::vector<std::size_t>& skins = out[std::size_t(node.mesh)];
    if (std::ranges::find(skins, std::size_t(node.skin)) == skins.end()) skins.push_back(std::size_t(node.skin));
  }
  return out;
}

}  // namespace

std::optional<Error> share_weights(Twisted& out, const Limb& limb, const std::vector<std::size_t>& skins,
                                   Report* report) {
  Scene& scene = out.scene;
  const std::vector<std::vector<std::size_t>> skins_of = skins_of_meshes(scene);
  std::string worst_place;
  double worst = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const std::vector<std::size_t>& users = skins_of[m];
    const auto user =
        std::ranges::find_if(users, [&](std::size_t s) { return std::ranges::find(skins, s) != skins.end(); });
    if (user == users.end()) continue;
    const WeightShare share(scene.skins[*user], limb);
    bool any = false;
    for (std::size_t p = 0; p < scene.meshes[m].primitives.size(); ++p) {
      PrimitiveShare primitive(out, share);
      any = primitive.apply(scene.meshes[m].primitives[p]) || any;
      if (primitive.worst() <= worst) continue;
      worst = primitive.worst();
      worst_place =
          place("meshes", m) + "." + place("primitives", p) + ", vertex " + std::to_string(primitive.worst_vertex());
    }
    const auto unlike =
        std::ranges::find_if(users, [&](std::size_t s) { return scene.skins[s].joints != scene.skins[*user].joints; });
    if (any && unlike != users.end())
      return Error{ErrorCode::unsupported, place("meshes", m),
                   "is shown with " + place("skins", *user) + " and " + place("skins", *unlike) +
                       ", whose joints differ: one set of weights cannot serve both",
                   "give each skin a mesh of its own"};
  }
  if (out.vertices == 0 && report)
    add(*report, {Severity::warning, "twist.no_vertices", place("nodes", std::size_t(limb.parent)),
                  "no vertex along the limb follows the parent, so the twist joints move none",
                  "name the joint at the end of a limb whose skin is bound to its parent"});
  if (out.crowded > 0 && report)
    add(*report, {Severity::info, "twist.crowded", worst_place,
                  "had no room for two neighbours in the row: of such vertices at most " + std::to_string(out.dropped) +
                      " of the weights went from other joints to the parent, and at most " + std::to_string(out.moved) +
                      " to the nearer of the two",
                  "", out.crowded});
  return std::nullopt;
}

}  // namespace sinew::detail
