#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "text.h"

namespace sinew::tool {

namespace {

void print_line(std::string_view line) {
  std::fflush(stdout);  // a note must not overtake the data it is about where both go to one terminal
  const std::string text = shown(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string reason(int code) { return std::generic_category().message(code); }

Unexpected cannot_write(const std::string& why) {
  return fail(ErrorCode::io, "", "cannot be written: " + why, "check the folder, its permissions and the free space");
}

/// 0, or the errno of what went wrong.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

Result<void> write_directly(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_write(reason(errno));
  int trouble = write_all(descriptor, bytes);
  if (::close(descriptor) != 0 && trouble == 0) trouble = errno;
  if (trouble != 0) return cannot_write(reason(trouble));
  return {};
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int failure(std::string_view file, const Error& error) {
  print_line(fmt::format("sinew: {}{}{}", file, file.empty() ? "" : ": ", error.message()));
  return error.code == ErrorCode::bad_argument ? kBadUsage : kBadData;
}

int misuse(std::string_view what, std::string_view what_to_do) {
  return failure("", Error{ErrorCode::bad_argument, "", std::string(what), std::string(what_to_do)});
}

void print_notes(std::string_view file, const Report& report) {
  for (const Finding& finding : report)
    if (finding.severity != Severity::info)
      print_line(
          fmt::format("sinew: {}: {}: {} [{}]", file, to_string(finding.severity), finding.message(), finding.code));
}

int print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return kSuccess;
  return failure("standard output", Error{ErrorCode::io, "", "cannot be written: " + reason(errno), ""});
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    return fail(ErrorCode::io, "", "is a folder", "give the name of a file inside it");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return write_directly(path, bytes);

  const bool link = std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::symlink;
  error.clear();  // that there is no such file yet is no error
  const std::filesystem::path target = link ? std::filesystem::weakly_canonical(path, error) : path;
  if (error || target.filename().empty()) return cannot_write(error ? error.message() : "no file name");
  std::filesystem::path temporary = target;
  temporary.replace_filename(fmt::format(".sinew-{}.part", ::getpid()));
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(reason(errno));
  int trouble = write_all(descriptor, bytes);
  if (::close(descriptor) != 0 && trouble == 0) trouble = errno;
  if (trouble == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) trouble = errno;
  if (trouble == 0) return {};
  ::unlink(temporary.c_str());
  return cannot_write(reason(trouble));
}

Progress::Progress(std::size_t steps) : steps_(steps), started_(seconds()), terminal_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::step(std::string_view name) {
  constexpr double kPatience = 0.5;
  constexpr std::size_t kWidth = 24;
  if (terminal_ && seconds() - started_ > kPatience) {
    const std::size_t full = steps_ ? std::min(kWidth, kWidth * done_ / steps_) : 0;
    const std::string text =
        fmt::format("\r[{}{}] {}\x1b[K", std::string(full, '#'), std::string(kWidth - full, '.'), shown(name));
    std::fwrite(text.data(), 1, text.size(), stderr);
    drawn_ = true;
  }
  ++done_;
}

}  // namespace sinew::tool
