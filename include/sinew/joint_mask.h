// Joint mask: a weight for each joint and morph channel, for partial blends (upper body over legs; avatar mask, bone mask, branch filter), with feathering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/bytes.h"
#include "sinew/skeleton.h"

namespace sinew {

/// One weight a joint and one a morph channel, each finite and from 0 to 1: what a layer's weight is multiplied by
/// (blend.h). Allocates once, in the constructor; made ahead of time and used by any number of jobs. Setters leave the
/// mask as it is where a contract is broken; they are not for use while a job reads the mask.
class JointMask {
 public:
  /// `value` for all joints and channels.
  explicit JointMask(const Skeleton& skeleton, float value = 1);

  std::size_t joint_count() const { return joint_count_; }
  std::size_t channel_count() const { return channel_count_; }
  std::uint64_t skeleton_id() const { return skeleton_id_; }
  /// Jobs refuse a mask of another skeleton.
  bool made_for(const Skeleton& skeleton) const {
    return skeleton_id_ == skeleton.id && joint_count_ == skeleton.joint_count() &&
           channel_count_ == skeleton.channel_count();
  }

  /// All joints and all channels.
  void fill(float value);
  void set(std::size_t joint, float value);
  void set(std::span<const std::uint32_t> joints, float value);
  /// The joint and all its descendants. With feathering they change by degrees: the joint itself by a share of
  /// 1 / (feather_levels + 1) of the way from what it holds to `value`, its children by twice that, and so on; from
  /// `feather_levels` levels below the joint on, all the way. Channels stay as they are.
  void set_subtree(const Skeleton& skeleton, std::size_t joint, float value, std::uint32_t feather_levels = 0);
  /// Morph channels, as in `Pose::channels()`: a part's are `Part::first_channel` and `channel_count`.
  void set_channels(std::size_t first, std::size_t count, float value);
  /// 1 - value everywhere: the layer below, where this mask is for the layer above.
  void invert();

  /// `padded(joint_count())` floats, aligned to 64 bytes; padding holds 1.
  std::span<const float> joints() const { return {values_.data(), padded(joint_count_)}; }
  /// One a channel.
  std::span<const float> channels() const { return {values_.data() + padded(joint_count_), channel_count_}; }

 private:
  std::vector<float, AlignedAllocator<float>> values_;  // joints, then channels, each padded
  std::size_t joint_count_ = 0, channel_count_ = 0;
  std::uint64_t skeleton_id_ = 0;
};

}  // namespace sinew
