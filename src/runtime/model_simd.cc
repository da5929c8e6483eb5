#include <algorithm>

#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/model_simd.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Matrices that far on are fetched: where many characters take turns, what a job writes is in no cache, and waiting for
/// it would stop the arithmetic.
constexpr std::size_t kAhead = 4 * kLanes;

/// kLanes matrices.
HWY_INLINE void prefetch(const Affine* first) {
  const char* const at = reinterpret_cast<const char*>(first);
  for (std::size_t i = 0; i < kLanes * sizeof(Affine); i += 64) hwy::Prefetch(at + i);
}

/// Rows of up to kLanes local matrices: row r of joint j at rows[r][4 * j].
struct LocalRows {
  alignas(64) float rows[3][4 * kLanes];
};

/// T * R * S of kLanes joints from `first` on.
HWY_NOINLINE void local_rows(const float* HWY_RESTRICT pose, std::size_t stride, std::size_t first,
                             LocalRows& HWY_RESTRICT out) {
  const hn::CappedTag<float, kLanes> d;
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const float* at = pose + first + i;
    const auto stream = [&](Stream s) { return hn::Load(d, at + std::size_t(s) * stride); };
    const auto x = stream(Stream::rx), y = stream(Stream::ry), z = stream(Stream::rz), w = stream(Stream::rw);
    const auto sx = stream(Stream::sx), sy = stream(Stream::sy), sz = stream(Stream::sz);
    const auto x2 = hn::Add(x, x), y2 = hn::Add(y, y), z2 = hn::Add(z, z), one = hn::Set(d, 1.0f);
    const auto xw = hn::Mul(x2, w), yw = hn::Mul(y2, w), zw = hn::Mul(z2, w);
    const auto yy = hn::Mul(y2, y), zz = hn::Mul(z2, z);
    const auto off_x = hn::NegMulAdd(x2, x, one);  // 1 - 2 x^2
    float* const row0 = out.rows[0] + 4 * i;
    float* const row1 = out.rows[1] + 4 * i;
    float* const row2 = out.rows[2] + 4 * i;
    hn::StoreInterleaved4(hn::Mul(hn::Sub(hn::Sub(one, yy), zz), sx), hn::Mul(hn::MulSub(x2, y, zw), sy),
                          hn::Mul(hn::MulAdd(x2, z, yw), sz), stream(Stream::tx), d, row0);
    hn::StoreInterleaved4(hn::Mul(hn::MulAdd(x2, y, zw), sx), hn::Mul(hn::Sub(off_x, zz), sy),
                          hn::Mul(hn::MulSub(y2, z, xw), sz), stream(Stream::ty), d, row1);
    hn::StoreInterleaved4(hn::Mul(hn::MulSub(x2, z, yw), sx), hn::Mul(hn::MulAdd(y2, z, xw), sy),
                          hn::Mul(hn::Sub(off_x, yy), sz), stream(Stream::tz), d, row2);
  }
}

#if HWY_TARGET == HWY_SCALAR

/// A 3x4 matrix.
class Matrix {
 public:
  HWY_INLINE void load(const float* from) { std::copy_n(from, 12, rows_); }
  HWY_INLINE void store(float* to) const { std::copy_n(rows_, 12, to); }
  /// Becomes itself times `right`, whose rows lie `row` floats apart.
  HWY_INLINE void times(const float* right, std::size_t row) {
    for (std::size_t r = 0; r < 12; r += 4) {
      const float a = rows_[r], b = rows_[r + 1], c = rows_[r + 2], last = rows_[r + 3];
      for (std::size_t i = 0; i < 4; ++i)
        rows_[r + i] = a * right[i] + (b * right[row + i] + (c * right[2 * row + i] + (i == 3 ? last : 0.0f)));
    }
  }

 private:
  float rows_[12];
};

#else

