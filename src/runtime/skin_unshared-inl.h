// Weighted sums of palette entries for vertices that have their joints each.
#if defined(SINEW_RUNTIME_SKIN_UNSHARED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_SKIN_UNSHARED_INL_H_
#undef SINEW_RUNTIME_SKIN_UNSHARED_INL_H_
#else
#define SINEW_RUNTIME_SKIN_UNSHARED_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "runtime/skin_vertices-inl.h"
#include "sinew/bytes.h"
#include "sinew/math.h"
#include "sinew/mesh.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// A palette as floats, kStride apart. In rows of 16 no entry lies across two cache lines, and a load may take it whole.
template <std::size_t kStride>
struct Entries {
  static constexpr std::size_t kApart = kStride;
  const float* first;
  HWY_INLINE const float* at(std::size_t joint) const { return first + kStride * joint; }
};

/// A vertex's influences; kCount of them, or `count` where that is 0.
template <std::size_t kCount, class E>
struct OwnJoints {
  E entries;
  const std::uint16_t* joints;
  const float* weights;
  std::size_t count;
  HWY_INLINE std::size_t influences() const { return kCount != 0 ? kCount : count; }
  HWY_INLINE OwnJoints of(std::size_t vertex) const {
    return {entries, joints + vertex * influences(), weights + vertex * influences(), count};
  }
  HWY_INLINE const float* entry(std::size_t i) const { return entries.at(joints[i]); }

  /// Sum of `part`s of the entries (12 floats), which D has lanes for.
  template <class D, class Load>
  HWY_INLINE hn::Vec<D> sum(D d, Load part) const {
    hn::Vec<D> out = hn::Mul(hn::Set(d, weights[0]), part(entry(0)));
    for (std::size_t i = 1; i < influences(); ++i) out = hn::MulAdd(hn::Set(d, weights[i]), part(entry(i)), out);
    return out;
  }
};

#if HWY_TARGET == HWY_SCALAR

template <bool kAll, std::size_t kCount, class E>
HWY_INLINE Matrices blended(const OwnJoints<kCount, E>& own, std::size_t) {
  const Lanes d;
  Matrices out;
  for (std::size_t i = 0; i < 12; ++i)
    out.m[i] = own.sum(d, [&](const float* entry) HWY_ATTR { return hn::Load(d, entry + i); });
  return out;
}

#else

/// In each block of four lanes: four rows become four columns.
template <class D, class V>
HWY_INLINE void transpose(D d, V& a, V& b, V& c, V& e) {
  const hn::RepartitionToWide<D> pairs;
  const auto low_ab = hn::BitCast(pairs, hn::InterleaveLower(d, a, b)),
             high_ab = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b)),
             low_ce = hn::BitCast(pairs, hn::InterleaveLower(d, c, e)),
             high_ce = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  a = hn::BitCast(d, hn::InterleaveLower(pairs, low_ab, low_ce));
  b = hn::BitCast(d, hn::InterleaveUpper(pairs, low_ab, low_ce));
  c = hn::BitCast(d, hn::InterleaveLower(pairs, high_ab, high_ce));
  e = hn::BitCast(d, hn::InterleaveUpper(pairs, high_ab, high_ce));
}

/// Of kWidth vertices. Unless kAll, only the first `count` exist; the others are the last one again.
template <bool kAll, std::size_t kCount, class E>
HWY_INLINE Matrices blended(const OwnJoints<kCount, E>& own, std::size_t count) {
  Matrices out;
  const auto vertex = [&](std::size_t v) HWY_ATTR { return own.of(kAll || v < count ? v : count - 1); };
#if HWY_TARGET == HWY_AVX3
  const Lanes d;
  const auto load = [&](const float* entry) HWY_ATTR {
    if constexpr (E::kApart == 16) return hn::Load(d, entry);
    return hn::MaskedLoad(hn::FirstN(d, 12), d, entry);
  };
  Floats four[4][4];  // group of four vertices, column; rows are blocks
#pragma GCC unroll 4
  for (std::size_t g = 0; g < 4; ++g) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) four[g][v] = vertex(4 * g + v).sum(d, load);
    transpose(d, four[g][0], four[g][1], four[g][2], four[g][3]);
  }
  for (std::size_t c = 0; c < 4; ++c) {
    const __m512 a = four[0][c].raw, b = four[1][c].raw, e = four[2][c].raw, f = four[3][c].raw;
    const __m512 ab = _mm512_shuffle_f32x4(a, b, 0x44), ef = _mm512_shuffle_f32x4(e, f, 0x44);
    out.m[c] = Floats{_mm512_shuffle_f32x4(ab, ef, 0x88)};
    out.m[4 + c] = Floats{_mm512_shuffle_f32x4(ab, ef, 0xdd)};
    out.m[8 + c] =
        Floats{_mm512_shuffle_f32x4(_mm512_shuffle_f32x4(a, b, 0xaa), _mm512_shuffle_f32x4(e, f, 0xaa), 0x88)};
  }
