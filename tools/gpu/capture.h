// Capture: what a vertex shader puts out, kept in a buffer by transform feedback; nothing is rasterized.
#pragma once

#include <volk.h>

#include <cstdint>
#include <functional>
#include <span>

#include "gpu/context.h"

namespace sinew::gpu {

/// A vertex shader that declares transform feedback of buffer 0, and what it reads.
struct CaptureOptions {
  VkShaderModule shader = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const VkSpecializationInfo* specialization = nullptr;
  /// Points need a size from the shader; lines need an even number of vertices.
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  std::span<const VkVertexInputBindingDescription> bindings = {};
  std::span<const VkVertexInputAttributeDescription> attributes = {};
};

/// Errors: `unsupported` where the context has no graphics or no transform feedback.
Result<Handle<VkPipeline>> make_capture_pipeline(const Context& context, const CaptureOptions& options);

/// Records the drawing of vertices 0 to `vertex_count` - 1 of each instance; `output` takes them instance after
/// instance. `bind` is called with the pipeline bound: for push constants, descriptors and vertex buffers.
void capture(VkCommandBuffer commands, VkPipeline pipeline, const Buffer& output, std::uint32_t vertex_count,
             std::uint32_t instance_count, const std::function<void()>& bind);

}  // namespace sinew::gpu
