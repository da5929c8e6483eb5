#include "render/pipelines.h"

#include <array>
#include <optional>

#include "background.frag.spv.h"
#include "background.vert.spv.h"
#include "depth.vert.spv.h"
#include "flat.frag.spv.h"
#include "ground.frag.spv.h"
#include "ground.vert.spv.h"
#include "masked.frag.spv.h"
#include "masked.vert.spv.h"
#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"

namespace sinew::render {

namespace {

using gpu::Handle;

/// What differs between pipelines; the rest is the same for all.
struct Recipe {
  std::span<const std::uint32_t> vertex, fragment = {};
  bool colour = true;  ///< draws into the picture, not only into its depth
  bool blend = false;
  bool depth_test = true, depth_write = true;
  VkCompareOp compare = VK_COMPARE_OP_LESS_OR_EQUAL;
  bool streams = true;  ///< reads vertices
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPolygonMode polygons = VK_POLYGON_MODE_FILL;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  float bias = 0, slope_bias = 0;
};

constexpr VkVertexInputBindingDescription kBindings[] = {{kPositions, 12, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kNormals, 12, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kUvs, 8, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kColours, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
constexpr VkVertexInputAttributeDescription kAttributes[] = {{0, kPositions, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                             {1, kNormals, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                             {2, kUvs, VK_FORMAT_R32G32_SFLOAT, 0},
                                                             {3, kColours, VK_FORMAT_R8G8B8A8_UNORM, 0}};

VkPipelineColorBlendAttachmentState blend_state(bool blend) {
  VkPipelineColorBlendAttachmentState out{};
  out.blendEnable = blend;
  // Colours are multiplied with their alpha in the shaders.
  out.srcColorBlendFactor = out.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  out.dstColorBlendFactor = out.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  out.colorBlendOp = out.alphaBlendOp = VK_BLEND_OP_ADD;
  out.colorWriteMask = 0xF;
  return out;
}

Result<Handle<VkPipeline>> make(const gpu::Context& context, VkPipelineLayout layout, const Recipe& recipe) {
  const Result<Handle<VkShaderModule>> vertex = context.make_shader(recipe.vertex);
  if (!vertex) return Unexpected(vertex.error());
  Result<Handle<VkShaderModule>> fragment = Handle<VkShaderModule>();
  if (!recipe.fragment.empty()) fragment = context.make_shader(recipe.fragment);
  if (!fragment) return Unexpected(fragment.error());
  VkPipelineShaderStageCreateInfo stages[2] = {{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                               {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[0].module = *vertex;
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT, stages[1].module = *fragment;
  stages[0].pName = stages[1].pName = "main";

  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  if (recipe.streams) {
    input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount = kStreamCount;
    input.pVertexBindingDescriptions = kBindings;
    input.pVertexAttributeDescriptions = kAttributes;
  }
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = recipe.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.polygonMode = recipe.polygons;
  raster.cullMode = VK_CULL_MODE_NONE;  // files disagree about winding, and a picture must have no holes
  raster.lineWidth = 1;
  raster.depthBiasEnable = recipe.bias != 0 || recipe.slope_bias != 0;
  raster.depthBiasConstantFactor = recipe.bias;
  raster.depthBiasSlopeFactor = recipe.slope_bias;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = recipe.samples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = recipe.depth_test;
  depth.depthWriteEnable = recipe.depth_write;
  depth.depthCompareOp = recipe.compare;
  const VkPipelineColorBlendAttachmentState attachment = blend_state(recipe.blend);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = recipe.colour ? 1 : 0;
  blend.pAttachments = &attachment;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = states;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = recipe.colour ? 1 : 0;
  rendering.pColorAttachmentFormats = &kColourFormat;
  rendering.depthAttachmentFormat = kDepthFormat;

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = &rendering;
  info.stageCount = recipe.fragment.empty() ? 1 : 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = layout;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a graphics pipeline"));
  return Handle<VkPipeline>(context.device(), made, vkDestroyPipeline);
}

Result<Handle<VkDescriptorSetLayout>> set_layout(const gpu::Context& context, std::uint32_t images) {
  std::array<VkDescriptorSetLayoutBinding, 2> bindings{};
  for (std::uint32_t i = 0; i < images; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = images;
  info.pBindings = bindings.data();
  VkDescriptorSetLayout made = VK_NULL_HANDLE;
  const VkResult result = vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a descriptor layout"));
  return Handle<VkDescriptorSetLayout>(context.device(), made, vkDestroyDescriptorSetLayout);
}

Result<void> make_layouts(const gpu::Context& context, Pipelines& out) {
  Result<Handle<VkDescriptorSetLayout>> frame = set_layout(context, 2), material = set_layout(context, 1);
  if (!frame || !material) return Unexpected((frame ? material : frame).error());
  out.frame_layout = std::move(*frame);
  out.material_layout = std::move(*material);
  const VkDescriptorSetLayout sets[] = {out.frame_layout, out.material_layout};
  const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  VkPipelineLayout made = VK_NULL_HANDLE;
  const VkResult result = vkCreatePipelineLayout(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a pipeline layout"));
  out.layout = Handle<VkPipelineLayout>(context.device(), made, vkDestroyPipelineLayout);
  return {};
}

}  // namespace

Result<Pipelines> make_pipelines(const gpu::Context& context, VkSampleCountFlagBits samples, bool with_lines) {
  Result<Pipelines> made(Pipelines{});
  Pipelines& out = *made;
  if (const Result<void> good = make_layouts(context, out); !good) return Unexpected(good.error());
  std::vector<std::pair<Handle<VkPipeline>*, Recipe>> wanted;
  const auto recipe = [&](Handle<VkPipeline>& place, std::span<const std::uint32_t> vertex,
                          std::span<const std::uint32_t> fragment) -> Recipe& {
    wanted.emplace_back(&place, Recipe{vertex, fragment});
    wanted.back().second.samples = samples;
    return wanted.back().second;
  };
  for (const bool masked : {false, true}) {
    const std::span<const std::uint32_t> vertex = masked ? std::span<const std::uint32_t>(shaders::masked_vert)
                                                         : std::span<const std::uint32_t>(shaders::depth_vert),
                                         fragment = masked ? std::span<const std::uint32_t>(shaders::masked_frag)
                                                           : std::span<const std::uint32_t>();
    Recipe& map = recipe(masked ? out.map_masked : out.map, vertex, fragment);
    map.colour = false;
    map.samples = VK_SAMPLE_COUNT_1_BIT;
    map.slope_bias = 1.5f;
    recipe(masked ? out.depth_masked : out.depth, vertex, fragment).colour = false;
  }
  recipe(out.surface, shaders::mesh_vert, shaders::mesh_frag).depth_write = false;
  Recipe& blended = recipe(out.blended, shaders::mesh_vert, shaders::mesh_frag);
  blended.blend = true;
  recipe(out.lines, shaders::mesh_vert, shaders::mesh_frag).topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  recipe(out.points, shaders::mesh_vert, shaders::mesh_frag).topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  recipe(out.overlay, shaders::mesh_vert, shaders::mesh_frag).compare = VK_COMPARE_OP_LESS;
  Recipe& ground = recipe(out.ground, shaders::ground_vert, shaders::ground_frag);
  ground.blend = true, ground.streams = false, ground.depth_write = false;
  ground.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  Recipe& background = recipe(out.background, shaders::background_vert, shaders::background_frag);
  background.depth_test = background.depth_write = background.streams = false;
  if (with_lines) {
    Recipe& wire = recipe(out.wire, shaders::depth_vert, shaders::flat_frag);
    wire.polygons = VK_POLYGON_MODE_LINE, wire.blend = true, wire.depth_write = false;
    wire.bias = -2, wire.slope_bias = -1;
  }
  for (auto& [place, how] : wanted) {
    Result<Handle<VkPipeline>> pipeline = make(context, out.layout, how);
    if (!pipeline) return Unexpected(pipeline.error());
    *place = std::move(*pipeline);
  }
  return made;
}

}  // namespace sinew::render
