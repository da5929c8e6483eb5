// Errors as values: Result, Error (code, where, what, what to do), Finding, Report (warnings, diagnostics).
#pragma once

#include <string>
#include <vector>

#include "sinew/config.h"
#if SINEW_USE_STD_EXPECTED
#include <expected>
#else
#include <tl/expected.hpp>
#endif

namespace sinew {

/// What kind of fault a file or an argument has. The names (`to_string`) are stable.
enum class ErrorCode {
  io,             ///< a file cannot be read or written
  unrecognized,   ///< not a format that sinew knows
  syntax,         ///< the text or container is broken (JSON, GLB chunks, base64)
  truncated,      ///< shorter than it says, or than what it describes
  out_of_range,   ///< an index or offset points outside
  bad_type,       ///< a value of a type that is not allowed there
  bad_value,      ///< not finite, singular, empty, or against the format's rules
  inconsistent,   ///< two parts of the file contradict each other
  cyclic,         ///< a node is its own ancestor, or has two parents
  unsupported,    ///< legal, but not handled
  too_large,      ///< over the memory limit
  misaligned,     ///< bytes do not start at a multiple of 64
  wrong_version,  ///< of another version of the format
  bad_argument,   ///< an option or a name that does not fit the data
};
const char* to_string(ErrorCode code);

/// Why the data is wrong. (A program that is wrong meets a contract check instead: job.h.)
struct Error {
  ErrorCode code = ErrorCode::bad_value;
  std::string where;       ///< path inside the data: `meshes[2].primitives[0].attributes.JOINTS_0`; may be empty
  std::string what;        ///< one sentence, with the numbers
  std::string what_to_do;  ///< one sentence for the person who owns the file
  /// `WHERE: WHAT (WHAT TO DO)`, in one line.
  std::string message() const;
};

#if SINEW_USE_STD_EXPECTED
template <class T>
using Result = std::expected<T, Error>;
using Unexpected = std::unexpected<Error>;
#else
template <class T>
using Result = tl::expected<T, Error>;
using Unexpected = tl::unexpected<Error>;
#endif
/// `return fail(ErrorCode::truncated, "buffers[0]", "…", "…");`
Unexpected fail(ErrorCode code, std::string where, std::string what, std::string what_to_do = {});

enum class Severity { info, warning, error };
const char* to_string(Severity severity);

/// Something worth saying about data that could still be used.
struct Finding {
  Severity severity = Severity::info;
  std::string code;        ///< stable, `kind.detail`: `weights.sum`, `times.duplicate`
  std::string where;       ///< path inside the data of the first occurrence
  std::string what;        ///< one sentence, with the numbers
  std::string what_to_do;  ///< may be empty
  std::size_t count = 1;   ///< occurrences of this code in the file; `where` and `what` tell of the first or worst
  std::string message() const;
};
using Report = std::vector<Finding>;
/// Adds a finding; one with the same code already there only has its count raised.
void add(Report& report, Finding finding);

}  // namespace sinew
