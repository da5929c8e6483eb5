// Errors about data: where they lie (`clips[2].groups[0].times`), and how numbers are written in them.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "sinew/result.h"

namespace sinew::detail {

/// One step of a path; the steps above live on the callers' stacks. Text is made only when there is something to
/// report.
class DataPath {
 public:
  DataPath() = default;
  DataPath(const DataPath& parent, const char* name) : parent_(&parent), name_(name) {}
  DataPath(const DataPath& parent, const char* name, std::size_t index)
      : parent_(&parent), name_(name), index_(index), indexed_(true) {}

  std::string text() const {
    std::string out = parent_ ? parent_->text() : std::string();
    if (!name_) return out;
    if (!out.empty()) out += '.';
    out += name_;
    if (indexed_) out += '[' + std::to_string(index_) + ']';
    return out;
  }

 private:
  const DataPath* parent_ = nullptr;
  const char* name_ = nullptr;
  std::size_t index_ = 0;
  bool indexed_ = false;
};

/// An error, or nothing.
using Fault = std::optional<Error>;

inline Fault fault(ErrorCode code, const DataPath& where, std::string what, std::string what_to_do) {
  return Error{code, where.text(), std::move(what), std::move(what_to_do)};
}

/// Six significant digits, the same in every locale.
inline std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return std::string(text, end);
}

}  // namespace sinew::detail
