#include "gpu/pipelines.h"

namespace sinew::gpu {

namespace {

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module,
                                         const VkSpecializationInfo* constants) {
  return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage, module, "main", constants};
}

VkPipelineColorBlendAttachmentState blend_of(bool blend) {
  VkPipelineColorBlendAttachmentState out{};
  out.blendEnable = blend;
  out.srcColorBlendFactor = out.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  out.dstColorBlendFactor = out.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  out.colorBlendOp = out.alphaBlendOp = VK_BLEND_OP_ADD;
  out.colorWriteMask = 0xF;
  return out;
}

VkPipelineRasterizationStateCreateInfo raster_of(const GraphicsOptions& options) {
  VkPipelineRasterizationStateCreateInfo out{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  out.polygonMode = options.polygons;
  out.cullMode = VK_CULL_MODE_NONE;  // files disagree about winding, and a picture must have no holes
  out.rasterizerDiscardEnable = !options.rasterize;
  out.lineWidth = 1;
  out.depthBiasEnable = options.bias != 0 || options.slope_bias != 0;
  out.depthBiasConstantFactor = options.bias;
  out.depthBiasSlopeFactor = options.slope_bias;
  return out;
}

VkPipelineDepthStencilStateCreateInfo depth_of(const GraphicsOptions& options) {
  VkPipelineDepthStencilStateCreateInfo out{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  out.depthTestEnable = options.depth_test;
  out.depthWriteEnable = options.depth_write;
  out.depthCompareOp = options.compare;
  return out;
}

}  // namespace

Result<Handle<VkPipelineLayout>> make_pipeline_layout(const Context& context, VkShaderStageFlags stages,
                                                      std::uint32_t push_bytes,
                                                      std::span<const VkDescriptorSetLayout> sets) {
  const VkPushConstantRange push{stages, 0, push_bytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = push_bytes > 0 ? 1 : 0;
  info.pPushConstantRanges = &push;
  VkPipelineLayout made = VK_NULL_HANDLE;
  const VkResult result = vkCreatePipelineLayout(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making a pipeline layout"));
  return Handle<VkPipelineLayout>(context.device(), made, vkDestroyPipelineLayout);
}

Result<Handle<VkPipeline>> make_compute_pipeline(const Context& context, std::span<const std::uint32_t> words,
                                                 VkPipelineLayout layout) {
  const Result<Handle<VkShaderModule>> shader = context.make_shader(words);
  if (!shader) return Unexpected(shader.error());
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, *shader, nullptr);
  info.layout = layout;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = vkCreateComputePipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making a compute pipeline"));
  return Handle<VkPipeline>(context.device(), made, vkDestroyPipeline);
}

Result<PushPipeline> make_push_pipeline(const Context& context, std::span<const std::uint32_t> words,
                                        std::uint32_t push_bytes) {
  Result<Handle<VkPipelineLayout>> layout = make_pipeline_layout(context, VK_SHADER_STAGE_COMPUTE_BIT, push_bytes);
  if (!layout) return Unexpected(layout.error());
  Result<Handle<VkPipeline>> pipeline = make_compute_pipeline(context, words, *layout);
  if (!pipeline) return Unexpected(pipeline.error());
  return PushPipeline{std::move(*layout), std::move(*pipeline)};
}

Result<Handle<VkPipeline>> make_graphics_pipeline(const Context& context, const GraphicsOptions& options) {
  const Result<Handle<VkShaderModule>> vertex = context.make_shader(options.vertex);
  if (!vertex) return Unexpected(vertex.error());
  Result<Handle<VkShaderModule>> fragment = Handle<VkShaderModule>();
  if (!options.fragment.empty()) fragment = context.make_shader(options.fragment);
  if (!fragment) return Unexpected(fragment.error());
  const VkPipelineShaderStageCreateInfo stages[] = {
      stage_of(VK_SHADER_STAGE_VERTEX_BIT, *vertex, options.vertex_constants),
      stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, *fragment, nullptr)};

  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = static_cast<std::uint32_t>(options.bindings.size());
  input.pVertexBindingDescriptions = options.bindings.data();
  input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(options.attributes.size());
  input.pVertexAttributeDescriptions = options.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = options.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  const VkPipelineRasterizationStateCreateInfo raster = raster_of(options);
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = options.samples;
  const VkPipelineDepthStencilStateCreateInfo depth = depth_of(options);
  const VkPipelineColorBlendAttachmentState attachment = blend_of(options.blend);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = options.rasterize && options.colour != VK_FORMAT_UNDEFINED ? 1 : 0;
  blend.pAttachments = &attachment;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = states;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = blend.attachmentCount;
  rendering.pColorAttachmentFormats = &options.colour;
  if (options.rasterize) rendering.depthAttachmentFormat = options.depth;

  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = options.fragment.empty() ? 1 : 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  if (options.rasterize) info.pDynamicState = &dynamic;  // else nobody sets a viewport
  info.layout = options.layout;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making a graphics pipeline"));
  return Handle<VkPipeline>(context.device(), made, vkDestroyPipeline);
}

}  // namespace sinew::gpu
