#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "core/contract.h"
#include "sinew/vulkan.h"
#include "skin.comp.spv.h"
#include "skin_compact.comp.spv.h"
#include "skin_pairs_128.comp.spv.h"
#include "skin_pairs_192.comp.spv.h"
#include "skin_pairs_64.comp.spv.h"
#include "vulkan/dispatch.h"
#include "vulkan/functions.h"

namespace sinew::vulkan {
namespace {

/// Push constants of skin.comp.
struct Constants {
  SkinInput input;
  VkDeviceAddress positions, normals, tangents;
  std::uint32_t first_vertex, instance_count;
};
static_assert(offsetof(Constants, positions) == 96 && offsetof(Constants, first_vertex) == 120);
static_assert(sizeof(Constants) == 128);  // as many are guaranteed

/// Whether skin_pairs.comp can do it: morph targets differ by instance.
bool by_pairs(const SkinKernel& kernel) {
  return kernel.format == VertexFormat::streams && !kernel.morphs &&
         (kernel.influences == 1 || kernel.influences == 2 || kernel.influences == 4);
}

/// What Vulkan's result means, and what helps.
struct Reason {
  std::string text;
  const char* what_to_do;
};
Reason reason(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return {"out of host memory", "free memory of the host, or ask for fewer kernels"};
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return {"out of device memory", "free memory of the device, or ask for fewer kernels"};
    case VK_ERROR_DEVICE_LOST:
      return {"the device was lost", "make the device anew, then the Skinner"};
    default:
      return {"VkResult " + std::to_string(int(result)), "update the driver, or see what the validation layer says"};
  }
}

Unexpected failed(const std::string& what, VkResult result) {
  const Reason why = reason(result);
  return fail(ErrorCode::io, "device", what + " could not be made: " + why.text, why.what_to_do);
}

std::string pipeline_of(const SkinKernel& kernel) {
  return std::string("the compute pipeline for '") + to_string(kernel.format) + "' of " +
         std::to_string(kernel.influences) + " influences";
}

/// Calls `create` with a place of its own: after a failure Vulkan leaves there what it likes, which must not be destroyed.
template <class Handle, class Create>
VkResult made_by(Handle& out, const Create& create) {
  Handle made = VK_NULL_HANDLE;
  const VkResult result = create(&made);
  if (result == VK_SUCCESS) out = made;
  return result;
}

/// The limits of a device that will do.
Result<VkPhysicalDeviceLimits> limits_of(const Device& device, const Functions& vk) {
  VkPhysicalDeviceProperties properties;
  vk.get_physical_device_properties(device.physical_device, &properties);
  const auto refused = [&](const std::string& what) {
    return fail(ErrorCode::unsupported, "device", properties.deviceName + what,
                "update its driver, or skin on the CPU with SkinJob");
  };
  if (properties.apiVersion < VK_API_VERSION_1_2)
    return refused(" has Vulkan " + std::to_string(VK_API_VERSION_MAJOR(properties.apiVersion)) + "." +
                   std::to_string(VK_API_VERSION_MINOR(properties.apiVersion)) + ", 1.2 is needed");
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12};
  vk.get_physical_device_features2(device.physical_device, &features);
  if (!v12.bufferDeviceAddress) return refused(" lacks bufferDeviceAddress");
  return properties.limits;
}

}  // namespace

struct Skinner::State {
  struct Pipeline {
    SkinKernel kernel;
    VkPipeline general = VK_NULL_HANDLE;              ///< skin_compact.comp for its format, else skin.comp
    VkPipeline pairs[std::size(kPaletteRooms)] = {};  ///< null where skin_pairs.comp cannot do it
    /// The one for a palette, or null.
    VkPipeline pairs_for(std::uint32_t entries) const {
      const std::uint64_t bytes = entries * bytes_in_group(palette_entry_bytes(kernel));
      for (std::size_t i = 0; i < std::size(kPaletteRooms); ++i)
        if (bytes <= kPaletteRooms[i] * sizeof(Affine)) return pairs[i];
      return VK_NULL_HANDLE;
    }
  };
  Device device;
  Functions vk;
  DispatchLimits limits;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule general = VK_NULL_HANDLE, compact = VK_NULL_HANDLE;
  VkShaderModule pairs[std::size(kPaletteRooms)] = {};  ///< null where the device cannot hold one
  std::vector<Pipeline> pipelines;

