// Runtime files with flipped bits and wild numbers: each is refused, or opens and then is harmless to every job.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/write.h"
#include "support/contract.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

struct Outcome {
  std::size_t opened = 0, refused = 0;
};

void try_file(const Bytes& file, Outcome& outcome) {
  const auto character = open(file);
  if (!character) {
    ASSERT_FALSE(character.error().what.empty());
    ASSERT_FALSE(character.error().what_to_do.empty());
    ++outcome.refused;
    return;
  }
  test::CaughtContracts contracts;
  test::run_everything(*character);
  ASSERT_TRUE(contracts.empty()) << contracts.messages().front();
  ++outcome.opened;
}

std::size_t directory_offset(const ForgedFile& file) {
  return std::size_t(file.number<std::uint64_t>("header.directory_offset"));
}

class FileFlips : public testing::TestWithParam<Bytes (*)()> {};
INSTANTIATE_TEST_SUITE_P(Clips, FileFlips, testing::Values(test::keyframes_file, test::packed_file),
                         [](const auto& test) { return test.index == 0 ? "keyframes" : "packed"; });

TEST_P(FileFlips, EveryBitOfTheHeaderAndTheDirectory) {
  ForgedFile file(GetParam()());
  Outcome outcome;
  const std::size_t directory = directory_offset(file);
  for (std::size_t byte = 0; byte < file.bytes.size(); ++byte) {
    if (byte == 64) byte = directory;
    SCOPED_TRACE("byte " + std::to_string(byte));
    for (int bit = 0; bit < 8; ++bit) {
      file.bytes[byte] ^= std::byte(1 << bit);
      try_file(file.bytes, outcome);
      file.bytes[byte] ^= std::byte(1 << bit);
    }
  }
  EXPECT_GT(outcome.refused, outcome.opened);  // most of a directory says where things are
  EXPECT_GT(outcome.opened, 0u);               // a letter of a name, say
}

TEST_P(FileFlips, SeededBitsOfTheArrays) {
  constexpr unsigned kSeed = 77;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  const Bytes whole = GetParam()();
  const ForgedFile places(whole);
  Outcome outcome;
  for (const auto& [path, array] : places.arrays()) {
    SCOPED_TRACE(path);
    for (int i = 0; i < 200; ++i) {
      Bytes file = whole;
      const std::size_t flips = 1 + random() % 3;
      for (std::size_t f = 0; f < flips; ++f)
        file[array.offset + random() % (array.count * array.element_size)] ^= std::byte(1u << random() % 8);
      try_file(file, outcome);
    }
  }
  EXPECT_GT(outcome.refused, 1000u);
  EXPECT_GT(outcome.opened, 100u);
}

/// Bits of packed tracks: most change a number, and all are harmless.
TEST(PackedFlips, EveryBit) {
  ForgedFile file(test::packed_file());
  const auto& array = file.arrays().at("clips[0].packed");
  Outcome outcome;
  for (std::size_t bit = 0; bit < 8 * array.count; ++bit) {
    SCOPED_TRACE("bit " + std::to_string(bit));
    std::byte& byte = file.bytes[array.offset + bit / 8];
    byte ^= std::byte(1 << bit % 8);
    try_file(file.bytes, outcome);
    byte ^= std::byte(1 << bit % 8);
  }
  EXPECT_GT(outcome.refused, 100u);
  EXPECT_GT(outcome.opened, 1000u);
}

TEST_P(FileFlips, WildNumbersEverywhereInTheDirectory) {
  const Bytes whole = GetParam()();
  const ForgedFile places(whole);
  Outcome outcome;
  for (std::size_t at = directory_offset(places); at + 8 <= whole.size(); at += 4) {
    SCOPED_TRACE("byte " + std::to_string(at));
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7fffffff}, std::uint64_t{0xffffffff}, ~std::uint64_t{0},
          std::uint64_t{1} << 63, std::uint64_t(whole.size()), std::uint64_t{64}}) {
      for (const std::size_t size : {std::size_t{4}, std::size_t{8}}) {
        Bytes file = whole;
        std::memcpy(file.data() + at, &value, size);
        try_file(file, outcome);
      }
    }
  }
  EXPECT_GT(outcome.refused, outcome.opened);
}

/// Directories whose tables name one another again and again must not take time or memory beyond the file's.
TEST_P(FileFlips, SeededBytesOfTheDirectoryInHeaps) {
  constexpr unsigned kSeed = 4711;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  const Bytes whole = GetParam()();
  const ForgedFile places(whole);
  const std::size_t begin = directory_offset(places);
  Outcome outcome;
  for (int i = 0; i < 5000; ++i) {
    Bytes file = whole;
    const std::size_t changes = 1 + random() % 6;
    for (std::size_t c = 0; c < changes; ++c) {
      // Words copied from elsewhere in the directory: offsets stay plausible, and lead astray.
      const std::size_t words = (whole.size() - begin) / 4, from = begin + random() % words * 4,
                        to = begin + random() % words * 4;
      std::memcpy(file.data() + to, whole.data() + from, 4);
    }
    try_file(file, outcome);
  }
  EXPECT_GT(outcome.refused, 1000u);
  EXPECT_GT(outcome.opened, 100u);
}

}  // namespace
}  // namespace sinew
