#include "gpu/context.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "gpu/device.h"

namespace sinew::gpu {

namespace {

/// Copies go through a buffer of at most this size: a device may have far more memory than its host can map.
constexpr VkDeviceSize kStaging = VkDeviceSize(64) << 20;

constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                      VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

bool validation_wanted(const ContextOptions& options) {
  const char* variable = std::getenv("SINEW_VALIDATION");
  return options.validation || (variable && std::string_view(variable) == "1");
}

}  // namespace

struct Context::State {
  Messages messages;  // first: the instance's messenger points to it
  Instance instance;
  Device device;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (device.device) {
      vkDeviceWaitIdle(device.device);
      vkDestroyFence(device.device, fence, nullptr);
      vkDestroyCommandPool(device.device, pool, nullptr);
      vkDestroyDevice(device.device, nullptr);
    }
    if (instance.messenger) vkDestroyDebugUtilsMessengerEXT(instance.instance, instance.messenger, nullptr);
    if (instance.instance) vkDestroyInstance(instance.instance, nullptr);
  }
  VkResult make_queue();
};

VkResult Context::State::make_queue() {
  vkGetDeviceQueue(device.device, device.queue_family, 0, &queue);
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                          VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, device.queue_family};
  if (const VkResult r = vkCreateCommandPool(device.device, &pool_info, nullptr, &pool); r != VK_SUCCESS) return r;
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
  if (const VkResult r = vkCreateFence(device.device, &fence_info, nullptr, &fence); r != VK_SUCCESS) return r;
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  return vkAllocateCommandBuffers(device.device, &info, &commands);
}

Context::Context(std::unique_ptr<State> state) : state_(std::move(state)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Result<Context> Context::create(const ContextOptions& options) {
  auto state = std::make_unique<State>();
  Result<Instance> instance = make_instance(validation_wanted(options), state->messages);
  if (!instance) return Unexpected(instance.error());
  state->instance = *instance;
  Result<Device> device = make_device(state->instance.instance, options);
  if (!device) return Unexpected(device.error());
  state->device = *device;
  if (const VkResult result = state->make_queue(); result != VK_SUCCESS)
    return Unexpected(error_of(result, "making the command buffer"));
  return Context(std::move(state));
}

VkInstance Context::instance() const { return state_->instance.instance; }
VkPhysicalDevice Context::physical_device() const { return state_->device.physical; }
VkDevice Context::device() const { return state_->device.device; }
VkQueue Context::queue() const { return state_->queue; }
std::uint32_t Context::queue_family() const { return state_->device.queue_family; }
const Features& Context::features() const { return state_->device.features; }
const VkPhysicalDeviceProperties& Context::properties() const { return state_->device.properties; }
PFN_vkGetInstanceProcAddr Context::instance_proc_addr() const { return vkGetInstanceProcAddr; }

std::vector<std::string> Context::messages() const {
  const std::lock_guard lock(state_->messages.mutex);
  return state_->messages.texts;
}

Result<Handle<VkDeviceMemory>> Context::allocate(const VkMemoryRequirements& needs, Memory memory, bool address) const {
  using Flags = VkMemoryPropertyFlags;
  const Flags mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const Flags wanted[] = {
      memory == Memory::host ? mapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT : Flags(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
      memory == Memory::host ? mapped : Flags(0)};
  const VkPhysicalDeviceMemoryProperties& kinds = state_->device.memory;
  const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                        VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
  for (const Flags want : wanted)
    for (std::uint32_t i = 0; i < kinds.memoryTypeCount; ++i) {
      if (!(needs.memoryTypeBits & (1u << i)) || (kinds.memoryTypes[i].propertyFlags & want) != want) continue;
      const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, address ? &flags : nullptr, needs.size,
                                      i};
      VkDeviceMemory made = VK_NULL_HANDLE;
      const VkResult result = vkAllocateMemory(device(), &info, nullptr, &made);
      if (result == VK_SUCCESS) return Handle<VkDeviceMemory>(device(), made, vkFreeMemory);
      return Unexpected(error_of(result, "taking " + std::to_string(needs.size) + " bytes of memory on " +
                                             state_->device.properties.deviceName));
    }
  return fail(ErrorCode::unsupported, "Vulkan", "the device has no memory of the kind that is needed", "");
}

Result<Buffer> Context::make_buffer(VkDeviceSize size, Memory memory) const {
  Buffer buffer;
  buffer.size_ = size;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = std::max<VkDeviceSize>(size, 4);  // an empty buffer is legal here and not in Vulkan
  info.usage = kUsage;
  if (features().transform_feedback) info.usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
  VkBuffer made = VK_NULL_HANDLE;
  const VkResult result = vkCreateBuffer(device(), &info, nullptr, &made);
  if (result != VK_SUCCESS)
    return Unexpected(error_of(result, "making a buffer of " + std::to_string(size) + " bytes"));
  buffer.buffer_ = Handle<VkBuffer>(device(), made, vkDestroyBuffer);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device(), made, &needs);
  Result<Handle<VkDeviceMemory>> taken = allocate(needs, memory, true);
  if (!taken) return Unexpected(taken.error());
  buffer.memory_ = std::move(*taken);
  VkResult bound = vkBindBufferMemory(device(), made, buffer.memory_, 0);
  if (bound == VK_SUCCESS && memory == Memory::host) {
    void* data = nullptr;
    bound = vkMapMemory(device(), buffer.memory_, 0, VK_WHOLE_SIZE, 0, &data);
    if (bound == VK_SUCCESS) buffer.mapped_ = {static_cast<std::byte*>(data), static_cast<std::size_t>(size)};
  }
  if (bound != VK_SUCCESS) return Unexpected(error_of(bound, "binding a buffer's memory"));
  const VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, made};
  buffer.address_ = vkGetBufferDeviceAddress(device(), &address);
  return buffer;
}

