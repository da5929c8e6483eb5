// Skinning in the vertex stage of each pass beside skinning once in a compute shader, for 1 to 8 passes over one mesh:
// gpu_passes_bench [--small]. The first pass shades (normals), the others are depth-only and read positions alone.
#include <array>
#include <cstring>

#include "gpu_support.h"
#include "plain.vert.spv.h"

namespace {

using namespace sinew;
using namespace sinew::bench;
using gpu::Buffer;
using gpu::Context;
using gpu::Memory;

constexpr VkFormat kDepth = VK_FORMAT_D16_UNORM;

/// A small depth image to draw into: what is measured is the vertices' side of a pass.
struct Target {
  static constexpr std::uint32_t kSize = 64;
  const Context& context;
  VkImage image = VK_NULL_HANDLE;
  gpu::Handle<VkDeviceMemory> memory;
  VkImageView view = VK_NULL_HANDLE;
  explicit Target(const Context& on) : context(on) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = kDepth;
    info.extent = {kSize, kSize, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    vkCreateImage(context.device(), &info, nullptr, &image);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(context.device(), image, &needs);
    memory = must(context.allocate(needs, Memory::device, false));
    vkBindImageMemory(context.device(), image, memory, 0);
    VkImageViewCreateInfo of{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    of.image = image;
    of.viewType = VK_IMAGE_VIEW_TYPE_2D;
    of.format = kDepth;
    of.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    vkCreateImageView(context.device(), &of, nullptr, &view);
  }
  ~Target() {
    vkDestroyImageView(context.device(), view, nullptr);
    vkDestroyImage(context.device(), image, nullptr);
  }
};

/// Draws triangles into a Target with a vertex shader alone.
struct Pipeline {
  const Context& context;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Pipeline(const Context& on, std::span<const std::uint32_t> words, const VkSpecializationInfo& constants);
  ~Pipeline() {
    vkDestroyPipeline(context.device(), pipeline, nullptr);
    vkDestroyPipelineLayout(context.device(), layout, nullptr);
  }
};

Pipeline::Pipeline(const Context& on, std::span<const std::uint32_t> words, const VkSpecializationInfo& constants)
    : context(on) {
  const auto shader = must(context.make_shader(words));
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(vulkan::VertexConstants)};
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &range;
  vkCreatePipelineLayout(context.device(), &layout_info, nullptr, &layout);
  const VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              nullptr,
                                              0,
                                              VK_SHADER_STAGE_VERTEX_BIT,
                                              shader,
                                              "main",
                                              &constants};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const VkViewport viewport{0, 0, Target::kSize, Target::kSize, 0, 1};
  const VkRect2D scissor{{0, 0}, {Target::kSize, Target::kSize}};
  VkPipelineViewportStateCreateInfo view{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  view.viewportCount = view.scissorCount = 1;
  view.pViewports = &viewport;
  view.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.depthAttachmentFormat = kDepth;
  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  create.stageCount = 1;
  create.pStages = &stage;
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pViewportState = &view;
  create.pRasterizationState = &raster;
  create.pMultisampleState = &samples;
  create.pDepthStencilState = &depth;
  create.layout = layout;
  if (vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &create, nullptr, &pipeline) != VK_SUCCESS)
    std::exit((std::fputs("no graphics pipeline\n", stderr), 1));
}

Pipeline plain(const Context& context, VkBool32 normals) {
  const VkSpecializationMapEntry entry{0, 0, sizeof normals};
  return Pipeline(context, shaders::plain_vert, {1, &entry, sizeof normals, &normals});
}

Pipeline skinning(const Context& context, const MeshLayout& layout) {
  const vulkan::Specialization constants = vulkan::specialization(layout.kernel);
  return Pipeline(context, vulkan::vertex_shader(), constants.info());
}

void pass(VkCommandBuffer commands, const Target& target, const Pipeline& pipeline,
          const vulkan::VertexConstants& constants, std::uint32_t vertices) {
  VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depth.imageView = target.view;
  depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depth.clearValue.depthStencil.depth = 1;
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, {Target::kSize, Target::kSize}};
  info.layerCount = 1;
  info.pDepthAttachment = &depth;
  vkCmdBeginRendering(commands, &info);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof constants, &constants);
  vkCmdDraw(commands, vertices, 1, 0, 0);
  vkCmdEndRendering(commands);
  after_all(commands);
}

void to_depth_layout(VkCommandBuffer commands, const Target& target) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  barrier.newLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = target.image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &barrier);
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
  const Target target(context);
  must(context.submit_and_wait([&](VkCommandBuffer commands) { to_depth_layout(commands, target); }));
  // All triangles lie outside the picture: the rasterizer has nothing to do.
  const std::array<float, 16> outside{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 50, 0, 0, 1};
  const Pipeline skin_shaded = skinning(context, shaded), skin_depth = skinning(context, bare),
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