#elif HWY_TARGET == HWY_AVX2
  const Lanes d;
  const hn::FixedTag<float, 4> half;
  Floats two[2][4];  // rows 0 and 1 of a vertex, then a column of four vertices
  hn::Vec<decltype(half)> last[8];
  for (std::size_t v = 0; v < 8; ++v) {
    const auto one = vertex(v);
    two[v / 4][v % 4] = one.sum(d, [&](const float* entry) HWY_ATTR { return hn::LoadU(d, entry); });
    last[v] = one.sum(half, [&](const float* entry) HWY_ATTR { return hn::Load(half, entry + 8); });
  }
  for (auto& group : two) transpose(d, group[0], group[1], group[2], group[3]);
  for (std::size_t c = 0; c < 4; ++c) {
    out.m[c] = hn::ConcatLowerLower(d, two[1][c], two[0][c]);
    out.m[4 + c] = hn::ConcatUpperUpper(d, two[1][c], two[0][c]);
    out.m[8 + c] = hn::Combine(d, last[4 + c], last[c]);
  }
  transpose(d, out.m[8], out.m[9], out.m[10], out.m[11]);
#else
  static_assert(kWidth == 4);
  const Lanes d;
  for (std::size_t v = 0; v < 4; ++v) {
    const auto one = vertex(v);
    for (std::size_t r = 0; r < 3; ++r)
      out.m[4 * r + v] = one.sum(d, [&](const float* entry) HWY_ATTR { return hn::Load(d, entry + 4 * r); });
  }
  for (std::size_t r = 0; r < 12; r += 4) transpose(d, out.m[r], out.m[r + 1], out.m[r + 2], out.m[r + 3]);
#endif
  return out;
}

#endif

/// The matrices of a mesh's vertices. What most meshes want is for kernels to inline; the rest is blended out of line,
/// for the kernels are many.
class UnsharedJoints {
 public:
  HWY_INLINE UnsharedJoints(const Mesh& mesh, std::span<const Affine> palette) : mesh_(mesh), given_(palette) {}

  /// To be called before a run of so many vertices: a palette that is small beside them is copied to better places.
  HWY_INLINE void prepare(std::size_t vertices) {
    if (padded_ || mesh_.palette_limit > kPadded || vertices < mesh_.palette_limit) return;
    for (std::size_t i = 0; i < mesh_.palette_limit; ++i)
      std::memcpy(entries_ + 16 * i, given_[i].rows, sizeof(Affine));
    padded_ = true;
  }

  /// Whether `blend_four` may be called: the palette has been copied, and the mesh has four influences a vertex.
  HWY_INLINE bool fours() const { return padded_ && mesh_.influence_count == 4; }
  /// Of kWidth vertices from `first` on, all of which exist.
  HWY_INLINE Matrices blend_four(std::size_t first) const {
    return blended<true>(own<4>(Entries<16>{entries_}, first), kWidth);
  }
  /// Of kWidth vertices from `first` on; past `count` of them the last one's again.
  HWY_NOINLINE void blend(std::size_t first, std::size_t count, Matrices& out) const {
    const Entries<12> given{given_.data()->rows[0]};
    const Entries<16> padded{entries_};
    if (count < kWidth)
      out = blended<false>(own<0>(given, first), count);
    else if (!padded_)
      out = blended<true>(own<0>(given, first), count);
    else
      out = blended<true>(own<0>(padded, first), count);
  }

 private:
  static constexpr std::size_t kPadded = 256;  // entries: 16 KiB

  template <std::size_t kCount, class E>
  HWY_INLINE OwnJoints<kCount, E> own(E entries, std::size_t vertex) const {
    return OwnJoints<kCount, E>{entries, mesh_.joints.data(), mesh_.weights.data(), mesh_.influence_count}.of(vertex);
  }

  const Mesh& mesh_;
  std::span<const Affine> given_;
  bool padded_ = false;
  alignas(64) float entries_[16 * kPadded];
};

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
