#include <algorithm>
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
  Unpacker(const DataPath& where, std::span<const std::uint8_t> bytes, const Skeleton& skeleton, PackedTracks& out)
      : where_(where), bytes_(bytes), skeleton_(skeleton), out_(out) {}
  Fault run();

 private:
  Fault take(std::size_t size, const char* what, const std::uint8_t*& out);
  template <class T>
  T number(const std::uint8_t* bytes, std::size_t index) const {
    T value;
    std::memcpy(&value, bytes + index * sizeof(T), sizeof value);
    return value;
  }
  Fault read_header();
  Fault read_set(std::size_t section, const char* what, std::vector<std::uint32_t>& targets);
  Fault read_floats(std::size_t count, const char* what, std::vector<float>& out);
  Fault read_constants(std::size_t section);
  Fault read_centres(std::size_t section);
  Fault read_steps(std::size_t section);
  Fault read_knot_bits(std::size_t section, std::uint64_t& row_bits);
  Fault walk_segments(std::uint64_t knot_row_bits);
  void make_base();

  const DataPath& where_;
  std::span<const std::uint8_t> bytes_;
  const Skeleton& skeleton_;
  PackedTracks& out_;
  PackedHeader header_;
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

/// A set of joints or channels, a bit each.
Fault Unpacker::read_set(std::size_t section, const char* what, std::vector<std::uint32_t>& targets) {
  const std::size_t count = section == 3 ? skeleton_.channel_count() : skeleton_.joint_count();
  const std::uint8_t* bits = nullptr;
  if (Fault f = take((count + 7) / 8, what, bits)) return f;
  for (std::size_t i = 0; i < (count + 7) / 8; ++i)
    for (unsigned left = bits[i]; left; left &= left - 1)
      targets.push_back(std::uint32_t(8 * i + unsigned(std::countr_zero(left))));
  if (targets.empty() || targets.back() >= count)
    return fault(ErrorCode::bad_value, where_,
                 std::string("its set of ") + what + " " + kNames[section] +
                     (targets.empty() ? " is there, and empty" : " goes beyond the skeleton"));
  return {};
}

Fault Unpacker::read_floats(std::size_t count, const char* what, std::vector<float>& out) {
  const std::uint8_t* bytes = nullptr;
  if (Fault f = take(count * sizeof(float), what, bytes)) return f;
  out.resize(count);
  if (count > 0) std::memcpy(out.data(), bytes, count * sizeof(float));
  for (const float value : out)
    if (!std::isfinite(value))
      return fault(ErrorCode::bad_value, where_, std::string("not all of its ") + what + " are finite");
  return {};
}

Fault Unpacker::read_constants(std::size_t section) {
  PackedSection& in = out_.sections[section];
  if (section != 0)
    return read_floats(in.constant_targets.size() * section_components(section), "constants", in.constants);
  const std::uint8_t* bytes = nullptr;
  if (Fault f = take(in.constant_targets.size() * sizeof(std::uint64_t), "constants", bytes)) return f;
  for (std::size_t i = 0; i < in.constant_targets.size(); ++i) {
    const Quat q = unpack_constant(number<std::uint64_t>(bytes, i));
    in.constants.insert(in.constants.end(), {q.x, q.y, q.z, q.w});
  }
  return {};
}

Fault Unpacker::read_centres(std::size_t section) {
  PackedSection& in = out_.sections[section];
  const std::size_t tracks = in.targets.size();
  const auto at = [](std::size_t track, std::size_t components, std::size_t c) {
    return track / kLanes * components * kLanes + c * kLanes + track % kLanes;
  };
  if (section == 0) {
    const std::uint8_t* bytes = nullptr;
    if (Fault f = take(tracks * sizeof(std::uint32_t), "means", bytes)) return f;
    in.centres.assign(4 * padded(tracks), 0);
    for (std::size_t t = 0; t < padded(tracks); ++t) {
      const Quat q = t < tracks ? unpack_mean(number<std::uint32_t>(bytes, t)) : Quat();
      const float components[] = {q.x, q.y, q.z, q.w};
      for (std::size_t c = 0; c < 4; ++c) in.centres[at(t, 4, c)] = components[c];
    }
    return {};
  }
  const std::size_t components = section_components(section);
  std::vector<float> centres;
  if (Fault f = read_floats(tracks * components, "centres", centres)) return f;
  in.centres.assign(components * padded(tracks), section == 2 ? 1.0f : 0.0f);  // padding is the identity
  for (std::size_t t = 0; t < tracks; ++t)
    for (std::size_t c = 0; c < components; ++c) in.centres[at(t, components, c)] = centres[t * components + c];
  return {};
}

