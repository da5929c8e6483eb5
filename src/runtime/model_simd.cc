#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/model_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows of up to kLanes local matrices: row r of joint j at rows[r][4 * j].
struct LocalRows {
  alignas(64) float rows[3][4 * kLanes];
};

/// T * R * S of kLanes joints from `first` on.
HWY_INLINE void local_rows(const float* HWY_RESTRICT pose, std::size_t stride, std::size_t first,
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

/// `left * right`; the right one's rows lie `row` floats apart.
HWY_INLINE void multiply(const float* HWY_RESTRICT left, const float* HWY_RESTRICT right, std::size_t row,
                         float* HWY_RESTRICT out) {
  for (std::size_t r = 0; r < 3; ++r) {
    const float a = left[4 * r], b = left[4 * r + 1], c = left[4 * r + 2];
    for (std::size_t i = 0; i < 4; ++i) {
      const float last = i == 3 ? left[4 * r + 3] : 0.0f;
      out[4 * r + i] = a * right[i] + (b * right[row + i] + (c * right[2 * row + i] + last));
    }
  }
}

/// A joint's model matrix after another.
class Walk {
 public:
  explicit Walk(Affine* model_from_joint) : out_(model_from_joint) {}
  HWY_INLINE void next(std::size_t joint, std::int32_t parent, const LocalRows& local) {
    float* const out = out_[joint].rows[0];
    const float* const right = local.rows[0] + 4 * (joint % kLanes);
    if (parent >= 0) return multiply(out_[parent].rows[0], right, 4 * kLanes, out);
    for (std::size_t r = 0; r < 3; ++r) std::copy_n(right + r * 4 * kLanes, 4, out + 4 * r);
  }

 private:
  Affine* out_;
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

template <class D>
HWY_INLINE hn::Vec<hn::FixedTag<float, 4> > first_block(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(d) > 4)
    return hn::LowerHalf(hn::FixedTag<float, 4>(), v);
  else
    return v;
}

/// A joint's model matrix after another. The last one is kept: most joints follow their parent, and a matrix that was
/// just written is a while on its way back.
class Walk {
 public:
  explicit Walk(Affine* model_from_joint) : out_(model_from_joint) {}
  HWY_INLINE void next(std::size_t joint, std::int32_t parent, const LocalRows& local) {
    const Pair pair;
    const Single single;
    const float* const right = local.rows[0] + 4 * (joint % kLanes);
    if (parent < 0) {
      for (std::size_t r = 0; r < 3; ++r) std::copy_n(right + r * 4 * kLanes, 4, out_[joint].rows[r]);
      load(joint);
      return;
    }
    if (std::size_t(parent) + 1 != joint) load(std::size_t(parent));
    const auto r0 = hn::LoadDup128(pair, right), r1 = hn::LoadDup128(pair, right + 4 * kLanes),
               r2 = hn::LoadDup128(pair, right + 8 * kLanes);
    upper_ = product_rows(pair, upper_, r0, r1, r2);
    const auto s0 = first_block(pair, r0), s1 = first_block(pair, r1), s2 = first_block(pair, r2);
    lower_ = product_rows(single, lower_, s0, s1, s2);
    float* const out = out_[joint].rows[0];
    hn::StoreU(upper_, pair, out), hn::Store(lower_, single, out + 8);
    if (kApart) {
      middle_ = product_rows(single, middle_, s0, s1, s2);
      hn::Store(middle_, single, out + 4);
    }
  }

 private:
  using Single = hn::FixedTag<float, 4>;
  using Pair = hn::CappedTag<float, 8>;
  static constexpr bool kApart = hn::MaxLanes(Pair()) == 4;  // no vector holds two rows: the second has its own
  HWY_INLINE void load(std::size_t joint) {
    const float* const left = out_[joint].rows[0];
    upper_ = hn::LoadU(Pair(), left), lower_ = hn::Load(Single(), left + 8);
    if (kApart) middle_ = hn::Load(Single(), left + 4);
  }
  Affine* out_;
  hn::Vec<Pair> upper_ = hn::Zero(Pair());
  hn::Vec<Single> middle_ = hn::Zero(Single()), lower_ = hn::Zero(Single());
};

template <class D>
HWY_INLINE void multiply_with(D d, const float* HWY_RESTRICT left, const float* HWY_RESTRICT right, std::size_t row,
                              float* HWY_RESTRICT out) {
  if constexpr (hn::MaxLanes(d) == 16) {
    const auto rows = hn::FirstN(d, 12);
    hn::BlendedStore(product_rows(d, hn::MaskedLoad(rows, d, left), hn::LoadDup128(d, right),
                                  hn::LoadDup128(d, right + row), hn::LoadDup128(d, right + 2 * row)),
                     rows, d, out);
  } else if constexpr (hn::MaxLanes(d) == 8) {
    const hn::FixedTag<float, 4> half;
    const auto r0 = hn::LoadDup128(d, right), r1 = hn::LoadDup128(d, right + row),
               r2 = hn::LoadDup128(d, right + 2 * row);
    hn::StoreU(product_rows(d, hn::LoadU(d, left), r0, r1, r2), d, out);
    hn::Store(product_rows(half, hn::Load(half, left + 8), hn::LowerHalf(half, r0), hn::LowerHalf(half, r1),
                           hn::LowerHalf(half, r2)),
              half, out + 8);
  } else {
    const auto r0 = hn::Load(d, right), r1 = hn::Load(d, right + row), r2 = hn::Load(d, right + 2 * row);
    for (std::size_t r = 0; r < 3; ++r)
      hn::Store(product_rows(d, hn::Load(d, left + 4 * r), r0, r1, r2), d, out + 4 * r);
  }
}
HWY_INLINE void multiply(const float* left, const float* right, std::size_t row, float* out) {
  multiply_with(hn::CappedTag<float, 16>(), left, right, row, out);
}

#endif

HWY_ATTR void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents,
                    Affine* model_from_joint) {
  LocalRows local;
  Walk walk(model_from_joint);
  for (std::size_t joint = 0; joint < parents.size(); ++joint) {
    if (joint % kLanes == 0) local_rows(pose, stride, joint, local);
    walk.next(joint, parents[joint], local);
  }
}

HWY_ATTR void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out) {
  for (std::size_t i = 0; i < joints.size(); ++i)
    multiply(left[joints[i]].rows[0], right[i].rows[0], 4, out[i].rows[0]);
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(model);
HWY_EXPORT(palette);

void model(const float* pose, std::size_t stride, std::span<const std::int32_t> parents, Affine* model_from_joint) {
  HWY_DYNAMIC_DISPATCH(model)(pose, stride, parents, model_from_joint);
}

void palette(const Affine* left, std::span<const std::uint32_t> joints, const Affine* right, Affine* out) {
  HWY_DYNAMIC_DISPATCH(palette)(left, joints, right, out);
}

}  // namespace sinew::kernels
#endif
