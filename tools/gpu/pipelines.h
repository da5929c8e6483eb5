// Pipelines: compute and graphics pipelines, and their layouts, of what differs between them alone.
#pragma once

#include <volk.h>

#include <cstdint>
#include <span>

#include "gpu/context.h"

namespace sinew::gpu {

/// Push constants of `push_bytes` for `stages`, and descriptor sets; 0 and none where there are none.
Result<Handle<VkPipelineLayout>> make_pipeline_layout(const Context& context, VkShaderStageFlags stages,
                                                      std::uint32_t push_bytes,
                                                      std::span<const VkDescriptorSetLayout> sets = {});

/// `words`: SPIR-V of a compute shader.
Result<Handle<VkPipeline>> make_compute_pipeline(const Context& context, std::span<const std::uint32_t> words,
                                                 VkPipelineLayout layout);

/// A pipeline with a layout of its own, which has push constants alone.
struct PushPipeline {
  Handle<VkPipelineLayout> layout;
  Handle<VkPipeline> pipeline;
};
Result<PushPipeline> make_push_pipeline(const Context& context, std::span<const std::uint32_t> words,
                                        std::uint32_t push_bytes);

/// Triangles with a depth test, read by address, unless something else is said. Viewport and scissor are dynamic;
/// nothing is culled.
struct GraphicsOptions {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::span<const std::uint32_t> vertex, fragment = {};  ///< SPIR-V
  const VkSpecializationInfo* vertex_constants = nullptr;
  std::span<const VkVertexInputBindingDescription> bindings = {};
  std::span<const VkVertexInputAttributeDescription> attributes = {};
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPolygonMode polygons = VK_POLYGON_MODE_FILL;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkFormat colour = VK_FORMAT_UNDEFINED;  ///< of what is drawn into; undefined: not drawn into
  VkFormat depth = VK_FORMAT_D32_SFLOAT;
  bool blend = false;  ///< colours that are multiplied with their alpha
  bool depth_test = true, depth_write = true;
  VkCompareOp compare = VK_COMPARE_OP_LESS_OR_EQUAL;
  float bias = 0, slope_bias = 0;
  bool rasterize = true;  ///< false: the vertex shader alone is run, and nothing is drawn into
};
/// The context must have graphics.
Result<Handle<VkPipeline>> make_graphics_pipeline(const Context& context, const GraphicsOptions& options);

}  // namespace sinew::gpu
