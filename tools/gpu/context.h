// Context: a Vulkan device without a window, for the tool, the tests and the benchmarks. Loads Vulkan at run time.
#pragma once

#include <volk.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/handle.h"
#include "sinew/result.h"

namespace sinew::gpu {

struct ContextOptions {
  bool graphics = false;            ///< a queue that draws; Vulkan 1.3 with dynamicRendering and synchronization2
  bool transform_feedback = false;  ///< VK_EXT_transform_feedback where present: see Features
  /// The validation layer with synchronization validation; an error where it is not installed. The environment
  /// variable SINEW_VALIDATION=1 asks for it as well.
  bool validation = false;
};

/// What is enabled on the device, beyond bufferDeviceAddress, which every context has.
struct Features {
  bool scalar_block_layout = false, storage_8bit = false, storage_16bit = false;
  bool shader_int64 = false, shader_int16 = false, shader_float16 = false;
  bool transform_feedback = false;  ///< asked for and present
  bool lines = false;               ///< triangles drawn as lines (fillModeNonSolid)
  bool anisotropy = false;
};

class Context {
 public:
  /// A discrete GPU before an integrated one before a CPU (lavapipe). Error `unsupported`: no Vulkan loader, no device,
  /// or none that has what is asked for, with what each lacks.
  static Result<Context> create(const ContextOptions& options = {});
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  VkInstance instance() const;
  VkPhysicalDevice physical_device() const;
  VkDevice device() const;
  VkQueue queue() const;
  std::uint32_t queue_family() const;
  const Features& features() const;
  const VkPhysicalDeviceProperties& properties() const;
  /// Of the loader: for libraries that find functions by themselves.
  PFN_vkGetInstanceProcAddr instance_proc_addr() const;
  bool is_cpu() const { return properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  /// What the validation layer has said so far, each once a time that it was said; empty without validation.
  std::vector<std::string> messages() const;

  /// Usable as storage, vertex, index, uniform, indirect and transform feedback buffer, both ways of a copy, and by
  /// its address. Its memory is not cleared.
  Result<Buffer> make_buffer(VkDeviceSize size, Memory memory) const;
  /// Fills part of a buffer; waits for the device. What does not fit is an error.
  Result<void> upload(const Buffer& buffer, std::span<const std::byte> bytes, VkDeviceSize offset = 0) const;
  /// A buffer of a span's bytes.
  Result<Buffer> make_buffer(std::span<const std::byte> bytes, Memory memory) const;
  Result<std::vector<std::byte>> read_back(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) const;

  /// Records into a fresh command buffer, submits it and waits. What the device wrote to mapped memory can be read
  /// afterwards, for a barrier to the host is added. A lost device is an error here, and in all calls after it.
  Result<void> submit_and_wait(const std::function<void(VkCommandBuffer)>& record) const;

  Result<Handle<VkShaderModule>> make_shader(std::span<const std::uint32_t> words) const;
  /// Memory of one of the kinds that `bits` allows, host-visible or device-local.
  Result<Handle<VkDeviceMemory>> allocate(const VkMemoryRequirements& needs, Memory memory, bool address) const;

 private:
  struct State;
  explicit Context(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Moments on the device's clock: `write` them while recording, read them after the work is done.
class Timestamps {
 public:
  /// Error `unsupported` where the device's queue has no clock.
  static Result<Timestamps> create(const Context& context, std::uint32_t count);
  /// First in a recording; the others are meaningless without it.
  void reset(VkCommandBuffer commands) const;
  /// When everything recorded before has reached `stage`.
  void write(VkCommandBuffer commands, std::uint32_t index,
             VkPipelineStageFlagBits stage = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT) const;
  /// One value a timestamp, in seconds from the first.
  Result<std::vector<double>> seconds() const;

 private:
  Handle<VkQueryPool> pool_;
  VkDevice device_ = VK_NULL_HANDLE;
  std::uint32_t count_ = 0, valid_bits_ = 64;
  double period_ = 0;  ///< seconds a tick
};

}  // namespace sinew::gpu
