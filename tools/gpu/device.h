// Instance and device of a context: what is asked of them, which device is taken, and why another is not.
#pragma once

#include <volk.h>

#include <mutex>
#include <string>
#include <vector>

#include "gpu/context.h"

namespace sinew::gpu {

/// What the validation layer has said; written from any thread of the driver.
struct Messages {
  std::mutex mutex;
  std::vector<std::string> texts;
};

struct Instance {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
};
/// Finds the loader and makes an instance; `messages` must outlive it.
Result<Instance> make_instance(bool validation, Messages& messages);

struct Device {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint32_t queue_family = 0;
  Features features;
};
Result<Device> make_device(VkInstance instance, const ContextOptions& options);

}  // namespace sinew::gpu
