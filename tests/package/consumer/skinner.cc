// What links GPU skinning: without a device there are shaders, and an error that says what is missing.
#include <sinew/vulkan.h>

bool has_gpu_skinning() {
  constexpr std::uint32_t kSpirv = 0x07230203;  // the first word of every module
  const auto skinner = sinew::vulkan::Skinner::create({}, {});
  return sinew::vulkan::vertex_shader()[0] == kSpirv && !skinner &&
         skinner.error().code == sinew::ErrorCode::bad_argument;
}
