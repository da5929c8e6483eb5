// Where results go: standard output, notes and errors on standard error, files that are whole or absent.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/result.h"

namespace sinew::tool {

inline constexpr int kSuccess = 0;
inline constexpr int kBadData = 1;
inline constexpr int kBadUsage = 2;

/// Prints `sinew: FILE: WHERE: WHAT (WHAT TO DO)` on standard error, in one line, and gives the exit status: 2 where
/// an argument does not fit (`bad_argument`), else 1. FILE is left out where it is empty.
int failure(std::string_view file, const Error& error);
/// As `failure`, for a command line that makes no sense.
int misuse(std::string_view what, std::string_view what_to_do);

/// One line on standard error for each warning or error of the report; what is mere information stays with `inspect`.
void print_notes(std::string_view file, const Report& report);

/// Writes data to standard output; status 1, said on standard error, where that cannot be done (a full disk).
int print(std::string_view text);

/// Writes a file that is whole or not there at all: to a temporary name in its folder, then renamed. A link is
/// followed; what is no regular file (a pipe, /dev/null) is written directly.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// A bar on standard error while something long goes on; shown on a terminal only, and not before half a second.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// A step begins; `name` is shown beside the bar.
  void step(std::string_view name);

 private:
  std::size_t steps_, done_ = 0;
  double started_ = 0;
  bool terminal_ = false, drawn_ = false;
};

}  // namespace sinew::tool
