// Skinning in the vertex stage of each pass beside skinning once in a compute shader, for 1 to 8 passes over one mesh:
// gpu_passes_bench [--small]. The first pass shades (normals), the others are depth-only and read positions alone.
#include <array>
#include <cstring>

#include "gpu/image.h"
#include "gpu/pipelines.h"
#include "gpu_support.h"
#include "plain.vert.spv.h"

namespace {

using namespace sinew;
using namespace sinew::bench;
using gpu::Buffer;
using gpu::Context;
using gpu::Memory;

/// A small depth image to draw into: what is measured is the vertices' side of a pass.
constexpr VkFormat kDepth = VK_FORMAT_D16_UNORM;
constexpr std::uint32_t kSize = 64;

/// Draws triangles with a vertex shader alone.
gpu::PushPipeline pipeline_of(const Context& context, std::span<const std::uint32_t> vertex,
                              const VkSpecializationInfo& constants) {
  gpu::PushPipeline out;
  out.layout = must(gpu::make_pipeline_layout(context, VK_SHADER_STAGE_VERTEX_BIT, sizeof(vulkan::VertexConstants)));
  out.pipeline = must(gpu::make_graphics_pipeline(
      context, {.layout = out.layout, .vertex = vertex, .vertex_constants = &constants, .depth = kDepth}));
  return out;
}

gpu::PushPipeline plain(const Context& context, VkBool32 normals) {
  const VkSpecializationMapEntry entry{0, 0, sizeof normals};
  return pipeline_of(context, shaders::plain_vert, {1, &entry, sizeof normals, &normals});
}

gpu::PushPipeline skinning(const Context& context, const MeshLayout& layout) {
  const vulkan::Specialization constants = vulkan::specialization(layout.kernel);
  return pipeline_of(context, vulkan::vertex_shader(), constants.info());
}

void pass(VkCommandBuffer commands, const gpu::Image& target, const gpu::PushPipeline& pipeline,
          const vulkan::VertexConstants& constants, std::uint32_t vertices) {
  VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depth.imageView = target.view();
  depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depth.clearValue.depthStencil.depth = 1;
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, target.extent()};
  info.layerCount = 1;
  info.pDepthAttachment = &depth;
  vkCmdBeginRendering(commands, &info);
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &info.renderArea);
  vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof constants, &constants);
  vkCmdDraw(commands, vertices, 1, 0, 0);
  vkCmdEndRendering(commands);
  after_all(commands);
}

void measure(const Context& context, std::size_t vertex_count) {
  const BigMesh big(vertex_count, Order::by_joint_set);
  const MeshLayout shaded = must(layout_mesh(big.mesh)), bare = must(layout_mesh(big.mesh, {.directions = false}));
  const auto upload = [&](const MeshLayout& layout) {
    std::vector<std::byte> packed(layout.size);
    pack_mesh(big.mesh, layout, packed);
    return must(context.make_buffer(packed, Memory::device));
  };
  const auto all_of = [](const Buffer& b) { return vulkan::Region{b.address(), b.size()}; };
  const Buffer shaded_mesh = upload(shaded), bare_mesh = upload(bare);
  const std::vector<Affine> matrices = palette_of(1, big.mesh.palette_limit);
  const Buffer palette = must(context.make_buffer(std::as_bytes(std::span(matrices)), Memory::device));
  const Buffer positions = must(context.make_buffer(shaded.output_positions, Memory::device)),
               normals = must(context.make_buffer(shaded.output_normals, Memory::device));
  const vulkan::SkinSource source{shaded, all_of(shaded_mesh), all_of(palette)},
      depth_source{bare, all_of(bare_mesh), all_of(palette)};
  const vulkan::SkinInput inputs[] = {vulkan::skin_input(source), vulkan::skin_input(depth_source)};
  const Buffer input_buffer = must(context.make_buffer(std::as_bytes(std::span(inputs)), Memory::device));
  const vulkan::Skinner skinner = must(vulkan::Skinner::create(
      {context.instance(), context.physical_device(), context.device(), context.instance_proc_addr()},
      std::span(&shaded.kernel, 1)));
  const gpu::Image target = must(gpu::make_image(
      context,
      {.format = kDepth, .width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT}));
  must(context.submit_and_wait([&](VkCommandBuffer commands) {
    gpu::transition(commands, target, {},
                    {VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT});
  }));
  // All triangles lie outside the picture: the rasterizer has nothing to do.
  const std::array<float, 16> outside{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 50, 0, 0, 1};
  const gpu::PushPipeline skin_shaded = skinning(context, shaded), skin_depth = skinning(context, bare),
                          plain_shaded = plain(context, VK_TRUE), plain_depth = plain(context, VK_FALSE);
  const auto count = std::uint32_t(vertex_count / 3 * 3);
  std::printf("%zu vertices, 64 joints, 4 influences; milliseconds\npasses  in each pass  once, by compute\n",
              vertex_count);
  std::uint32_t crossing = 0;
  for (std::uint32_t passes = 1; passes <= 8; ++passes) {
    const double vertex = seconds(context, [&](VkCommandBuffer commands) {
      pass(commands, target, skin_shaded, {outside, input_buffer.address()}, count);
      for (std::uint32_t i = 1; i < passes; ++i)
        pass(commands, target, skin_depth, {outside, input_buffer.address() + sizeof(vulkan::SkinInput)}, count);
    });
    const double compute = seconds(context, [&](VkCommandBuffer commands) {
      run(vulkan::SkinDispatch{skinner, commands, source, all_of(positions), all_of(normals)});
      after_all(commands);
      const vulkan::VertexConstants constants{outside, positions.address(), normals.address()};
      pass(commands, target, plain_shaded, constants, count);
      for (std::uint32_t i = 1; i < passes; ++i) pass(commands, target, plain_depth, constants, count);
    });
    std::printf("%6u  %12.3f  %16.3f\n", passes, vertex * 1e3, compute * 1e3);
    std::fflush(stdout);
    if (compute >= vertex)
      crossing = 0;
    else if (crossing == 0)
      crossing = passes;
  }
  if (crossing)
    std::printf("compute is faster from %u passes on: StageQuestion::crossing\n", crossing);
  else
    std::printf("the vertex stage is faster up to 8 passes\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc == 2 && std::strcmp(argv[1], "--small") == 0;
  if (argc > 1 && !small) return std::fprintf(stderr, "usage: gpu_passes_bench [--small]\n"), 2;
  const Context context = must(Context::create({.graphics = true}));
  std::printf("device: %s\n", context.properties().deviceName);
  for (const std::size_t count : {1'000'000u, 10'000'000u}) measure(context, small ? count / 1000 : count);
}
