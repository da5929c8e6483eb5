#include "sinew/gpu.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "biped/biped.h"
#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::load;
using test::Loaded;
using test::must;

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}

std::vector<std::byte> packed(const Mesh& mesh, const MeshLayout& layout) {
  std::vector<std::byte> bytes(layout.size, std::byte(0xcd));
  pack_mesh(mesh, layout, bytes);
  return bytes;
}

const Mesh& biped_mesh() {
  static const Loaded loaded = must(load(make_biped()));
  return loaded.character.meshes()[0];
}

TEST(GpuDeathTest, BytesTooFewAndAnotherMeshsLayoutAreRefused) {
  const Mesh& mesh = biped_mesh();
  const MeshLayout layout = must(layout_mesh(mesh));
  std::vector<std::byte> bytes(layout.size - 1);
  EXPECT_DEATH(pack_mesh(mesh, layout, bytes), "pack_mesh.bytes");
  MeshLayout other = layout;
  --other.vertex_count;
  bytes.resize(layout.size);
  EXPECT_DEATH(pack_mesh(mesh, other, bytes), "another mesh");
}

TEST(Gpu, FullVerticesLieAsDocumented) {
  const Mesh& mesh = biped_mesh();
  const MeshLayout layout = must(layout_mesh(mesh, {.format = VertexFormat::full}));
  EXPECT_EQ(layout.size, mesh.vertex_count() * 64);
  EXPECT_EQ(layout.output_positions, (mesh.vertex_count() + 3) / 4 * 4 * 48);
  EXPECT_EQ(layout.kernel.influences, 4u);
  const std::vector<std::byte> bytes = packed(mesh, layout);
  for (std::size_t v = 0; v < mesh.vertex_count(); v += 97) {
    EXPECT_EQ(at<Vec3>(bytes, 64 * v), mesh.positions[v]);
    EXPECT_EQ(at<Vec3>(bytes, 64 * v + 16), mesh.normals[v]);
    EXPECT_EQ(at<Vec2>(bytes, 64 * v + 32), mesh.uvs[v]);
    for (std::size_t k = 0; k < mesh.influence_count; ++k) {
      EXPECT_EQ(at<std::uint16_t>(bytes, 64 * v + 40 + 2 * k), mesh.joints[v * mesh.influence_count + k]);
      EXPECT_EQ(at<float>(bytes, 64 * v + 48 + 4 * k), mesh.weights[v * mesh.influence_count + k]);
    }
  }
}

TEST(Gpu, StreamsAreTheMeshsArraysWithInfluencesInTheOrderOfTheirJoints) {
  const Mesh& mesh = biped_mesh();
  const MeshLayout layout = must(layout_mesh(mesh));
  const std::vector<std::byte> bytes = packed(mesh, layout);
  for (const std::uint64_t offset : {layout.positions, layout.normals, layout.joints, layout.weights})
    EXPECT_EQ(offset % 16, 0u);
  EXPECT_EQ(std::memcmp(bytes.data() + layout.positions, mesh.positions.data(), mesh.positions.size_bytes()), 0);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    std::map<int, float> wanted, got;
    int last = -1;
    for (std::size_t k = 0; k < mesh.influence_count; ++k) {
      const std::size_t i = v * mesh.influence_count + k;
      if (mesh.weights[i] > 0) wanted[mesh.joints[i]] += mesh.weights[i];
      const float weight = at<float>(bytes, layout.weights + 4 * i);
      const int joint = at<std::uint16_t>(bytes, layout.joints + 2 * i);
      EXPECT_LT(joint, int(mesh.palette_limit));
      if (weight == 0) continue;
      EXPECT_GT(joint, last);
      last = joint;
      got[joint] = weight;
    }
    ASSERT_EQ(got, wanted) << v;
  }
  const MeshLayout bare = must(layout_mesh(mesh, {.directions = false}));
  EXPECT_FALSE(bare.kernel.normals);
  EXPECT_EQ(bare.output_normals, 0u);
  EXPECT_EQ(bare.output_positions, (mesh.vertex_count() + 3) / 4 * 4 * 12);
}

