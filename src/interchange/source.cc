#include "interchange/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "interchange/text.h"

namespace sinew::gltf {

Result<Source> Source::open(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return fail(ErrorCode::io, {}, "is not a plain file", "name a file");
  Source source;
  errno = 0;
  source.file_.reset(std::fopen(path.string().c_str(), "rb"));
  if (source.file_) source.size_ = std::filesystem::file_size(path, error);
  if (!source.file_ || error) {
    const int code = errno;
    return fail(ErrorCode::io, {}, text("cannot be read: ", code ? std::strerror(code) : error.message().c_str()),
                "check the path and its permissions");
  }
  // Blocks go straight to where they are wanted.
  std::setvbuf(source.file_.get(), nullptr, _IONBF, 0);
  return source;
}

bool Source::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset) return false;
  if (!file_) {
    std::copy_n(memory_.begin() + std::ptrdiff_t(offset), out.size(), out.begin());
    return true;
  }
  constexpr std::uint64_t kLargestStep = std::uint64_t(1) << 30;  // a long may have 32 bits
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0) return false;
  for (std::uint64_t left = offset; left > 0;) {
    const std::uint64_t step = std::min(left, kLargestStep);
    if (std::fseek(file_.get(), long(step), SEEK_CUR) != 0) return false;
    left -= step;
  }
  return std::fread(out.data(), 1, out.size(), file_.get()) == out.size();
}

bool Source::read(std::uint64_t offset, std::uint64_t size, std::vector<std::byte>& out) const {
  if (offset > size_ || size > size_ - offset) return false;
  if (!file_) {
    const auto bytes = memory_.subspan(std::size_t(offset), std::size_t(size));
    out.assign(bytes.begin(), bytes.end());
    return true;
  }
  constexpr std::size_t kStep = std::size_t(256) << 10;
  out.clear();
  out.reserve(std::size_t(size));
  while (out.size() < size) {
    const std::size_t before = out.size();
    out.resize(std::min(before + kStep, std::size_t(size)));
    if (!read(offset + before, std::span(out).subspan(before))) return false;
  }
  return true;
}

}  // namespace sinew::gltf
