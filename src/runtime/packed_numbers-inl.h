// Numbers out of the bits of packed tracks, as vectors: by permutes of whole registers where the target has them.
#if defined(SINEW_RUNTIME_PACKED_NUMBERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_RUNTIME_PACKED_NUMBERS_INL_H_
#undef SINEW_RUNTIME_PACKED_NUMBERS_INL_H_
#else
#define SINEW_RUNTIME_PACKED_NUMBERS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/packed_tracks.h"
#include "runtime/sample_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

/// What the tracks of one vector have, in steps: knots at both ends of the segment, and residuals of both frames.
template <std::size_t C>
struct PackedNumbers {
  V knots[C], rises[C], residuals[C], next_residuals[C];  // rises: to the next knots
  HWY_INLINE PackedNumbers() {}
};

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using DU = hn::Repartition<std::uint32_t, D>;
using U = hn::Vec<DU>;
constexpr std::size_t kWords = hn::MaxLanes(DU());

/// So many bits that two registers hold them, from a word on; each lane takes its own.
class WideWindow {
 public:
  HWY_INLINE WideWindow(const std::uint8_t* bytes, std::size_t bit) {
    const DU d;
    const auto* words = reinterpret_cast<const std::uint32_t*>(bytes + bit / 32 * 4);
    low_ = hn::LoadU(d, words);
    high_ = hn::LoadU(d, words + kWords);
  }
  /// 32 bits from bit `at` of the window on. Those past its end are of no meaning.
  HWY_INLINE U take(U at) const {
    const DU d;
    const U word = hn::ShiftRight<5>(at), shift = hn::And(at, hn::Set(d, 31u));
    const U next = pick(hn::Add(word, hn::Set(d, 1u)));
    return hn::Or(hn::Shr(pick(word), shift), hn::Shl(next, hn::Sub(hn::Set(d, 32u), shift)));
  }

 private:
  HWY_INLINE U pick(U word) const {
#if HWY_TARGET == HWY_AVX3
    return U{_mm512_permutex2var_epi32(low_.raw, word.raw, high_.raw)};
#else
    const __m256i low = _mm256_permutevar8x32_epi32(low_.raw, word.raw);
    const __m256i high = _mm256_permutevar8x32_epi32(high_.raw, word.raw);
    return U{_mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                                                  _mm256_castsi256_ps(_mm256_slli_epi32(word.raw, 28))))};
#endif
  }
  U low_, high_;
};

/// Bits that one register holds: it is loaded twice, the second time half a word further on, so that no number of up to
/// kNarrow bits crosses from one word into the next in both.
class NarrowWindow {
 public:
  HWY_INLINE NarrowWindow(const std::uint8_t* bytes, std::size_t bit) {
    const DU d;
    const std::uint8_t* from = bytes + bit / 32 * 4;
    words_ = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(from));
    halves_ = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(from + 2));
  }
  /// kNarrow bits at least from bit `at` of the window on.
  HWY_INLINE U take(U at) const {
    const U shift = hn::And(at, hn::Set(DU(), 15u)), word = hn::ShiftRight<5>(at);
#if HWY_TARGET == HWY_AVX3
    // Bit 4 of the place tells which half of the word, and which of two registers an index means.
    const U index = hn::Or(word, hn::And(at, hn::Set(DU(), 16u)));
    return hn::Shr(U{_mm512_permutex2var_epi32(words_.raw, index.raw, halves_.raw)}, shift);
#else
    const __m256i first = _mm256_permutevar8x32_epi32(words_.raw, word.raw);
    const __m256i second = _mm256_permutevar8x32_epi32(halves_.raw, word.raw);
    const __m256 which = _mm256_castsi256_ps(_mm256_slli_epi32(at.raw, 27));
    return hn::Shr(
        U{_mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), which))},
        shift);
#endif
  }

 private:
  U words_, halves_;
};
constexpr unsigned kNarrow = 17;
/// Whether one register is enough for so many bits from any bit of a word on.
constexpr bool in_one(std::size_t bits) { return bits + 31 <= 32 * kWords; }

/// Sums of a lane and all before it.
HWY_INLINE U running_sums(U v) {
#if HWY_TARGET == HWY_AVX3
  v = hn::Add(v, U{_mm512_bslli_epi128(v.raw, 4)});
  v = hn::Add(v, U{_mm512_bslli_epi128(v.raw, 8)});
  const __m512i last = _mm512_set1_epi32(3);
  const __m512i of_first = _mm512_maskz_permutexvar_epi32(0xfff0, last, v.raw);
  const __m512i of_second = _mm512_maskz_permutexvar_epi32(0xff00, _mm512_set1_epi32(7), v.raw);
  const __m512i of_third = _mm512_maskz_permutexvar_epi32(0xf000, _mm512_set1_epi32(11), v.raw);
  return hn::Add(hn::Add(v, U{of_first}), hn::Add(U{of_second}, U{of_third}));
#else
  v = hn::Add(v, U{_mm256_slli_si256(v.raw, 4)});
  v = hn::Add(v, U{_mm256_slli_si256(v.raw, 8)});
  const __m256i of_first = _mm256_permutevar8x32_epi32(v.raw, _mm256_set1_epi32(3));
  return hn::Add(v, U{_mm256_blend_epi32(_mm256_setzero_si256(), of_first, 0xf0)});
#endif
}

