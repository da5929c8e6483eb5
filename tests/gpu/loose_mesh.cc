#include "gpu/loose_mesh.h"

namespace sinew::test {

LooseMesh::LooseMesh(std::size_t count, std::uint32_t influences, std::uint16_t joint_count) {
  positions.reserve(count), normals.reserve(count), tangents.reserve(count);
  joints.reserve(count * influences), weights.reserve(count * influences);
  for (std::size_t v = 0; v < count; ++v) {
    const float a = 0.37f * float(v);
    positions.emplace_back(std::cos(a), std::sin(a), 0.01f * float(v % 97));
    normals.emplace_back(std::cos(a), std::sin(a), 0);
    tangents.emplace_back(-std::sin(a), std::cos(a), 0, v % 2 ? 1 : -1);
    for (std::uint32_t k = 0; k < influences; ++k) {
      joints.push_back(std::uint16_t((v * 7 + k * 3) % joint_count));
      weights.push_back(1.0f / float(influences));
    }
  }
  mesh.positions = positions, mesh.normals = normals, mesh.tangents = tangents;
  mesh.joints = joints, mesh.weights = weights;
  mesh.influence_count = influences, mesh.palette_limit = joint_count;
}

std::vector<Affine> turned_palette(std::size_t count, float more, Vec3 scale) {
  std::vector<Affine> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(to_affine(
        {Vec3(0.1f * float(i % 10), 0.2f, -0.1f), quat_axis_angle({1, 2, 3}, 0.1f * float(i) + more), scale}));
  return out;
}

gpu::SkinnedVertices on_cpu(const Mesh& mesh, std::span<const Affine> palette, NormalMode mode) {
  Vertices vertices(mesh);
  run(SkinJob{.mesh = mesh, .palette = palette, .output = vertices, .normal_mode = mode});
  return {{vertices.positions().begin(), vertices.positions().end()},
          {vertices.normals().begin(), vertices.normals().end()},
          {vertices.tangents().begin(), vertices.tangents().end()}};
}

}  // namespace sinew::test
