#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/dual_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr std::size_t kMatrices = hn::MaxLanes(D());

struct Row {
  V x, y, z, w;
};

HWY_INLINE Row chosen(hn::Mask<D> where, const Row& a, const Row& b) {
  return {hn::IfThenElse(where, a.x, b.x), hn::IfThenElse(where, a.y, b.y), hn::IfThenElse(where, a.z, b.z),
          hn::IfThenElse(where, a.w, b.w)};
}

/// Of kMatrices matrices, component by component. Returns how far the columns' products are from those of a rotation.
HWY_INLINE V convert(const float (&m)[12][kMatrices], float (&out)[8][kMatrices]) {
  const D d;
  const auto at = [&](std::size_t i) HWY_ATTR { return hn::Load(d, m[i]); };
  const V a = at(0), b = at(1), c = at(2), e = at(4), f = at(5), g = at(6), i = at(8), j = at(9), k = at(10);
  const V one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const auto product = [](V p, V q, V r, V s, V t, V u) { return hn::MulAdd(p, q, hn::MulAdd(r, s, hn::Mul(t, u))); };
  V off = hn::Abs(hn::Sub(product(a, a, e, e, i, i), one));
  off = hn::Max(off, hn::Abs(hn::Sub(product(b, b, f, f, j, j), one)));
  off = hn::Max(off, hn::Abs(hn::Sub(product(c, c, g, g, k, k), one)));
  off = hn::Max(off, hn::Abs(product(a, b, e, f, i, j)));
  off = hn::Max(off, hn::Abs(product(a, c, e, g, i, k)));
  off = hn::Max(off, hn::Abs(product(b, c, f, g, j, k)));
  // What mirrors has the same products.
  const V side = product(a, hn::NegMulAdd(g, j, hn::Mul(f, k)), e, hn::NegMulAdd(b, k, hn::Mul(c, j)), i,
                         hn::NegMulAdd(c, f, hn::Mul(b, g)));
  off = hn::IfThenElse(hn::Gt(side, hn::Zero(d)), off, one);

  // Four times the quaternion times one of its components each: the greatest is the precise one (Shepperd 1978).
  const Row by_w = {hn::Sub(j, g), hn::Sub(c, i), hn::Sub(e, b), hn::Add(one, hn::Add(a, hn::Add(f, k)))};
  const Row by_x = {hn::Add(one, hn::Sub(a, hn::Add(f, k))), hn::Add(e, b), hn::Add(c, i), by_w.x};
  const Row by_y = {by_x.y, hn::Add(one, hn::Sub(f, hn::Add(a, k))), hn::Add(j, g), by_w.y};
  const Row by_z = {by_x.z, by_y.z, hn::Add(one, hn::Sub(k, hn::Add(a, f))), by_w.z};
  const auto wx = hn::Ge(by_w.w, by_x.x), yz = hn::Ge(by_y.y, by_z.z);
  const Row first = chosen(wx, by_w, by_x), second = chosen(yz, by_y, by_z);
  const auto greater = hn::Ge(hn::Max(by_w.w, by_x.x), hn::Max(by_y.y, by_z.z));
  Row q = chosen(greater, first, second);
  const V scale = hn::Div(one, hn::Sqrt(hn::MulAdd(q.w, q.w, product(q.x, q.x, q.y, q.y, q.z, q.z))));
  q = {hn::Mul(q.x, scale), hn::Mul(q.y, scale), hn::Mul(q.z, scale), hn::Mul(q.w, scale)};
  const V x = hn::Mul(half, at(3)), y = hn::Mul(half, at(7)), z = hn::Mul(half, at(11));
  hn::Store(q.x, d, out[0]), hn::Store(q.y, d, out[1]), hn::Store(q.z, d, out[2]), hn::Store(q.w, d, out[3]);
  hn::Store(hn::MulAdd(q.w, x, hn::NegMulAdd(z, q.y, hn::Mul(y, q.z))), d, out[4]);
  hn::Store(hn::MulAdd(q.w, y, hn::NegMulAdd(x, q.z, hn::Mul(z, q.x))), d, out[5]);
  hn::Store(hn::MulAdd(q.w, z, hn::NegMulAdd(y, q.x, hn::Mul(x, q.y))), d, out[6]);
  hn::Store(hn::Neg(product(x, q.x, y, q.y, z, q.z)), d, out[7]);
  return off;
}

HWY_ATTR bool rigid(std::span<const Affine> matrices, float tolerance, DualQuaternion* out) {
  const D d;
  alignas(64) float in[12][kMatrices], made[8][kMatrices];
  auto all = hn::FirstN(d, kMatrices);
  for (std::size_t first = 0; first < matrices.size(); first += kMatrices) {
    const std::size_t count = std::min(kMatrices, matrices.size() - first);
    for (std::size_t i = 0; i < kMatrices; ++i) {  // past the end the last one again
      const float* const matrix = matrices[first + std::min(i, count - 1)].rows[0];
      for (std::size_t c = 0; c < 12; ++c) in[c][i] = matrix[c];
    }
    all = hn::And(all, hn::Le(convert(in, made), hn::Set(d, tolerance)));
    for (std::size_t i = 0; i < count; ++i) {
      out[first + i].real = quat_xyzw(made[0][i], made[1][i], made[2][i], made[3][i]);
      out[first + i].dual = quat_xyzw(made[4][i], made[5][i], made[6][i], made[7][i]);
    }
  }
  return hn::AllTrue(d, all);
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(rigid);

bool rigid(std::span<const Affine> matrices, float tolerance, DualQuaternion* out) {
  return HWY_DYNAMIC_DISPATCH(rigid)(matrices, tolerance, out);
}

}  // namespace sinew::kernels
#endif
