// The runtime's vector code, one function a stage, compiled for every instruction set and dispatched once a job. The
// jobs have checked their contracts before; nothing is checked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/character.h"
#include "sinew/math.h"
#include "sinew/pose.h"

namespace sinew::kernels {

/// The clip at a time, the rest pose elsewhere. `cursors` is null or holds one a group.
void sample(const Clip& clip, const Skeleton& skeleton, float time, std::uint32_t* cursors, Pose& pose);

/// Local transforms (a pose's streams, `stride` floats apart) to model matrices; parents come first.
void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents, Affine* model_from_joint);

/// `out[i] = left[joints[i]] * right[i]`.
void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out);

}  // namespace sinew::kernels
