#include "render/texture.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace sinew::render {

namespace {

using gpu::ImageUse;

/// Every second pixel: only for pictures beyond any sensible size.
Picture halved(const Picture& picture) {
  Picture out(std::max(picture.width / 2, 1u), std::max(picture.height / 2, 1u));
  for (std::uint32_t y = 0; y < out.height; ++y)
    for (std::uint32_t x = 0; x < out.width; ++x) std::copy_n(picture.at(x * 2, y * 2), 4, out.at(x, y));
  return out;
}

constexpr ImageUse kFresh{};
constexpr ImageUse kWritten{VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                            VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr ImageUse kCopySource{VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                               VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr ImageUse kRead{VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                         VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};

/// Copies the picture into level 0 and halves it, level after level.
void record_levels(VkCommandBuffer commands, const gpu::Buffer& pixels, const gpu::Image& image) {
  const auto [width, height] = image.extent();
  transition(commands, image, kFresh, kWritten);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {width, height, 1};
  vkCmdCopyBufferToImage(commands, pixels, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  const auto corner = [&, w = width, h = height](std::uint32_t level) {
    return VkOffset3D{static_cast<std::int32_t>(std::max(w >> level, 1u)),
                      static_cast<std::int32_t>(std::max(h >> level, 1u)), 1};
  };
  for (std::uint32_t level = 1; level < image.options().mips; ++level) {
    transition(commands, image, kWritten, kCopySource, static_cast<int>(level) - 1);
    VkImageBlit blit{};
    blit.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1};
    blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
    blit.srcOffsets[1] = corner(level - 1);
    blit.dstOffsets[1] = corner(level);
    vkCmdBlitImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image.handle(),
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
  }
  for (std::uint32_t level = 0; level + 1 < image.options().mips; ++level)
    transition(commands, image, kCopySource, kRead, static_cast<int>(level));
  transition(commands, image, kWritten, kRead, static_cast<int>(image.options().mips) - 1);
}

Result<gpu::Handle<VkSampler>> make_sampler(const gpu::Context& context, const Texture& texture) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = texture.nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.addressModeU = texture.repeat_u ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeV = texture.repeat_v ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.anisotropyEnable = context.features().anisotropy;
  info.maxAnisotropy = std::min(4.0f, context.properties().limits.maxSamplerAnisotropy);
  info.maxLod = VK_LOD_CLAMP_NONE;
  VkSampler made = VK_NULL_HANDLE;
  const VkResult result = vkCreateSampler(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a sampler"));
  return gpu::Handle<VkSampler>(context.device(), made, vkDestroySampler);
}

}  // namespace

Result<DeviceTexture> make_texture(const gpu::Context& context, const Texture& texture) {
  const std::uint32_t limit = context.properties().limits.maxImageDimension2D;
  const Picture* picture = &texture.picture;
  Picture smaller;
  while (picture->width > limit || picture->height > limit) smaller = halved(*picture), picture = &smaller;

  Result<DeviceTexture> made(DeviceTexture{});
  gpu::ImageOptions options;
  options.width = picture->width;
  options.height = picture->height;
  options.mips = static_cast<std::uint32_t>(std::bit_width(std::max(picture->width, picture->height)));
  options.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  Result<gpu::Image> image = make_image(context, options);
  if (!image) return Unexpected(image.error());
  made->image = std::move(*image);
  const Result<gpu::Buffer> pixels = context.make_buffer(std::as_bytes(std::span(picture->pixels)), gpu::Memory::host);
  if (!pixels) return Unexpected(pixels.error());
  const Result<void> done =
      context.submit_and_wait([&](VkCommandBuffer commands) { record_levels(commands, *pixels, made->image); });
  if (!done) return Unexpected(done.error());
  Result<gpu::Handle<VkSampler>> sampler = make_sampler(context, texture);
  if (!sampler) return Unexpected(sampler.error());
  made->sampler = std::move(*sampler);
  return made;
}

}  // namespace sinew::render
