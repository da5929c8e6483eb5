#include "interchange/uri.h"

#include <array>
#include <cstdint>
#include <system_error>

#include "interchange/text.h"

namespace sinew::gltf {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Unexpected refused(const std::string& where, std::string_view uri, const char* why) {
  return fail(ErrorCode::bad_value, where, text("\"", shortened(uri), "\" ", why),
              "put the file beside the glTF file and name it by a relative path");
}

/// RFC 3986: a letter, then letters, digits, `+`, `-`, `.` up to the first colon, before any slash.
bool has_scheme(std::string_view uri) {
  const std::size_t end = uri.find_first_of(":/?#");
  return end != std::string_view::npos && uri[end] == ':';
}

}  // namespace

Result<std::string> percent_decoded(std::string_view encoded) {
  std::string out;
  out.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      out += encoded[i];
      continue;
    }
    const int high = i + 2 < encoded.size() ? hex_digit(encoded[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(encoded[i + 2]) : -1;
    if (low < 0) {
      return fail(ErrorCode::syntax, {},
                  text("the percent sign at character ", i, " is not followed by two hexadecimal digits"),
                  "write a literal percent sign as %25");
    }
    out += char(high * 16 + low);
    i += 2;
  }
  return out;
}

Result<std::filesystem::path> resolved(std::string_view uri, const std::filesystem::path& directory,
                                       const std::string& where) {
  namespace fs = std::filesystem;
  if (uri.empty()) return refused(where, uri, "is empty");
  if (has_scheme(uri)) return refused(where, uri, "has a scheme; only files beside the glTF file are read");
  auto decoded = percent_decoded(uri);
  if (!decoded) {
    decoded.error().where = where;
    return Unexpected(decoded.error());
  }
  if (decoded->find('\0') != std::string::npos) return refused(where, uri, "holds a zero byte");
  if (decoded->find('\\') != std::string::npos)
    return refused(where, uri, "holds a backslash; glTF separates folders by /");
  if (directory.empty())
    return refused(where, uri, "is a relative path, but the glTF came from memory without a folder");
  const fs::path relative = fs::path(*decoded).lexically_normal();
  if (relative.is_absolute() || relative.has_root_name()) return refused(where, uri, "is an absolute path");
  if (!relative.empty() && *relative.begin() == "..") return refused(where, uri, "leads out of the file's folder");
  std::error_code error;
  const fs::path path = directory / relative;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_regular_file(status)) {
    return fail(ErrorCode::io, where,
                text("\"", shortened(*decoded), fs::exists(status) ? "\" is not a plain file" : "\" is not there"),
                "put the file beside the glTF file");
  }
  // A symbolic link may lead out, too.
  const fs::path root = fs::canonical(directory, error), target = fs::canonical(path, error);
  const fs::path way = target.lexically_relative(root);
  if (error || way.empty() || *way.begin() == "..")
    return refused(where, uri, "is a link that leads out of the file's folder");
  return path;
}

Result<DataUri> data_uri(std::string_view uri, const std::string& where) {
  constexpr std::string_view kScheme = "data:", kBase64 = ";base64";
  const std::size_t comma = uri.find(',');
  if (!uri.starts_with(kScheme) || comma == std::string_view::npos) {
    return fail(ErrorCode::syntax, where, "the data URI has no comma before its data", "write the file again");
  }
  DataUri out;
  std::string_view head = uri.substr(kScheme.size(), comma - kScheme.size());
  if (head.ends_with(kBase64)) {
    out.base64 = true;
    head.remove_suffix(kBase64.size());
  }
  if (head.ends_with(';')) {
    return fail(ErrorCode::syntax, where, text("the data URI's head \"", shortened(head), "\" ends in a semicolon"),
                "write the file again");
  }
  out.media_type = head.substr(0, head.find(';'));
  out.payload = uri.substr(comma + 1);
  return out;
}

namespace {

constexpr std::uint32_t kBad = 0x80000000u;  // no valid character sets this bit

/// For each place in a group of four: the character's six bits, moved to where they belong.
struct Base64Tables {
  std::array<std::array<std::uint32_t, 256>, 4> bits;
  constexpr Base64Tables() : bits() {
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int place = 0; place < 4; ++place) {
      for (std::uint32_t& value : bits[std::size_t(place)]) value = kBad;
      for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        bits[std::size_t(place)][std::uint8_t(kAlphabet[i])] = std::uint32_t(i) << (18 - 6 * place);
    }
  }
};
constexpr Base64Tables kBase64Tables;

std::uint32_t group(const char* c) {
  const auto& t = kBase64Tables.bits;
  return t[0][std::uint8_t(c[0])] | t[1][std::uint8_t(c[1])] | t[2][std::uint8_t(c[2])] | t[3][std::uint8_t(c[3])];
}

std::string_view without_padding(std::string_view payload) {
  for (int i = 0; i < 2 && payload.ends_with('='); ++i) payload.remove_suffix(1);
  return payload;
}

}  // namespace

std::size_t base64_bytes(std::string_view payload) {
  const std::size_t size = without_padding(payload).size();
  return size / 4 * 3 + (size % 4 > 1 ? size % 4 - 1 : 0);
}

Result<std::vector<std::byte>> base64_decoded(std::string_view payload, const std::string& where) {
  const std::string_view digits = without_padding(payload);
  const std::size_t whole = digits.size() / 4, rest = digits.size() % 4;
  std::vector<std::byte> out(base64_bytes(payload));
  std::byte* to = out.data();
  const char* from = digits.data();
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < whole; ++i, from += 4, to += 3) {
    const std::uint32_t v = group(from);
    all |= v;
    to[0] = std::byte(v >> 16), to[1] = std::byte(v >> 8), to[2] = std::byte(v);
  }
  if (rest > 0) {
    const char last[4] = {from[0], rest > 1 ? from[1] : 'A', rest > 2 ? from[2] : 'A', 'A'};
    const std::uint32_t v = group(last);
    all |= rest == 1 ? kBad : v;
    for (std::size_t i = 0; i + 1 < rest; ++i) to[i] = std::byte(v >> (16 - 8 * i));
  }
  if (all & kBad) {
    std::size_t at = 0;
    while (at < digits.size() && kBase64Tables.bits[0][std::uint8_t(digits[at])] != kBad) ++at;
    return fail(ErrorCode::syntax, where, text("the base64 data is broken at character ", at, " of ", payload.size()),
                "write the file again");
  }
  return out;
}

}  // namespace sinew::gltf
