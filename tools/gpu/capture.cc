#include "gpu/capture.h"

namespace sinew::gpu {

Result<Handle<VkPipeline>> make_capture_pipeline(const Context& context, GraphicsOptions options) {
  if (!context.features().transform_feedback)
    return fail(ErrorCode::unsupported, "Vulkan",
                std::string(context.properties().deviceName) +
                    " cannot give vertices back (VK_EXT_transform_feedback is missing)",
                "skin in a compute shader");
  options.rasterize = false;
  return make_graphics_pipeline(context, options);
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
