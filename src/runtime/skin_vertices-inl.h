// Positions, normals and tangents of as many vertices as a vector has lanes: in and out, and through their matrices.
#if defined(SINEW_RUNTIME_SKIN_VERTICES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_VERTICES_INL_H_
#undef SINEW_RUNTIME_SKIN_VERTICES_INL_H_
#else
#define SINEW_RUNTIME_SKIN_VERTICES_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/skin_rescue.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, 16>;
using Floats = hn::Vec<Lanes>;
constexpr std::size_t kWidth = hn::MaxLanes(Lanes());

struct Directions {
  Floats x, y, z;
};

/// Matrices of kWidth vertices: row r, column c at m[4 * r + c].
struct Matrices {
  Floats m[12];
  HWY_INLINE Matrices() {}  // g++ compiles an implicit one without the target's attributes: an error for NEON
};

#if HWY_TARGET == HWY_AVX3

// Highway's way between x y z x y z … and x x …, y y …, z z … takes over twice the instructions of these six.
using Places = std::array<std::int32_t, 16>;
constexpr int kThird = 32;  // places below are in the first two registers of 16, the others in the third

constexpr Places apart(int component, bool third) {
  Places out{};
  for (int i = 0; i < 16; ++i) {
    const int from = 3 * i + component;
    out[std::size_t(i)] = third ? (from < kThird ? i : from - kThird + 16) : (from < kThird ? from : 0);
  }
  return out;
}
constexpr Places together(int reg, bool third) {
  Places out{};
  for (int i = 0; i < 16; ++i) {
    const int to = 16 * reg + i, component = to % 3, lane = to / 3;
    out[std::size_t(i)] = third ? (component < 2 ? i : lane + 16) : (component < 2 ? lane + 16 * component : 0);
  }
  return out;
}
alignas(64) constexpr Places kApart[3][2] = {
    {apart(0, false), apart(0, true)}, {apart(1, false), apart(1, true)}, {apart(2, false), apart(2, true)}};
alignas(64) constexpr Places kTogether[3][2] = {{together(0, false), together(0, true)},
                                                {together(1, false), together(1, true)},
                                                {together(2, false), together(2, true)}};

HWY_INLINE Floats picked(const Places (&places)[2], Floats a, Floats b, Floats c) {
  const __m512 two = _mm512_permutex2var_ps(a.raw, _mm512_load_si512(places[0].data()), b.raw);
  return Floats{_mm512_permutex2var_ps(two, _mm512_load_si512(places[1].data()), c.raw)};
}
HWY_INLINE Directions load_three(const float* from) {
  const Lanes d;
  const Floats a = hn::LoadU(d, from), b = hn::LoadU(d, from + 16), c = hn::LoadU(d, from + 32);
  return {picked(kApart[0], a, b, c), picked(kApart[1], a, b, c), picked(kApart[2], a, b, c)};
}
HWY_INLINE void store_three(const Directions& v, float* to) {
  const Lanes d;
  for (std::size_t i = 0; i < 3; ++i) hn::StoreU(picked(kTogether[i], v.x, v.y, v.z), d, to + 16 * i);
}
/// 14 bits of an estimate that is the same on all machines, and a step of Newton's.
HWY_INLINE Floats one_over_root(Floats square) {
  const Lanes d;
  const Floats guess{_mm512_rsqrt14_ps(square.raw)};
  const Floats error = hn::NegMulAdd(hn::Mul(square, guess), guess, hn::Set(d, 1.0f));
  return hn::MulAdd(hn::Mul(guess, hn::Set(d, 0.5f)), error, guess);
}

#else

HWY_INLINE Directions load_three(const float* from) {
  Floats x, y, z;
  hn::LoadInterleaved3(Lanes(), from, x, y, z);
  return {x, y, z};
}
HWY_INLINE void store_three(const Directions& v, float* to) { hn::StoreInterleaved3(v.x, v.y, v.z, Lanes(), to); }
HWY_INLINE Floats one_over_root(Floats square) { return hn::Div(hn::Set(Lanes(), 1.0f), hn::Sqrt(square)); }

#endif

HWY_INLINE Floats dot3(Floats a, Floats b, Floats c, const Directions& v) {
  return hn::MulAdd(a, v.x, hn::MulAdd(b, v.y, hn::Mul(c, v.z)));
}
HWY_INLINE Directions direction(const Matrices& a, const Directions& v) {
  const Floats* m = a.m;
  return {dot3(m[0], m[1], m[2], v), dot3(m[4], m[5], m[6], v), dot3(m[8], m[9], m[10], v)};
}
HWY_INLINE Directions point(const Matrices& a, const Directions& v) {
  const Floats* m = a.m;
  const auto row = [&](std::size_t r) {
    return hn::MulAdd(m[r], v.x, hn::MulAdd(m[r + 1], v.y, hn::MulAdd(m[r + 2], v.z, m[r + 3])));
  };
  return {row(0), row(4), row(8)};
}

/// The cofactor matrix times n, turned round where the matrix mirrors. Of the rows y*z, z*x and x*y only the first is
/// formed: z*x.n is -z.(n*x), x*y.n is y.(n*x).
HWY_INLINE Directions cofactors(const Matrices& a, const Directions& n) {
  const Floats* m = a.m;
  const auto minor = [](Floats p, Floats q, Floats r, Floats s) { return hn::MulSub(p, q, hn::Mul(r, s)); };
  const Directions yz = {minor(m[5], m[10], m[6], m[9]), minor(m[6], m[8], m[4], m[10]), minor(m[4], m[9], m[5], m[8])};
  const Directions nx = {minor(n.y, m[2], n.z, m[1]), minor(n.z, m[0], n.x, m[2]), minor(n.x, m[1], n.y, m[0])};
  const Floats side = dot3(m[0], m[1], m[2], yz);
  const auto turned = [&](Floats v) { return hn::IfThenElse(hn::Lt(side, hn::Zero(Lanes())), hn::Neg(v), v); };
  return {turned(dot3(n.x, n.y, n.z, yz)), turned(hn::Neg(dot3(m[8], m[9], m[10], nx))),
          turned(dot3(m[4], m[5], m[6], nx))};
}

/// `v` in unit length. Where a square is near a float's ends, or 0, the direction of `n` is found again in double.
HWY_INLINE Directions unit(const Directions& v, const Matrices& a, const Directions& n, bool exact) {
  const Lanes d;
  const Floats square = dot3(v.x, v.y, v.z, v);
  const Floats scale = one_over_root(square);
  Directions out = {hn::Mul(v.x, scale), hn::Mul(v.y, scale), hn::Mul(v.z, scale)};
  const auto sound = hn::And(hn::Ge(square, hn::Set(d, kLeastSquare)), hn::Le(square, hn::Set(d, kMostSquare)));
  if (HWY_UNLIKELY(!hn::AllTrue(d, sound))) {
    Rescue rescue;
    for (std::size_t i = 0; i < 12; ++i) hn::Store(a.m[i], d, rescue.matrix[i]);
    hn::Store(n.x, d, rescue.in[0]), hn::Store(n.y, d, rescue.in[1]), hn::Store(n.z, d, rescue.in[2]);
    hn::Store(out.x, d, rescue.out[0]), hn::Store(out.y, d, rescue.out[1]), hn::Store(out.z, d, rescue.out[2]);
    hn::Store(square, d, rescue.square);
    run(rescue, kWidth, exact);
    out = {hn::Load(d, rescue.out[0]), hn::Load(d, rescue.out[1]), hn::Load(d, rescue.out[2])};
  }
  return out;
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
