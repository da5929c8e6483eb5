// A pose through the device, as each of its paths skins it: for comparison with the oracle and the CPU.
#pragma once

#include <span>
#include <vector>

#include "gpu/context.h"
#include "gpu/skin_reader.h"
#include "sinew/sinew.h"
#include "support/evaluate.h"

namespace sinew::test {

/// With validation and, where present, transform feedback; made once. Throws what went wrong.
const gpu::Context& device();

/// Palettes and morph weights of some instances, skinned in one job.
std::vector<gpu::SkinnedVertices> skin_on_device(const Mesh& mesh, std::span<const std::vector<Affine>> palettes,
                                                 std::span<const std::vector<float>> channels,
                                                 const gpu::SkinPath& path);

/// The same, with the dual quaternions that other methods than linear need.
std::vector<gpu::SkinnedVertices> skin_on_device(const Mesh& mesh, std::span<const gpu::SkinnedInstance> instances,
                                                 const gpu::SkinPath& path);

/// As `evaluate`: model and palette on the CPU, vertices on the device.
Evaluated evaluate_on_device(const Character& character, const Pose& pose, const gpu::SkinPath& path);

}  // namespace sinew::test
