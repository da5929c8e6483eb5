#include "render/model.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace sinew::render {

namespace {

using gpu::Handle;
using gpu::Memory;

Result<Handle<VkDescriptorPool>> make_pool(const gpu::Context& context, std::uint32_t sets, std::uint32_t images) {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sets * images};
  const VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, sets, 1, &size};
  VkDescriptorPool made = VK_NULL_HANDLE;
  const VkResult result = vkCreateDescriptorPool(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a descriptor pool"));
  return Handle<VkDescriptorPool>(context.device(), made, vkDestroyDescriptorPool);
}

Result<VkDescriptorSet> make_set(const gpu::Context& context, VkDescriptorPool pool, VkDescriptorSetLayout layout,
                                 std::span<const VkDescriptorImageInfo> images) {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  const VkResult result = vkAllocateDescriptorSets(context.device(), &info, &set);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a descriptor set"));
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  for (const VkDescriptorImageInfo& image : images) {
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(context.device(), 1, &write, 0, nullptr);
    ++write.dstBinding;
  }
  return set;
}

/// Buffers of a mesh that the device skins. Room for a few vertices more than it has, which the kernel may write.
Result<void> make_skinned(const gpu::Context& context, const Mesh& mesh, DevicePart& part) {
  Result<MeshLayout> layout = layout_mesh(mesh);
  if (!layout) return Unexpected(layout.error());
  std::vector<std::byte> packed(layout->size);
  pack_mesh(mesh, *layout, packed);
  Result<gpu::Buffer> bytes = context.make_buffer(packed, Memory::device);
  if (!bytes) return Unexpected(bytes.error());
  part.mesh = std::move(*bytes);
  const std::pair<gpu::Buffer*, std::uint64_t> rooms[] = {
      {&part.streams[kPositions], layout->output_positions},
      {&part.streams[kNormals], std::max(layout->output_normals, layout->output_positions)},
      {&part.tangents, std::max<std::uint64_t>(layout->output_tangents, 16)}};
  for (const auto& [place, size] : rooms) {
    Result<gpu::Buffer> room = context.make_buffer(VkDeviceSize(size), Memory::device);
    if (!room) return Unexpected(room.error());
    *place = std::move(*room);
  }
  const std::pair<gpu::Buffer*, std::uint64_t> inputs[] = {
      {&part.palette, std::uint64_t(std::max(layout->palette_limit, 1u)) * sizeof(Affine)},
      {&part.channels, std::max<std::uint64_t>(layout->target_count * sizeof(float), 16)}};
  for (const auto& [place, size] : inputs) {
    Result<gpu::Buffer> input = context.make_buffer(VkDeviceSize(size), Memory::host);
    if (!input) return Unexpected(input.error());
    *place = std::move(*input);
  }
  part.layout = *layout;
  return {};
}

Result<DevicePart> make_part(const gpu::Context& context, const Shape& shape, const Materials& materials) {
  Result<DevicePart> made(DevicePart{});
  DevicePart& part = *made;
  part.vertex_count = shape.vertex_count;
  part.has_uvs = !shape.uvs.empty();
  if (shape.material >= 0 && static_cast<std::size_t>(shape.material) < materials.materials.size())
    part.material = materials.materials[static_cast<std::size_t>(shape.material)];
  else
    part.material.colour = Vec4(0.63f, 0.59f, 0.54f, 1.0f);
  if (!part.has_uvs) part.material.texture = -1;
  constexpr std::size_t kSizes[kStreamCount] = {12, 12, 8, 4};
  for (std::uint32_t stream = 0; stream < kStreamCount; ++stream) {
    // Pipelines read all streams: what a part lacks is there, as zeros.
    Result<gpu::Buffer> buffer = context.make_buffer(VkDeviceSize(shape.vertex_count * kSizes[stream]), Memory::host);
    if (!buffer) return Unexpected(buffer.error());
    std::fill(buffer->mapped().begin(), buffer->mapped().end(), std::byte(0));
    part.streams[stream] = std::move(*buffer);
  }
  if (shape.mesh && shape.vertex_count > 0)
    if (const Result<void> skinned = make_skinned(context, *shape.mesh, part); !skinned)
      return Unexpected(skinned.error());
  const auto& m = part.material.uv;
  for (std::size_t i = 0; i < shape.uvs.size(); ++i) {
    const Vec2 uv = shape.uvs[i];
    part.streams[kUvs].mapped_as<Vec2>()[i] =
        Vec2(m[0][0] * uv.x + m[0][1] * uv.y + m[0][2], m[1][0] * uv.x + m[1][1] * uv.y + m[1][2]);
  }
  std::vector<std::uint32_t> indices = shape.triangles;
  indices.insert(indices.end(), shape.lines.begin(), shape.lines.end());
  indices.insert(indices.end(), shape.points.begin(), shape.points.end());
  part.triangles = static_cast<std::uint32_t>(shape.triangles.size());
  part.lines = static_cast<std::uint32_t>(shape.lines.size());
  part.points = static_cast<std::uint32_t>(shape.points.size());
  Result<gpu::Buffer> buffer = context.make_buffer(std::as_bytes(std::span(indices)), Memory::device);
  if (!buffer) return Unexpected(buffer.error());
  part.indices = std::move(*buffer);
  return made;
}

