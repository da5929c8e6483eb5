#include "offline/pack_clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace sinew::detail {
namespace {

constexpr std::int32_t kKnotLimit = 1 << (kKnotBits - 1), kResidualLimit = 1 << (kResidualBits.back() - 1);

/// Bits of a number from -2^(w-1) to 2^(w-1) - 1.
unsigned signed_bits(std::int32_t number) {
  return number == 0 ? 0 : 1 + unsigned(std::bit_width(std::uint32_t(number < 0 ? -(number + 1) : number)));
}

unsigned residual_code(unsigned bits) {
  for (unsigned code = 0; code < kResidualBits.size(); ++code)
    if (kResidualBits[code] >= bits) return code;
  return unsigned(kResidualBits.size()) - 1;
}

std::uint64_t pack_parameters(Quatd q, unsigned bits) {
  if (q.w < 0) q = -q;
  const Vec3d u = rodrigues(unit(q));
  const double top = double((std::uint64_t{1} << bits) - 2);
  std::uint64_t out = 0;
  for (unsigned c = 0; c < 3; ++c)
    out |= std::uint64_t(std::clamp(std::floor((u[c] + 1) * 0.5 * top + 0.5), 0.0, top)) << (c * bits);
  return out;
}

/// Bits, the lowest first.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& out) : out_(out) {}
  void put(std::uint64_t value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i, ++count_) {
      if (count_ % 8 == 0) out_.push_back(0);
      out_.back() |= std::uint8_t((value >> i & 1) << (count_ % 8));
    }
  }

 private:
  std::vector<std::uint8_t>& out_;
  std::size_t count_ = 0;
};

/// All moving components in the order in which they are stored, rounded.
struct Component {
  Rounded rounded;
  std::vector<std::uint8_t> codes;  // by segment
};

class Packer {
 public:
  Packer(const PackPlan& plan, unsigned shift) : plan_(plan), shift_(shift) {
    const std::uint32_t steps = plan.frame_count - 1;
    for (std::size_t s = 0; s < kSections; ++s)
      for (const MovingTrack& track : plan.moving[s])
        for (std::size_t c = 0; c < section_components(s); ++c) add(track.wanted[c]);
    segments_ = components_.empty() ? 0 : (steps + (std::uint32_t{1} << shift) - 1) >> shift;
  }

  std::size_t size() const;
  std::vector<std::uint8_t> bytes() const;

 private:
  void add(std::span<const double> wanted);
  std::uint32_t length(std::uint32_t segment) const {
    return std::min(std::uint32_t{1} << shift_, plan_.frame_count - 1 - (segment << shift_));
  }
  std::size_t knot_bytes() const {
    std::size_t bits = 0;
    for (const Component& c : components_) bits += c.rounded.knot_bits;
    return (bits + 7) / 8;
  }
  void put_sets(std::vector<std::uint8_t>& out) const;
  void put_parameters(std::vector<std::uint8_t>& out) const;
  void put_knots(std::uint32_t frame, std::vector<std::uint8_t>& out) const;
  void put_segment(std::uint32_t segment, std::vector<std::uint8_t>& out) const;

  const PackPlan& plan_;
  unsigned shift_;
  std::uint32_t segments_ = 0;
  std::vector<Component> components_;
};

void Packer::add(std::span<const double> wanted) {
  Component& out = components_.emplace_back();
  round_numbers(wanted, shift_, out.rounded);
  const auto& numbers = out.rounded.numbers;
  const std::uint32_t steps = plan_.frame_count - 1;
  for (std::uint32_t start = 0; start < steps; start += std::uint32_t{1} << shift_) {
    unsigned bits = 0;
    for (std::uint32_t r = 1; r < length(start >> shift_); ++r) bits = std::max(bits, signed_bits(numbers[start + r]));
    out.codes.push_back(std::uint8_t(residual_code(bits)));
  }
}

void append_bytes(std::vector<std::uint8_t>& out, const void* bytes, std::size_t size) {
  const std::size_t at = out.size();
  out.resize(at + size);
  std::memcpy(out.data() + at, bytes, size);
}
template <class T>
void append(std::vector<std::uint8_t>& out, const T& value) {
  append_bytes(out, &value, sizeof value);
}

template <class Track>
void append_set(std::vector<std::uint8_t>& out, const std::vector<Track>& tracks, std::size_t count) {
  if (tracks.empty()) return;
  const std::size_t at = out.size();
  out.resize(at + (count + 7) / 8);
  for (const Track& track : tracks) out[at + track.target / 8] |= std::uint8_t(1u << (track.target % 8));
}

void Packer::put_sets(std::vector<std::uint8_t>& out) const {
  for (std::size_t s = 0; s < kSections; ++s) {
    const std::size_t count = s == 3 ? plan_.channel_count : plan_.joint_count;
    append_set(out, plan_.moving[s], count);
    append_set(out, plan_.constant[s], count);
  }
}

void Packer::put_parameters(std::vector<std::uint8_t>& out) const {
  const auto numbers = [&](std::size_t s, const std::array<float, 3>& values) {
    for (std::size_t c = 0; c < section_components(s); ++c) append(out, values[c]);
  };
  for (std::size_t s = 0; s < kSections; ++s)
    for (const ConstantTrack& track : plan_.constant[s]) s == 0 ? append(out, track.rotation) : numbers(s, track.value);
  for (std::size_t s = 0; s < kSections; ++s)
    for (const MovingTrack& track : plan_.moving[s]) s == 0 ? append(out, track.mean) : numbers(s, track.centre);
  for (std::size_t s = 0; s < kSections; ++s)
    for (const MovingTrack& track : plan_.moving[s])
      out.insert(out.end(), track.codes.begin(), track.codes.begin() + std::ptrdiff_t(section_components(s)));
  for (const Component& component : components_) out.push_back(std::uint8_t(component.rounded.knot_bits));
}

