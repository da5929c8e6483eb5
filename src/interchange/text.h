// Pieces of messages: numbers and names put together into one sentence.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace sinew::gltf {

inline void append(std::string& out, std::string_view piece) { out += piece; }
inline void append(std::string& out, std::integral auto number) { out += std::to_string(number); }
inline void append(std::string& out, std::floating_point auto number) {
  char digits[32];
  out.append(digits, std::size_t(std::snprintf(digits, sizeof digits, "%.6g", double(number))));
}

/// All pieces in one string; floating point numbers with six digits.
template <class... Pieces>
std::string text(const Pieces&... pieces) {
  std::string out;
  (append(out, pieces), ...);
  return out;
}

/// A name out of a file, cut where it is absurdly long, so that a message stays one readable line.
inline std::string shortened(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  if (name.size() <= kLongest) return std::string(name);
  return std::string(name.substr(0, kLongest)) + "...";
}

/// `5 "Hips"`, or `5` for one without a name.
inline std::string numbered(std::size_t index, std::string_view name) {
  return name.empty() ? text(index) : text(index, " \"", shortened(name), "\"");
}

}  // namespace sinew::gltf
