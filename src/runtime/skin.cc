#include "sinew/skin.h"

#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {
Vertices::Vertices(const Mesh& mesh)
    : positions_(mesh.vertex_count()), normals_(mesh.normals.size()), tangents_(mesh.tangents.size()) {}

void run(const SkinJob& job) {
  const Mesh& mesh = *job.mesh;
  const std::size_t count = mesh.vertex_count();
  const bool normals = !job.output.normals.empty(), tangents = !job.output.tangents.empty();
  SINEW_CONTRACT(job.palette.size() >= mesh.palette_limit, "SkinJob.palette: %zu entries, the mesh uses %u",
                 job.palette.size(), mesh.palette_limit);
  SINEW_CONTRACT(job.output.positions.size() >= count, "SkinJob.output.positions: room for %zu of %zu vertices",
                 job.output.positions.size(), count);
  SINEW_CONTRACT(!normals || (job.output.normals.size() >= count && !mesh.normals.empty()),
                 "SkinJob.output.normals: room for %zu, the mesh has %zu", job.output.normals.size(),
                 mesh.normals.size());
  SINEW_CONTRACT(!tangents || (job.output.tangents.size() >= count && !mesh.tangents.empty()),
                 "SkinJob.output.tangents: room for %zu, the mesh has %zu", job.output.tangents.size(),
                 mesh.tangents.size());
  SINEW_CONTRACT(job.channels.empty() || job.channels.size() >= mesh.target_count,
                 "SkinJob.channels: %zu given, the mesh has %u morph targets", job.channels.size(), mesh.target_count);
  SINEW_CONTRACT(job.method == SkinMethod::linear || job.dual,
                 "SkinJob.dual: none is given, and the method is not linear");
  SINEW_CONTRACT(job.method == SkinMethod::linear || job.dual->size() >= mesh.palette_limit,
                 "SkinJob.dual: %zu entries, the mesh uses %u", job.dual->size(), mesh.palette_limit);
  kernels::skin(job);
}

}  // namespace sinew
