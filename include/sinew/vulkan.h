// Vulkan: GPU skinning, in a compute shader or in the vertex shader of each pass; joint matrices in a buffer; morph targets, crowds of instances.
#pragma once

#include <vulkan/vulkan_core.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "sinew/gpu.h"
#include "sinew/job.h"
#include "sinew/result.h"

/// For an engine that has a device. Nothing here owns an instance, a window or memory, or waits: the caller places every
/// buffer and gives its device address (`VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT`), at a multiple of 16. The device
/// needs Vulkan 1.2 with `bufferDeviceAddress` enabled. Skinned vertices are in model space.
namespace sinew::vulkan {

/// Device memory at `address`, of which `size` bytes may be used.
struct Region {
  VkDeviceAddress address = 0;
  VkDeviceSize size = 0;
};

/// The caller's device. Functions are taken from `get_instance_proc_addr`; no loader is linked.
struct Device {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
};

/// How far one dispatch reaches; greater jobs are split. 0: the device's own limit.
struct DispatchLimits {
  std::uint32_t groups_x = 0;  ///< work groups: of 64 vertices, compact 128, pairs 512
  std::uint32_t groups_y = 0;  ///< instances
  std::uint32_t elements = 0;  ///< vertices of all instances together
};

/// The compute pipelines of some kernels. Must outlive the command buffers that it records into.
class Skinner {
 public:
  /// Errors: `bad_argument` (a null handle), `unsupported` (a device below Vulkan 1.2 or without bufferDeviceAddress, a
  /// function that the loader does not have), `io` (a pipeline could not be made; says Vulkan's result and what helps).
  static Result<Skinner> create(const Device& device, std::span<const SkinKernel> kernels,
                                const DispatchLimits& limits = {}, VkPipelineCache cache = VK_NULL_HANDLE);
  Skinner(Skinner&&) noexcept;
  Skinner& operator=(Skinner&&) noexcept;
  ~Skinner();
  bool has(const SkinKernel& kernel) const;

 private:
  struct State;
  explicit Skinner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
  friend void run(const struct SkinDispatch& job);
};

/// What both stages read: a mesh, and the palettes and morph weights of its instances.
struct SkinSource {
  In<MeshLayout> layout;
  Region mesh;      ///< as `pack_mesh` fills it
  Region palettes;  ///< instance after instance, `palette_stride` entries apart, as `pack_palette` fills them
  std::uint32_t palette_stride = 0;  ///< 0: all instances share one palette
  Region channels = {};              ///< morph weights, likewise; not read without targets
  std::uint32_t channel_stride = 0;
  std::uint32_t instance_count = 1;
};

/// Skins all instances into buffers: instance after instance, vertex after vertex. Changes the command buffer's compute
/// pipeline and push constants. The caller's barriers: mesh, palettes and channels written before the compute stage's
/// `VK_ACCESS_SHADER_READ_BIT`; the outputs' last readers done before its `VK_ACCESS_SHADER_WRITE_BIT`, and that before
/// the next reader (vertex attribute, storage buffer, acceleration structure build). For frames in flight, and to keep
/// the last frame's positions for motion vectors, give regions in turn.
struct SkinDispatch {
  In<Skinner> skinner;
  VkCommandBuffer commands;
  SkinSource source;
  Region positions;  ///< `layout.output_positions` for each instance; so are the next two
  Region normals = {}, tangents = {};
};
void run(const SkinDispatch& job);

/// As the shaders declare it (skin_buffers.glsl). For the vertex stage the caller keeps one in a buffer.
struct SkinInput {
  VkDeviceAddress positions, normals, tangents, joints, weights;
  VkDeviceAddress target_positions, target_normals, target_tangents, channels, palettes;
  std::uint32_t vertex_count, target_count, palette_stride, channel_stride;
};
static_assert(sizeof(SkinInput) == 96);
SkinInput skin_input(const SkinSource& source);

/// Push constants of the vertex shader: `clip_from_model`, column-major, then where a SkinInput lies.
struct VertexConstants {
  std::array<float, 16> clip_from_model;
  VkDeviceAddress input;
  VkDeviceAddress padding = 0;
};
static_assert(sizeof(VertexConstants) == 80);

/// SPIR-V of a vertex shader that pulls and skins: no vertex input is bound; draw with the mesh's indices, one instance
/// an instance. Out: location 0 position and 1 normal in model space, 2 tangent, 3 uv. Specialise it by
/// `specialization`. `capture`: the same with transform feedback of all four, 48 bytes a vertex.
std::span<const std::uint32_t> vertex_shader(bool capture = false);

/// Specialisation constants 0 to 8 of both shaders.
struct Specialization {
  std::array<VkSpecializationMapEntry, 9> entries;
  std::array<std::uint32_t, 9> values;
  /// Points into this object.
  VkSpecializationInfo info() const {
    return {std::uint32_t(entries.size()), entries.data(), sizeof values, values.data()};
  }
};
Specialization specialization(const SkinKernel& kernel);

}  // namespace sinew::vulkan
