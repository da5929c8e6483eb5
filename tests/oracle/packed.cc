#include "oracle/packed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "oracle/oracle.h"

namespace sinew::test {
namespace {

class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    if (at_ + sizeof value > bytes_.size()) throw std::runtime_error("the packed array ends too early");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// The number of `width` bits, `bit` bits behind byte `begin`.
  std::uint64_t bits(std::size_t begin, std::size_t bit, unsigned width) const {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < width; ++i)
      out |= std::uint64_t(bytes_[begin + (bit + i) / 8] >> ((bit + i) % 8) & 1) << i;
    return out;
  }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

using Numbers = std::vector<double>;

Numbers from_parameters(const Numbers& u) {
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  return {2 * u[0] / (1 + square), 2 * u[1] / (1 + square), 2 * u[2] / (1 + square), (1 - square) / (1 + square)};
}
Numbers stored_rotation(std::uint64_t bits, unsigned width) {
  const double m = std::exp2(width) - 2;
  Numbers u;
  for (unsigned c = 0; c < 3; ++c)
    u.push_back((2 * double(bits >> (c * width) & ((std::uint64_t{1} << width) - 1)) - m) / m);
  return from_parameters(u);
}
Numbers product(const Numbers& a, const Numbers& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

struct Component {
  double step = 0;
  unsigned width = 0;
};
struct Track {
  std::size_t section = 0, target = 0;
  Numbers centre;
  std::vector<Component> components;
};

/// Numbers of all components at frame `r` of a segment.
class Segment {
 public:
  Segment(const BitReader& bytes, const std::vector<Component>& components, std::size_t begin, std::size_t length)
      : bytes_(bytes), components_(components), begin_(begin), length_(length) {
    std::size_t knot_bits = 0;
    for (const Component& c : components) knot_bits += c.width;
    const std::size_t codes = begin + (knot_bits + 7) / 8;
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto code = unsigned(bytes.bits(codes, 4 * i, 4));
      widths_.push_back(code == 15 ? 20 : code);
      row_ += widths_.back();
    }
    residuals_ = codes + (components.size() + 1) / 2;
    end_ = residuals_ + (row_ * (length - 1) + 7) / 8;
  }
  std::size_t end() const { return end_; }
  Numbers frame(std::size_t r) const {
    Numbers out;
    std::size_t knot = 0, residual = r == 0 ? 0 : (r - 1) * row_;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const double k = signed_number(begin_, knot, components_[i].width);
      const double next = signed_number(end_, knot, components_[i].width);
      out.push_back(k + (next - k) * double(r) / double(length_));
      if (r > 0 && r < length_) out.back() += signed_number(residuals_, residual, widths_[i]);
      knot += components_[i].width, residual += widths_[i];
    }
    return out;
  }

 private:
  double signed_number(std::size_t begin, std::size_t bit, unsigned width) const {
    return width == 0 ? 0 : double(bytes_.bits(begin, bit, width)) - std::exp2(double(width) - 1);
  }
  const BitReader& bytes_;
  const std::vector<Component>& components_;
  std::size_t begin_, length_, residuals_ = 0, end_ = 0, row_ = 0;
  std::vector<unsigned> widths_;
};

Numbers value_of(const Track& track, std::span<const double> numbers) {
  Numbers out;
  for (std::size_t c = 0; c < numbers.size(); ++c) out.push_back(numbers[c] * track.components[c].step);
  if (track.section == 0) return product(track.centre, from_parameters(out));
  for (std::size_t c = 0; c < out.size(); ++c) out[c] += track.centre[c];
  return out;
}

}  // namespace

UnpackedPose unpack_pose(std::span<const std::uint8_t> packed, std::size_t joint_count, std::size_t channel_count,
                         float time) {
  BitReader in(packed);
  const auto first = in.take<double>(), interval = in.take<double>();
  const auto last = in.take<float>();
  const auto frames = in.take<std::uint32_t>();
  const auto exponent = in.take<std::int8_t>();
  const auto shift = in.take<std::uint8_t>(), sets = in.take<std::uint8_t>();
  in.take<std::uint8_t>();
  std::vector<Track> moving, constant;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::size_t count = s == 3 ? channel_count : joint_count;
    for (const unsigned kind : {0u, 1u}) {
      if (!(sets >> (2 * s + kind) & 1)) continue;
      const std::size_t begin = in.at();
      for (std::size_t i = 0; i < (count + 7) / 8; ++i) in.take<std::uint8_t>();
      for (std::size_t i = 0; i < count; ++i)
        if (in.bits(begin, i, 1)) (kind == 0 ? moving : constant).push_back({s, i, {}, {}});
    }
  }
  const auto floats = [&](std::size_t count) {
    Numbers out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(double(in.take<float>()));
    return out;
  };
  const auto size = [](const Track& track) { return std::size_t(track.section == 3 ? 1 : 3); };
  for (Track& track : constant)
    track.centre = track.section == 0 ? stored_rotation(in.take<std::uint64_t>(), 21) : floats(size(track));
  for (Track& track : moving)
    track.centre = track.section == 0 ? stored_rotation(in.take<std::uint32_t>(), 10) : floats(size(track));
  for (Track& track : moving)
    for (std::size_t c = 0; c < size(track); ++c)
      track.components.push_back({std::exp2((track.section == 1 ? exponent : -30) + in.take<std::uint8_t>() / 8.0), 0});
  std::vector<Component> components;
  for (Track& track : moving)
    for (Component& component : track.components) {
      component.width = in.take<std::uint8_t>();
      components.push_back(component);
    }
  UnpackedPose out;
  for (const Track& track : constant) out.values.push_back({track.section, track.target, track.centre});
  if (moving.empty()) return out;
  const auto frame_time = [&](std::size_t f) { return f + 1 == frames ? last : float(first + double(f) * interval); };
  std::size_t frame = 0, begin = in.at();
  while (frame + 2 < frames && frame_time(frame + 1) <= time) ++frame;
  const double factor = std::clamp(
      (double(time) - double(frame_time(frame))) / (double(frame_time(frame + 1)) - double(frame_time(frame))), 0.0,
      1.0);
  const std::size_t longest = std::size_t{1} << shift;
  std::size_t start = 0;
  const auto length = [&] { return std::min<std::size_t>(longest, frames - 1 - start); };
  for (; start + length() <= frame; start += length()) begin = Segment(in, components, begin, length()).end();
  const Segment segment(in, components, begin, length());
  const Numbers a = segment.frame(frame - start), b = segment.frame(frame - start + 1);
  std::size_t at = 0;
  for (const Track& track : moving) {
    const std::size_t n = track.components.size();
    const Numbers x = value_of(track, std::span(a).subspan(at, n)), y = value_of(track, std::span(b).subspan(at, n));
    at += n;
    Numbers numbers;
    if (track.section == 0) {
      const DVec4 q = oracle_slerp({x[0], x[1], x[2], x[3]}, {y[0], y[1], y[2], y[3]}, factor);
      numbers = {q[0], q[1], q[2], q[3]};
    } else {
      for (std::size_t c = 0; c < n; ++c) numbers.push_back(x[c] + (y[c] - x[c]) * factor);
    }
    out.values.push_back({track.section, track.target, numbers});
  }
  return out;
}

}  // namespace sinew::test
