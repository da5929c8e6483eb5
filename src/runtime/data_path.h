// Where in the data an error lies: `clips[2].groups[0].times`. Text is made only when there is an error to report.
#pragma once

#include <cstddef>
#include <string>

namespace sinew::detail {

/// One step of a path; the steps above live on the callers' stacks.
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

}  // namespace sinew::detail
