// SkinReader: skins on a device and reads the vertices back, for the tool and the tests; an engine leaves them where they are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/context.h"
#include "gpu/pipelines.h"
#include "sinew/gpu.h"
#include "sinew/vulkan.h"

namespace sinew::gpu {

/// Which of the device's ways is taken.
struct SkinPath {
  SkinStage stage = SkinStage::compute;
  MeshLayoutOptions layout = {};
  vulkan::DispatchLimits limits = {};  ///< of the compute stage
};

/// What an instance brings; of one mesh all have the same numbers.
struct SkinnedInstance {
  std::span<const Affine> palette;             ///< the mesh's `palette_limit` entries at least
  std::span<const float> channels;             ///< one a morph target
  std::span<const DualQuaternion> rigid = {};  ///< of the part's DualPalette, for other methods than linear
  std::span<const Affine> stretch = {};
};

/// Skinned vertices of one instance in the mesh's own order; empty where the mesh or the layout has none.
struct SkinnedVertices {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
};

class SkinReader {
 public:
  /// The vertex stage needs a context with graphics and transform feedback, which gives its vertices back.
  SkinReader(const Context& context, const SkinPath& path) : context_(context), path_(path) {}
  /// All instances of a mesh by one job; waits for it. Pipelines are made at a kernel's first mesh and kept. Errors:
  /// what the layout cannot hold, what the device lacks, and memory.
  Result<std::vector<SkinnedVertices>> skin(const Mesh& mesh, std::span<const SkinnedInstance> instances);

 private:
  struct Uploaded;
  Result<Uploaded> upload(const Mesh& mesh, std::span<const SkinnedInstance> instances) const;
  Result<std::vector<SkinnedVertices>> by_compute(const Uploaded& uploaded);
  Result<std::vector<SkinnedVertices>> by_vertex(const Uploaded& uploaded);
  Result<const vulkan::Skinner*> skinner(const SkinKernel& kernel);
  Result<const PushPipeline*> capture_of(const SkinKernel& kernel);

  const Context& context_;
  SkinPath path_;
  std::vector<std::pair<SkinKernel, vulkan::Skinner>> skinners_;
  std::vector<std::pair<SkinKernel, PushPipeline>> captures_;
};

}  // namespace sinew::gpu
