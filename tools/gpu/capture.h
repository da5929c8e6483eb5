// Capture: what a vertex shader puts out, kept in a buffer by transform feedback; nothing is rasterized.
#pragma once

#include <volk.h>

#include <cstdint>
#include <functional>

#include "gpu/context.h"
#include "gpu/pipelines.h"

namespace sinew::gpu {

/// `options.vertex` declares transform feedback of buffer 0. Topologies: points need a size from the shader, lines an
/// even number of vertices. Errors: `unsupported` where the context has no graphics or no transform feedback.
Result<Handle<VkPipeline>> make_capture_pipeline(const Context& context, GraphicsOptions options);

/// Records the drawing of vertices 0 to `vertex_count` - 1 of each instance; `output` takes them instance after
/// instance. `bind` is called with the pipeline bound: for push constants, descriptors and vertex buffers.
void capture(VkCommandBuffer commands, VkPipeline pipeline, const Buffer& output, std::uint32_t vertex_count,
             std::uint32_t instance_count, const std::function<void()>& bind);

}  // namespace sinew::gpu
