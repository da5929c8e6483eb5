#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "runtime/open_detail.h"
#include "runtime/packed_tracks.h"

namespace sinew::detail {
namespace {

/// Takes the packed array apart, front to back.
class Unpacker {
 public:
  Unpacker(const DataPath& where, std::span<const std::uint8_t> bytes, const Skeleton& skeleton, TableMemory& memory,
           PackedTracks& out)
      : where_(where), bytes_(bytes), skeleton_(skeleton), memory_(memory), out_(out) {}
  Fault run();

 private:
  /// Joints or channels, a bit each.
  struct Set {
    std::span<const std::uint8_t> bits;
    std::size_t count = 0;  // of bits that are set
  };

  Fault take(std::size_t size, const char* what, const std::uint8_t*& out);
  template <class T>
  T number(const std::uint8_t* bytes, std::size_t index) const {
    T value;
    std::memcpy(&value, bytes + index * sizeof(T), sizeof value);
    return value;
  }
  Fault read_header();
  Fault find_sets();
  std::size_t lay_out(std::byte* memory);
  void read_set(const Set& set, std::span<std::uint32_t> targets);
  Fault read_floats(std::size_t count, const char* what, const std::uint8_t*& bytes);
  Fault read_constants(std::size_t section);
  Fault read_centres(std::size_t section);
  Fault read_steps(std::size_t section);
  Fault read_knot_bits(std::size_t section, std::uint64_t& row_bits);
  Fault walk_segments(std::uint64_t knot_row_bits);

  const DataPath& where_;
  std::span<const std::uint8_t> bytes_;
  const Skeleton& skeleton_;
  TableMemory& memory_;
  PackedTracks& out_;
  PackedHeader header_;
  std::array<Set, kSections> moving_, constant_;
  std::size_t at_ = 0;
};

constexpr const char* kNames[kSections] = {"rotations", "translations", "scales", "morph weights"};

Fault Unpacker::take(std::size_t size, const char* what, const std::uint8_t*& out) {
  if (size > bytes_.size() - at_)
    return fault(ErrorCode::truncated, where_,
                 std::to_string(size) + " bytes of " + what + " from byte " + std::to_string(at_) +
                     " on do not lie in its " + std::to_string(bytes_.size()));
  out = bytes_.data() + at_;
  at_ += size;
  return {};
}

Fault Unpacker::read_header() {
  const std::uint8_t* bytes = nullptr;
  if (Fault f = take(kPackedHeaderBytes, "header", bytes)) return f;
  std::memcpy(static_cast<void*>(&header_), bytes, kPackedHeaderBytes);
  const auto bad = [&](const std::string& what) { return fault(ErrorCode::bad_value, where_, what); };
  if (header_.frame_count == 0) return bad("it has no frames");
  const double frames = double(header_.frame_count - 1), interval = header_.seconds_per_frame;
  out_.first_time = float(header_.first), out_.last_time = header_.last;
  // Frames come one after another, whatever their interval.
  const auto last_but_one = float(header_.first + (frames - 1) * interval);
  if (!std::isfinite(out_.first_time) || !std::isfinite(interval) || !std::isfinite(header_.last) ||
      !std::isfinite(header_.last - out_.first_time) ||
      (frames == 0 ? interval != 0 || header_.last != out_.first_time

                   : !(interval > 0 && std::isfinite(1 / interval) && last_but_one < header_.last &&
                       header_.last > out_.first_time)))
    return bad("its " + std::to_string(header_.frame_count) + " frames begin at " + detail::number(header_.first) +
               " s, are " + detail::number(interval) + " s apart, and end at " + detail::number(double(header_.last)) +
               " s");
  if (header_.segment_shift > kGreatestShift)
    return bad("its segments have 1 << " + std::to_string(header_.segment_shift) + " frames; 1 << " +
               std::to_string(kGreatestShift) + " at most are allowed");
  if (header_.reserved != 0) return bad("its reserved number is not 0");
  out_.frame_count = header_.frame_count;
  out_.segment_shift = header_.segment_shift;
  out_.first = header_.first;
  if (frames > 0) out_.frames_per_second = 1 / interval, out_.seconds_per_frame = interval;
  return {};
}

/// Up to 8 bytes from `at` on, those past the end 0.
std::uint64_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, std::min(bytes.size() - at, sizeof word));
  return word;
}
constexpr std::size_t kWordBytes = sizeof(std::uint64_t), kWordBits = 8 * kWordBytes;

