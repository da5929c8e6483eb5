// What the renderer holds on the device: parts with their streams, textures, and the maps that passes write and read.
#pragma once

#include <array>
#include <optional>

#include "gpu/image.h"
#include "render/pipelines.h"
#include "render/renderer.h"
#include "render/texture.h"
#include "sinew/vulkan.h"

namespace sinew::render {

struct DevicePart {
  std::array<gpu::Buffer, kStreamCount> streams;
  gpu::Buffer indices;  // triangles, then lines, then points
  std::size_t vertex_count = 0;
  std::uint32_t triangles = 0, lines = 0, points = 0;
  Material material;
  bool has_uvs = false;
  // Where the device skins it. The first two streams are the output.
  std::optional<MeshLayout> layout;
  gpu::Buffer mesh, palette, channels, tangents;
  vulkan::SkinSource source() const;
};

struct Model {
  std::vector<DevicePart> parts;
  std::vector<DeviceTexture> textures;  // the last is white: of materials without one
  gpu::Handle<VkDescriptorPool> pool;
  std::vector<VkDescriptorSet> sets;       // one a texture
  std::optional<vulkan::Skinner> skinner;  // where a part has a layout
};
Result<Model> make_model(const gpu::Context& context, VkDescriptorSetLayout layout, std::span<const Shape> shapes,
                         const Materials& materials);

/// Images of all passes.
struct Targets {
  gpu::Image colour, depth, resolved, shadow, below;
  gpu::Buffer read_back;
  gpu::Handle<VkSampler> shadow_sampler, below_sampler;
  gpu::Handle<VkDescriptorPool> pool;
  VkDescriptorSet set = VK_NULL_HANDLE;
};
Result<Targets> make_targets(const gpu::Context& context, VkDescriptorSetLayout layout, std::uint32_t width,
                             std::uint32_t height, VkSampleCountFlagBits samples);

}  // namespace sinew::render
