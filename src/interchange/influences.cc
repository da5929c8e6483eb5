// Skin weights as stored: what of them would surprise.
#include <algorithm>
#include <cmath>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

std::string vertex_text(const Scene::Primitive& primitive, std::size_t vertex) {
  const Vec3& p = primitive.positions[vertex];
  return text("vertex ", vertex, " at (", p.x, ", ", p.y, ", ", p.z, ")");
}

std::string place_text(std::size_t mesh, std::size_t primitive) {
  return text("meshes[", mesh, "].primitives[", primitive, "]");
}

std::uint16_t largest_joint(const Scene::InfluenceSet& set) {
  std::uint16_t largest = 0;
  for (const auto& joints : set.joints)
    for (std::uint16_t joint : joints) largest = std::max(largest, joint);
  return largest;
}

/// A joint number that the skin does not have: harmless at weight 0, an error otherwise.
bool check_joints(Import& task, std::size_t mesh, std::size_t p) {
  const Scene::Primitive& primitive = task.scene.meshes[mesh].primitives[p];
  const std::int32_t count = task.skin_joints[mesh];
  for (std::size_t s = 0; s < primitive.influences.size(); ++s) {
    const Scene::InfluenceSet& set = primitive.influences[s];
    if (set.joints.empty() || std::int32_t(largest_joint(set)) < count) continue;
    const std::string where = text(place_text(mesh, p), ".attributes.JOINTS_", s);
    std::size_t harmless = 0, first = 0;
    std::uint16_t named = 0;
    for (std::size_t v = 0; v < set.joints.size(); ++v) {
      for (std::size_t i = 0; i < 4; ++i) {
        const std::uint16_t joint = set.joints[v][i];
        if (std::int32_t(joint) < count) continue;
        const float weight = set.weights[v][int(i)];
        if (weight != 0) {
          return task.reader.fail(ErrorCode::out_of_range, where,
                                  text(vertex_text(primitive, v), " follows joint ", joint, " with weight ", weight,
                                       ", but the skin has ", count, " joints"),
                                  "bind the vertex again, or give the skin its missing joints");
        }
        if (harmless++ == 0) first = v, named = joint;
      }
    }
    task.reader.note(Severity::warning, "robust.joint_range", harmless, 0, [&] {
      return Told{where,
                  text(vertex_text(primitive, first), " names joint ", named, " with weight 0, but the skin has ",
                       count, " joints; it is not followed"),
                  "write 0 where there is no influence"};
    });
  }
  return true;
}

/// What the sums of all vertices say.
struct Sums {
  std::size_t zero = 0, off = 0, negative = 0;
  std::size_t first_zero = 0, worst = 0, first_negative = 0;
  float worst_sum = 1;
};

Sums examine(const Scene::Primitive& primitive) {
  // Below this, rounding explains it: floats of four weights, or bytes that are one short of 255.
  constexpr float kTolerance = 1e-3f;
  Sums out;
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    float sum = 0, least = 0;
    for (const Scene::InfluenceSet& set : primitive.influences) {
      const Vec4& w = set.weights[v];
      sum += w.x + w.y + w.z + w.w;
      least = std::min({least, w.x, w.y, w.z, w.w});
    }
    if (least < 0 && out.negative++ == 0) out.first_negative = v;
    if (!(sum > 0)) {
      if (out.zero++ == 0) out.first_zero = v;
    } else if (std::fabs(sum - 1) > kTolerance) {
      ++out.off;
      if (std::fabs(sum - 1) > std::fabs(out.worst_sum - 1)) out.worst_sum = sum, out.worst = v;
    }
  }
  return out;
}

void tell_sums(Import& task, std::size_t mesh, std::size_t p, const Sums& sums) {
  Reader& reader = task.reader;
  const Scene::Primitive& primitive = task.scene.meshes[mesh].primitives[p];
  const std::string name = shortened(task.scene.meshes[mesh].name);
  const std::string of_mesh = text(" of primitive ", p, " of mesh ", numbered(mesh, name));
  if (sums.zero) {
    reader.note(Severity::warning, "weights.zero", sums.zero, 0, [&] {
      return Told{place_text(mesh, p),
                  text("no weight at all is on ", vertex_text(primitive, sums.first_zero), of_mesh),
                  "bind them to a joint; they stay where they are stored, tied to the skin's root"};
    });
  }
  if (sums.off) {
    // One byte short of 255 is how most exporters round; more than that is a mistake.
    constexpr double kByteRounding = 1.01 / 255;
    const double off = std::fabs(double(sums.worst_sum) - 1);
    const bool rounding = off <= kByteRounding;
    reader.note(rounding ? Severity::info : Severity::warning, rounding ? "weights.rounding" : "weights.sum", sums.off,
                off, [&] {
                  return Told{place_text(mesh, p),
                              text("weights sum to ", sums.worst_sum, " instead of 1 on ",
                                   vertex_text(primitive, sums.worst), of_mesh),
                              "normalise the weights; sinew divides them by their sum"};
                });
  }
  if (sums.negative) {
    reader.note(Severity::warning, "weights.negative", sums.negative, 0, [&] {
      return Told{place_text(mesh, p),
                  text("a negative weight is on ", vertex_text(primitive, sums.first_negative), of_mesh),
                  "bind them again"};
    });
  }
}

}  // namespace

bool check_influences(Import& task, std::size_t mesh, std::size_t p) {
  const Scene::Primitive& primitive = task.scene.meshes[mesh].primitives[p];
  // Where no skin is, nothing follows the weights.
  if (primitive.influences.empty() || task.skin_joints[mesh] == kNone) return true;
  if (!check_joints(task, mesh, p)) return false;
  const Sums sums = examine(primitive);
  if (sums.zero || sums.off || sums.negative) tell_sums(task, mesh, p, sums);
  return true;
}

}  // namespace sinew::gltf