Result<void> Context::upload(const Buffer& buffer, std::span<const std::byte> bytes, VkDeviceSize offset) const {
  if (offset > buffer.size() || bytes.size() > buffer.size() - offset)
    return fail(ErrorCode::out_of_range, "Vulkan",
                std::to_string(bytes.size()) + " bytes do not fit into a buffer of " + std::to_string(buffer.size()),
                "");
  if (bytes.empty()) return {};
  if (!buffer.mapped().empty()) {
    std::memcpy(buffer.mapped().data() + offset, bytes.data(), bytes.size());
    return {};
  }
  const Result<Buffer> staging = make_buffer(std::min<VkDeviceSize>(bytes.size(), kStaging), Memory::host);
  if (!staging) return Unexpected(staging.error());
  for (VkDeviceSize done = 0; done < bytes.size(); done += staging->size()) {
    const VkDeviceSize count = std::min<VkDeviceSize>(staging->size(), bytes.size() - done);
    std::memcpy(staging->mapped().data(), bytes.data() + done, count);
    const Result<void> copied = submit_and_wait([&](VkCommandBuffer commands) {
      const VkBufferCopy region{0, offset + done, count};
      vkCmdCopyBuffer(commands, *staging, buffer, 1, &region);
    });
    if (!copied) return copied;
  }
  return {};
}

Result<Buffer> Context::make_buffer(std::span<const std::byte> bytes, Memory memory) const {
  Result<Buffer> buffer = make_buffer(VkDeviceSize(bytes.size()), memory);
  if (!buffer) return buffer;
  if (const Result<void> filled = upload(*buffer, bytes); !filled) return Unexpected(filled.error());
  return buffer;
}

Result<std::vector<std::byte>> Context::read_back(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) const {
  if (offset > buffer.size() || size > buffer.size() - offset)
    return fail(ErrorCode::out_of_range, "Vulkan", "a buffer is read past its end", "");
  std::vector<std::byte> bytes(size);
  if (bytes.empty()) return bytes;
  if (!buffer.mapped().empty()) {
    std::memcpy(bytes.data(), buffer.mapped().data() + offset, size);
    return bytes;
  }
  const Result<Buffer> staging = make_buffer(std::min<VkDeviceSize>(size, kStaging), Memory::host);
  if (!staging) return Unexpected(staging.error());
  for (VkDeviceSize done = 0; done < size; done += staging->size()) {
    const VkDeviceSize count = std::min<VkDeviceSize>(staging->size(), size - done);
    const Result<void> copied = submit_and_wait([&](VkCommandBuffer commands) {
      const VkBufferCopy region{offset + done, 0, count};
      vkCmdCopyBuffer(commands, buffer, *staging, 1, &region);
    });
    if (!copied) return Unexpected(copied.error());
    std::memcpy(bytes.data() + done, staging->mapped().data(), count);
  }
  return bytes;
}

Result<void> Context::submit_and_wait(const std::function<void(VkCommandBuffer)>& record) const {
  const VkCommandBuffer commands = state_->commands;
  VkResult result = vkResetCommandPool(device(), state_->pool, 0);
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                       VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, nullptr};
  if (result == VK_SUCCESS) result = vkBeginCommandBuffer(commands, &begin);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "beginning to record"));
  record(commands);
  const VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0,
                       nullptr, 0, nullptr);
  result = vkEndCommandBuffer(commands);
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  if (result == VK_SUCCESS) result = vkQueueSubmit(queue(), 1, &submit, state_->fence);
  if (result == VK_SUCCESS) result = vkWaitForFences(device(), 1, &state_->fence, VK_TRUE, UINT64_MAX);
  if (result == VK_SUCCESS) result = vkResetFences(device(), 1, &state_->fence);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "the device's work"));
  return {};
}

Result<Handle<VkShaderModule>> Context::make_shader(std::span<const std::uint32_t> words) const {
  const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size_bytes(),
                                      words.data()};
  VkShaderModule made = VK_NULL_HANDLE;
  const VkResult result = vkCreateShaderModule(device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(error_of(result, "making a shader"));
  return Handle<VkShaderModule>(device(), made, vkDestroyShaderModule);
}

}  // namespace sinew::gpu
