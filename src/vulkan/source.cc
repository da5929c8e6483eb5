#include <cstddef>

#include "core/contract.h"
#include "sinew/vulkan.h"
#include "skin.vert.spv.h"
#include "skin_capture.vert.spv.h"
#include "vulkan/dispatch.h"

namespace sinew::vulkan {
namespace {

/// Bytes from the first instance's data to the end of the last one's.
std::uint64_t reach(std::uint64_t instances, std::uint64_t stride, std::uint64_t each) {
  return instances == 0 ? 0 : (instances - 1) * stride + each;
}

void check(const SkinSource& source, bool& kept) {
  kept = false;
  const MeshLayout& mesh = *source.layout;
  const std::uint64_t entry_bytes = palette_entry_bytes(mesh.kernel);
  const std::uint64_t palettes = entry_bytes * reach(source.instance_count, source.palette_stride, mesh.palette_limit);
  const std::uint64_t channels =
      mesh.kernel.morphs ? sizeof(float) * reach(source.instance_count, source.channel_stride, mesh.target_count) : 0;
  SINEW_CONTRACT(fits(source.mesh, mesh.size),
                 "SkinSource.mesh: %llu of %llu bytes, or an address off a multiple of 16",
                 as_printed(source.mesh.size), as_printed(mesh.size));
  SINEW_CONTRACT(source.palette_stride == 0 || source.palette_stride >= mesh.palette_limit,
                 "SkinSource.palette_stride: %u entries, the mesh uses %u", source.palette_stride, mesh.palette_limit);
  SINEW_CONTRACT(fits(source.palettes, palettes), "SkinSource.palettes: %llu of %llu bytes",
                 as_printed(source.palettes.size), as_printed(palettes));
  SINEW_CONTRACT(fits(source.channels, channels), "SkinSource.channels: %llu of %llu bytes",
                 as_printed(source.channels.size), as_printed(channels));
  kept = true;
}

}  // namespace

bool check_source(const SkinSource& source) {
  bool kept = false;
  check(source, kept);
  return kept;
}

SkinInput skin_input(const SkinSource& source) {
  const MeshLayout& mesh = *source.layout;
  const VkDeviceAddress at = source.mesh.address;
  return {at + mesh.positions,     at + mesh.normals,          at + mesh.tangents,       at + mesh.joints,
          at + mesh.weights,       at + mesh.target_positions, at + mesh.target_normals, at + mesh.target_tangents,
          source.channels.address, source.palettes.address,    mesh.vertex_count,        mesh.target_count,
          source.palette_stride,   source.channel_stride};
}

Specialization specialization(const SkinKernel& kernel) {
  static_assert(std::uint32_t(SkinMethod::dual_quaternion) == 1 && std::uint32_t(SkinMethod::mixed) == 2);
  Specialization out;
  const std::uint32_t format = std::uint32_t(kernel.format) + (kernel.wide_joints ? 1 : 0);
  out.values = {format,
                kernel.influences,
                kernel.normals,
                kernel.tangents,
                kernel.morphs,
                kernel.normal_mode == NormalMode::exact,
                kernel.palette_4x4,
                std::uint32_t(kernel.method),
                kernel.stretch};
  for (std::uint32_t i = 0; i < out.entries.size(); ++i) out.entries[i] = {i, std::uint32_t(i * 4), 4};
  return out;
}

std::span<const std::uint32_t> vertex_shader(bool capture) {
  if (capture) return shaders::skin_capture_vert;
  return shaders::skin_vert;
}

}  // namespace sinew::vulkan
