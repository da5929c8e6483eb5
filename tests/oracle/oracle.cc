#include "oracle/oracle.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace sinew::test {
namespace {

DVec4 unit_quaternion(DVec4 q) {
  const double l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= l;
  return q;
}

/// A node's properties at one time.
struct Local {
  DVec3 translation, scale;
  DVec4 rotation;
  std::vector<double> weights;  ///< of the node's mesh
};

std::vector<Local> rest_locals(const Scene& scene) {
  std::vector<Local> out;
  for (const Scene::Node& node : scene.nodes) {
    Local& local = out.emplace_back();
    local.translation = to_double(node.rest.translation);
    local.rotation = unit_quaternion(to_double(node.rest.rotation));
    local.scale = to_double(node.rest.scale);
    if (node.mesh == kNone) continue;
    // 3.7.2.2: node.weights override mesh.weights; without both, zeros.
    const std::vector<float>& weights = node.weights.empty() ? scene.meshes[node.mesh].weights : node.weights;
    local.weights.assign(weights.begin(), weights.end());
  }
  return out;
}

void animate(const Scene::Clip& clip, double time, std::vector<Local>& locals) {
  for (const Scene::Track& track : clip.tracks) {
    if (track.node == kNone) continue;
    const std::vector<double> v = oracle_value(clip, track, time);
    if (v.empty()) continue;
    Local& local = locals[track.node];
    switch (track.path) {
      case Path::translation:
        local.translation = {v[0], v[1], v[2]};
        break;
      case Path::rotation:
        local.rotation = {v[0], v[1], v[2], v[3]};
        break;
      case Path::scale:
        local.scale = {v[0], v[1], v[2]};
        break;
      case Path::weights:
        local.weights = v;
        break;
    }
  }
}

/// Products from the root down; children may be stored before their parents.
std::vector<DAffine> globals(const Scene& scene, const std::vector<Local>& locals) {
  std::vector<DAffine> out(scene.nodes.size());
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    DAffine m = oracle_local(locals[i].translation, locals[i].rotation, locals[i].scale);
    for (int p = scene.nodes[i].parent; p != kNone; p = scene.nodes[p].parent) {
      m = multiply(oracle_local(locals[p].translation, locals[p].rotation, locals[p].scale), m);
    }
    out[i] = m;
  }
  return out;
}

std::vector<int> path_from_root(const Scene& scene, int node) {
  std::vector<int> path;
  for (int n = node; n != kNone; n = scene.nodes[n].parent) path.insert(path.begin(), n);
  return path;
}

/// Lowest common ancestor of a skin's joints, itself included; the first joint's topmost ancestor where there is none.
int common_root(const Scene& scene, const Scene::Skin& skin) {
  std::vector<int> common = path_from_root(scene, skin.joints.front());
  const int top = common.front();
  for (int joint : skin.joints) {
    const std::vector<int> path = path_from_root(scene, joint);
    const std::size_t shorter = std::min(common.size(), path.size());
    const auto apart = std::mismatch(common.begin(), common.begin() + std::ptrdiff_t(shorter), path.begin()).first;
    common.erase(apart, common.end());
  }
  return common.empty() ? top : common.back();
}

/// The matrix that takes a vertex from where it is stored to where it is shown.
class Placement {
 public:
  Placement(const Scene& scene, int node, const Scene::Primitive& primitive, const std::vector<DAffine>& global,
            const std::vector<DAffine>& rest)
      : primitive_(primitive), whole_(global[node]) {
    const Scene::Node& n = scene.nodes[node];
    skinned_ = n.skin != kNone && !primitive.influences.empty();
    if (!skinned_) return;
    // 3.7.3.2: the transform of the skinned mesh's own node is ignored.
    const Scene::Skin& skin = scene.skins[n.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      const DAffine bind = skin.inverse_bind_matrices.empty() ? DAffine{} : to_double(skin.inverse_bind_matrices[i]);
      entries_.push_back(multiply(global[skin.joints[i]], bind));
    }
    const int root = common_root(scene, skin);
    whole_ = multiply(global[root], inverse(rest[root]));
  }

  DAffine matrix(std::size_t vertex) const {
    if (!skinned_) return whole_;
    DAffine out;
    double sum = 0;
    for (auto& row : out.m)
      for (double& x : row) x = 0;
    for (const Scene::InfluenceSet& set : primitive_.influences) {
      for (int i = 0; i < 4; ++i) {
        const double weight = set.weights[vertex][i];
        if (weight == 0) continue;
        sum += weight;
        const DAffine& entry = entries_[set.joints[vertex][std::size_t(i)]];
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 4; ++c) out.m[r][c] += weight * entry.m[r][c];
      }
    }
    if (sum == 0) return whole_;
    for (auto& row : out.m)
      for (double& x : row) x /= sum;
    return out;
  }

 private:
  const Scene::Primitive& primitive_;
  bool skinned_ = false;
  std::vector<DAffine> entries_;
  DAffine whole_;  ///< of a rigid mesh, or of a vertex that no joint moves
};

DVec3 add_targets(DVec3 base, std::size_t vertex, const Scene::Primitive& primitive, const std::vector<double>& weights,
                  std::vector<Vec3> Scene::MorphTarget::*attribute) {
  for (std::size_t t = 0; t < std::min(primitive.targets.size(), weights.size()); ++t) {
    const std::vector<Vec3>& deltas = primitive.targets[t].*attribute;
    if (deltas.empty()) continue;
    for (int i = 0; i < 3; ++i) base[std::size_t(i)] += weights[t] * deltas[vertex][i];
  }
  return base;
}

