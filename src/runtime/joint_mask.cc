#include "sinew/joint_mask.h"

#include <algorithm>
#include <cstddef>

#include "core/contract.h"

namespace sinew {
namespace {

bool is_share(float value) { return value >= 0 && value <= 1; }  // false for NaN

/// Levels from a descendant up to `joint`, at most `most`.
std::uint32_t levels_below(const Skeleton& skeleton, std::size_t joint, std::size_t row, std::uint32_t most) {
  std::uint32_t levels = 0;
  for (; levels < most && row != joint; ++levels) row = std::size_t(skeleton.parents[row]);
  return levels;
}

}  // namespace

JointMask::JointMask(const Skeleton& skeleton, float value)
    : values_(padded(skeleton.joint_count()) + padded(skeleton.channel_count()), 1.0f),
      joint_count_(skeleton.joint_count()),
      channel_count_(skeleton.channel_count()),
      skeleton_id_(skeleton.id) {
  fill(value);
}

void JointMask::fill(float value) {
  SINEW_CONTRACT(is_share(value), "JointMask::fill: %g is not from 0 to 1", double(value));
  std::fill_n(values_.begin(), joint_count_, value);
  set_channels(0, channel_count_, value);
}

void JointMask::set(std::size_t joint, float value) {
  SINEW_CONTRACT(joint < joint_count_, "JointMask::set: joint %zu of %zu", joint, joint_count_);
  SINEW_CONTRACT(is_share(value), "JointMask::set: %g is not from 0 to 1", double(value));
  values_[joint] = value;
}

void JointMask::set(std::span<const std::uint32_t> joints, float value) {
  SINEW_CONTRACT(is_share(value), "JointMask::set: %g is not from 0 to 1", double(value));
  for (const std::uint32_t joint : joints)
    SINEW_CONTRACT(joint < joint_count_, "JointMask::set: joint %u of %zu", joint, joint_count_);
  for (const std::uint32_t joint : joints) values_[joint] = value;
}

void JointMask::set_subtree(const Skeleton& skeleton, std::size_t joint, float value, std::uint32_t feather_levels) {
  SINEW_CONTRACT(made_for(skeleton), "JointMask::set_subtree: the mask was made for another skeleton");
  SINEW_CONTRACT(joint < joint_count_, "JointMask::set_subtree: joint %zu of %zu", joint, joint_count_);
  SINEW_CONTRACT(is_share(value), "JointMask::set_subtree: %g is not from 0 to 1", double(value));
  for (std::size_t row = joint; row < skeleton.subtree_ends[joint]; ++row) {
    const std::uint32_t levels = levels_below(skeleton, joint, row, feather_levels);
    const float share = (float(levels) + 1) / (float(feather_levels) + 1);
    // As a mean of two, which cannot leave 0 to 1, and is `value` itself at the end.
    values_[row] = levels == feather_levels ? value : (1 - share) * values_[row] + share * value;
  }
}

void JointMask::set_channels(std::size_t first, std::size_t count, float value) {
  SINEW_CONTRACT(first <= channel_count_ && count <= channel_count_ - first,
                 "JointMask::set_channels: %zu from %zu on, of %zu", count, first, channel_count_);
  SINEW_CONTRACT(is_share(value), "JointMask::set_channels: %g is not from 0 to 1", double(value));
  std::fill_n(values_.begin() + std::ptrdiff_t(padded(joint_count_) + first), count, value);
}

void JointMask::invert() {
  const auto flip = [](float value) { return 1 - value; };
  std::transform(values_.begin(), values_.begin() + std::ptrdiff_t(joint_count_), values_.begin(), flip);
  const auto channel = values_.begin() + std::ptrdiff_t(padded(joint_count_));
  std::transform(channel, channel + std::ptrdiff_t(channel_count_), channel, flip);
}

}  // namespace sinew
