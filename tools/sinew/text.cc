#include "text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace sinew::tool {

namespace {

struct Decoded {
  char32_t code;
  std::size_t length;
};

/// The UTF-8 character at the start of `text`; nothing where it is broken, overlong or a surrogate.
std::optional<Decoded> decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return Decoded{lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return std::nullopt;
  char32_t code = lead & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const char32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return std::nullopt;
  return Decoded{code, length};
}

/// Controls, and the invisible characters that reorder or hide text.
bool hidden(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

/// Characters a terminal shows for `text`, near enough for columns: one a code point; colour codes have none.
std::size_t width(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else {
      count += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    }
  }
  return count;
}

}  // namespace

std::string shown(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const std::optional<Decoded> next = decode(name.substr(i));
    if (!next) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(name[i++]));
      continue;
    }
    if (next->code == '\n') {
      out += "\\n";
    } else if (next->code == '\t') {
      out += "\\t";
    } else if (!hidden(next->code)) {
      out += name.substr(i, next->length);
    } else if (next->code < 0x100) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(next->code));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(next->code));
    }
    i += next->length;
  }
  return out;
}

std::string in_quotes(std::string_view name) { return name.empty() ? "(no name)" : fmt::format("\"{}\"", shown(name)); }

std::string number(float value) { return fmt::format("{}", value == 0 ? 0.0f : value); }

std::string rounded(double value, int significant) {
  return value == 0 ? "0" : fmt::format("{:.{}g}", value, significant);
}

std::string grouped(std::uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string ratio(double value) {
  constexpr double kDigits = 100;  // from here on three digits are whole numbers
  return (value >= kDigits ? grouped(static_cast<std::uint64_t>(value + 0.5)) : rounded(value)) + " x";
}

std::string tuple(Vec3 v) { return fmt::format("({}, {}, {})", number(v.x), number(v.y), number(v.z)); }
std::string tuple(Vec4 v) {
  return fmt::format("({}, {}, {}, {})", number(v.x), number(v.y), number(v.z), number(v.w));
}
std::string tuple(Quat q) { return tuple(Vec4(q.x, q.y, q.z, q.w)); }

std::string turn(Quat q) {
  constexpr double kDegrees = 57.295779513082320877;
  const double degrees = angle(q) * kDegrees;
  if (degrees < 1e-4) return "no turn";
  const Vec3 axis = glm::normalize(Vec3(q.x, q.y, q.z) * (q.w < 0 ? -1.0f : 1.0f));
  const auto part = [](float x) { return rounded(std::abs(x) < 5e-5f ? 0 : x, 4); };
  return fmt::format("{} deg about ({}, {}, {})", rounded(degrees, 6), part(axis.x), part(axis.y), part(axis.z));
}

std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (noun.ends_with("x")) return fmt::format("{} {}ices", grouped(count), noun.substr(0, noun.size() - 2));
  if (noun.ends_with("ry")) return fmt::format("{} {}ies", grouped(count), noun.substr(0, noun.size() - 1));
  if (noun.ends_with("sh")) return fmt::format("{} {}es", grouped(count), noun);
  return fmt::format("{} {}s", grouped(count), noun);
}

std::string Table::text() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width(cells[i]));
  std::string out;
  for (const auto& cells : rows_) {
    std::string line = indent_;
    for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) {
      const std::string gap(widths[i] - width(cells[i]), ' ');
      line += (i ? "  " : "") + (alignment_[i] == 'r' ? gap + cells[i] : cells[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string matrix_text(const Affine& m, std::string_view indent) {
  Table table("rrrr", std::string(indent) + "| ");
  for (const float(&row)[4] : m.rows) table.row({number(row[0]), number(row[1]), number(row[2]), number(row[3])});
  return table.text();
}

std::string coloured(Colour colour, std::string text) {
  static const bool terminal = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR") &&
                               std::string_view(std::getenv("TERM") ? std::getenv("TERM") : "dumb") != "dumb";
  if (!terminal) return text;
  const int code = colour == Colour::green    ? 32
                   : colour == Colour::red    ? 31
                   : colour == Colour::yellow ? 33
                   : colour == Colour::bold   ? 1
                                              : 2;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace sinew::tool
