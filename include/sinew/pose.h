// Pose: local transforms of all joints (parent space, structure of arrays) and morph channels; rest pose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/bytes.h"
#include "sinew/math.h"
#include "sinew/skeleton.h"

namespace sinew {

/// One transform a joint, parent space, and one float a morph channel. Never matrices: blending comes first,
/// matrices after it (model.h). Allocates once, in the constructor; copies are deep. Streams are padded to 16 floats
/// and aligned to 64 bytes; padding joints hold the identity.
class Pose {
 public:
  /// The skeleton's rest pose.
  explicit Pose(const Skeleton& skeleton);
  Pose(const Pose& other);
  Pose(Pose&& other) noexcept;
  Pose& operator=(const Pose& other);
  Pose& operator=(Pose&& other) noexcept;
  ~Pose();

  std::size_t joint_count() const { return joint_count_; }
  std::size_t channel_count() const { return channel_count_; }
  /// Of the skeleton that it was made for; jobs refuse a pose of another one.
  std::uint64_t skeleton_id() const { return skeleton_id_; }
  /// Counts are compared too: ids come from files, and a forged one must not let a job write outside a pose.
  bool made_for(const Skeleton& skeleton) const {
    return skeleton_id_ == skeleton.id && joint_count_ == skeleton.joint_count() &&
           channel_count_ == skeleton.channel_count();
  }

  Transform transform(std::size_t joint) const;
  void set_transform(std::size_t joint, const Transform& transform);
  /// Morph weights, parts one after another (`Part::first_channel`).
  std::span<float> channels() { return {data_ + kStreams * stride_, channel_count_}; }
  std::span<const float> channels() const { return {data_ + kStreams * stride_, channel_count_}; }

  /// `padded(joint_count())` floats.
  std::span<float> stream(Stream s) { return {data_ + std::size_t(s) * stride_, stride_}; }
  std::span<const float> stream(Stream s) const { return {data_ + std::size_t(s) * stride_, stride_}; }

  /// Back to the rest pose of its own skeleton.
  void set_rest(const Skeleton& skeleton);

 private:
  std::size_t float_count() const { return kStreams * stride_ + padded(channel_count_); }
  float* data_ = nullptr;
  std::size_t stride_ = 0, joint_count_ = 0, channel_count_ = 0;
  std::uint64_t skeleton_id_ = 0;
};

}  // namespace sinew
