// A Vulkan driver that is not there: it fails as it is told to, and keeps count of what is made, destroyed and recorded.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sinew/vulkan.h"

namespace sinew::test {

/// One at a time, for Vulkan's functions carry no pointer to it.
class FakeDriver {
 public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;
  vulkan::Device device() const;

  // What it answers.
  VkPhysicalDeviceProperties properties{};  ///< Vulkan 1.2 with the least limits that it guarantees, but as `limits`
  bool buffer_device_address = true;
  std::string hidden;   ///< the name of a function that it does not have
  std::string failing;  ///< the name of a function that fails at its call number `failing_call`, from 0
  std::size_t failing_call = 0;
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;

  // What it saw.
  struct Dispatch {
    VkPipeline pipeline;
    std::vector<std::byte> constants;
    std::uint32_t x, y, z;
  };
  std::set<std::string> looked_up;           ///< names of functions
  std::map<std::string, std::size_t> calls;  ///< of functions that make something
  std::set<std::uint64_t> live;              ///< made and not destroyed
  std::vector<std::string> misuses;          ///< something destroyed that is not there, or as another kind of thing
  std::vector<Dispatch> dispatches;
  std::size_t commands = 0;  ///< recorded, of any kind

  // Of Vulkan's functions alone.
  VkResult make(const char* name, std::uint64_t& out);
  void destroy(const char* name, std::uint64_t handle);
  VkPipeline bound = VK_NULL_HANDLE;
  std::vector<std::byte> pushed;

 private:
  std::map<std::uint64_t, std::string> maker_;  ///< of each that was made
  std::uint64_t next_ = 1;
};

}  // namespace sinew::test