/// Sets come first, so that all tables' sizes are known before any is made.
Fault Unpacker::find_sets() {
  for (std::size_t s = 0; s < 2 * kSections; ++s) {
    if (!(header_.sets >> s & 1)) continue;
    Set& set = s % 2 == 0 ? moving_[s / 2] : constant_[s / 2];
    const std::size_t targets = s / 2 == 3 ? skeleton_.channel_count() : skeleton_.joint_count();
    const std::uint8_t* bits = nullptr;
    if (Fault f = take((targets + 7) / 8, "a set", bits)) return f;
    set.bits = {bits, (targets + 7) / 8};
    for (std::size_t i = 0; i < set.bits.size(); i += kWordBytes)
      set.count += std::size_t(std::popcount(word_at(set.bits, i)));
    const bool beyond = targets % 8 != 0 && set.bits.back() >> targets % 8 != 0;
    if (set.count == 0 || beyond)
      return fault(ErrorCode::bad_value, where_,
                   std::string("its set of ") + (s % 2 == 0 ? "moving " : "constant ") + kNames[s / 2] +
                       (set.count == 0 ? " is there, and empty" : " goes beyond the skeleton"));
  }
  return {};
}

/// Gives the tables their places from `memory` on, and returns how many bytes they take. Without memory it only counts.
std::size_t Unpacker::lay_out(std::byte* memory) {
  std::size_t at = 0;
  const auto cut = [&]<class T>(std::span<T>& table, std::size_t count) {
    if (memory) table = {reinterpret_cast<T*>(memory + at), count};
    at += count * sizeof(T);
  };
  std::size_t constants = 0, codes = 0;
  for (std::size_t s = 0; s < kSections; ++s) {  // whole blocks first: they are aligned
    PackedSection& section = out_.sections[s];
    const std::size_t components = section_components(s), block = padded(moving_[s].count);
    cut(section.centres, (s == 0 ? 4 : components) * block);
    cut(section.steps, components * block);
    cut(section.knot_starts, components * block);
    cut(section.knot_widths, components * block);
    codes += components * moving_[s].count;
    if (s < 3) constants += constant_[s].count;
  }
  // A pose costs memory whatever the file holds: only where an eighth of the joints' paths or so are constant.
  constexpr std::size_t kShare = 8;
  cut(out_.base, constants * kShare < skeleton_.joint_count() ? 0 : skeleton_.rest.size());
  for (std::size_t s = 0; s < kSections; ++s) {
    PackedSection& section = out_.sections[s];
    cut(section.targets, moving_[s].count);
    cut(section.constant_targets, constant_[s].count);
    cut(section.constants, (s == 0 ? 4 : section_components(s)) * constant_[s].count);
  }
  // No more segments than there are bytes for their codes: the walk ends with an error before.
  const std::size_t frames = header_.frame_count - 1, longest = std::size_t{1} << header_.segment_shift,
                    room = bytes_.size() / std::max<std::size_t>((codes + 1) / 2, 1);
  cut(out_.segments, codes == 0 ? 0 : std::min((frames + longest - 1) / longest, room) + 1);
  return at;
}

void Unpacker::read_set(const Set& set, std::span<std::uint32_t> targets) {
  std::uint32_t* next = targets.data();
  for (std::size_t i = 0; i < set.bits.size(); i += kWordBytes)
    for (std::uint64_t left = word_at(set.bits, i); left; left &= left - 1)
      *next++ = std::uint32_t(8 * i + unsigned(std::countr_zero(left)));
}

/// Numbers that must be finite, where they lie.
Fault Unpacker::read_floats(std::size_t count, const char* what, const std::uint8_t*& bytes) {
  if (Fault f = take(count * sizeof(float), what, bytes)) return f;
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(number<float>(bytes, i)))
      return fault(ErrorCode::bad_value, where_, std::string("not all of its ") + what + " are finite");
  return {};
}

/// Constants, and for joints their place in the base pose: sampling then copies one pose instead of many numbers one by one.
Fault Unpacker::read_constants(std::size_t section) {
  const PackedSection& in = out_.sections[section];
  const std::size_t count = constant_[section].count, components = section == 0 ? 4 : section_components(section);
  const std::uint8_t* bytes = nullptr;
  if (section == 0) {
    if (Fault f = take(count * sizeof(std::uint64_t), "constants", bytes)) return f;
    for (std::size_t i = 0; i < count; ++i) {
      const Quat q = unpack_constant(number<std::uint64_t>(bytes, i));
      const float values[] = {q.x, q.y, q.z, q.w};
      std::ranges::copy(values, in.constants.data() + 4 * i);
    }
  } else {
    if (Fault f = read_floats(count * components, "constants", bytes)) return f;
    if (count > 0) std::memcpy(in.constants.data(), bytes, count * components * sizeof(float));
  }
  if (section == 3 || out_.base.empty()) return {};
  constexpr Stream kStreamOf[] = {Stream::rx, Stream::tx, Stream::sx};
  const std::size_t stride = padded(skeleton_.joint_count());
  float* const base = out_.base.data() + std::size_t(kStreamOf[section]) * stride;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < components; ++c)
      base[c * stride + in.constant_targets[i]] = in.constants[i * components + c];
  return {};
}