TEST(Gpu, CompactWeightsKeepTheirSumAndTheirValue) {
  const Mesh& mesh = biped_mesh();
  const MeshLayout layout = must(layout_mesh(mesh, {.format = VertexFormat::compact}));
  EXPECT_FALSE(layout.kernel.wide_joints);
  EXPECT_EQ(layout.size, mesh.vertex_count() * 32);
  EXPECT_EQ(layout.output_positions, (mesh.vertex_count() + 3) / 4 * 4 * 20);
  const std::vector<std::byte> bytes = packed(mesh, layout);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    int sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int weight = at<std::uint16_t>(bytes, layout.joints + 16 * v + 8 + 2 * k);
      sum += weight;
      const float wanted = k < mesh.influence_count ? mesh.weights[v * mesh.influence_count + k] : 0;
      EXPECT_NEAR(weight / 65535.0, wanted, 1.0 / 65535);
      if (k < mesh.influence_count) {
        EXPECT_EQ(at<std::uint8_t>(bytes, layout.joints + 16 * v + 4 + k), mesh.joints[v * mesh.influence_count + k]);
      }
    }
    ASSERT_EQ(sum, 65535) << v;
  }
}

TEST(Gpu, CompactDirectionsAreRightToATenThousandth) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Mesh mesh;
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
  const auto direction = [&] { return glm::normalize(Vec3(normal(random), normal(random), normal(random))); };
  for (int i = 0; i < 1000; ++i) {
    positions.push_back(direction());
    normals.push_back(direction());
    tangents.push_back(Vec4(direction(), i % 2 ? 1 : -1));
  }
  for (const Vec3 axis : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(0, -1, 0)}) {
    positions.push_back(axis), normals.push_back(axis), tangents.push_back(Vec4(axis, -1));
  }
  const std::vector<std::uint16_t> joints(positions.size());
  const std::vector<float> weights(positions.size(), 1);
  mesh.positions = positions, mesh.normals = normals, mesh.tangents = tangents;
  mesh.joints = joints, mesh.weights = weights, mesh.palette_limit = 1;
  const MeshLayout layout = must(layout_mesh(mesh, {.format = VertexFormat::compact}));
  const std::vector<std::byte> bytes = packed(mesh, layout);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    // The output's vertex is the input's first half, then its tangent.
    std::array<std::byte, 20> vertex;
    std::memcpy(vertex.data(), bytes.data() + layout.positions + 16 * v, 16);
    std::memcpy(vertex.data() + 16, bytes.data() + layout.joints + 16 * v, 4);
    const CompactVertex read = read_compact(vertex);
    EXPECT_EQ(read.position, positions[v]);
    EXPECT_LT(glm::distance(read.normal, normals[v]), 5e-5f);
    EXPECT_LT(glm::distance(Vec3(read.tangent), Vec3(tangents[v])), 1e-4f);
    EXPECT_EQ(read.tangent.w, tangents[v].w);
  }
}

TEST(Gpu, WhatAFormatCannotHoldIsRefusedByName) {
  Mesh mesh;
  mesh.influence_count = 8;
  const auto full = layout_mesh(mesh, {.format = VertexFormat::full});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::unsupported);
  EXPECT_NE(full.error().message().find("8 influences"), std::string::npos);
  EXPECT_TRUE(layout_mesh(mesh));
  mesh.influence_count = 4;
  mesh.palette_limit = 257;
  EXPECT_TRUE(must(layout_mesh(mesh, {.format = VertexFormat::compact})).kernel.wide_joints);
  mesh.palette_limit = 65537;
  const auto compact = layout_mesh(mesh, {.format = VertexFormat::compact});
  ASSERT_FALSE(compact);
  EXPECT_NE(compact.error().message().find("65537"), std::string::npos);
}

/// A mesh of five vertices on eight entries, equally strong influences in some, and shares.
struct SharedMesh {
  std::vector<Vec3> positions = std::vector<Vec3>(5);
  std::vector<std::uint16_t> joints;
  std::vector<float> weights, shares;
  Mesh mesh;
  SharedMesh() {
    for (int v = 0; v < 5; ++v) {
      joints.insert(joints.end(), {7, 3, 5});
      if (v % 2)
        weights.insert(weights.end(), {0.5f, 0.3f, 0.2f});
      else
        weights.insert(weights.end(), {0.4f, 0.4f, 0.2f});
      shares.push_back(0.25f * float(v));
    }
    mesh.positions = positions, mesh.joints = joints, mesh.weights = weights, mesh.dual_weights = shares;
    mesh.influence_count = 3, mesh.palette_limit = 8;
  }
};

