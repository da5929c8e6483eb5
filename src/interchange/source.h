// Where the bytes of an import come from: a file, read at most once and into its final place, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sinew/result.h"

namespace sinew::gltf {

class Source {
 public:
  /// Error `io`: not there, not a plain file, not readable.
  static Result<Source> open(const std::filesystem::path& path);
  explicit Source(std::span<const std::byte> memory) : memory_(memory), size_(memory.size()) {}

  std::uint64_t size() const { return size_; }
  /// Fills `out` from `offset`; false where the file ends before or cannot be read.
  bool read(std::uint64_t offset, std::span<std::byte> out) const;
  /// The same into a vector that is filled as it grows: fresh memory is then still in the cache when it is written.
  bool read(std::uint64_t offset, std::uint64_t size, std::vector<std::byte>& out) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Source() = default;
  std::unique_ptr<std::FILE, Close> file_;
  std::span<const std::byte> memory_;
  std::uint64_t size_ = 0;
};

}  // namespace sinew::gltf
