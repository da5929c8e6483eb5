// Image: a picture in a device's memory, with one view of all of it, and its layout transitions.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

#include "gpu/context.h"
#include "gpu/handle.h"

namespace sinew::gpu {

struct ImageOptions {
  VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  std::uint32_t width = 1, height = 1, mips = 1;
  VkImageUsageFlags usage = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

class Image {
 public:
  Image() = default;
  VkImage handle() const { return image_; }
  VkImageView view() const { return view_; }
  VkExtent2D extent() const { return {options_.width, options_.height}; }
  const ImageOptions& options() const { return options_; }
  VkImageAspectFlags aspect() const {
    const bool depth = options_.format == VK_FORMAT_D32_SFLOAT || options_.format == VK_FORMAT_D16_UNORM;
    return depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  }

 private:
  friend Result<Image> make_image(const Context& context, const ImageOptions& options);
  Handle<VkDeviceMemory> memory_;
  Handle<VkImage> image_;
  Handle<VkImageView> view_;
  ImageOptions options_;
};

/// In device memory; undefined content and layout. Error: a size that the device cannot have, or no memory.
Result<Image> make_image(const Context& context, const ImageOptions& options);

/// What an image is used for at one point of a recording.
struct ImageUse {
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
};
/// A barrier between two uses; `mip` alone where it is given. Needs synchronization2.
void transition(VkCommandBuffer commands, const Image& image, const ImageUse& from, const ImageUse& to, int mip = -1);

}  // namespace sinew::gpu
