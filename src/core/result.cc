#include "sinew/result.h"

#include <utility>

namespace sinew {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::io:
      return "io";
    case ErrorCode::unrecognized:
      return "unrecognized";
    case ErrorCode::syntax:
      return "syntax";
    case ErrorCode::truncated:
      return "truncated";
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::bad_type:
      return "bad_type";
    case ErrorCode::bad_value:
      return "bad_value";
    case ErrorCode::inconsistent:
      return "inconsistent";
    case ErrorCode::cyclic:
      return "cyclic";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::misaligned:
      return "misaligned";
    case ErrorCode::wrong_version:
      return "wrong_version";
    case ErrorCode::bad_argument:
      return "bad_argument";
  }
  return "unknown";
}

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "unknown";
}

namespace {

std::string line(const std::string& where, const std::string& what, const std::string& what_to_do) {
  std::string out = where.empty() ? what : where + ": " + what;
  if (!what_to_do.empty()) out += " (" + what_to_do + ")";
  // Names come from files: a newline in one must not break the one-line promise.
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

}  // namespace

std::string Error::message() const { return line(where, what, what_to_do); }

std::string Finding::message() const {
  std::string text = what;
  if (count > 1) text += ", and " + std::to_string(count - 1) + " more of this kind";
  return line(where, text, what_to_do);
}

Unexpected fail(ErrorCode code, std::string where, std::string what, std::string what_to_do) {
  return Unexpected(Error{code, std::move(where), std::move(what), std::move(what_to_do)});
}

void add(Report& report, Finding finding) {
  for (Finding& known : report) {
    if (known.code == finding.code) {
      known.count += finding.count;
      return;
    }
  }
  report.push_back(std::move(finding));
}

}  // namespace sinew
