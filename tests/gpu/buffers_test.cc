// Buffers as an engine has them: over the size that a storage buffer may have, and regions used in turn, frame by frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/loose_mesh.h"
#include "gpu/paths.h"
#include "support/files.h"

namespace sinew {
namespace {

class VulkanBuffers : public ::testing::Test {
 protected:
  void TearDown() override {
    const std::vector<std::string> messages = test::device().messages();
    EXPECT_EQ(messages.size(), before_) << messages.back();
  }
  const std::size_t before_ = test::device().messages().size();
};

/// What Vulkan guarantees of maxStorageBufferRange: more than it cannot be bound, but has an address.
constexpr std::uint64_t kStorageBuffer = 128 << 20;

gpu::Buffer room(std::uint64_t bytes) { return test::must(test::device().make_buffer(bytes, gpu::Memory::host)); }

vulkan::Region all_of(const gpu::Buffer& buffer) { return {buffer.address(), buffer.size()}; }

vulkan::Skinner skinner_for(const MeshLayout& layout, const vulkan::DispatchLimits& limits = {}) {
  const gpu::Context& context = test::device();
  return test::must(vulkan::Skinner::create(
      {context.instance(), context.physical_device(), context.device(), context.instance_proc_addr()},
      std::span(&layout.kernel, 1), limits));
}

/// A mesh on the device, and what it is skinned into; compared where it lies, for copies of so much take seconds.
struct OnDevice {
  MeshLayout layout;
  gpu::Buffer mesh, palettes, positions, normals;
  OnDevice(const Mesh& of, std::span<const Affine> palette, VertexFormat format)
      : layout(test::must(layout_mesh(of, {.format = format}))),
        mesh(room(layout.size)),
        palettes(test::must(test::device().make_buffer(std::as_bytes(palette), gpu::Memory::host))),
        positions(room(layout.output_positions)),
        normals(room(layout.output_normals + 16)) {
    pack_mesh(of, layout, mesh.mapped());
  }
  void skin(const vulkan::DispatchLimits& limits = {}) const {
    const vulkan::Skinner skinner = skinner_for(layout, limits);
    std::memset(positions.mapped().data(), 0xff, positions.size());  // NaN: what is not written shows
    std::memset(normals.mapped().data(), 0xff, normals.size());
    const auto done = test::device().submit_and_wait([&](VkCommandBuffer commands) {
      run(vulkan::SkinDispatch{
          skinner, commands, {layout, all_of(mesh), all_of(palettes)}, all_of(positions), all_of(normals)});
    });
    ASSERT_TRUE(done) << done.error().message();
  }
};

/// The largest distance from vectors of 12 bytes that lie `stride` apart from `first` on.
float worst_at(const gpu::Buffer& buffer, std::size_t first, std::size_t stride, std::span<const Vec3> wanted) {
  float out = 0;
  const std::byte* at = buffer.mapped().data() + first;
  for (std::size_t i = 0; i < wanted.size(); ++i, at += stride) {
    Vec3 got;
    std::memcpy(&got, at, sizeof got);
    const float d = glm::distance(got, wanted[i]);
    if (std::isnan(d)) return d;
    out = std::max(out, d);
  }
  return out;
}

TEST_F(VulkanBuffers, AMeshOverTheLimitOfAStorageBufferIsSkinned) {
  test::LooseMesh big(2'850'000, 4, 20);
  big.mesh.tangents = {};  // which the format `full` does not hold
  const std::vector<Affine> palette = test::turned_palette(20);
  Vertices wanted(big.mesh);
  run(SkinJob{.mesh = big.mesh, .palette = palette, .output = wanted});
  {
    const OnDevice full(big.mesh, palette, VertexFormat::full);
    EXPECT_GT(full.layout.size, kStorageBuffer);
    EXPECT_GT(full.layout.output_positions, kStorageBuffer);
    full.skin();
    EXPECT_LE(worst_at(full.positions, 0, 48, wanted.positions()), 2e-6f);
    EXPECT_LE(worst_at(full.positions, 16, 48, wanted.normals()), 4e-6f);
    // The witness: one vertex off, and it would be seen.
    EXPECT_GT(worst_at(full.positions, 48, 48, wanted.positions().first(1000)), 0.1f);

    const std::vector<std::byte> whole(full.positions.mapped().begin(), full.positions.mapped().end());
    full.skin({.groups_x = 1000, .groups_y = 1, .elements = 0});  // 45 dispatches
    // Of a vertex's 48 bytes some are not written: they are NaN in both.
    EXPECT_EQ(std::memcmp(whole.data(), full.positions.mapped().data(), whole.size()), 0);
  }
  const OnDevice streams(big.mesh, palette, VertexFormat::streams);
  EXPECT_GT(streams.layout.size, kStorageBuffer);
  for (const vulkan::DispatchLimits limits :
       {vulkan::DispatchLimits{}, {.groups_x = 333, .groups_y = 0, .elements = 0}}) {
    streams.skin(limits);
    EXPECT_LE(worst_at(streams.positions, 0, 12, wanted.positions()), 2e-6f);
    EXPECT_LE(worst_at(streams.normals, 0, 12, wanted.normals()), 4e-6f);
  }
}

TEST_F(VulkanBuffers, TheVertexStageReadsPastTheLimitOfAStorageBuffer) {
  if (!test::device().features().transform_feedback) GTEST_SKIP() << "the device has no transform feedback";
  const test::LooseMesh big(2'200'000, 4, 20);
  const std::vector<Affine> palettes[] = {test::turned_palette(20)};
  const std::vector<float> none[1];
  const gpu::SkinPath path{.stage = SkinStage::vertex, .layout = {.format = VertexFormat::full}};
  EXPECT_GT(test::must(layout_mesh(big.mesh, path.layout)).size, kStorageBuffer);
  const gpu::SkinnedVertices got = std::move(test::skin_on_device(big.mesh, palettes, none, path)[0]);
  EXPECT_LE(test::worst(got.positions, test::on_cpu(big.mesh, palettes[0]).positions), 2e-6f);
}

/// Frames one after another: two regions of positions in turn, so that motion vectors find the last frame's; as many
/// palettes as frames are in flight; normals, of which one frame's are enough, in one place.
TEST_F(VulkanBuffers, TheLastFramesPositionsAreKeptWhereRegionsAreGivenInTurn) {
  constexpr std::uint32_t kFrames = 5, kJoints = 9, kInstances = 3;
  const gpu::Context& context = test::device();
  const test::LooseMesh loose(500, 4, kJoints);
  const MeshLayout layout = test::must(layout_mesh(loose.mesh));
  const vulkan::Skinner skinner = skinner_for(layout);
  std::vector<std::byte> packed(layout.size);
  pack_mesh(loose.mesh, layout, packed);
  std::vector<Affine> matrices;
  std::vector<gpu::SkinnedVertices> wanted;  // of frame after frame, instance after instance
  for (std::uint32_t i = 0; i < kFrames * kInstances; ++i) {
    const std::vector<Affine> palette = test::turned_palette(kJoints, 0.3f * float(i));
    matrices.insert(matrices.end(), palette.begin(), palette.end());
    wanted.push_back(test::on_cpu(loose.mesh, palette));
  }
  const gpu::Buffer mesh = test::must(context.make_buffer(packed, gpu::Memory::host)),
                    palettes = test::must(context.make_buffer(std::as_bytes(std::span(matrices)), gpu::Memory::host)),
                    positions = room(2 * kInstances * layout.output_positions),
                    normals = room(kInstances * layout.output_normals),
                    tangents = room(kInstances * layout.output_tangents);
  const auto part = [](const gpu::Buffer& buffer, std::uint64_t index, std::uint64_t bytes) {
    return vulkan::Region{buffer.address() + index * bytes, bytes};
  };
  const auto record = [&](VkCommandBuffer commands, std::uint32_t frame) {
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                  VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
    run(vulkan::SkinDispatch{.skinner = skinner,
                             .commands = commands,
                             .source = {.layout = layout,
                                        .mesh = all_of(mesh),
                                        .palettes = part(palettes, frame, kInstances * kJoints * sizeof(Affine)),
                                        .palette_stride = kJoints,
                                        .instance_count = kInstances},
                             .positions = part(positions, frame % 2, kInstances * layout.output_positions),
                             .normals = all_of(normals),
                             .tangents = all_of(tangents)});
  };
  const auto expect_frame = [&](std::uint32_t frame) {
    for (std::uint32_t i = 0; i < kInstances; ++i) {
      const std::size_t first = (frame % 2 * kInstances + i) * layout.output_positions / sizeof(Vec3);
      const std::span<const Vec3> got = positions.mapped_as<Vec3>().subspan(first, layout.vertex_count);
      const std::vector<Vec3> held(got.begin(), got.end());
      EXPECT_LE(test::worst(held, wanted[frame * kInstances + i].positions), 2e-6f) << frame << ", " << i;
    }
  };
  const auto submit = [&](std::vector<std::uint32_t> frames) {
    const auto done = context.submit_and_wait([&](VkCommandBuffer commands) {
      for (const std::uint32_t frame : frames) record(commands, frame);
    });
    ASSERT_TRUE(done) << done.error().message();
  };
  submit({0, 1});  // two frames in one command buffer
  expect_frame(0);
  expect_frame(1);
  for (std::uint32_t frame = 2; frame < kFrames; ++frame) {
    submit({frame});
    expect_frame(frame - 1);
    expect_frame(frame);
  }
  // The witness: a frame's positions are no other's.
  EXPECT_GT(test::worst(wanted[0].positions, wanted[kInstances].positions), 0.1f);
  EXPECT_GT(test::worst(wanted[0].positions, wanted[1].positions), 0.1f);
}

}  // namespace
}  // namespace sinew