Fault Unpacker::read_steps(std::size_t section) {
  PackedSection& in = out_.sections[section];
  const std::size_t components = section_components(section), tracks = in.targets.size();
  const std::uint8_t* codes = nullptr;
  if (Fault f = take(tracks * components, "steps", codes)) return f;
  in.steps.assign(components * padded(tracks), 0);
  for (std::size_t i = 0; i < tracks * components; ++i) {
    const double step = packed_step(section == 1 ? std::ldexp(1.0, header_.length_exponent) : kAngularUnit, codes[i]);
    // What a lattice number, at most 1 << 25, makes of it must be finite; of a rotation, so must its fourth power.
    if (section == 1 ? step > double(std::numeric_limits<float>::max()) / (1 << 26) : codes[i] > kGreatestAngularCode)
      return fault(ErrorCode::bad_value, where_,
                   "step " + std::to_string(codes[i]) + " of its " + kNames[section] + " is too large");
    const std::size_t track = i / components, c = i % components;
    in.steps[track / kLanes * components * kLanes + c * kLanes + track % kLanes] = float(step);
  }
  return {};
}

Fault Unpacker::read_knot_bits(std::size_t section, std::uint64_t& row_bits) {
  PackedSection& in = out_.sections[section];
  const std::size_t components = section_components(section), tracks = in.targets.size();
  const std::uint8_t* widths = nullptr;
  if (Fault f = take(tracks * components, "knot widths", widths)) return f;
  in.knot_starts.assign(components * padded(tracks), 0);
  in.knot_widths.assign(components * padded(tracks), 0);
  for (std::size_t t = 0; t < tracks; ++t) {
    unsigned sum = 0;
    for (std::size_t c = 0; c < components; ++c) {
      const unsigned bits = widths[t * components + c];
      const std::size_t at = t / kLanes * components * kLanes + c * kLanes + t % kLanes;
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
    return (pairs * kBytes >> 56) + kMore * unsigned(std::popcount(all & all >> 2 & kOnes));
  };
  std::uint64_t bits = 0, word = 0;
  std::size_t at = 0;
  for (; at + sizeof word <= codes.size(); at += sizeof word) {
    std::memcpy(&word, codes.data() + at, sizeof word);
    bits += bits_of(word);
  }
  word = 0;
  if (at < codes.size()) std::memcpy(&word, codes.data() + at, codes.size() - at);
  return bits + bits_of(word);
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
    const std::uint64_t room = (bytes_.size() - at_) / std::max<std::uint64_t>(knot_bytes + code_bytes, 1);
    out_.segments.reserve(std::size_t(std::min<std::uint64_t>(room, frames / longest + 1)) + 1);
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
      out_.segments.push_back(segment);
    }
    out_.segments.push_back({std::uint32_t(at_ - start), 0});
    if (Fault f = take(std::size_t(knot_bytes), "the last knots", bytes)) return f;
  }
  if (at_ != bytes_.size())
    return fault(ErrorCode::inconsistent, where_,
                 "its data end at byte " + std::to_string(at_) + " of " + std::to_string(bytes_.size()));
  out_.knot_bytes = std::uint32_t(knot_bytes), out_.code_bytes = std::uint32_t(code_bytes);
  return {};
}

/// Constants in the rest pose, once and for all: sampling then copies one pose instead of many numbers one by one. Only where an
/// eighth of the joints' paths or so are constant, so that memory stays in proportion to the file.
void Unpacker::make_base() {
  constexpr std::size_t kShare = 8;
  const std::size_t joints = skeleton_.joint_count(), stride = padded(joints);
  std::size_t constants = 0;
  for (std::size_t s = 0; s < 3; ++s) constants += out_.sections[s].constant_targets.size();
  if (constants * kShare < joints) return;
  out_.base.assign(skeleton_.rest.begin(), skeleton_.rest.end());
  constexpr Stream kStreamOf[] = {Stream::rx, Stream::tx, Stream::sx};
  for (std::size_t s = 0; s < 3; ++s) {
    const float* from = out_.sections[s].constants.data();
    for (const std::uint32_t joint : out_.sections[s].constant_targets)
      for (std::size_t c = 0; c < (s == 0 ? 4u : 3u); ++c)
        out_.base[(std::size_t(kStreamOf[s]) + c) * stride + joint] = *from++;
  }
}

Fault Unpacker::run() {
  if (bytes_.size() > std::numeric_limits<std::uint32_t>::max())
    return fault(ErrorCode::too_large, where_,
                 "it has " + std::to_string(bytes_.size()) + " bytes; 4 GiB is the limit");
  if (Fault f = read_header()) return f;
  for (std::size_t s = 0; s < kSections; ++s) {
    if (header_.sets >> (2 * s) & 1)
      if (Fault f = read_set(s, "moving", out_.sections[s].targets)) return f;
    if (header_.sets >> (2 * s + 1) & 1)
      if (Fault f = read_set(s, "constant", out_.sections[s].constant_targets)) return f;
  }
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_constants(s)) return f;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_centres(s)) return f;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_steps(s)) return f;
  make_base();
  std::uint64_t knot_row_bits = 0;
  for (std::size_t s = 0; s < kSections; ++s)
    if (Fault f = read_knot_bits(s, knot_row_bits)) return f;
  return walk_segments(knot_row_bits);
}

}  // namespace

Fault unpack(const DataPath& where, std::span<const std::uint8_t> bytes, const Skeleton& skeleton, PackedTracks& out) {
  return Unpacker(where, bytes, skeleton, out).run();
}

}  // namespace sinew::detail