/// Inverse transpose times n, of unit length.
DVec3 normal(const DAffine& m, const DVec3& n) {
  DVec3 out = linear_part(cofactors(m), n);
  if (determinant(m) < 0)
    for (double& x : out) x = -x;
  return unit(out);
}

PlacedVertices place(const Scene::Primitive& primitive, const Placement& placement,
                     const std::vector<double>& weights) {
  PlacedVertices out;
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    const DAffine m = placement.matrix(v);
    const DVec3 p = to_double(primitive.positions[v]);
    out.positions.push_back(point(m, add_targets(p, v, primitive, weights, &Scene::MorphTarget::positions)));
    if (!primitive.normals.empty()) {
      const DVec3 n = to_double(primitive.normals[v]);
      out.normals.push_back(normal(m, add_targets(n, v, primitive, weights, &Scene::MorphTarget::normals)));
    }
    if (!primitive.tangents.empty()) {
      const DVec4 t = to_double(primitive.tangents[v]);
      const DVec3 xyz = add_targets({t[0], t[1], t[2]}, v, primitive, weights, &Scene::MorphTarget::tangents);
      const DVec3 u = unit(linear_part(m, xyz));
      out.tangents.push_back({u[0], u[1], u[2], t[3]});
    }
  }
  return out;
}

}  // namespace

DVec4 oracle_slerp(const DVec4& a, DVec4 b, double t) {
  double d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  if (d < 0) {
    d = -d;
    for (double& x : b) x = -x;
  }
  double ka = 1 - t, kb = t;
  if (d < 1 - 1e-10) {  // else the arc is so short that its chord is as good
    const double angle = std::acos(d);
    ka = std::sin((1 - t) * angle) / std::sin(angle);
    kb = std::sin(t * angle) / std::sin(angle);
  }
  DVec4 out;
  for (std::size_t i = 0; i < 4; ++i) out[i] = ka * a[i] + kb * b[i];
  return unit_quaternion(out);
}

DAffine oracle_local(const DVec3& translation, const DVec4& rotation, const DVec3& scale) {
  const double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
  const double r[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
  DAffine out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out.m[i][j] = r[i][j] * scale[j];
    out.m[i][3] = translation[i];
  }
  return out;
}

std::vector<double> oracle_value(const Scene::Clip& clip, const Scene::Track& track, double time) {
  const std::vector<float>& times = clip.times[track.times];
  const bool cubic = track.interpolation == Interpolation::cubicspline;
  const std::size_t keys = times.size();
  if (keys == 0) return {};
  const std::size_t n = track.values.size() / keys / (cubic ? 3 : 1);
  // Part 0: in-tangent, 1: value, 2: out-tangent of a key; a rotation's are all divided by the length of its value.
  const auto element = [&](std::size_t key, std::size_t part) {
    const auto row = std::span(track.values).subspan((cubic ? 3 * key + part : key) * n, n);
    const auto value = std::span(track.values).subspan((cubic ? 3 * key + 1 : key) * n, n);
    std::vector<double> out(row.begin(), row.end());
    if (track.path != Path::rotation) return out;
    double square = 0;
    for (double x : value) square += x * x;
    for (double& x : out) x /= std::sqrt(square);
    return out;
  };
  const std::size_t after = std::size_t(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  if (after == 0) return element(0, 1);
  const std::size_t k = after - 1;
  if (after == keys || track.interpolation == Interpolation::step) return element(k, 1);
  const double span = double(times[after]) - times[k], t = (time - times[k]) / span;
  const std::vector<double> a = element(k, 1), b = element(after, 1);
  std::vector<double> out(n);
  if (cubic) {
    const std::vector<double> leaving = element(k, 2), arriving = element(after, 0);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = (2 * t * t * t - 3 * t * t + 1) * a[i] + span * (t * t * t - 2 * t * t + t) * leaving[i] +
               (-2 * t * t * t + 3 * t * t) * b[i] + span * (t * t * t - t * t) * arriving[i];
    }
    if (track.path != Path::rotation) return out;
    const DVec4 q = unit_quaternion(DVec4{out[0], out[1], out[2], out[3]});
    return {q.begin(), q.end()};
  }
  if (track.path == Path::rotation) {
    const DVec4 q = oracle_slerp({a[0], a[1], a[2], a[3]}, {b[0], b[1], b[2], b[3]}, t);
    return {q.begin(), q.end()};
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = (1 - t) * a[i] + t * b[i];
  return out;
}

Evaluated oracle(const Scene& scene, int clip, double time) {
  const std::vector<Local> rest = rest_locals(scene);
  std::vector<Local> locals = rest;
  if (clip != kNone) animate(scene.clips[std::size_t(clip)], time, locals);
  const std::vector<DAffine> rest_global = globals(scene, rest), global = globals(scene, locals);
  Evaluated out;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int node = int(i);
    out.joints[node] = global[i];
    if (scene.nodes[i].mesh == kNone) continue;
    const auto& primitives = scene.meshes[scene.nodes[i].mesh].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const Placement placement(scene, node, primitives[p], global, rest_global);
      PlacedVertices& placed = out.parts.emplace_back(place(primitives[p], placement, locals[i].weights));
      placed.node = node, placed.mesh = scene.nodes[i].mesh, placed.primitive = int(p);
    }
  }
  return out;
}

}  // namespace sinew::test