TEST(Gpu, SharesOfMixedLieWhereTheFormatHasRoom) {
  const SharedMesh made;
  const auto laid = [&](VertexFormat format, SkinMethod method) {
    return must(layout_mesh(made.mesh, {.format = format, .method = method}));
  };
  const MeshLayout streams = laid(VertexFormat::streams, SkinMethod::mixed);
  std::vector<std::byte> bytes = packed(made.mesh, streams);
  EXPECT_EQ(streams.size, streams.weights + 8 * (3 + 1) * 4);
  for (std::size_t v = 0; v < 8; ++v)
    EXPECT_EQ(at<float>(bytes, streams.weights + 4 * (8 * 3 + v)), made.shares[std::min<std::size_t>(v, 4)]);
  bytes = packed(made.mesh, laid(VertexFormat::full, SkinMethod::mixed));
  for (std::size_t v = 0; v < 5; ++v) EXPECT_EQ(at<float>(bytes, 64 * v + 12), made.shares[v]);
  const MeshLayout compact = laid(VertexFormat::compact, SkinMethod::mixed);
  EXPECT_TRUE(compact.kernel.wide_joints);
  bytes = packed(made.mesh, compact);
  for (std::size_t v = 0; v < 5; ++v)
    EXPECT_NEAR(at<std::uint16_t>(bytes, 32 + 16 * v + 6) / 65535.0, made.shares[v], 1.0 / 65535);
  // Without room for them nothing changes.
  EXPECT_EQ(laid(VertexFormat::streams, SkinMethod::dual_quaternion).size,
            laid(VertexFormat::streams, SkinMethod::linear).size);
  EXPECT_FALSE(laid(VertexFormat::compact, SkinMethod::dual_quaternion).kernel.wide_joints);
  EXPECT_EQ(at<float>(packed(made.mesh, laid(VertexFormat::full, SkinMethod::linear)), 64 * 4 + 12), 0.0f);
}

TEST(Gpu, InterleavedVerticesBeginWithTheInfluenceWhoseSignCounts) {
  const SharedMesh made;
  for (const VertexFormat format : {VertexFormat::full, VertexFormat::compact})
    for (const SkinMethod method : {SkinMethod::linear, SkinMethod::dual_quaternion, SkinMethod::mixed}) {
      const MeshLayout layout = must(layout_mesh(made.mesh, {.format = format, .method = method}));
      const std::vector<std::byte> bytes = packed(made.mesh, layout);
      for (std::size_t v = 0; v < 5; ++v) {
        const int first = format == VertexFormat::full ? at<std::uint16_t>(bytes, 64 * v + 40)
                          : layout.kernel.wide_joints  ? at<std::uint16_t>(bytes, layout.joints + 16 * v)
                                                       : at<std::uint8_t>(bytes, layout.joints + 16 * v + 4);
        EXPECT_EQ(first, v % 2 || method == SkinMethod::linear ? 7 : 3) << "the lowest of equally strong ones";
      }
    }
}

TEST(Gpu, AMeshWithoutSharesIsLinearUnderMixed) {
  SharedMesh made;
  made.mesh.dual_weights = {};
  EXPECT_EQ(must(layout_mesh(made.mesh, {.method = SkinMethod::mixed})).kernel, must(layout_mesh(made.mesh)).kernel);
}

TEST(Gpu, FourByFourPalettesAreForLinearOnly) {
  for (const SkinMethod method : {SkinMethod::dual_quaternion, SkinMethod::mixed}) {
    const auto refused = layout_mesh(biped_mesh(), {.palette_4x4 = true, .method = method});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_NE(refused.error().message().find("palette_4x4"), std::string::npos);
  }
  EXPECT_TRUE(layout_mesh(biped_mesh(), {.palette_4x4 = true}));
}

