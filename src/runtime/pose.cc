#include "sinew/pose.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/contract.h"

namespace sinew {
namespace {

float* allocate(std::size_t floats) {
  return static_cast<float*>(::operator new(floats * sizeof(float), std::align_val_t(kAlignment)));
}

}  // namespace

Pose::Pose(const Skeleton& skeleton)
    : stride_(padded(skeleton.joint_count())),
      joint_count_(skeleton.joint_count()),
      channel_count_(skeleton.channel_count()),
      skeleton_id_(skeleton.id) {
  data_ = allocate(float_count());
  std::fill_n(data_, float_count(), 0.0f);
  set_rest(skeleton);
}

Pose::Pose(const Pose& other)
    : stride_(other.stride_),
      joint_count_(other.joint_count_),
      channel_count_(other.channel_count_),
      skeleton_id_(other.skeleton_id_) {
  data_ = allocate(float_count());
  std::memcpy(data_, other.data_, float_count() * sizeof(float));
}

Pose::Pose(Pose&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      stride_(std::exchange(other.stride_, 0)),
      joint_count_(std::exchange(other.joint_count_, 0)),
      channel_count_(std::exchange(other.channel_count_, 0)),
      skeleton_id_(std::exchange(other.skeleton_id_, 0)) {}

Pose& Pose::operator=(const Pose& other) {
  if (this == &other) return *this;
  if (float_count() == other.float_count() && data_ && other.data_) {  // no allocation between poses of one skeleton
    std::memcpy(data_, other.data_, float_count() * sizeof(float));
    stride_ = other.stride_, joint_count_ = other.joint_count_, channel_count_ = other.channel_count_;
    skeleton_id_ = other.skeleton_id_;
    return *this;
  }
  return *this = Pose(other);
}

Pose& Pose::operator=(Pose&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(stride_, other.stride_);
  std::swap(joint_count_, other.joint_count_);
  std::swap(channel_count_, other.channel_count_);
  std::swap(skeleton_id_, other.skeleton_id_);
  return *this;
}

Pose::~Pose() { ::operator delete(data_, std::align_val_t(kAlignment)); }

Transform Pose::transform(std::size_t joint) const {
  const float* p = data_ + joint;
  const std::size_t s = stride_;
  return {{p[0], p[s], p[2 * s]}, quat_xyzw(p[3 * s], p[4 * s], p[5 * s], p[6 * s]), {p[7 * s], p[8 * s], p[9 * s]}};
}

void Pose::set_transform(std::size_t joint, const Transform& t) {
  const float values[kStreams] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                  t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
  for (std::size_t i = 0; i < kStreams; ++i) data_[i * stride_ + joint] = values[i];
}

void Pose::set_rest(const Skeleton& skeleton) {
  SINEW_CONTRACT(made_for(skeleton), "Pose::set_rest: the pose was made for another skeleton");
  std::copy_n(skeleton.rest.data(), kStreams * stride_, data_);
  std::copy_n(skeleton.rest_channels.data(), channel_count_, data_ + kStreams * stride_);
}

}  // namespace sinew
