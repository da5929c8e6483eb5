// Text for people: numbers, names, tables, colour.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math.h"

namespace sinew::tool {

/// A name or path as it may go to a terminal: control and formatting characters, and bytes that are not UTF-8, are
/// escaped (`\n`, `\x1b`, `\u202e`), so that a file cannot move the cursor or turn the text round.
std::string shown(std::string_view name);
/// In quotes; "(no name)" for an empty one.
std::string in_quotes(std::string_view name);

/// The fewest digits that read back as the same float; the same in every locale. Negative zero loses its sign.
std::string number(float value);
/// `significant` digits, for measured errors and ratios.
std::string rounded(double value, int significant = 3);
/// 1234567 -> 1,234,567.
std::string grouped(std::uint64_t value);
/// `35.4 x`, `6,552 x`.
std::string ratio(double value);
std::string tuple(Vec3 v);
std::string tuple(Vec4 v);
std::string tuple(Quat q);
/// `90 deg about (0, 0, 1)`.
std::string turn(Quat q);
/// `1 clip`, `3 clips`.
std::string counted(std::uint64_t count, std::string_view noun);

/// Rows of cells; columns are as wide as their widest cell and stand two spaces apart.
class Table {
 public:
  /// One letter a column: `l` text to the left, `r` numbers to the right.
  explicit Table(std::string alignment, std::string indent = "  ")
      : alignment_(std::move(alignment)), indent_(std::move(indent)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::string alignment_, indent_;
  std::vector<std::vector<std::string>> rows_;
};

/// Three rows of four numbers each, in line.
std::string matrix_text(const Affine& m, std::string_view indent);

enum class Colour { green, red, yellow, bold, dim };
/// The text in colour where standard output is a terminal (and NO_COLOR is unset), else as it is.
std::string coloured(Colour colour, std::string text);

}  // namespace sinew::tool
