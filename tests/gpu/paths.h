// A pose through the device, as each of its paths skins it: for comparison with the oracle and the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/context.h"
#include "sinew/sinew.h"
#include "sinew/vulkan.h"
#include "support/evaluate.h"

namespace sinew::test {

/// With validation and, where present, transform feedback; made once. Throws what went wrong.
const gpu::Context& device();

struct GpuPath {
  SkinStage stage = SkinStage::compute;
  MeshLayoutOptions options = {};
  vulkan::DispatchLimits limits = {};
};

/// One instance's skinned vertices in the mesh's own order.
struct GpuVertices {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
};

/// Palettes and morph weights of some instances, skinned in one job.
std::vector<GpuVertices> skin_on_device(const Mesh& mesh, std::span<const std::vector<Affine>> palettes,
                                        std::span<const std::vector<float>> channels, const GpuPath& path);

/// As `evaluate`: model and palette on the CPU, vertices on the device.
Evaluated evaluate_on_device(const Character& character, const Pose& pose, const GpuPath& path);

}  // namespace sinew::test