void Packer::put_knots(std::uint32_t frame, std::vector<std::uint8_t>& out) const {
  BitWriter bits(out);
  for (const Component& c : components_)
    bits.put(std::uint64_t(std::int64_t{c.rounded.numbers[frame]} + (std::int64_t{1} << c.rounded.knot_bits >> 1)),
             c.rounded.knot_bits);
}

void Packer::put_segment(std::uint32_t segment, std::vector<std::uint8_t>& out) const {
  const std::uint32_t start = segment << shift_;
  put_knots(start, out);
  BitWriter codes(out);
  for (const Component& c : components_) codes.put(c.codes[segment], 4);
  BitWriter residuals(out);
  for (std::uint32_t r = 1; r < length(segment); ++r) {
    for (const Component& c : components_) {
      const unsigned width = kResidualBits[c.codes[segment]];
      residuals.put(std::uint64_t(std::int64_t{c.rounded.numbers[start + r]} + (std::int64_t{1} << width >> 1)), width);
    }
  }
}

std::vector<std::uint8_t> Packer::bytes() const {
  PackedHeader header;
  header.frame_count = plan_.frame_count;
  header.first = plan_.first, header.seconds_per_frame = plan_.seconds_per_frame, header.last = plan_.last;
  header.segment_shift = std::uint8_t(shift_);
  header.length_exponent = std::int8_t(plan_.length_exponent);
  for (std::size_t s = 0; s < kSections; ++s) {
    if (!plan_.moving[s].empty()) header.sets |= std::uint8_t(1u << (2 * s));
    if (!plan_.constant[s].empty()) header.sets |= std::uint8_t(2u << (2 * s));
  }
  std::vector<std::uint8_t> out;
  append_bytes(out, &header, kPackedHeaderBytes);
  put_sets(out);
  put_parameters(out);
  for (std::uint32_t segment = 0; segment < segments_; ++segment) put_segment(segment, out);
  if (segments_ > 0) put_knots(plan_.frame_count - 1, out);
  return out;
}

std::size_t Packer::size() const {
  std::size_t bytes = kPackedHeaderBytes + components_.size();  // a knot width a component
  for (std::size_t s = 0; s < kSections; ++s) {
    const std::size_t set = ((s == 3 ? plan_.channel_count : plan_.joint_count) + 7) / 8;
    const std::size_t moving = plan_.moving[s].size(), constant = plan_.constant[s].size(), c = section_components(s);
    bytes += (moving > 0 ? set : 0) + (constant > 0 ? set : 0);
    bytes += constant * (s == 0 ? sizeof(std::uint64_t) : c * sizeof(float));
    bytes += moving * ((s == 0 ? sizeof(std::uint32_t) : c * sizeof(float)) + c);
  }
  if (segments_ > 0) bytes += (segments_ + 1) * knot_bytes() + segments_ * ((components_.size() + 1) / 2);
  for (std::uint32_t segment = 0; segment < segments_; ++segment) {
    std::size_t row = 0;
    for (const Component& c : components_) row += kResidualBits[c.codes[segment]];
    bytes += (row * (length(segment) - 1) + 7) / 8;
  }
  return bytes;
}

}  // namespace

FramePlace frame_place(std::uint32_t frame, std::uint32_t frame_count, unsigned shift) {
  const std::uint32_t steps = frame_count - 1, start = frame >> shift << shift;
  if (frame == steps) return {frame, 0, 1};
  return {start, frame - start, std::min(std::uint32_t{1} << shift, steps - start)};
}

void round_numbers(std::span<const double> wanted, unsigned shift, Rounded& out) {
  const std::size_t count = wanted.size();
  out.numbers.resize(count);
  out.reached.resize(count);
  out.fits = true;
  out.knot_bits = 0;
  const auto knot = [&](std::size_t frame) {
    const double number = std::floor(wanted[frame] + 0.5);
    if (!(std::fabs(number) < kKnotLimit)) out.fits = false;
    out.reached[frame] = out.fits ? number : 0;
    out.numbers[frame] = std::int32_t(out.reached[frame]);
    out.knot_bits = std::max(out.knot_bits, signed_bits(out.numbers[frame]));
  };
  knot(0);
  for (std::size_t start = 0, end = 0; start + 1 < count; start = end) {
    end = std::min(start + (std::size_t{1} << shift), count - 1);
    knot(end);
    const double from = out.reached[start], rise = (out.reached[end] - from) / double(end - start);
    for (std::size_t frame = start + 1; frame < end; ++frame) {
      const double line = from + rise * double(frame - start);
      const double number = std::floor(wanted[frame] - line + 0.5);
      if (!(std::fabs(number) < kResidualLimit)) out.fits = false;
      out.numbers[frame] = out.fits ? std::int32_t(number) : 0;
      out.reached[frame] = line + double(out.numbers[frame]);
    }
  }
}

std::uint32_t pack_mean(Quatd q) { return std::uint32_t(pack_parameters(q, 10)); }
std::uint64_t pack_constant(Quatd q) { return pack_parameters(q, 21); }

std::uint8_t step_code(int exponent, double step, unsigned greatest) {
  unsigned code = 0;
  while (code < greatest && packed_step(exponent, code + 1) <= step) ++code;
  return std::uint8_t(code);
}

std::vector<std::uint8_t> pack(const PackPlan& plan, unsigned shift) { return Packer(plan, shift).bytes(); }
std::size_t packed_size(const PackPlan& plan, unsigned shift) { return Packer(plan, shift).size(); }

}  // namespace sinew::detail
