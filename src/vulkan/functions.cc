#include "vulkan/functions.h"

#include <string>

namespace sinew::vulkan {
namespace {

/// The first function that was asked for and not found.
struct Lookup {
  const char* missing = nullptr;
  template <class Function, class Get>
  void operator()(Function& out, const char* name, const Get& get) {
    out = reinterpret_cast<Function>(get(name));
    if (!out && !missing) missing = name;
  }
};

}  // namespace

Result<Functions> load_functions(const Device& device) {
  if (!device.instance || !device.physical_device || !device.device || !device.get_instance_proc_addr)
    return fail(ErrorCode::bad_argument, "device", "a handle or get_instance_proc_addr is null",
                "fill all four members of sinew::vulkan::Device");
  Functions out;
  Lookup take;
  const auto of_instance = [&](const char* name) { return device.get_instance_proc_addr(device.instance, name); };
  PFN_vkGetDeviceProcAddr get_device_proc_addr = nullptr;
  take(get_device_proc_addr, "vkGetDeviceProcAddr", of_instance);
  take(out.get_physical_device_properties, "vkGetPhysicalDeviceProperties", of_instance);
  take(out.get_physical_device_features2, "vkGetPhysicalDeviceFeatures2", of_instance);
  if (!take.missing) {
    const auto of_device = [&](const char* name) { return get_device_proc_addr(device.device, name); };
    take(out.create_shader_module, "vkCreateShaderModule", of_device);
    take(out.destroy_shader_module, "vkDestroyShaderModule", of_device);
    take(out.create_pipeline_layout, "vkCreatePipelineLayout", of_device);
    take(out.destroy_pipeline_layout, "vkDestroyPipelineLayout", of_device);
    take(out.create_compute_pipelines, "vkCreateComputePipelines", of_device);
    take(out.destroy_pipeline, "vkDestroyPipeline", of_device);
    take(out.bind_pipeline, "vkCmdBindPipeline", of_device);
    take(out.push_constants, "vkCmdPushConstants", of_device);
    take(out.dispatch, "vkCmdDispatch", of_device);
  }
  if (take.missing)
    return fail(ErrorCode::unsupported, "device", std::string("the function ") + take.missing + " is missing",
                "give the loader's vkGetInstanceProcAddr, and the device's own instance, made for Vulkan 1.2");
  return out;
}

}  // namespace sinew::vulkan