TEST(Gpu, PaletteEntriesHoldWhatTheirKernelReads) {
  const std::vector<Affine> matrices = {to_affine({Vec3(1, 2, 3), {}, Vec3(2)}), Affine{}};
  const std::vector<DualQuaternion> rigid = {to_dual_quaternion({}, Vec3(1, 2, 3)), {}};
  const std::vector<Affine> stretch = {to_affine({Vec3(0), {}, Vec3(2)}), Affine{}};
  const auto pack = [&](const SkinKernel& kernel, std::span<const Affine> stretches) {
    std::vector<std::byte> bytes(2 * palette_entry_bytes(kernel));
    pack_palette(kernel, matrices, rigid, stretches, bytes);
    return bytes;
  };
  EXPECT_EQ(palette_entry_bytes({}), 48u);
  EXPECT_EQ(at<Affine>(pack({}, {}), 0), matrices[0]);
  EXPECT_EQ(palette_entry_bytes({.palette_4x4 = true}), 64u);
  EXPECT_EQ(at<Mat4>(pack({.palette_4x4 = true}, {}), 0), to_mat4(matrices[0]));
  EXPECT_EQ(palette_entry_bytes({.method = SkinMethod::dual_quaternion}), 32u);
  EXPECT_EQ(at<DualQuaternion>(pack({.method = SkinMethod::dual_quaternion}, {}), 0), rigid[0]);
  const SkinKernel all{.method = SkinMethod::mixed, .stretch = true};
  EXPECT_EQ(palette_entry_bytes(all), 128u);
  const std::vector<std::byte> bytes = pack(all, stretch);
  EXPECT_EQ(at<Affine>(bytes, 0), matrices[0]);
  EXPECT_EQ(at<DualQuaternion>(bytes, 48), rigid[0]);
  EXPECT_EQ(at<Affine>(bytes, 80), stretch[0]);
  EXPECT_EQ(at<Affine>(bytes, 128), matrices[1]);
  EXPECT_EQ(at<Affine>(pack(all, {}), 80), Affine{}) << "an identity where none is given";
}

TEST(GpuDeathTest, PalettesThatTheKernelCannotReadAreRefused) {
  const std::vector<Affine> matrices(2);
  const std::vector<DualQuaternion> rigid(2);
  std::vector<std::byte> bytes(2 * 128);
  const SkinKernel mixed{.method = SkinMethod::mixed};
  EXPECT_DEATH(pack_palette(mixed, matrices, {}, {}, bytes), "pack_palette.rigid");
  EXPECT_DEATH(pack_palette(mixed, matrices, rigid, matrices, bytes), "pack_palette.stretch");
  EXPECT_DEATH(pack_palette(mixed, matrices, rigid, {}, std::span(bytes).first(159)), "pack_palette.bytes");
}

TEST(Gpu, TheChoiceFollowsItsRule) {
  const MeshLayout layout = must(layout_mesh(biped_mesh()));
  const StageQuestion one{.layout = layout};
  EXPECT_EQ(choose_stage(one).stage, SkinStage::vertex);
  EXPECT_EQ(choose_stage(one).buffer_bytes, 0u);
  StageQuestion asked = one;
  asked.passes = 2;
  EXPECT_EQ(choose_stage(asked).stage, SkinStage::vertex);
  asked.passes = 3;
  EXPECT_EQ(choose_stage(asked).stage, SkinStage::compute);
  asked.crossing = 7;
  EXPECT_EQ(choose_stage(asked).stage, SkinStage::vertex);
  asked.other_readers = true;
  EXPECT_EQ(choose_stage(asked).stage, SkinStage::compute);
  EXPECT_NE(choose_stage(asked).reason, choose_stage(one).reason);
}

TEST(Gpu, TheChoiceCountsTheBytesThatComputeWrites) {
  const std::vector<Vec3> places(10);
  const std::vector<Vec4> tangents(10);
  const std::vector<std::uint16_t> joints(10);
  const std::vector<float> weights(10, 1.0f);
  Mesh mesh;
  mesh.positions = mesh.normals = places, mesh.tangents = tangents;
  mesh.joints = joints, mesh.weights = weights, mesh.palette_limit = 1;
  const auto bytes = [&](const MeshLayoutOptions& options, std::uint64_t instances = 1) {
    const MeshLayout layout = must(layout_mesh(mesh, options));
    return choose_stage({.layout = layout, .other_readers = true, .instance_count = instances}).buffer_bytes;
  };
  // Ten vertices have the room of twelve.
  EXPECT_EQ(bytes({}), 12u * (12 + 12 + 16));
  EXPECT_EQ(bytes({.directions = false}), 12u * 12);
  EXPECT_EQ(bytes({.format = VertexFormat::full}), 12u * 48);
  EXPECT_EQ(bytes({.format = VertexFormat::compact}, 5), 5u * 12 * 20);
  mesh.tangents = {};
  EXPECT_EQ(bytes({}), 12u * (12 + 12));
  EXPECT_EQ(bytes({}, 1'000'000'000), 1'000'000'000ull * 12 * (12 + 12)) << "past 32 bits";
}

}  // namespace
}  // namespace sinew
