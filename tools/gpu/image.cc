#include "gpu/image.h"

namespace sinew::gpu {

Result<Image> make_image(const Context& context, const ImageOptions& options) {
  const std::uint32_t limit = context.properties().limits.maxImageDimension2D;
  const std::string size = std::to_string(options.width) + "x" + std::to_string(options.height);
  if (options.width == 0 || options.height == 0 || options.width > limit || options.height > limit)
    return fail(ErrorCode::unsupported, "Vulkan",
                "the device cannot have an image of " + size + " pixels; its limit is " + std::to_string(limit),
                "ask for a smaller picture");
  Image image;
  image.options_ = options;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = options.format;
  info.extent = {options.width, options.height, 1};
  info.mipLevels = options.mips;
  info.arrayLayers = 1;
  info.samples = options.samples;
  info.usage = options.usage;
  VkImage made = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateImage(context.device(), &info, nullptr, &made); result != VK_SUCCESS)
    return Unexpected(error_of(result, "making an image of " + size + " pixels"));
  image.image_ = Handle<VkImage>(context.device(), made, vkDestroyImage);
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(context.device(), made, &needs);
  Result<Handle<VkDeviceMemory>> memory = context.allocate(needs, Memory::device, false);
  if (!memory) return Unexpected(memory.error());
  image.memory_ = std::move(*memory);
  if (const VkResult result = vkBindImageMemory(context.device(), made, image.memory_, 0); result != VK_SUCCESS)
    return Unexpected(error_of(result, "binding an image's memory"));
  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = made;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = options.format;
  view.subresourceRange = {image.aspect(), 0, options.mips, 0, 1};
  VkImageView seen = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateImageView(context.device(), &view, nullptr, &seen); result != VK_SUCCESS)
    return Unexpected(error_of(result, "viewing an image"));
  image.view_ = Handle<VkImageView>(context.device(), seen, vkDestroyImageView);
  return image;
}

void transition(VkCommandBuffer commands, const Image& image, const ImageUse& from, const ImageUse& to, int mip) {
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from.stage;
  barrier.srcAccessMask = from.access;
  barrier.dstStageMask = to.stage;
  barrier.dstAccessMask = to.access;
  barrier.oldLayout = from.layout;
  barrier.newLayout = to.layout;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.handle();
  barrier.subresourceRange = {image.aspect(), mip < 0 ? 0u : static_cast<std::uint32_t>(mip),
                              mip < 0 ? image.options().mips : 1u, 0, 1};
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace sinew::gpu
