#include <algorithm>
#include <cstring>

#include "gpu/device.h"

namespace sinew::gpu {

namespace {

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL keep(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  Messages& messages = *static_cast<Messages*>(user);
  const std::lock_guard lock(messages.mutex);
  messages.texts.emplace_back(data->pMessage);
  return VK_FALSE;
}

bool layer_present() {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(),
                     [](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, kLayer) == 0; });
}

}  // namespace

Result<Instance> make_instance(bool validation, Messages& messages) {
  if (volkInitialize() != VK_SUCCESS)
    return fail(ErrorCode::unsupported, "Vulkan", "there is no Vulkan loader (libvulkan.so.1)",
                "install libvulkan1 and a driver: mesa-vulkan-drivers has one that needs no GPU");
  if (volkGetInstanceVersion() < VK_API_VERSION_1_2)
    return fail(ErrorCode::unsupported, "Vulkan", "the Vulkan loader is older than 1.2", "update libvulkan1");
  if (validation && !layer_present())
    return fail(ErrorCode::unsupported, "Vulkan", "the validation layer is asked for and not installed",
                "install vulkan-validationlayers");

  const VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "sinew", 0, "sinew", 0, VK_API_VERSION_1_3};
  const VkValidationFeatureEnableEXT checks[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  const VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, checks, 0, nullptr};
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (validation) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kLayer;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = extensions;
  }
  Instance made;
  const VkResult result = vkCreateInstance(&info, nullptr, &made.instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return fail(ErrorCode::unsupported, "Vulkan", "there is no Vulkan driver",
                "install one: mesa-vulkan-drivers has one that needs no GPU");
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making the Vulkan instance"));
  // Not volkLoadDevice: functions found through the instance work for the devices of several contexts.
  volkLoadInstance(made.instance);
  if (!validation) return made;

  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = keep;
  messenger.pUserData = &messages;
  if (const VkResult listening = vkCreateDebugUtilsMessengerEXT(made.instance, &messenger, nullptr, &made.messenger);
      listening != VK_SUCCESS) {
    vkDestroyInstance(made.instance, nullptr);
    return Unexpected(error_of(listening, "listening to the validation layer"));
  }
  return made;
}

}  // namespace sinew::gpu