HWY_INLINE V as_float(U v) { return hn::ConvertTo(D(), hn::BitCast(hn::RebindToSigned<D>(), v)); }

/// Goes through the tracks of a segment in the order in which they are stored, section after section.
class PackedReader {
 public:
  PackedReader(const detail::PackedTracks& tracks, const detail::PackedPlace& place)
      : bits_(tracks, place.segment), first_(place.row > 0), second_(place.row + 1 < place.length) {
    const std::size_t row_bits = tracks.segments[place.segment].row_bits;
    first_at_ = first_ ? (place.row - 1) * row_bits : 0;
    second_at_ = place.row * row_bits;
  }
  /// Tracks from `first` on, a multiple of kLanes.
  template <std::size_t C>
  HWY_INLINE void begin_block(const detail::PackedSection&, std::size_t) {}

  /// The next vector of tracks, `lane` lanes into the block that begins at `first`.
  template <std::size_t C>
  HWY_INLINE void read(const detail::PackedSection& section, std::size_t first, std::size_t lane,
                       PackedNumbers<C>& out) {
    const DU d;
    const std::size_t at = C * first + lane, left = section.targets.size() - first - lane;
    // The last component of the last lane ends the bits of this vector's knots.
    const std::size_t last = at + (C - 1) * kLanes + std::min(kWords, left) - 1;
    const std::size_t knot_bits = section.knot_starts[last] + section.knot_widths[last] - section.knot_starts[at];
    if (in_one(knot_bits) && section.widest_knot <= kNarrow)
      read_knots<NarrowWindow, C>(section, at, out);
    else
      read_knots<WideWindow, C>(section, at, out);
    const auto there = hn::Lt(hn::Iota(d, 0), hn::Set(d, std::uint32_t(left)));
    const NarrowWindow codes(bits_.codes, codes_at_);
    const U all =
        hn::IfThenElseZero(there, codes.take(hn::Add(hn::Mul(hn::Iota(d, 0), hn::Set(d, std::uint32_t(4 * C))),
                                                     hn::Set(d, std::uint32_t(codes_at_ % 32)))));
    U widths[C], starts[C], sum = hn::Zero(d);
    auto any_wide = hn::Ne(sum, sum);
    for (std::size_t c = 0; c < C; ++c) {
      const U code = hn::And(hn::ShiftRightSame(all, int(4 * c)), hn::Set(d, 15u));
      const auto wide = hn::Eq(code, hn::Set(d, 15u));
      any_wide = hn::Or(any_wide, wide);
      widths[c] = hn::IfThenElse(wide, hn::Set(d, std::uint32_t(detail::kResidualBits[15])), code);
      starts[c] = sum;
      sum = hn::Add(sum, widths[c]);
    }
    const U sums = running_sums(sum), before = hn::Sub(sums, sum);
    alignas(64) std::uint32_t total[kWords];
    hn::Store(sums, d, total);
    U masks[C];
    V halves[C];
    for (std::size_t c = 0; c < C; ++c) {
      starts[c] = hn::Add(starts[c], before);
      const U top = hn::Shl(hn::Set(d, 1u), widths[c]);
      masks[c] = hn::Sub(top, hn::Set(d, 1u));
      halves[c] = as_float(hn::ShiftRight<1>(top));
    }
    if (in_one(total[kWords - 1]) && hn::AllFalse(d, any_wide)) {
      read_row<NarrowWindow, C>(first_, first_at_, starts, masks, halves, out.residuals);
      read_row<NarrowWindow, C>(second_, second_at_, starts, masks, halves, out.next_residuals);
    } else {
      read_row<WideWindow, C>(first_, first_at_, starts, masks, halves, out.residuals);
      read_row<WideWindow, C>(second_, second_at_, starts, masks, halves, out.next_residuals);
    }
    codes_at_ += 4 * C * std::min(kWords, left);
    first_at_ += total[kWords - 1], second_at_ += total[kWords - 1];
  }

