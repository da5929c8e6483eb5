#include "biped/surface.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew::biped {
namespace {

using Edge = std::pair<int, int>;
Edge edge(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

struct EdgeSum {
  int point = 0;  ///< index in the new surface
  int faces = 0;
  Vec3 sum{0.0f};  ///< of the adjacent face points
};

/// Means around a vertex; the mirrored half is counted too.
struct Ring {
  Vec3 face_sum{0.0f}, edge_sum{0.0f};
  float faces = 0, edges = 0;
};

Vec3 face_point(const Surface& s, const Surface::Face& face) {
  Vec3 sum(0);
  for (int v : face.vertices) sum += s.positions[v];
  return sum / float(face.vertices.size());
}

/// Old vertices moved to Catmull and Clark's place.
std::vector<Vec3> moved_vertices(const Surface& s, const std::map<Edge, EdgeSum>& edges) {
  std::vector<Ring> rings(s.positions.size());
  for (const auto& face : s.faces) {
    const Vec3 centre = face_point(s, face);
    for (int v : face.vertices) rings[v].face_sum += centre, rings[v].faces += 1;
  }
  for (const auto& [ends, unused] : edges) {
    const Vec3 middle = 0.5f * (s.positions[ends.first] + s.positions[ends.second]);
    const bool inside_plane = s.on_plane(ends.first) && s.on_plane(ends.second);
    for (int v : {ends.first, ends.second}) {
      const float times = s.on_plane(v) && !inside_plane ? 2.0f : 1.0f;
      rings[v].edge_sum += times * middle, rings[v].edges += times;
    }
  }
  std::vector<Vec3> out(s.positions.size());
  for (std::size_t v = 0; v < out.size(); ++v) {
    const Ring& r = rings[v];
    const float n = r.edges;
    out[v] = (r.face_sum / r.faces + 2.0f * r.edge_sum / n + (n - 3) * s.positions[v]) / n;
    if (s.on_plane(int(v))) out[v].x = 0;
  }
  return out;
}

}  // namespace

Surface subdivided(const Surface& s) {
  std::map<Edge, EdgeSum> edges;
  for (const auto& face : s.faces) {
    const Vec3 centre = face_point(s, face);
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      EdgeSum& e = edges[edge(face.vertices[i], face.vertices[(i + 1) % face.vertices.size()])];
      e.sum += centre, e.faces += 1;
    }
  }
  Surface out;
  out.positions = moved_vertices(s, edges);
  for (auto& [ends, e] : edges) {
    e.point = int(out.positions.size());
    Vec3 p = 0.25f * (s.positions[ends.first] + s.positions[ends.second] + 2.0f * e.sum / float(e.faces));
    if (s.on_plane(ends.first) && s.on_plane(ends.second)) p.x = 0;
    out.positions.push_back(p);
  }
  for (const auto& face : s.faces) {
    const int n = int(face.vertices.size()), centre = int(out.positions.size());
    out.positions.push_back(face_point(s, face));
    Vec2 middle(0);
    for (Vec2 uv : face.uvs) middle += uv / float(n);
    for (int i = 0; i < n; ++i) {
      const int before = (i + n - 1) % n, after = (i + 1) % n;
      const int here = face.vertices[i];
      const int e1 = edges[edge(here, face.vertices[after])].point, e0 = edges[edge(face.vertices[before], here)].point;
      out.faces.push_back(
          {{here, e1, centre, e0},
           {face.uvs[i], 0.5f * (face.uvs[i] + face.uvs[after]), middle, 0.5f * (face.uvs[before] + face.uvs[i])},
           face.region});
    }
  }
  return out;
}

std::vector<std::vector<int>> neighbours(const Surface& s) {
  std::vector<std::vector<int>> out(s.positions.size());
  const auto link = [&](int a, int b) {
    if (std::find(out[a].begin(), out[a].end(), b) == out[a].end()) out[a].push_back(b);
  };
  for (const auto& face : s.faces) {
    for (std::size_t i = 0; i < face.vertices.size(); ++i) {
      const int a = face.vertices[i], b = face.vertices[(i + 1) % face.vertices.size()];
      link(a, b), link(b, a);
    }
  }
  return out;
}

void fit(Surface& s, const Field& field, int rounds) {
  constexpr int kFirstSteps = 5, kLaterSteps = 2;
  const auto project = [&](int steps) {
    s.normals.resize(s.positions.size());
    for (std::size_t v = 0; v < s.positions.size(); ++v) {
      const bool plane = s.on_plane(int(v));
      Vec3& p = s.positions[v];
      p = field.onto_surface(p, steps);
      // No vertex may cross the plane, nor land on it by chance.
      p.x = plane ? 0.0f : std::max(p.x, 1e-4f);
    }
  };
  project(kFirstSteps);
  const auto around = neighbours(s);
  for (int round = 0; round < rounds; ++round) {
    std::vector<Vec3> target = s.positions;
    for (std::size_t v = 0; v < target.size(); ++v) {
      const bool plane = s.on_plane(int(v));
      Vec3 sum(0);
      float count = 0;
      for (int n : around[v]) {
        const float times = plane && !s.on_plane(n) ? 2.0f : 1.0f;
        sum += times * s.positions[n], count += times;
      }
      const Vec3 normal = glm::normalize(field.gradient(s.positions[v]));
      Vec3 move = 0.5f * (sum / count - s.positions[v]);
      move -= glm::dot(move, normal) * normal;
      if (plane) move.x = 0;
      target[v] += move;
    }
    s.positions = std::move(target);
    project(kLaterSteps);
  }
  for (std::size_t v = 0; v < s.positions.size(); ++v) {
    Vec3 slope = field.gradient(s.positions[v]);
    if (s.on_plane(int(v))) slope.x = 0;
    s.normals[v] = glm::normalize(slope);
  }
}

}  // namespace sinew::biped
