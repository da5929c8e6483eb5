#include "gpu/device.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace sinew::gpu {

namespace {

/// Feature structures of a device, chained. Not copied: each points to the next.
struct Chain {
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
  void link(bool with_13, bool with_feedback) {
    core.pNext = &v11;
    v11.pNext = &v12;
    void** end = &v12.pNext;
    if (with_13) *end = &v13, end = &v13.pNext;
    if (with_feedback) *end = &feedback;
  }
  Chain() = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
};

bool has_extension(VkPhysicalDevice device, const char* name) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  return std::any_of(all.begin(), all.end(),
                     [&](const VkExtensionProperties& e) { return std::strcmp(e.extensionName, name) == 0; });
}

std::optional<std::uint32_t> find_queue_family(VkPhysicalDevice device, bool graphics) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  // A family that does both is taken where there is one, so that a benchmark runs where an engine would.
  for (const VkQueueFlags wanted :
       {VkQueueFlags(VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT), VkQueueFlags(graphics ? 0 : VK_QUEUE_COMPUTE_BIT)})
    for (std::uint32_t i = 0; i < count && wanted; ++i)
      if ((families[i].queueFlags & wanted) == wanted) return i;
  return std::nullopt;
}

/// What the device lacks; empty where it will do.
std::string lacks(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties, bool graphics) {
  const std::uint32_t needed = graphics ? VK_API_VERSION_1_3 : VK_API_VERSION_1_2;
  if (properties.apiVersion < needed)
    return "has Vulkan " + std::to_string(VK_API_VERSION_MAJOR(properties.apiVersion)) + "." +
           std::to_string(VK_API_VERSION_MINOR(properties.apiVersion)) + ", and " + (graphics ? "1.3" : "1.2") +
           " is needed";
  if (!find_queue_family(device, graphics)) return graphics ? "has no queue that draws and computes" : "cannot compute";
  Chain chain;
  chain.link(graphics, false);
  vkGetPhysicalDeviceFeatures2(device, &chain.core);
  if (!chain.v12.bufferDeviceAddress) return "lacks bufferDeviceAddress";
  if (graphics && !chain.v13.dynamicRendering) return "lacks dynamicRendering";
  if (graphics && !chain.v13.synchronization2) return "lacks synchronization2";
  return {};
}

int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 1;
    default:
      return 0;
  }
}

Result<VkPhysicalDevice> choose(VkInstance instance, bool graphics) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(instance, &count, devices.data());
  VkPhysicalDevice best = VK_NULL_HANDLE;
  int best_rank = -1;
  std::string refused;
  for (const VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    const std::string lack = lacks(device, properties, graphics);
    if (!lack.empty()) refused += (refused.empty() ? "" : "; ") + std::string(properties.deviceName) + " " + lack;
    if (lack.empty() && rank(properties.deviceType) > best_rank) best = device, best_rank = rank(properties.deviceType);
  }
  if (best != VK_NULL_HANDLE) return best;
  return fail(ErrorCode::unsupported, "Vulkan",
              refused.empty() ? "there is no device" : "no device will do: " + refused,
              "install or update a driver: mesa-vulkan-drivers has one that needs no GPU");
}

/// Turns on what the device has of what sinew can use, and says so in `features`.
void enable(const Chain& has, bool graphics, Chain& on, Features& features) {
  on.v12.bufferDeviceAddress = VK_TRUE;
  on.v12.scalarBlockLayout = has.v12.scalarBlockLayout;
  on.v12.storageBuffer8BitAccess = has.v12.storageBuffer8BitAccess;
  on.v11.storageBuffer16BitAccess = has.v11.storageBuffer16BitAccess;
  on.v12.shaderFloat16 = has.v12.shaderFloat16;
  on.v12.shaderInt8 = has.v12.shaderInt8;
  on.core.features.shaderInt64 = has.core.features.shaderInt64;
  on.core.features.shaderInt16 = has.core.features.shaderInt16;
  on.core.features.fillModeNonSolid = has.core.features.fillModeNonSolid;
  on.core.features.samplerAnisotropy = has.core.features.samplerAnisotropy;
  on.core.features.vertexPipelineStoresAndAtomics = has.core.features.vertexPipelineStoresAndAtomics;
  on.v13.dynamicRendering = on.v13.synchronization2 = graphics;
  on.feedback.transformFeedback = has.feedback.transformFeedback;
  features.scalar_block_layout = has.v12.scalarBlockLayout;
  features.storage_8bit = has.v12.storageBuffer8BitAccess;
  features.storage_16bit = has.v11.storageBuffer16BitAccess;
  features.shader_int64 = has.core.features.shaderInt64;
  features.shader_int16 = has.core.features.shaderInt16;
  features.shader_float16 = has.v12.shaderFloat16;
  features.transform_feedback = has.feedback.transformFeedback;
  features.lines = has.core.features.fillModeNonSolid;
  features.anisotropy = has.core.features.samplerAnisotropy;
}

}  // namespace

Result<Device> make_device(VkInstance instance, const ContextOptions& options) {
  const Result<VkPhysicalDevice> chosen = choose(instance, options.graphics);
  if (!chosen) return Unexpected(chosen.error());
  Device made;
  made.physical = *chosen;
  vkGetPhysicalDeviceProperties(made.physical, &made.properties);
  vkGetPhysicalDeviceMemoryProperties(made.physical, &made.memory);
  made.queue_family = *find_queue_family(made.physical, options.graphics);

  const bool v13 = made.properties.apiVersion >= VK_API_VERSION_1_3 && options.graphics;
  const bool feedback =
      options.transform_feedback && has_extension(made.physical, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
  Chain has, on;
  has.link(v13, feedback);
  on.link(v13, feedback);
  vkGetPhysicalDeviceFeatures2(made.physical, &has.core);
  enable(has, options.graphics, on, made.features);

  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, made.queue_family, 1, &priority};
  const char* const extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &on.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = feedback ? 1 : 0;
  info.ppEnabledExtensionNames = &extension;
  const VkResult result = vkCreateDevice(made.physical, &info, nullptr, &made.device);
  if (result != VK_SUCCESS)
    return Unexpected(error_of(result, "opening the device " + std::string(made.properties.deviceName)));
  return made;
}

}  // namespace sinew::gpu
