#include "biped/mesh.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinew::biped {
namespace {

constexpr std::size_t kInfluences = 4;
/// Smaller shares are not worth a palette fetch.
constexpr float kSmallest = 0.004f;

struct Influences {
  std::array<std::uint16_t, 4> joints{};
  Vec4 weights{0.0f};
};

Influences strongest(const Shares& shares) {
  std::array<int, kJointCount> order;
  for (int i = 0; i < kJointCount; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return shares[a] > shares[b]; });
  float sum = 0;
  std::size_t count = 0;
  while (count < kInfluences && shares[order[count]] >= kSmallest) ++count;
  // On the plane left and right are equal: of such a pair both stay or both go.
  if (count == kInfluences && shares[order[count]] == shares[order[count - 1]]) --count;
  for (std::size_t k = 0; k < count; ++k) sum += shares[order[k]];
  Influences out;
  for (std::size_t k = 0; k < count; ++k) {
    out.joints[k] = std::uint16_t(order[k]);
    out.weights[int(k)] = shares[order[k]] / sum;
  }
  // What is left is the first one's, so that the sum is 1 to the bit.
  out.weights[0] = 1.0f - (out.weights[1] + out.weights[2] + out.weights[3]);
  return out;
}

Influences mirrored_influences(Influences in) {
  for (std::size_t k = 0; k < kInfluences; ++k)
    if (in.weights[int(k)] > 0) in.joints[k] = std::uint16_t(mirrored(in.joints[k]));
  return in;
}

class Assembler {
 public:
  Assembler(const Surface& half, const std::vector<Shares>& shares) : half_(half), shares_(shares) {
    corners_[0].resize(half.positions.size());
    corners_[1].resize(half.positions.size());
    out_.influences.resize(1);
  }

  Scene::Primitive build() {
    for (const auto& face : half_.faces) {
      const bool first_diagonal = shorter(face, 0, 2, 1, 3);
      for (int side = 0; side < 2; ++side) {
        std::uint32_t c[4];
        for (int i = 0; i < 4; ++i) c[i] = corner(side, face.vertices[i], face.uvs[i]);
        if (first_diagonal)
          triangle(side, c[0], c[1], c[2]), triangle(side, c[0], c[2], c[3]);
        else
          triangle(side, c[0], c[1], c[3]), triangle(side, c[1], c[2], c[3]);
      }
    }
    add_tangents();
    return std::move(out_);
  }

 private:
  bool shorter(const Surface::Face& f, int a, int b, int c, int d) const {
    const auto length = [&](int i, int j) {
      const Vec3 e = half_.positions[f.vertices[i]] - half_.positions[f.vertices[j]];
      return glm::dot(e, e);
    };
    return length(a, b) <= length(c, d);
  }

  /// A vertex of its own for each texture coordinate that meets at a place: that is a seam.
  std::uint32_t corner(int side, int v, Vec2 uv) {
    if (side == 1) uv.x = 1 - uv.x;
    // The two halves share the vertices on the plane.
    auto& known = corners_[half_.on_plane(v) ? 0 : side][v];
    for (const auto& [seen, index] : known)
      if (std::max(std::abs(seen.x - uv.x), std::abs(seen.y - uv.y)) < 1e-5f) return index;
    const auto index = std::uint32_t(out_.positions.size());
    known.push_back({uv, index});
    const bool mirror = side == 1;
    out_.positions.push_back(mirror ? mirrored(half_.positions[v]) : half_.positions[v]);
    out_.normals.push_back(mirror ? mirrored(half_.normals[v]) : half_.normals[v]);
    out_.uvs.push_back(uv);
    Influences influences = strongest(shares_[v]);
    if (mirror && !half_.on_plane(v)) influences = mirrored_influences(influences);
    out_.influences[0].joints.push_back(influences.joints);
    out_.influences[0].weights.push_back(influences.weights);
    return index;
  }

  void triangle(int side, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (side == 1) std::swap(b, c);
    out_.indices.insert(out_.indices.end(), {a, b, c});
  }

  /// The direction in which u grows, in the surface; w says on which side v grows (glTF's bitangent).
  void add_tangents() {
    std::vector<Vec3> along_u(out_.positions.size(), Vec3(0)), along_v = along_u;
    for (std::size_t i = 0; i < out_.indices.size(); i += 3) {
      const std::uint32_t* t = &out_.indices[i];
      const Vec3 e1 = out_.positions[t[1]] - out_.positions[t[0]], e2 = out_.positions[t[2]] - out_.positions[t[0]];
      const Vec2 d1 = out_.uvs[t[1]] - out_.uvs[t[0]], d2 = out_.uvs[t[2]] - out_.uvs[t[0]];
      const float area = d1.x * d2.y - d2.x * d1.y, sign = area < 0 ? -1.0f : 1.0f;
      for (int k = 0; k < 3; ++k) {
        along_u[t[k]] += sign * (d2.y * e1 - d1.y * e2);
        along_v[t[k]] += sign * (d1.x * e2 - d2.x * e1);
      }
    }
    for (std::size_t v = 0; v < along_u.size(); ++v) {
      const Vec3 n = out_.normals[v];
      Vec3 t = along_u[v] - glm::dot(along_u[v], n) * n;
      // A spot where u does not grow gets any direction in the surface.
      if (glm::length(t) < 1e-12f) t = glm::cross(n, std::abs(n.y) < 0.9f ? Vec3(0, 1, 0) : Vec3(1, 0, 0));
      t = glm::normalize(t);
      out_.tangents.push_back(Vec4(t, glm::dot(glm::cross(n, t), along_v[v]) < 0 ? -1.0f : 1.0f));
    }
  }

  const Surface& half_;
  const std::vector<Shares>& shares_;
  std::array<std::vector<std::vector<std::pair<Vec2, std::uint32_t>>>, 2> corners_;
  Scene::Primitive out_;
};

}  // namespace

Scene::Primitive make_primitive(const Surface& left_half, const std::vector<Shares>& shares) {
  return Assembler(left_half, shares).build();
}

}  // namespace sinew::biped
