// A 64-bit hash of content: tells clips and skeletons apart. No defence against forgery.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinew::detail {

class ContentHash {
 public:
  template <class T>
  void add(std::span<const T> values) {
    mix(values.size());
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t left = values.size_bytes(); left > 0;) {
      std::uint64_t word = 0;
      const std::size_t n = left < sizeof word ? left : sizeof word;
      std::memcpy(&word, bytes, n);
      mix(word);
      bytes += n, left -= n;
    }
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::span<const T>(values));
  }
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio: odd, with bits all over
    state_ ^= state_ >> 29;
  }
  /// Never 0, which means "none".
  std::uint64_t value() const { return state_ == 0 ? 1 : state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;  // the first bits of pi
};

}  // namespace sinew::detail
