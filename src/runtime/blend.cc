#include "sinew/blend.h"

#include <cmath>
#include <cstddef>

#include "core/contract.h"
#include "runtime/kernels.h"

namespace sinew {
namespace {

bool fits(const Pose& pose, const Pose& out) {
  return pose.joint_count() == out.joint_count() && pose.channel_count() == out.channel_count() &&
         pose.skeleton_id() == out.skeleton_id();
}
bool fits(const JointMask* mask, const Pose& out) {
  return !mask || (mask->joint_count() == out.joint_count() && mask->channel_count() == out.channel_count() &&
                   mask->skeleton_id() == out.skeleton_id());
}

/// What the layers' weights say about the job.
struct Layers {
  float sum = 0;
  std::size_t used = 0;           // layers whose weight is not 0
  std::size_t first = 0;          // of these
  bool masked = false;            // one of these has a mask
  std::size_t used_additive = 0;  // additive layers whose weight is not 0
  bool valid = false;
};

void check_layers(const BlendJob& job, Layers& out) {
  const Pose& pose = *job.pose;
  for (std::size_t i = 0; i < job.layers.size(); ++i) {
    const BlendLayer& layer = job.layers[i];
    SINEW_CONTRACT(fits(*layer.pose, pose),
                   "BlendJob.layers[%zu].pose: made for another skeleton (%zu joints, the output has %zu)", i,
                   layer.pose->joint_count(), pose.joint_count());
    SINEW_CONTRACT(std::isfinite(layer.weight) && layer.weight >= 0,
                   "BlendJob.layers[%zu].weight: %g is negative or not finite", i, double(layer.weight));
    SINEW_CONTRACT(fits(layer.mask, pose),
                   "BlendJob.layers[%zu].mask: made for another skeleton (%zu joints, the output has %zu)", i,
                   layer.mask->joint_count(), pose.joint_count());
    out.sum += layer.weight;
    if (layer.weight > 0) {
      if (out.used++ == 0) out.first = i;
      out.masked |= layer.mask != nullptr;
    }
  }
  SINEW_CONTRACT(std::isfinite(out.sum), "BlendJob.layers: the weights' sum is not finite");
  for (std::size_t i = 0; i < job.additive.size(); ++i) {
    const AdditiveLayer& layer = job.additive[i];
    SINEW_CONTRACT(fits(layer.pose->difference, pose),
                   "BlendJob.additive[%zu].pose: made for another skeleton (%zu joints, the output has %zu)", i,
                   layer.pose->difference.joint_count(), pose.joint_count());
    SINEW_CONTRACT(std::isfinite(layer.weight), "BlendJob.additive[%zu].weight: %g is not finite", i,
                   double(layer.weight));
    SINEW_CONTRACT(fits(layer.mask, pose),
                   "BlendJob.additive[%zu].mask: made for another skeleton (%zu joints, the output has %zu)", i,
                   layer.mask->joint_count(), pose.joint_count());
    out.used_additive += layer.weight != 0;
  }
  out.valid = true;
}

}  // namespace

void run(const BlendJob& job) {
  Pose& out = *job.pose;
  SINEW_CONTRACT(out.made_for(*job.skeleton), "BlendJob.pose: made for another skeleton than BlendJob.skeleton");
  Layers layers;
  check_layers(job, layers);
  if (!layers.valid) return;
  if (layers.used == 0) {
    out.set_rest(*job.skeleton);
    if (layers.used_additive == 0) return;
    const BlendLayer rest[] = {{out, 1}};
    return kernels::blend({job.skeleton, rest, job.pose, job.additive}, 1, false, true);
  }
  if (layers.used == 1 && !layers.masked && layers.used_additive == 0) {  // exactly, not through a root
    const Pose& only = *job.layers[layers.first].pose;
    if (&only != &out) out = only;
    return;
  }
  const float scale = 1.0f / layers.sum;
  SINEW_CONTRACT(std::isfinite(scale), "BlendJob.layers: the weights' sum %g is too small to divide by",
                 double(layers.sum));
  const BlendJob used{job.skeleton, job.layers.subspan(layers.first), job.pose, job.additive};
  kernels::blend(used, scale, layers.masked, layers.used_additive > 0);
}

}  // namespace sinew
