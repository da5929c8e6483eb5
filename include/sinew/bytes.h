// Bytes: memory aligned to 64 bytes (SIMD, `open`), padding of structure-of-arrays storage, reading a file whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <new>
#include <vector>

#include "sinew/result.h"

namespace sinew {

inline constexpr std::size_t kAlignment = 64;  ///< bytes; of files, arrays and poses
inline constexpr std::size_t kLanes = 16;      ///< SoA storage is padded to a multiple of this
constexpr std::size_t padded(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// Memory that begins at a multiple of 64.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(kAlignment))); }
  // Without the size: clang before 19 has no sized form unless asked for.
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kAlignment)); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) = default;
};

/// Bytes that begin at a multiple of 64: what `open` needs.
using Bytes = std::vector<std::byte, AlignedAllocator<std::byte>>;

/// A file's bytes, aligned for `open`.
Result<Bytes> read_file(const std::filesystem::path& path);

}  // namespace sinew