 private:
  template <class Window, std::size_t C>
  HWY_INLINE void read_knots(const detail::PackedSection& section, std::size_t at, PackedNumbers<C>& out) const {
    const DU d;
    const std::size_t start = section.knot_starts[at] / 32 * 32;
    const Window knots(bits_.knots, start), next(bits_.next_knots, start);
    for (std::size_t c = 0; c < C; ++c) {
      const U bit =
          hn::Sub(hn::Load(d, section.knot_starts.data() + at + c * kLanes), hn::Set(d, std::uint32_t(start)));
      const U top = hn::Shl(hn::Set(d, 1u), hn::Load(d, section.knot_widths.data() + at + c * kLanes));
      const U mask = hn::Sub(top, hn::Set(d, 1u));
      const V knot = as_float(hn::And(knots.take(bit), mask));
      out.rises[c] = hn::Sub(as_float(hn::And(next.take(bit), mask)), knot);
      out.knots[c] = hn::Sub(knot, as_float(hn::ShiftRight<1>(top)));
    }
  }
  template <class Window, std::size_t C>
  HWY_INLINE void read_row(bool there, std::size_t row, const U (&starts)[C], const U (&masks)[C], const V (&halves)[C],
                           V (&out)[C]) const {
    const DU d;
    if (!there) {
      for (std::size_t c = 0; c < C; ++c) out[c] = hn::Zero(D());
      return;
    }
    const Window window(bits_.residuals, row);
    const U shift = hn::Set(d, std::uint32_t(row % 32));
    for (std::size_t c = 0; c < C; ++c)
      out[c] = hn::Sub(as_float(hn::And(window.take(hn::Add(starts[c], shift)), masks[c])), halves[c]);
  }

  detail::PackedBits bits_;
  bool first_, second_;  // whether the frames have residuals: knots have none
  std::size_t codes_at_ = 0, first_at_, second_at_;
};

#else

/// Goes through the tracks of a segment in the order in which they are stored, section after section.
class PackedReader {
 public:
  PackedReader(const detail::PackedTracks& tracks, const detail::PackedPlace& place)
      : bits_(tracks, place.segment), first_(place.row > 0), second_(place.row + 1 < place.length) {
    const std::size_t row_bits = tracks.segments[place.segment].row_bits;
    first_at_ = first_ ? (place.row - 1) * row_bits : 0;
    second_at_ = place.row * row_bits;
  }

  /// Takes the numbers of kLanes tracks out of the bits.
  template <std::size_t C>
  HWY_INLINE void begin_block(const detail::PackedSection& section, std::size_t first) {
    const std::size_t count = std::min(kLanes, section.targets.size() - first);
    const std::uint32_t* knot_widths = section.knot_widths.data() + C * first;
    std::fill_n(&knots_[0][0], kRows * kRowNumbers, 0);
    for (std::size_t t = 0; t < count; ++t) {
      const std::uint64_t codes = detail::read_bits(bits_.codes, codes_at_);
      const std::size_t knots_at = section.knot_starts[C * first + t];
      std::uint64_t a = detail::read_bits(bits_.knots, knots_at), b = detail::read_bits(bits_.next_knots, knots_at);
      std::uint64_t p = first_ ? detail::read_bits(bits_.residuals, first_at_) : 0;
      std::uint64_t q = second_ ? detail::read_bits(bits_.residuals, second_at_) : 0;
      std::size_t bits = 0;
      for (std::size_t c = 0; c < C; ++c) {
        const unsigned knot = knot_widths[c * kLanes + t], width = detail::kResidualBits[codes >> (4 * c) & 15];
        const std::size_t at = c * kLanes + t;
        knots_[0][at] = number(a, knot), knots_[1][at] = number(b, knot);
        if (first_) knots_[2][at] = number(p, width);
        if (second_) knots_[3][at] = number(q, width);
        a >>= knot, b >>= knot, p >>= width, q >>= width;
        bits += width;
      }
      codes_at_ += 4 * C, first_at_ += bits, second_at_ += bits;
    }
  }
  template <std::size_t C>
  HWY_INLINE void read(const detail::PackedSection&, std::size_t, std::size_t lane, PackedNumbers<C>& out) {
    for (std::size_t c = 0; c < C; ++c) {
      const auto row = [&](std::size_t r) {
        return hn::ConvertTo(D(), hn::Load(hn::RebindToSigned<D>(), knots_[r] + c * kLanes + lane));
      };
      out.knots[c] = row(0), out.rises[c] = hn::Sub(row(1), out.knots[c]);
      out.residuals[c] = row(2), out.next_residuals[c] = row(3);
    }
  }

 private:
  static std::int32_t number(std::uint64_t bits, unsigned width) {
    const std::uint64_t top = std::uint64_t{1} << width;
    return std::int32_t(bits & (top - 1)) - std::int32_t(top >> 1);
  }
  static constexpr std::size_t kRows = 4, kRowNumbers = 3 * kLanes;
  detail::PackedBits bits_;
  bool first_, second_;  // whether the frames have residuals: knots have none
  std::size_t codes_at_ = 0, first_at_, second_at_;
  alignas(64) std::int32_t knots_[kRows][kRowNumbers];  // and residuals
};

#endif

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