/// The place of a track's component among blocks of 16 tracks.
constexpr std::size_t place_in_blocks(std::size_t track, std::size_t components, std::size_t c) {
  return track / kLanes * components * kLanes + c * kLanes + track % kLanes;
}

Fault Unpacker::read_centres(std::size_t section) {
  const std::span<float> out = out_.sections[section].centres;
  const std::size_t tracks = moving_[section].count, components = section_components(section);
  const std::uint8_t* bytes = nullptr;
  if (section == 0) {
    if (Fault f = take(tracks * sizeof(std::uint32_t), "means", bytes)) return f;
    for (std::size_t t = 0; t < padded(tracks); ++t) {
      const Quat q = t < tracks ? unpack_mean(number<std::uint32_t>(bytes, t)) : Quat();
      const float values[] = {q.x, q.y, q.z, q.w};
      for (std::size_t c = 0; c < 4; ++c) out[place_in_blocks(t, 4, c)] = values[c];
    }
    return {};
  }
  if (Fault f = read_floats(tracks * components, "centres", bytes)) return f;
  for (std::size_t t = 0; t < padded(tracks); ++t)
    for (std::size_t c = 0; c < components; ++c)
      out[place_in_blocks(t, components, c)] =
          t < tracks ? number<float>(bytes, t * components + c) : float(section == 2);  // padding is the identity
  return {};
}

Fault Unpacker::read_steps(std::size_t section) {
  const std::span<float> out = out_.sections[section].steps;
  const std::size_t components = section_components(section), tracks = moving_[section].count;
  const std::uint8_t* codes = nullptr;
  if (Fault f = take(tracks * components, "steps", codes)) return f;
  const int exponent = section == 1 ? header_.length_exponent : kAngularExponent;
  // What a lattice number, at most 1 << 25, makes of it must be finite; of a rotation, so must its fourth power.
  constexpr float kGreatestLength = std::numeric_limits<float>::max() / (1 << 26);
  for (std::size_t t = 0; t < tracks; ++t) {
    for (std::size_t c = 0; c < components; ++c) {
      const unsigned code = codes[t * components + c];
      const double step = packed_step(exponent, code);
      if (section == 1 ? step > double(kGreatestLength) : code > kGreatestAngularCode)
        return fault(ErrorCode::bad_value, where_,
                     "step " + std::to_string(code) + " of its " + kNames[section] + " is too large");
      out[place_in_blocks(t, components, c)] = float(step);
    }
  }
  return {};
}

Fault Unpacker::read_knot_bits(std::size_t section, std::uint64_t& row_bits) {
  PackedSection& in = out_.sections[section];
  const std::size_t components = section_components(section), tracks = moving_[section].count;
  const std::uint8_t* widths = nullptr;
  if (Fault f = take(tracks * components, "knot widths", widths)) return f;
  for (std::size_t t = 0; t < tracks; ++t) {
    unsigned sum = 0;
    for (std::size_t c = 0; c < components; ++c) {
      const unsigned bits = widths[t * components + c];
      const std::size_t at = place_in_blocks(t, components, c);
      in.knot_starts[at] = std::uint32_t(row_bits + sum);
      in.knot_widths[at] = bits;
      in.widest_knot = std::max(in.widest_knot, bits);
      sum += bits;
      if (bits > kKnotBits || sum > kTrackKnotBits)
        return fault(ErrorCode::bad_value, where_,
                     "knots of " + std::to_string(bits) + " bits, or tracks of " + std::to_string(sum) +
                         ", are wider than a reader takes");
    }
    row_bits += sum;
  }
  return {};
}

/// Bits that a segment's codes stand for, 16 codes at a time: the codes' sum, and what 15 stands for more than itself.
std::uint64_t residual_bits(std::span<const std::uint8_t> codes) {
  constexpr std::uint64_t kLow = 0x0f0f0f0f0f0f0f0f, kBytes = 0x0101010101010101, kOnes = 0x1111111111111111;
  constexpr unsigned kMore = kResidualBits[15] - 15;
  const auto bits_of = [](std::uint64_t word) {
    const std::uint64_t pairs = (word & kLow) + (word >> 4 & kLow), all = word & word >> 1;
    const std::uint64_t fifteens = all & all >> 2 & kOnes;  // at most 16: added up in bytes
    return (pairs * kBytes >> 56) + kMore * (((fifteens & kLow) + (fifteens >> 4 & kLow)) * kBytes >> 56);
  };
  std::uint64_t bits = 0, word = 0;
  std::size_t at = 0;
  for (; at + sizeof word <= codes.size(); at += sizeof word) {
    std::memcpy(&word, codes.data() + at, sizeof word);
    bits += bits_of(word);
  }
  return bits + bits_of(word_at(codes, at));
}

