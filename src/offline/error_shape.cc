// Where compression watches for errors: points about each joint, and the outermost vertices that follow it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "offline/compress_trial.h"
#include "sinew/compress.h"
#include "sinew/instance.h"

namespace sinew {
namespace detail {
namespace {

/// The points of a set that lie farthest out in each of so many directions.
class Outermost {
 public:
  void add(Vec3d p) {
    std::size_t i = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          const double reach = dot(p, Vec3d{double(x), double(y), double(z)});
          if (reach > reaches_[i]) reaches_[i] = reach, points_[i] = p;
          ++i;
        }
    any_ = true;
  }
  void append_to(std::vector<Vec3d>& out) const {
    if (!any_) return;
    for (const Vec3d& p : points_) {
      const auto same = [&](const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
      if (std::ranges::none_of(out, same)) out.push_back(p);
    }
  }

 private:
  static constexpr std::size_t kDirections = 26;
  static constexpr std::array<double, kDirections> farthest() {
    std::array<double, kDirections> out{};
    out.fill(-std::numeric_limits<double>::infinity());
    return out;
  }
  std::array<double, kDirections> reaches_ = farthest();
  std::array<Vec3d, kDirections> points_{};
  bool any_ = false;
};

class Box {
 public:
  void add(Vec3d p) {
    for (std::size_t c = 0; c < 3; ++c)
      low_[c] = any_ ? std::min(low_[c], p[c]) : p[c], high_[c] = any_ ? std::max(high_[c], p[c]) : p[c];
    any_ = true;
  }
  std::vector<Vec3d> corners() const {
    std::vector<Vec3d> out;
    for (unsigned i = 0; i < 8 && any_; ++i)
      out.push_back({i & 1 ? low_.x : high_.x, i & 2 ? low_.y : high_.y, i & 4 ? low_.z : high_.z});
    return out;
  }

 private:
  Vec3d low_, high_;
  bool any_ = false;
};

double longest_target(const Mesh& mesh, std::size_t target) {
  double longest = 0;
  for (const Vec3& d : mesh.target_positions.subspan(target * mesh.vertex_count(), mesh.vertex_count()))
    longest = std::max(longest, length(widened(d)));
  return longest;
}

std::vector<Affined> rest_matrices(const Skeleton& skeleton) {
  std::vector<Affined> out(skeleton.joint_count());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const Affined local = widened(skeleton.rest_transform(j));
    out[j] = skeleton.parents[j] < 0 ? local : out[std::size_t(skeleton.parents[j])] * local;
  }
  return out;
}

/// From the leaves up: a child's reach, and how far the child is.
void measure_rest_reach(const Character& character, ErrorShape& shape) {
  const Skeleton& skeleton = character.skeleton();
  shape.reach.assign(shape.points.size(), 0);
  for (std::size_t j = shape.points.size(); j-- > 0;) {
    for (const Vec3d& p : shape.points[j]) shape.reach[j] = std::max(shape.reach[j], length(p));
    if (const std::int32_t parent = skeleton.parents[j]; parent >= 0) {
      double& above = shape.reach[std::size_t(parent)];
      above = std::max(above, shape.reach[j] + length(widened(skeleton.rest_transform(j).translation)));
    }
  }
}

}  // namespace

double greatest_scale(const Skin& skin, const std::vector<Affined>& model_from_joint) {
  double greatest = 0;
  for (std::size_t e = 0; e < skin.joints.size(); ++e) {
    const Affined m = model_from_joint[skin.joints[e]] * widened(skin.inverse_bind_matrices[e]);
    double squares = 0;  // the Frobenius norm is never below the largest stretch
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) squares += m.m[r][c] * m.m[r][c];
    greatest = std::max(greatest, std::sqrt(squares));
  }
  return greatest;
}

ErrorShape make_shape(const Character& character, double shell) {
  ErrorShape out;
  out.points.assign(character.skeleton().joint_count(), {{shell, 0, 0}, {0, shell, 0}, {0, 0, shell}});
  out.character = &character;
  out.corners.resize(out.points.size());
  std::vector<Box> boxes(out.points.size());
  out.channel_reach.assign(character.skeleton().channel_count(), 0);
  out.target_lengths = out.channel_reach;
  const std::vector<Affined> at_rest = rest_matrices(character.skeleton());
  std::vector<Outermost> outermost(out.points.size());
  for (const Part& part : character.parts()) {
    const Mesh& mesh = character.meshes()[part.mesh];
    const Skin& skin = character.skins()[part.skin];
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      for (std::size_t k = 0; k < mesh.influence_count; ++k) {
        const std::size_t influence = v * mesh.influence_count + k;
        if (mesh.weights[influence] == 0) continue;
        const std::uint16_t entry = mesh.joints[influence];
        const Vec3d p = transform(widened(skin.inverse_bind_matrices[entry]), widened(mesh.positions[v]));
        boxes[skin.joints[entry]].add(p);
        if (k == 0) outermost[skin.joints[entry]].add(p);  // the strongest
      }
    }
    for (std::uint32_t c = 0; c < part.channel_count && c < mesh.target_count; ++c) {
      const double length = longest_target(mesh, c);
      double &target = out.target_lengths[part.first_channel + c], &reach = out.channel_reach[part.first_channel + c];
      target = std::max(target, length);
      reach = std::max(reach, length * greatest_scale(skin, at_rest) * part.channel_count);  // they may add up
    }
  }
  for (std::size_t j = 0; j < outermost.size(); ++j) {
    outermost[j].append_to(out.points[j]);
    out.corners[j] = boxes[j].corners();
  }
  measure_rest_reach(character, out);
  return out;
}

}  // namespace detail

double height(const Character& character) {
  Instance instance(character);
  run(InstanceJob{character, instance, NormalMode::fast});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  const auto add = [&](const float* p, std::size_t stride) {
    for (std::size_t c = 0; c < 3; ++c)
      low[c] = std::min(low[c], double(p[c * stride])), high[c] = std::max(high[c], double(p[c * stride]));
  };
  for (const Vertices& vertices : instance.vertices)
    for (const Vec3& p : vertices.positions()) add(&p.x, 1);
  if (instance.vertices.empty())
    for (const Affine& m : instance.model_from_joint) add(&m.rows[0][3], 4);
  double longest = 0;
  for (std::size_t c = 0; c < 3; ++c) longest = std::max(longest, high[c] - low[c]);
  return longest > 0 ? longest : 1;
}

}  // namespace sinew
