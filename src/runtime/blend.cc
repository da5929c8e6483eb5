#include "sinew/blend.h"

#include <cmath>
#include <cstddef>

#include "core/contract.h"

namespace sinew {
namespace {

/// Weighted sum over the layers, joint by joint, so that the output may be one of them.
template <class Value>
float mean(std::span<const BlendLayer> layers, float scale, Value value) {
  float sum = 0;
  for (const BlendLayer& layer : layers) sum += layer.weight * scale * value(*layer.pose);
  return sum;
}

void blend_vectors(const BlendJob& job, float scale, Stream stream) {
  const std::span<float> out = job.pose->stream(stream);
  for (std::size_t j = 0; j < job.pose->joint_count(); ++j)
    out[j] = mean(job.layers, scale, [&](const Pose& pose) { return pose.stream(stream)[j]; });
}

Quat rotation(const Pose& pose, std::size_t j) {
  return quat_xyzw(pose.stream(Stream::rx)[j], pose.stream(Stream::ry)[j], pose.stream(Stream::rz)[j],
                   pose.stream(Stream::rw)[j]);
}

void blend_rotations(const BlendJob& job) {
  Pose& out = *job.pose;
  for (std::size_t j = 0; j < out.joint_count(); ++j) {
    Quat sum = quat_xyzw(0, 0, 0, 0), heaviest;
    float greatest = -1;
    for (const BlendLayer& layer : job.layers) {
      Quat q = rotation(*layer.pose, j);
      if (layer.weight > greatest) greatest = layer.weight, heaviest = q;
      const float w = dot(sum, q) < 0 ? -layer.weight : layer.weight;
      sum = quat_xyzw(sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z, sum.w + w * q.w);
    }
    // Rotations that cancel out have no mean; the heaviest layer decides.
    const Quat q = dot(sum, sum) > 0 ? normalize(sum) : heaviest;
    out.stream(Stream::rx)[j] = q.x;
    out.stream(Stream::ry)[j] = q.y;
    out.stream(Stream::rz)[j] = q.z;
    out.stream(Stream::rw)[j] = q.w;
  }
}

}  // namespace

void run(const BlendJob& job) {
  Pose& out = *job.pose;
  SINEW_CONTRACT(out.made_for(*job.skeleton), "BlendJob.pose: made for another skeleton than BlendJob.skeleton");
  float sum = 0;
  const Pose* only = nullptr;
  std::size_t used = 0;
  for (std::size_t i = 0; i < job.layers.size(); ++i) {
    const BlendLayer& layer = job.layers[i];
    SINEW_CONTRACT(layer.pose->joint_count() == out.joint_count() &&
                       layer.pose->channel_count() == out.channel_count() &&
                       layer.pose->skeleton_id() == out.skeleton_id(),
                   "BlendJob.layers[%zu].pose: made for another skeleton (%zu joints, the output has %zu)", i,
                   layer.pose->joint_count(), out.joint_count());
    SINEW_CONTRACT(std::isfinite(layer.weight) && layer.weight >= 0,
                   "BlendJob.layers[%zu].weight: %g is negative or not finite", i, double(layer.weight));
    sum += layer.weight;
    if (layer.weight > 0) only = &*layer.pose, ++used;
  }
  SINEW_CONTRACT(std::isfinite(sum), "BlendJob.layers: the weights' sum is not finite");
  if (used == 0) return out.set_rest(*job.skeleton);
  if (used == 1) {  // exactly, not through a division and a root
    if (only != &out) out = *only;
    return;
  }
  const float scale = 1.0f / sum;
  SINEW_CONTRACT(std::isfinite(scale), "BlendJob.layers: the weights' sum %g is too small to divide by", double(sum));
  for (Stream s : {Stream::tx, Stream::ty, Stream::tz, Stream::sx, Stream::sy, Stream::sz})
    blend_vectors(job, scale, s);
  blend_rotations(job);
  for (std::size_t c = 0; c < out.channel_count(); ++c)
    out.channels()[c] = mean(job.layers, scale, [&](const Pose& pose) { return pose.channels()[c]; });
}

}  // namespace sinew