/// Fetches memory ahead of a walk whose every step tells where the next one begins.
class FetchAhead {
 public:
  explicit FetchAhead(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  void to(std::size_t at) {
#if defined(__GNUC__)
    constexpr std::size_t kAhead = 4096;
    for (at_ = std::max(at_, at); at_ < std::min(at + kAhead, bytes_.size()); at_ += kAlignment)
      __builtin_prefetch(bytes_.data() + at_);
#endif
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Segments follow one another without gaps, each as long as its codes say.
Fault Unpacker::walk_segments(std::uint64_t knot_row_bits) {
  std::uint64_t triples = 0;
  for (std::size_t s = 0; s < 3; ++s) triples += out_.sections[s].targets.size();
  const std::uint64_t codes = 3 * triples + out_.sections[3].targets.size();
  const std::uint64_t knot_bytes = (knot_row_bits + 7) / 8, code_bytes = (codes + 1) / 2;
  const std::size_t start = at_;
  const std::uint8_t* bytes = nullptr;
  out_.data = bytes_.data() + at_;
  const std::uint32_t frames = header_.frame_count - 1, longest = std::uint32_t{1} << header_.segment_shift;
  if (codes > 0) {
    if (frames == 0) return fault(ErrorCode::inconsistent, where_, "tracks move in its only frame");
    FetchAhead fetch(bytes_);
    PackedSegment* next = out_.segments.data();
    for (std::uint32_t frame = 0; frame < frames; frame += std::min(longest, frames - frame)) {
      fetch.to(at_);
      PackedSegment segment{std::uint32_t(at_ - start), 0};
      if (Fault f = take(std::size_t(knot_bytes + code_bytes), "a segment's knots and codes", bytes)) return f;
      const std::uint8_t* code = bytes + knot_bytes;
      const std::uint64_t row_bits = residual_bits({code, std::size_t(code_bytes)});
      if (codes % 2 == 1 && code[codes / 2] >> 4 != 0)
        return fault(ErrorCode::bad_value, where_, "the last half of a segment's codes is not 0");
      segment.row_bits = std::uint32_t(row_bits);
      const std::uint64_t rows = std::min(longest, frames - frame) - 1;
      if (Fault f = take(std::size_t((row_bits * rows + 7) / 8), "a segment's residuals", bytes)) return f;
      *next++ = segment;
    }
    *next = {std::uint32_t(at_ - start), 0};
    if (Fault f = take(std::size_t(knot_bytes), "the last knots", bytes)) return f;
  }
  if (at_ != bytes_.size())
    return fault(ErrorCode::inconsistent, where_,
                 "its data end at byte " + std::to_string(at_) + " of " + std::to_string(bytes_.size()));
  out_.knot_bytes = std::uint32_t(knot_bytes), out_.code_bytes = std::uint32_t(code_bytes);
  return {};
}

Fault Unpacker::run() {
  if (bytes_.size() > std::numeric_limits<std::uint32_t>::max())
    return fault(ErrorCode::too_large, where_,
                 "it has " + std::to_string(bytes_.size()) + " bytes; 4 GiB is the limit");
  if (Fault f = read_header()) return f;
  if (Fault f = find_sets()) return f;
  out_.table_bytes = lay_out(nullptr);
  lay_out(memory_.take(out_.table_bytes));
  for (std::size_t s = 0; s < kSections; ++s) {
    read_set(moving_[s], out_.sections[s].targets);
    read_set(constant_[s], out_.sections[s].constant_targets);
  }
  if (!out_.base.empty()) std::ranges::copy(skeleton_.rest, out_.base.data());
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_constants(s)) return f;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_centres(s)) return f;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_steps(s)) return f;
  std::uint64_t knot_row_bits = 0;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_knot_bits(s, knot_row_bits)) return f;
  return walk_segments(knot_row_bits);
}

}  // namespace

Fault unpack(const DataPath& where, std::span<const std::uint8_t> bytes, const Skeleton& skeleton, TableMemory& memory,
             PackedTracks& out) {
  return Unpacker(where, bytes, skeleton, memory, out).run();
}

}  // namespace sinew::detail