/// Rows of a product, one a block of four lanes: each row of `left` weighs the rows r0, r1, r2 of the right matrix by
/// its first three numbers; its last is added to the last.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V product_rows(D d, V left, V r0, V r1, V r2) {
  alignas(16) static constexpr std::uint32_t kLast[4] = {0, 0, 0, 0xffffffffu};
  const V last = hn::And(left, hn::BitCast(d, hn::LoadDup128(hn::RebindToUnsigned<D>(), kLast)));
  // Two sums at once: a joint waits for its parent's.
  return hn::Add(hn::MulAdd(hn::Broadcast<0>(left), r0, hn::Mul(hn::Broadcast<1>(left), r1)),
                 hn::MulAdd(hn::Broadcast<2>(left), r2, last));
}

/// A 3x4 matrix in registers.
class Matrix {
 public:
  HWY_INLINE Matrix() {}  // g++ compiles an implicit one without the target's attributes: an error for NEON
  HWY_INLINE void load(const float* HWY_RESTRICT from);
  HWY_INLINE void store(float* HWY_RESTRICT to) const;
  /// Becomes itself times `right`, whose rows lie `row` floats apart.
  HWY_INLINE void times(const float* HWY_RESTRICT right, std::size_t row);

 private:
  using One = hn::FixedTag<float, 4>;
#if HWY_MAX_BYTES == 64  // its rows in one vector, in two, or in one each
  using All = hn::FixedTag<float, 16>;
  hn::Vec<All> rows_;
#elif HWY_MAX_BYTES == 32
  using Two = hn::FixedTag<float, 8>;
  hn::Vec<Two> upper_;
  hn::Vec<One> lower_;
#else
  // Zeros are never used, for a walk begins with a load; g++ for aarch64 does not see that, and warns.
  hn::Vec<One> rows_[3] = {hn::Zero(One()), hn::Zero(One()), hn::Zero(One())};
#endif
};

#if HWY_MAX_BYTES == 64

// In parts, so that what follows close behind can be read before it is in the cache.
void Matrix::load(const float* HWY_RESTRICT from) {
  const hn::FixedTag<float, 8> two;
  rows_ = hn::Combine(All(), hn::ZeroExtendVector(two, hn::Load(One(), from + 8)), hn::LoadU(two, from));
}
void Matrix::store(float* HWY_RESTRICT to) const {
  const hn::FixedTag<float, 8> two;
  hn::StoreU(hn::LowerHalf(two, rows_), two, to);
  hn::Store(hn::LowerHalf(One(), hn::UpperHalf(two, rows_)), One(), to + 8);
}
void Matrix::times(const float* HWY_RESTRICT right, std::size_t row) {
  const All d;
  rows_ = product_rows(d, rows_, hn::LoadDup128(d, right), hn::LoadDup128(d, right + row),
                       hn::LoadDup128(d, right + 2 * row));
}

#elif HWY_MAX_BYTES == 32

void Matrix::load(const float* HWY_RESTRICT from) {
  upper_ = hn::LoadU(Two(), from), lower_ = hn::Load(One(), from + 8);
}
void Matrix::store(float* HWY_RESTRICT to) const { hn::StoreU(upper_, Two(), to), hn::Store(lower_, One(), to + 8); }
void Matrix::times(const float* HWY_RESTRICT right, std::size_t row) {
  const Two d;
  const One half;
  const auto r0 = hn::LoadDup128(d, right), r1 = hn::LoadDup128(d, right + row),
             r2 = hn::LoadDup128(d, right + 2 * row);
  upper_ = product_rows(d, upper_, r0, r1, r2);
  lower_ = product_rows(half, lower_, hn::LowerHalf(half, r0), hn::LowerHalf(half, r1), hn::LowerHalf(half, r2));
}

#else

