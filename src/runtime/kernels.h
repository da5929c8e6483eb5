// The runtime's vector code, one function a stage, compiled for every instruction set and dispatched once a job. The
// jobs have checked their contracts before; nothing is checked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/additive.h"
#include "sinew/blend.h"
#include "sinew/clip.h"
#include "sinew/math.h"
#include "sinew/mesh.h"
#include "sinew/pose.h"
#include "sinew/skeleton.h"
#include "sinew/skin.h"

namespace sinew::kernels {

/// The clip at a time, the rest pose elsewhere. `cursors` is null or holds one a group.
void sample(const Clip& clip, const Skeleton& skeleton, float time, std::uint32_t* cursors, Pose& pose);

/// Local transforms (a pose's streams, `stride` floats apart) to model matrices; rows are in depth-first order.
/// `second`: of the skeleton.
void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents, std::size_t second,
           Affine* model_from_joint);

/// `out[i] = left[joints[i]] * right[i]`.
void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out);

/// The matrices as dual quaternions. False: not all are rotations within `tolerance` (of products of columns), and those
/// that are not come out as something else.
bool rigid(std::span<const Affine> matrices, float tolerance, DualQuaternion* out);

/// The mean of the job's layers with their weights times `scale`, which sum to 1, and its additive layers on top. The
/// first layer weighs something.
/// `masked`: a layer that weighs anything has a mask; else no sum can be 0.
/// `additive`: an additive layer weighs anything.
void blend(const BlendJob& job, float scale, bool masked, bool additive);

/// `difference` may be one of the other two.
void difference(const Pose& pose, const Pose& reference, Pose& difference);

/// What `open` asks of many numbers at once. False: some may be bad, and the caller looks for the one to name.
bool all_finite(std::span<const float> values);
/// `count` blocks of kLanes rotations, component by component, aligned to 64 bytes: lengths within `tolerance` of 1.
bool unit_rotations(const float* blocks, std::size_t count, float tolerance);

/// `k` weights a vertex: none negative, descending, their sum within `tolerance` of 1.
bool sound_weights(std::span<const float> weights, std::size_t k, float tolerance);
/// The run that holds the mesh's vertices `begin` to `end`, of these joints (one at least), says what the mesh's joints
/// and weights say. `rows`: its part of `JointRuns::weights`, behind which kPadding more floats may be read.
bool run_agrees(const Mesh& mesh, std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                const float* rows);
/// The greatest value, 0 of none; the same on every instruction set.
std::uint32_t greatest(std::span<const std::uint32_t> values);
std::uint16_t greatest(std::span<const std::uint16_t> values);

/// The whole stage.
void skin(const SkinJob& job);

}  // namespace sinew::kernels