  State(const Device& d, const Functions& f) : device(d), vk(f) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const Pipeline& p : pipelines) {
      vk.destroy_pipeline(device.device, p.general, nullptr);
      for (const VkPipeline pipeline : p.pairs) vk.destroy_pipeline(device.device, pipeline, nullptr);
    }
    vk.destroy_pipeline_layout(device.device, layout, nullptr);
    vk.destroy_shader_module(device.device, general, nullptr);
    vk.destroy_shader_module(device.device, compact, nullptr);
    for (const VkShaderModule module : pairs) vk.destroy_shader_module(device.device, module, nullptr);
  }
  const Pipeline* find(const SkinKernel& kernel) const {
    for (const Pipeline& p : pipelines)
      if (p.kernel == kernel) return &p;
    return nullptr;
  }
  VkResult make(VkShaderModule module, const SkinKernel& kernel, VkPipelineCache cache, VkPipeline& out) const;
  VkResult add(const SkinKernel& kernel, VkPipelineCache cache);
};

VkResult Skinner::State::make(VkShaderModule module, const SkinKernel& kernel, VkPipelineCache cache,
                              VkPipeline& out) const {
  const Specialization constants = specialization(kernel);
  const VkSpecializationInfo info = constants.info();
  VkComputePipelineCreateInfo create{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = module;
  create.stage.pName = "main";
  create.stage.pSpecializationInfo = &info;
  create.layout = layout;
  return made_by(out, [&](VkPipeline* made) {
    return vk.create_compute_pipelines(device.device, cache, 1, &create, nullptr, made);
  });
}

VkResult Skinner::State::add(const SkinKernel& kernel, VkPipelineCache cache) {
  Pipeline& added = pipelines.emplace_back(Pipeline{kernel});
  const bool is_compact = kernel.format == VertexFormat::compact;
  VkResult result = make(is_compact ? compact : general, kernel, cache, added.general);
  if (!by_pairs(kernel)) return result;
  for (std::size_t i = 0; i < std::size(pairs) && result == VK_SUCCESS; ++i)
    if (pairs[i] && has_room_for(kPaletteRooms[i], palette_entry_bytes(kernel)))
      result = make(pairs[i], kernel, cache, added.pairs[i]);
  return result;
}

Skinner::Skinner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Skinner::Skinner(Skinner&&) noexcept = default;
Skinner& Skinner::operator=(Skinner&&) noexcept = default;
Skinner::~Skinner() = default;

bool Skinner::has(const SkinKernel& kernel) const { return state_->find(kernel) != nullptr; }

Result<Skinner> Skinner::create(const Device& device, std::span<const SkinKernel> kernels, const DispatchLimits& limits,
                                VkPipelineCache cache) {
  const Result<Functions> functions = load_functions(device);
  if (!functions) return Unexpected(functions.error());
  const Result<VkPhysicalDeviceLimits> has = limits_of(device, *functions);
  if (!has) return Unexpected(has.error());
  auto state = std::make_unique<State>(device, *functions);
  const auto limit = [](std::uint32_t asked, std::uint32_t most) { return asked ? std::min(asked, most) : most; };
  const std::uint32_t* const groups = has->maxComputeWorkGroupCount;
  state->limits = {limit(limits.groups_x, groups[0]), limit(limits.groups_y, groups[1]),
                   limit(limits.elements, kMostElements)};

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Constants)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  const Functions& vk = state->vk;
  const VkResult laid = made_by(state->layout, [&](VkPipelineLayout* made) {
    return vk.create_pipeline_layout(device.device, &layout, nullptr, made);
  });
  if (laid != VK_SUCCESS) return failed("the pipeline layout", laid);
  const auto make_module = [&](std::span<const std::uint32_t> words, VkShaderModule& module) {
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = words.size_bytes();
    code.pCode = words.data();
    return made_by(module,
                   [&](VkShaderModule* made) { return vk.create_shader_module(device.device, &code, nullptr, made); });
  };
  if (const VkResult r = make_module(shaders::skin_comp, state->general); r != VK_SUCCESS)
    return failed("a shader module", r);
  if (const VkResult r = make_module(shaders::skin_compact_comp, state->compact); r != VK_SUCCESS)
    return failed("a shader module", r);
  const std::span<const std::uint32_t> by_room[] = {shaders::skin_pairs_64_comp, shaders::skin_pairs_128_comp,
                                                    shaders::skin_pairs_192_comp};
  static_assert(std::size(by_room) == std::size(kPaletteRooms));
  for (std::size_t i = 0; i < std::size(by_room); ++i) {
    if (has->maxComputeWorkGroupInvocations < kPairThreads ||
        has->maxComputeSharedMemorySize < pair_group_bytes(kPaletteRooms[i]))
      continue;
    if (const VkResult r = make_module(by_room[i], state->pairs[i]); r != VK_SUCCESS)
      return failed("a shader module", r);
  }
  for (const SkinKernel& kernel : kernels) {
    if (state->find(kernel)) continue;
    if (const VkResult r = state->add(kernel, cache); r != VK_SUCCESS) return failed(pipeline_of(kernel), r);
  }
  return Skinner(std::move(state));
}

