// The headless context where there is no device, no memory, or the device is lost: one line that says what to do.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "support/files.h"

namespace sinew::test {
namespace {

using gpu::Buffer;
using gpu::Context;
using gpu::Memory;

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const std::string& what) {
  ASSERT_FALSE(result) << what;
  EXPECT_EQ(result.error().code, code) << what;
  const std::string message = result.error().message();
  EXPECT_NE(message.find(what), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_FALSE(result.error().what_to_do.empty()) << message;
}

/// An environment variable, for a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A function of volk's, replaced for a scope.
template <class Function>
class Replaced {
 public:
  Replaced(Function& place, Function by) : place_(place), before_(place) { place = by; }
  ~Replaced() { place_ = before_; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  Function& place_;
  Function before_;
};

TEST(ContextErrors, NoDriver) {
  const Variable none("VK_DRIVER_FILES", "/there/is/no/driver.json"), older("VK_ICD_FILENAMES", "/nor/here.json");
  expect_error(Context::create(), ErrorCode::unsupported,
               "there is no Vulkan driver (install one: mesa-vulkan-drivers");
}

TEST(ContextErrors, ABufferThatNoDeviceHasMemoryFor) {
  const Context context = must(Context::create());
  for (const Memory memory : {Memory::host, Memory::device})
    expect_error(context.make_buffer(VkDeviceSize(1) << 50, memory), ErrorCode::too_large, "1125899906842624 bytes");
  EXPECT_TRUE(context.make_buffer(VkDeviceSize(1) << 20, Memory::host)) << "the context goes on";
}

PFN_vkDestroyBuffer destroy_buffer = nullptr;
int destroyed_buffers = 0;

TEST(ContextErrors, MemoryThatRunsOutAfterTheBufferWasMade) {
  const Context context = must(Context::create());
  const Replaced allocate(vkAllocateMemory,
                          PFN_vkAllocateMemory([](VkDevice, const VkMemoryAllocateInfo*, const VkAllocationCallbacks*,
                                                  VkDeviceMemory*) { return VK_ERROR_OUT_OF_DEVICE_MEMORY; }));
  destroy_buffer = vkDestroyBuffer, destroyed_buffers = 0;
  const Replaced destroy(vkDestroyBuffer, PFN_vkDestroyBuffer([](VkDevice device, VkBuffer buffer,
                                                                 const VkAllocationCallbacks* callbacks) {
                           ++destroyed_buffers;
                           destroy_buffer(device, buffer, callbacks);
                         }));
  expect_error(context.make_buffer(VkDeviceSize(64), Memory::device), ErrorCode::too_large,
               "VK_ERROR_OUT_OF_DEVICE_MEMORY (close other programs that use the device");
  EXPECT_EQ(destroyed_buffers, 1) << "the buffer that was made is destroyed";
}

TEST(ContextErrors, MemoryThatCannotBeMapped) {
  const Context context = must(Context::create());
  const Replaced map(vkMapMemory, PFN_vkMapMemory([](VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize,
                                                     VkMemoryMapFlags, void**) { return VK_ERROR_MEMORY_MAP_FAILED; }));
  expect_error(context.make_buffer(VkDeviceSize(64), Memory::host), ErrorCode::too_large,
               "VK_ERROR_MEMORY_MAP_FAILED (close other programs that use the device");
  EXPECT_TRUE(context.make_buffer(VkDeviceSize(64), Memory::device));
}

TEST(ContextErrors, ADeviceThatIsLost) {
  const Context context = must(Context::create());
  const Buffer buffer = must(context.make_buffer(VkDeviceSize(64), Memory::device));
  const std::vector<std::byte> bytes(64);
  const auto expect_lost = [&] {
    const std::string text = "VK_ERROR_DEVICE_LOST (the driver has given up the device";
    expect_error(context.submit_and_wait([](VkCommandBuffer) {}), ErrorCode::io, text);
    expect_error(context.upload(buffer, bytes), ErrorCode::io, text);
    expect_error(context.make_buffer(bytes, Memory::device), ErrorCode::io, text);
    expect_error(context.read_back(buffer, 0, 64), ErrorCode::io, text);
  };
  {
    const Replaced submit(vkQueueSubmit, PFN_vkQueueSubmit([](VkQueue, std::uint32_t, const VkSubmitInfo*,
                                                              VkFence) -> VkResult { return VK_ERROR_DEVICE_LOST; }));
    expect_lost();
  }
  EXPECT_TRUE(context.upload(buffer, bytes)) << "the fault was the function's: without it the device works";
  const Replaced submit(vkQueueSubmit,
                        PFN_vkQueueSubmit([](VkQueue, std::uint32_t, const VkSubmitInfo*, VkFence) -> VkResult {
                          return VK_SUCCESS;  // taken, and never done
                        }));
  const Replaced wait(vkWaitForFences,
                      PFN_vkWaitForFences([](VkDevice, std::uint32_t, const VkFence*, VkBool32,
                                             std::uint64_t) -> VkResult { return VK_ERROR_DEVICE_LOST; }));
  expect_lost();
}

TEST(ContextErrors, AShaderThatCannotBeMade) {
  const Context context = must(Context::create());
  const Replaced make(
      vkCreateShaderModule,
      PFN_vkCreateShaderModule([](VkDevice, const VkShaderModuleCreateInfo*, const VkAllocationCallbacks*,
                                  VkShaderModule*) -> VkResult { return VK_ERROR_OUT_OF_HOST_MEMORY; }));
  const std::uint32_t words[] = {0x07230203};
  expect_error(context.make_shader(words), ErrorCode::too_large, "making a shader failed: VK_ERROR_OUT_OF_HOST_MEMORY");
}

}  // namespace
}  // namespace sinew::test
