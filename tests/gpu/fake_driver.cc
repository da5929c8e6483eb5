#include "gpu/fake_driver.h"

#include <cstring>
#include <string_view>

namespace sinew::test {
namespace {

FakeDriver* driver = nullptr;

/// What a failed call leaves in its output: Vulkan does not say, and nobody may use it.
constexpr std::uint64_t kGarbage = 0xdead;

// Handles are pointers or numbers, by platform.
template <class T>
T as_handle(std::uint64_t value) {
  T out{};
  static_assert(sizeof out == sizeof value);
  std::memcpy(&out, &value, sizeof out);
  return out;
}
template <class T>
std::uint64_t as_number(T handle) {
  std::uint64_t out;
  std::memcpy(&out, &handle, sizeof out);
  return out;
}

template <class T>
VkResult make_one(const char* name, T* out) {
  std::uint64_t made = kGarbage;
  const VkResult result = driver->make(name, made);
  *out = as_handle<T>(made);
  return result;
}

VKAPI_ATTR void VKAPI_CALL properties_of(VkPhysicalDevice, VkPhysicalDeviceProperties* out) {
  *out = driver->properties;
}

VKAPI_ATTR void VKAPI_CALL features_of(VkPhysicalDevice, VkPhysicalDeviceFeatures2* out) {
  for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next; next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
      reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(next)->bufferDeviceAddress = driver->buffer_device_address;
}

VKAPI_ATTR VkResult VKAPI_CALL make_module(VkDevice, const VkShaderModuleCreateInfo*, const VkAllocationCallbacks*,
                                           VkShaderModule* out) {
  return make_one("vkCreateShaderModule", out);
}
VKAPI_ATTR void VKAPI_CALL destroy_module(VkDevice, VkShaderModule handle, const VkAllocationCallbacks*) {
  driver->destroy("vkCreateShaderModule", as_number(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL make_layout(VkDevice, const VkPipelineLayoutCreateInfo*, const VkAllocationCallbacks*,
                                           VkPipelineLayout* out) {
  return make_one("vkCreatePipelineLayout", out);
}
VKAPI_ATTR void VKAPI_CALL destroy_layout(VkDevice, VkPipelineLayout handle, const VkAllocationCallbacks*) {
  driver->destroy("vkCreatePipelineLayout", as_number(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL make_pipelines(VkDevice, VkPipelineCache, std::uint32_t count,
                                              const VkComputePipelineCreateInfo*, const VkAllocationCallbacks*,
                                              VkPipeline* out) {
  for (std::uint32_t i = 0; i < count; ++i)
    if (const VkResult result = make_one("vkCreateComputePipelines", out + i); result != VK_SUCCESS) return result;
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice, VkPipeline handle, const VkAllocationCallbacks*) {
  driver->destroy("vkCreateComputePipelines", as_number(handle));
}

VKAPI_ATTR void VKAPI_CALL bind(VkCommandBuffer, VkPipelineBindPoint, VkPipeline pipeline) {
  ++driver->commands;
  driver->bound = pipeline;
}
VKAPI_ATTR void VKAPI_CALL push(VkCommandBuffer, VkPipelineLayout, VkShaderStageFlags, std::uint32_t offset,
                                std::uint32_t size, const void* values) {
  ++driver->commands;
  driver->pushed.resize(offset + size);
  std::memcpy(driver->pushed.data() + offset, values, size);
}
VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  ++driver->commands;
  driver->dispatches.push_back({driver->bound, driver->pushed, x, y, z});
}

PFN_vkVoidFunction find(const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_of_device(VkDevice, const char* name) { return find(name); }
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_of_instance(VkInstance, const char* name) { return find(name); }

template <class Function>
PFN_vkVoidFunction as_void(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

PFN_vkVoidFunction find(const char* name) {
  static const std::map<std::string_view, PFN_vkVoidFunction> kFunctions{
      {"vkGetDeviceProcAddr", as_void(find_of_device)},
      {"vkGetPhysicalDeviceProperties", as_void(properties_of)},
      {"vkGetPhysicalDeviceFeatures2", as_void(features_of)},
      {"vkCreateShaderModule", as_void(make_module)},
      {"vkDestroyShaderModule", as_void(destroy_module)},
      {"vkCreatePipelineLayout", as_void(make_layout)},
      {"vkDestroyPipelineLayout", as_void(destroy_layout)},
      {"vkCreateComputePipelines", as_void(make_pipelines)},
      {"vkDestroyPipeline", as_void(destroy_pipeline)},
      {"vkCmdBindPipeline", as_void(bind)},
      {"vkCmdPushConstants", as_void(push)},
      {"vkCmdDispatch", as_void(dispatch)},
  };
  driver->looked_up.insert(name);
  const auto found = kFunctions.find(name);
  return found == kFunctions.end() || driver->hidden == name ? nullptr : found->second;
}

}  // namespace

FakeDriver::FakeDriver() {
  driver = this;
  properties.apiVersion = VK_API_VERSION_1_2;
  std::strcpy(properties.deviceName, "a fake device");
  VkPhysicalDeviceLimits& limits = properties.limits;
  limits.maxComputeWorkGroupCount[0] = limits.maxComputeWorkGroupCount[1] = limits.maxComputeWorkGroupCount[2] = 65535;
  limits.maxComputeWorkGroupInvocations = 256;
  limits.maxComputeSharedMemorySize = 32768;
}

FakeDriver::~FakeDriver() { driver = nullptr; }

vulkan::Device FakeDriver::device() const {
  return {as_handle<VkInstance>(1), as_handle<VkPhysicalDevice>(2), as_handle<VkDevice>(3), find_of_instance};
}

VkResult FakeDriver::make(const char* name, std::uint64_t& out) {
  const std::size_t call = calls[name]++;
  if (failing == name && failing_call == call) return failure;
  out = next_++;
  live.insert(out);
  maker_[out] = name;
  return VK_SUCCESS;
}

void FakeDriver::destroy(const char* name, std::uint64_t handle) {
  if (handle == 0) return;
  if (live.erase(handle) == 0 || maker_[handle] != name)
    misuses.push_back("number " + std::to_string(handle) + ", destroyed as of " + name);
}

}  // namespace sinew::test
