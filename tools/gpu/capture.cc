#include "gpu/capture.h"

namespace sinew::gpu {

Result<Handle<VkPipeline>> make_capture_pipeline(const Context& context, const CaptureOptions& options) {
  if (!context.features().transform_feedback)
    return fail(ErrorCode::unsupported, "Vulkan",
                std::string(context.properties().deviceName) +
                    " cannot give vertices back (VK_EXT_transform_feedback is missing)",
                "skin in a compute shader");
  const VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              nullptr,
                                              0,
                                              VK_SHADER_STAGE_VERTEX_BIT,
                                              options.shader,
                                              "main",
                                              options.specialization};
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = static_cast<std::uint32_t>(options.bindings.size());
  input.pVertexBindingDescriptions = options.bindings.data();
  input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(options.attributes.size());
  input.pVertexAttributeDescriptions = options.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = options.topology;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.rasterizerDiscardEnable = VK_TRUE;
  raster.lineWidth = 1;
  const VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = 1;
  info.pStages = &stage;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pRasterizationState = &raster;
  info.layout = options.layout;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making a pipeline that captures vertices"));
  return Handle<VkPipeline>(context.device(), made, vkDestroyPipeline);
}

void capture(VkCommandBuffer commands, VkPipeline pipeline, const Buffer& output, std::uint32_t vertex_count,
             std::uint32_t instance_count, const std::function<void()>& bind) {
  VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{0, 0}, {1, 1}};
  rendering.layerCount = 1;
  const VkBuffer buffer = output;
  const VkDeviceSize offset = 0, size = output.size();
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  bind();
  vkCmdBindTransformFeedbackBuffersEXT(commands, 0, 1, &buffer, &offset, &size);
  vkCmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, vertex_count, instance_count, 0, 0);
  vkCmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
  vkCmdEndRendering(commands);
}

}  // namespace sinew::gpu
