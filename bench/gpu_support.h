// What the benchmarks of the device share: a large mesh, its palettes, and time on the device's clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/context.h"
#include "sinew/sinew.h"
#include "sinew/vulkan.h"

namespace sinew::bench {

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// How a mesh's vertices lie: as `write` orders them, or by chance, as a file may have them.
enum class Order { by_joint_set, file };

/// A mesh of so many vertices on 64 joints: patches of one joint set each, four influences a vertex.
struct BigMesh {
  std::vector<Vec3> positions, normals;
  std::vector<Vec2> uvs;
  std::vector<Vec4> tangents;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights, shares;
  Mesh mesh;
  BigMesh(std::size_t count, Order order) {
    constexpr std::size_t kPatch = 32, kJoints = 64;
    std::uint32_t random = 12345;
    for (std::size_t v = 0; v < count; ++v) {
      random = random * 1664525u + 1013904223u;
      const std::size_t patch = order == Order::by_joint_set ? v / kPatch : random >> 8;
      const float a = float(v % 1009) * 0.0062f, h = float(v % 4093) * 0.0004f;
      positions.emplace_back(std::cos(a) * 0.2f, h, std::sin(a) * 0.2f);
      normals.emplace_back(std::cos(a), 0, std::sin(a));
      uvs.emplace_back(a, h);
      for (std::size_t k = 0; k < 4; ++k) joints.push_back(std::uint16_t((patch * 5 + k * 3) % kJoints));
      const float w1 = 0.05f + 0.1f * float(v % 7) / 7, w2 = 0.05f, w3 = 0.03f;
      weights.insert(weights.end(), {1 - (w1 + w2 + w3), w1, w2, w3});
      shares.push_back(float(v % 11) / 10);
    }
    mesh.positions = positions, mesh.normals = normals, mesh.uvs = uvs, mesh.joints = joints, mesh.weights = weights;
    mesh.dual_weights = shares;
    mesh.influence_count = 4, mesh.palette_limit = kJoints;
  }
};

inline std::vector<Affine> palette_of(std::size_t instances, std::size_t joints) {
  std::vector<Affine> out(instances * joints);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = to_affine({Vec3(0.01f * float(i % 100), 0, 0), quat_axis_angle({0, 1, 0.2f}, 0.001f * float(i)), Vec3(1)});
  return out;
}

/// Joints without parents, whose palette is their matrices as they are.
struct LooseSkin {
  std::vector<std::uint32_t> joints;
  std::vector<Affine> inverse_bind;
  std::vector<std::int32_t> parents;
  Skin skin;
  explicit LooseSkin(std::uint32_t count) : inverse_bind(count), parents(count, -1) {
    for (std::uint32_t i = 0; i < count; ++i) joints.push_back(i);
    skin.joints = skin.parents_first = joints, skin.inverse_bind_matrices = inverse_bind, skin.parents = parents;
    skin.joint_limit = count;
  }
  DualPalette dual(std::span<const Affine> matrices) const {
    DualPalette out(skin);
    Palette palette(skin);
    run(PaletteJob{.skin = skin, .model_from_joint = matrices, .palette = palette.matrices(), .dual = &out});
    return out;
  }
};

/// So that nothing after it overlaps what was recorded before.
inline void after_all(VkCommandBuffer commands) {
  const VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0,
                       nullptr, 0, nullptr);
}

/// Seconds of one recording on the device: the median of several, after warming up.
inline double seconds(const gpu::Context& context, const std::function<void(VkCommandBuffer)>& record) {
  constexpr std::uint32_t kRuns = 15;
  const gpu::Timestamps clock = must(gpu::Timestamps::create(context, kRuns + 1));
  // A device that has idled runs at a fraction of its clock for a while.
  constexpr double kWarmUpSeconds = 0.7;
  const auto start = std::chrono::steady_clock::now();
  do {
    must(context.submit_and_wait([&](VkCommandBuffer commands) {
      clock.reset(commands);
      clock.write(commands, 0);
      for (std::uint32_t i = 0; i < kRuns; ++i) {
        record(commands);
        after_all(commands);
        clock.write(commands, i + 1);
      }
    }));
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < kWarmUpSeconds);
  const std::vector<double> at = must(clock.seconds());
  std::vector<double> each;
  for (std::size_t i = 1; i < at.size(); ++i) each.push_back(at[i] - at[i - 1]);
  std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
  return each[each.size() / 2];
}

}  // namespace sinew::bench
