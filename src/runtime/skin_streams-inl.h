// Where a block of vertices comes from and goes to, so that a kernel may read and write 16 whole ones anywhere.
#if defined(SINEW_RUNTIME_SKIN_STREAMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_STREAMS_INL_H_
#undef SINEW_RUNTIME_SKIN_STREAMS_INL_H_
#else
#define SINEW_RUNTIME_SKIN_STREAMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/joint_runs.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t kBlock = JointRuns::kBlock;
constexpr std::size_t kWindow = 256;  // vertices at a time that go through a buffer: all buffers fit the first cache

/// One array of a mesh, C floats a vertex, with morph targets added: the mesh's own memory where nothing is added and
/// a whole block is there, else a buffer of the next vertices.
template <std::size_t C>
class Source {
 public:
  /// `targets`: none, or three floats a vertex for each of `weights`.
  HWY_INLINE Source(const float* values, std::size_t count, const float* targets, std::span<const float> weights)
      : values_(values), targets_(targets), weights_(weights), count_(count) {
    morphs_ = targets && std::any_of(weights.begin(), weights.end(), [](float w) { return w != 0; });
  }

  HWY_INLINE const float* at(std::size_t vertex) {
    if (HWY_LIKELY(!morphs_ && vertex + kBlock <= count_)) return values_ + C * vertex;
    if (vertex < begin_ || vertex >= end_ || (vertex + kBlock > end_ && end_ < count_)) fill(vertex);
    return buffer_ + C * (vertex - begin_);
  }

 private:
  HWY_NOINLINE void fill(std::size_t vertex) {
    begin_ = vertex;
    end_ = std::min(count_, vertex + kWindow);
    const std::size_t count = end_ - begin_;
    std::memcpy(buffer_, values_ + C * begin_, C * count * sizeof(float));
    for (std::size_t t = 0; morphs_ && t < weights_.size(); ++t)
      if (weights_[t] != 0) add(targets_ + 3 * (t * count_ + begin_), weights_[t], count);
    for (std::size_t i = count; i < count + kBlock; ++i)  // past the mesh: the last vertex again
      std::memcpy(buffer_ + C * i, buffer_ + C * (count - 1), C * sizeof(float));
  }
  HWY_INLINE void add(const float* HWY_RESTRICT target, float weight, std::size_t count) {
    if constexpr (C == 3) {
      const Lanes d;
      std::size_t i = 0;
      for (; i + kWidth <= 3 * count; i += kWidth)
        hn::StoreU(hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, target + i), hn::LoadU(d, buffer_ + i)), d, buffer_ + i);
      for (; i < 3 * count; ++i) buffer_[i] += weight * target[i];
    } else {
      for (std::size_t v = 0; v < count; ++v)
        for (std::size_t c = 0; c < 3; ++c) buffer_[C * v + c] += weight * target[3 * v + c];
    }
  }

  const float* values_;
  const float* targets_;
  std::span<const float> weights_;
  std::size_t count_, begin_ = 0, end_ = 0;
  bool morphs_;
  alignas(64) float buffer_[C * (kWindow + kBlock)];
};

/// One array of the output: the caller's memory, or a buffer where its values are not floats side by side, and for the
/// last block. What a kernel writes past its vertices is written over by the next block, or dropped.
template <std::size_t C>
class Sink {
 public:
  HWY_INLINE Sink(std::byte* to, std::size_t stride, std::size_t count)
      : to_(to),
        stride_(stride),
        count_(count),
        direct_(stride == C * sizeof(float) && reinterpret_cast<std::uintptr_t>(to) % sizeof(float) == 0) {}

  HWY_INLINE float* at(std::size_t vertex) {
    if (HWY_LIKELY(direct_)) {
      if (HWY_LIKELY(vertex + kBlock <= count_)) return reinterpret_cast<float*>(to_) + C * vertex;
      direct_ = false;
      begin_ = vertex;
    }
    if (HWY_UNLIKELY(vertex - begin_ > kWindow)) flush(vertex);
    return buffer_ + C * (vertex - begin_);
  }
  HWY_INLINE void finish() {
    if (!direct_) flush(count_);
  }

 private:
  /// The buffer's vertices before `end` go out.
  HWY_NOINLINE void flush(std::size_t end) {
    for (std::size_t v = begin_; v < end; ++v)
      std::memcpy(to_ + v * stride_, buffer_ + C * (v - begin_), C * sizeof(float));
    begin_ = end;
  }

  std::byte* to_;
  std::size_t stride_, count_, begin_ = 0;  // first vertex in the buffer
  bool direct_;
  alignas(64) float buffer_[C * (kWindow + kBlock)];
};

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
