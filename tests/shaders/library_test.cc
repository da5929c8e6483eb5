// The library's own ways on the same cases, for the same table: SkinJob, and sinew::vulkan in its formats.
#include <gtest/gtest.h>

#include <numeric>

#include "exported.h"
#include "gpu/paths.h"

namespace sinew::test {
namespace {

/// The case as a mesh of the library, past the importer and `write`.
struct CaseMesh {
  std::vector<Vec3> positions, normals, target_positions, target_normals, target_tangents;
  std::vector<Vec2> uvs;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  std::vector<std::uint32_t> order;
  Mesh mesh;
  explicit CaseMesh(const Case& data) {
    for (std::size_t v = 0; v < data.vertices.size(); ++v) {
      const PackedVertex& vertex = data.vertices[v];
      positions.emplace_back(vertex.position);
      if (data.normals) normals.emplace_back(vertex.normal);
      uvs.push_back(vertex.uv);
      for (std::uint32_t i = 0; i < data.influences; ++i) {
        joints.push_back(i < 4 ? vertex.joints[i] : data.more[v].joints[i - 4]);
        weights.push_back(i < 4 ? vertex.weights[glm::length_t(i)] : data.more[v].weights[i - 4]);
      }
    }
    for (std::size_t at = 0; at < data.deltas.size();) {
      const auto next = [&] { return at += 3, Vec3(data.deltas[at - 3], data.deltas[at - 2], data.deltas[at - 1]); };
      target_positions.push_back(next());
      target_normals.push_back(next());
      if (data.tangents) target_tangents.push_back(next());
    }
    if (!data.normals) target_normals.clear();
    order.resize(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    mesh.positions = positions, mesh.normals = normals, mesh.uvs = uvs, mesh.tangents = data.tangent_stream;
    mesh.influence_count = data.influences, mesh.palette_limit = data.palette_joints;
    mesh.joints = joints, mesh.weights = weights, mesh.source_vertices = order;
    mesh.target_count = data.target_count;
    mesh.target_positions = target_positions, mesh.target_normals = target_normals;
    mesh.target_tangents = target_tangents;
  }
};

std::vector<std::vector<Affine>> palettes(const Case& data) {
  std::vector<std::vector<Affine>> out;
  for (auto at = data.palette.begin(); at != data.palette.end(); at += data.palette_joints)
    out.emplace_back(at, at + data.palette_joints);
  return out;
}
std::vector<std::vector<float>> channels(const Case& data) {
  std::vector<std::vector<float>> out;
  for (std::uint32_t i = 0; i < data.instances; ++i) {
    const auto at = data.morph_weights.begin() + i * data.target_count;
    out.emplace_back(at, at + data.target_count);
  }
  return out;
}

void add(Skinned& skinned, const Case& data, std::span<const Vec3> positions, std::span<const Vec3> normals,
         std::span<const Vec4> tangents) {
  for (std::size_t v = 0; v < positions.size(); ++v)  // uv: not all of these ways copy it
    skinned.vertices.push_back(
        {Vec4(positions[v], 1), normals.empty() ? Vec4(0) : Vec4(normals[v], 0), data.vertices[v].uv});
  skinned.tangents.insert(skinned.tangents.end(), tangents.begin(), tangents.end());
}

Skinned by_cpu(const Variant& variant, const Case& data) {
  const CaseMesh made(data);
  const auto matrices = palettes(data);
  const auto weights = channels(data);
  Skinned out;
  for (std::uint32_t i = 0; i < data.instances; ++i) {
    Vertices vertices(made.mesh);
    run(SkinJob{.mesh = made.mesh,
                .palette = matrices[i],
                .output = vertices,
                .channels = weights[i],
                .normal_mode = variant.fast ? NormalMode::fast : NormalMode::exact});
    add(out, data, vertices.positions(), vertices.normals(), vertices.tangents());
  }
  return out;
}

Backend by_vulkan(SkinStage stage, VertexFormat format) {
  return [=](const Variant& variant, const Case& data) {
    const CaseMesh made(data);
    gpu::SkinPath path{.stage = stage};
    path.layout.format = format;
    path.layout.normal_mode = variant.fast ? NormalMode::fast : NormalMode::exact;
    path.layout.palette_4x4 = variant.palette_4x4;
    Skinned out;
    for (const gpu::SkinnedVertices& v : skin_on_device(made.mesh, palettes(data), channels(data), path))
      add(out, data, v.positions, v.normals, v.tangents);
    return out;
  };
}

// The other methods have tests of their own, tests/gpu/dual_test.cc: a DualPalette is made from a skin.
constexpr Abilities kAll{.other_methods = false}, kFull{.influences = 4, .tangents = false, .other_methods = false},
    kCompact{.influences = 4, .other_methods = false};
constexpr Limits kCompactLimits{1e-4, 3e-4};

TEST(LibraryAgreement, Cpu) { expect_agreement("CPU SkinJob", kAll, by_cpu); }
TEST(LibraryAgreement, VulkanCompute) {
  expect_agreement("Vulkan compute, streams", kAll, by_vulkan(SkinStage::compute, VertexFormat::streams));
  expect_agreement("Vulkan compute, full", kFull, by_vulkan(SkinStage::compute, VertexFormat::full));
  expect_agreement("Vulkan compute, compact", kCompact, by_vulkan(SkinStage::compute, VertexFormat::compact),
                   kCompactLimits);
}
TEST(LibraryAgreement, VulkanVertex) {
  if (!device().features().transform_feedback) GTEST_SKIP() << "the device has no transform feedback";
  expect_agreement("Vulkan vertex, streams", kAll, by_vulkan(SkinStage::vertex, VertexFormat::streams));
  expect_agreement("Vulkan vertex, full", kFull, by_vulkan(SkinStage::vertex, VertexFormat::full));
  expect_agreement("Vulkan vertex, compact", kCompact, by_vulkan(SkinStage::vertex, VertexFormat::compact),
                   kCompactLimits);
}

}  // namespace
}  // namespace sinew::test
