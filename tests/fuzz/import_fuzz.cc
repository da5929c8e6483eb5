// libFuzzer target of the glTF importer: what it accepts must be harmless to `write`, `open` and every job.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/import.h"
#include "sinew/write.h"
#include "support/run_everything.h"

namespace {

constexpr std::size_t kHeader = 12, kChunkHeader = 8;

void put(std::uint8_t* at, std::size_t value) {
  for (int b = 0; b < 4; ++b) at[b] = std::uint8_t(value >> (8 * b));
}

std::size_t word(const std::uint8_t* at) {
  return std::size_t(at[0]) | std::size_t(at[1]) << 8 | std::size_t(at[2]) << 16 | std::size_t(at[3]) << 24;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Mutates, and mends a GLB's lengths, which alone would answer almost every change of length.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned) {
  size = LLVMFuzzerMutate(data, size, most);
  if (size < kHeader + kChunkHeader || std::memcmp(data, "glTF", 4) != 0) return size;
  put(data + 8, size);
  for (std::size_t at = kHeader; at + kChunkHeader <= size;) {
    const std::size_t left = size - at - kChunkHeader;
    if (word(data + at) > left) put(data + at, left);
    at += kChunkHeader + word(data + at);
  }
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto scene = sinew::import_gltf(std::as_bytes(std::span(data, size)));
  if (!scene) return 0;
  const auto bytes = sinew::write(*scene);
  if (!bytes) return 0;
  const auto character = sinew::open(*bytes);
  if (!character) __builtin_trap();  // what `write` makes, `open` takes
  sinew::test::run_everything(*character);
  return 0;
}