void run(const SkinDispatch& job) {
  const Skinner::State& state = *job.skinner->state_;
  const MeshLayout& mesh = *job.source.layout;
  const std::uint64_t instances = job.source.instance_count;
  const Skinner::State::Pipeline* const pipeline = state.find(mesh.kernel);
  SINEW_CONTRACT(pipeline, "SkinDispatch.skinner: made without a kernel for this mesh (format '%s', %u influences)",
                 to_string(mesh.kernel.format), mesh.kernel.influences);
  if (!check_source(job.source)) return;
  SINEW_CONTRACT(fits(job.positions, instances * mesh.output_positions), "SkinDispatch.positions: %llu of %llu bytes",
                 as_printed(job.positions.size), as_printed(instances * mesh.output_positions));
  SINEW_CONTRACT(fits(job.normals, instances * mesh.output_normals), "SkinDispatch.normals: %llu of %llu bytes",
                 as_printed(job.normals.size), as_printed(instances * mesh.output_normals));
  SINEW_CONTRACT(fits(job.tangents, instances * mesh.output_tangents), "SkinDispatch.tangents: %llu of %llu bytes",
                 as_printed(job.tangents.size), as_printed(instances * mesh.output_tangents));
  if (mesh.vertex_count == 0 || instances == 0) return;

  const Functions& vk = state.vk;
  const VkPipeline pairs = pipeline->pairs_for(mesh.palette_limit);
  GroupShape shape;
  if (mesh.kernel.format == VertexFormat::compact) shape.vertices = 2 * kGroupThreads;
  if (pairs) shape = {2 * kPairThreads, instances_a_thread(mesh.vertex_count, job.source.instance_count)};
  vk.bind_pipeline(job.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pairs ? pairs : pipeline->general);
  const std::uint64_t entry_bytes = palette_entry_bytes(mesh.kernel);
  for_each_dispatch(mesh.vertex_count, job.source.instance_count, shape, state.limits, [&](const DispatchRange& range) {
    Constants constants{skin_input(job.source), 0, 0, 0, range.first_vertex, range.instance_count};
    const std::uint64_t first = range.first_instance;
    constants.input.palettes += first * job.source.palette_stride * entry_bytes;
    constants.input.channels += first * job.source.channel_stride * sizeof(float);
    if (pairs) constants.input.channel_stride = mesh.palette_limit;  // has no channels, and no room for another number
    constants.positions = job.positions.address + first * mesh.output_positions;
    constants.normals = job.normals.address + first * mesh.output_normals;
    constants.tangents = job.tangents.address + first * mesh.output_tangents;
    vk.push_constants(job.commands, state.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Constants), &constants);
    vk.dispatch(job.commands, range.groups_x, range.groups_y, 1);
  });
}

}  // namespace sinew::vulkan
