#include "sinew/skin.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#include "core/contract.h"

namespace sinew {
namespace {

struct Vertex {
  Vec3 position, normal;
  Vec4 tangent;
};

Vertex morphed(const SkinJob& job, std::size_t v, bool normals, bool tangents) {
  const Mesh& mesh = *job.mesh;
  Vertex out{mesh.positions[v], normals ? mesh.normals[v] : Vec3(0), tangents ? mesh.tangents[v] : Vec4(0)};
  if (job.channels.empty()) return out;
  for (std::size_t target = 0; target < mesh.target_count; ++target) {
    const float weight = job.channels[target];
    const std::size_t i = target * mesh.vertex_count() + v;
    if (weight == 0) continue;
    out.position += weight * mesh.target_positions[i];
    if (normals && !mesh.target_normals.empty()) out.normal += weight * mesh.target_normals[i];
    if (tangents && !mesh.target_tangents.empty()) out.tangent += Vec4(weight * mesh.target_tangents[i], 0);
  }
  return out;
}

/// Sum of the vertex's palette entries, weighted.
Affine blended(const SkinJob& job, std::size_t v) {
  const Mesh& mesh = *job.mesh;
  const std::size_t first = v * mesh.influence_count;
  Affine sum;
  for (std::size_t i = 0; i < mesh.influence_count; ++i) {
    const Affine& entry = job.palette[mesh.joints[first + i]];
    const float weight = mesh.weights[first + i];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) sum.rows[r][c] = (i == 0 ? 0.0f : sum.rows[r][c]) + weight * entry.rows[r][c];
  }
  return sum;
}

using Double3 = glm::vec<3, double>;  // squares of any float neither vanish nor overflow in it

Vec3 unit(const Double3& v) {
  const double length = std::sqrt(glm::dot(v, v));
  if (!(length > 0)) return Vec3(0);
  return Vec3(v / length);
}

/// Inverse transpose times n, up to a positive factor: the cofactor matrix, turned where the matrix mirrors. Needs no
/// division, so a flattened limb still has the normal of its plane; in double, so that no scale over- or underflows.
Vec3 transform_normal(const Affine& m, Vec3 n) {
  const auto row = [&](int r) { return Double3(m.rows[r][0], m.rows[r][1], m.rows[r][2]); };
  const Double3 r0 = row(0), r1 = row(1), r2 = row(2), normal(n);
  const Double3 c0 = glm::cross(r1, r2), c1 = glm::cross(r2, r0), c2 = glm::cross(r0, r1);
  const double side = glm::dot(r0, c0) < 0 ? -1 : 1;
  return unit(side * Double3(glm::dot(c0, normal), glm::dot(c1, normal), glm::dot(c2, normal)));
}

template <class T>
void store(const Strided<T>& where, std::size_t i, const T& value) {
  std::memcpy(where.at(i), &value, sizeof value);  // the caller's stride may leave it unaligned
}

}  // namespace

Vertices::Vertices(const Mesh& mesh)
    : positions_(mesh.vertex_count()), normals_(mesh.normals.size()), tangents_(mesh.tangents.size()) {}

void run(const SkinJob& job) {
  const Mesh& mesh = *job.mesh;
  const std::size_t count = mesh.vertex_count();
  const bool normals = !job.output.normals.empty(), tangents = !job.output.tangents.empty();
  SINEW_CONTRACT(job.palette.size() >= mesh.palette_limit, "SkinJob.palette: %zu entries, the mesh uses %u",
                 job.palette.size(), mesh.palette_limit);
  SINEW_CONTRACT(job.output.positions.size() >= count, "SkinJob.output.positions: room for %zu of %zu vertices",
                 job.output.positions.size(), count);
  SINEW_CONTRACT(!normals || (job.output.normals.size() >= count && !mesh.normals.empty()),
                 "SkinJob.output.normals: room for %zu, the mesh has %zu", job.output.normals.size(),
                 mesh.normals.size());
  SINEW_CONTRACT(!tangents || (job.output.tangents.size() >= count && !mesh.tangents.empty()),
                 "SkinJob.output.tangents: room for %zu, the mesh has %zu", job.output.tangents.size(),
                 mesh.tangents.size());
  SINEW_CONTRACT(job.channels.empty() || job.channels.size() >= mesh.target_count,
                 "SkinJob.channels: %zu given, the mesh has %u morph targets", job.channels.size(), mesh.target_count);
  for (std::size_t v = 0; v < count; ++v) {
    const Vertex vertex = morphed(job, v, normals, tangents);
    const Affine matrix = blended(job, v);
    store(job.output.positions, v, transform_point(matrix, vertex.position));
    if (normals) {
      const bool exact = job.normal_mode == NormalMode::exact;
      store(job.output.normals, v,
            exact ? transform_normal(matrix, vertex.normal) : unit(Double3(transform_vector(matrix, vertex.normal))));
    }
    if (tangents) {
      const Vec3 direction = unit(Double3(transform_vector(matrix, Vec3(vertex.tangent))));
      store(job.output.tangents, v, Vec4(direction, vertex.tangent.w));
    }
  }
}

}  // namespace sinew