Result<Handle<VkSampler>> depth_sampler(const gpu::Context& context, bool compare) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  // Depth itself need not be readable with a filter; comparisons always are where the format is a map.
  info.magFilter = info.minFilter = compare ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  info.compareEnable = compare;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkSampler made = VK_NULL_HANDLE;
  const VkResult result = vkCreateSampler(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a sampler"));
  return Handle<VkSampler>(context.device(), made, vkDestroySampler);
}

}  // namespace

vulkan::SkinSource DevicePart::source() const {
  const auto all_of = [](const gpu::Buffer& buffer) { return vulkan::Region{buffer.address(), buffer.size()}; };
  return {*layout, all_of(mesh), all_of(palette), 0, all_of(channels), 0, 1};
}

Result<Model> make_model(const gpu::Context& context, VkDescriptorSetLayout layout, std::span<const Shape> shapes,
                         const Materials& materials) {
  Result<Model> made(Model{});
  for (const Shape& shape : shapes) {
    Result<DevicePart> part = make_part(context, shape, materials);
    if (!part) return Unexpected(part.error());
    made->parts.push_back(std::move(*part));
  }
  std::vector<SkinKernel> kernels;
  for (const DevicePart& part : made->parts)
    if (part.layout) kernels.push_back(part.layout->kernel);
  if (!kernels.empty()) {
    Result<vulkan::Skinner> skinner = vulkan::Skinner::create(
        {context.instance(), context.physical_device(), context.device(), context.instance_proc_addr()}, kernels);
    if (!skinner) return Unexpected(skinner.error());
    made->skinner = std::move(*skinner);
  }
  const Texture white{Picture(1, 1, {255, 255, 255, 255})};
  for (std::size_t i = 0; i <= materials.textures.size(); ++i) {
    Result<DeviceTexture> texture =
        make_texture(context, i < materials.textures.size() ? materials.textures[i] : white);
    if (!texture) return Unexpected(texture.error());
    made->textures.push_back(std::move(*texture));
  }
  Result<Handle<VkDescriptorPool>> pool = make_pool(context, static_cast<std::uint32_t>(made->textures.size()), 1);
  if (!pool) return Unexpected(pool.error());
  made->pool = std::move(*pool);
  for (const DeviceTexture& texture : made->textures) {
    const VkDescriptorImageInfo image{texture.sampler, texture.image.view(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const Result<VkDescriptorSet> set = make_set(context, made->pool, layout, {&image, 1});
    if (!set) return Unexpected(set.error());
    made->sets.push_back(*set);
  }
  return made;
}

Result<Targets> make_targets(const gpu::Context& context, VkDescriptorSetLayout layout, std::uint32_t width,
                             std::uint32_t height, VkSampleCountFlagBits samples) {
  Result<Targets> made(Targets{});
  // About two texels a pixel; more would not be seen, and costs a CPU most of a small picture's time.
  const std::uint32_t shadow_size = std::clamp(std::bit_ceil(2 * std::max(width, height)), 256u, 2048u);
  const std::uint32_t below_size = shadow_size / 4;
  constexpr VkImageUsageFlags kMap = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  const std::pair<gpu::Image*, gpu::ImageOptions> wanted[] = {
      {&made->colour, {kColourFormat, width, height, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, samples}},
      {&made->depth, {kDepthFormat, width, height, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, samples}},
      {&made->resolved,
       {kColourFormat, width, height, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT}},
      {&made->shadow, {kDepthFormat, shadow_size, shadow_size, 1, kMap}},
      {&made->below, {kDepthFormat, below_size, below_size, 1, kMap}}};
  for (const auto& [place, options] : wanted) {
    Result<gpu::Image> image = make_image(context, options);
    if (!image) return Unexpected(image.error());
    *place = std::move(*image);
  }
  Result<gpu::Buffer> buffer = context.make_buffer(VkDeviceSize(width) * height * 4, Memory::host);
  if (!buffer) return Unexpected(buffer.error());
  made->read_back = std::move(*buffer);
  Result<Handle<VkSampler>> shadow = depth_sampler(context, true), below = depth_sampler(context, false);
  if (!shadow || !below) return Unexpected((shadow ? below : shadow).error());
  made->shadow_sampler = std::move(*shadow);
  made->below_sampler = std::move(*below);
  Result<Handle<VkDescriptorPool>> pool = make_pool(context, 1, 2);
  if (!pool) return Unexpected(pool.error());
  made->pool = std::move(*pool);
  const VkDescriptorImageInfo images[] = {
      {made->shadow_sampler, made->shadow.view(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
      {made->below_sampler, made->below.view(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
  const Result<VkDescriptorSet> set = make_set(context, made->pool, layout, images);
  if (!set) return Unexpected(set.error());
  made->set = *set;
  return made;
}

}  // namespace sinew::render
