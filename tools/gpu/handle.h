// Handle: a Vulkan object of a device, destroyed with its scope. Names of results, and results as errors.
#pragma once

#include <volk.h>

#include <string>
#include <utility>

#include "sinew/result.h"

namespace sinew::gpu {

/// Moves, and does not copy. The device must outlive it.
template <class T>
class Handle {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, T, const VkAllocationCallbacks*);
  Handle() = default;
  Handle(VkDevice device, T handle, Destroy destroy) : device_(device), handle_(handle), destroy_(destroy) {}
  Handle(Handle&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, VK_NULL_HANDLE)), destroy_(other.destroy_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Handle() {
    if (handle_ != VK_NULL_HANDLE) destroy_(device_, handle_, nullptr);
  }
  operator T() const { return handle_; }
  const T* pointer() const { return &handle_; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  T handle_ = VK_NULL_HANDLE;
  Destroy destroy_ = nullptr;
};

/// `VK_ERROR_DEVICE_LOST`; the number where it has no name here.
std::string to_string(VkResult result);
/// `what` names the call in plain words: `making a buffer of 12 bytes`. What to do goes by the kind of failure.
Error error_of(VkResult result, const std::string& what);

}  // namespace sinew::gpu