void Matrix::load(const float* HWY_RESTRICT from) {
  for (std::size_t r = 0; r < 3; ++r) rows_[r] = hn::Load(One(), from + 4 * r);
}
void Matrix::store(float* HWY_RESTRICT to) const {
  for (std::size_t r = 0; r < 3; ++r) hn::Store(rows_[r], One(), to + 4 * r);
}
void Matrix::times(const float* HWY_RESTRICT right, std::size_t row) {
  const One d;
  const auto r0 = hn::Load(d, right), r1 = hn::Load(d, right + row), r2 = hn::Load(d, right + 2 * row);
  for (auto& left : rows_) left = product_rows(d, left, r0, r1, r2);
}
#endif

#endif

/// Joints one after another. The last matrix is kept: most joints follow their parent, and what was just written is a
/// while on its way back.
class Walk {
 public:
  HWY_INLINE Walk(const float* pose, std::size_t stride, const std::int32_t* parents, Affine* model_from_joint,
                  std::size_t first, LocalRows& local)
      : pose_(pose), stride_(stride), parents_(parents), out_(model_from_joint), joint_(first), local_(&local) {}
  std::size_t joint() const { return joint_; }
  /// So many joints have their local matrices, at least one.
  HWY_INLINE std::size_t ready() {
    const std::size_t lane = joint_ % kLanes;
    if (lane == 0 || right_ == nullptr) {
      local_rows(pose_, stride_, joint_ - lane, *local_);
      if (joint_ + kAhead < stride_) prefetch(out_ + joint_ + kAhead);
      right_ = local_->rows[0] + 4 * lane;
    }
    return kLanes - lane;
  }
  HWY_INLINE void next() {
    const std::int32_t parent = parents_[joint_];
    float* const out = out_[joint_].rows[0];
    if (parent < 0) {
      for (std::size_t r = 0; r < 3; ++r) std::copy_n(right_ + r * 4 * kLanes, 4, out + 4 * r);
      last_.load(out);
    } else {
      if (std::size_t(parent) + 1 != joint_) last_.load(out_[parent].rows[0]);
      last_.times(right_, 4 * kLanes);
      last_.store(out);
    }
    ++joint_, right_ += 4;
  }

 private:
  const float* pose_;
  std::size_t stride_;
  const std::int32_t* parents_;
  Affine* out_;
  std::size_t joint_;
  const float* right_ = nullptr;
  Matrix last_;
  LocalRows* local_;
};

HWY_INLINE void walk_to(std::size_t end, Walk& walk) {
  while (walk.joint() < end)
    for (std::size_t n = std::min(walk.ready(), end - walk.joint()); n > 0; --n) walk.next();
}

HWY_ATTR void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents, std::size_t second,
                    Affine* model_from_joint) {
  const std::size_t count = parents.size();
  LocalRows local_a, local_b;
  Walk a(pose, stride, parents.data(), model_from_joint, 0, local_a);
  if (second == 0) return walk_to(count, a);
  // A joint waits for its parent; of two subtrees side by side one goes on meanwhile.
  walk_to(std::size_t(parents[second] + 1), a);
  Walk b(pose, stride, parents.data(), model_from_joint, second, local_b);
  while (a.joint() < second && b.joint() < count) {
    std::size_t n = std::min({a.ready(), b.ready(), second - a.joint(), count - b.joint()});
    for (; n > 0; --n) a.next(), b.next();
  }
  walk_to(second, a), walk_to(count, b);
}

HWY_ATTR void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Matrix matrix;
    matrix.load(left[joints[i]].rows[0]);
    matrix.times(right[i].rows[0], 4);
    matrix.store(out[i].rows[0]);
  }
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(model);
HWY_EXPORT(palette);

void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents, std::size_t second,
           Affine* model_from_joint) {
  HWY_DYNAMIC_DISPATCH(model)(pose, stride, parents, second, model_from_joint);
}

void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out) {
  HWY_DYNAMIC_DISPATCH(palette)(left, joints, right, out);
}

}  // namespace sinew::kernels
#endif
