// Buffer: memory of a device, mapped or not, with its address.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <span>

#include "gpu/handle.h"

namespace sinew::gpu {

enum class Memory {
  host,    ///< mapped for as long as it lives, coherent, cached where the device has such: for reading as well
  device,  ///< the device's own, which the host may not see
};

/// Made by Context::make_buffer.
class Buffer {
 public:
  Buffer() = default;
  VkBuffer handle() const { return buffer_; }
  operator VkBuffer() const { return buffer_; }
  VkDeviceSize size() const { return size_; }
  VkDeviceAddress address() const { return address_; }
  /// Empty for device memory.
  std::span<std::byte> mapped() const { return mapped_; }
  /// Mapped memory as values of another type; as many as fit.
  template <class T>
  std::span<T> mapped_as() const {
    return {reinterpret_cast<T*>(mapped_.data()), mapped_.size() / sizeof(T)};
  }

 private:
  friend class Context;
  Handle<VkDeviceMemory> memory_;  // before the buffer: freed after it
  Handle<VkBuffer> buffer_;
  VkDeviceSize size_ = 0;
  VkDeviceAddress address_ = 0;
  std::span<std::byte> mapped_;
};

}  // namespace sinew::gpu
