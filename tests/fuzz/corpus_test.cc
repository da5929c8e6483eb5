// What fuzzing found worth keeping (tests/fuzz/corpus), and what once went wrong: each file is refused, or opens and is harmless
// to every job. libFuzzer goes on from the same files.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "sinew/character.h"
#include "support/contract.h"
#include "support/files.h"
#include "support/run_everything.h"

namespace sinew {
namespace {

TEST(Corpus, OfOpenIsHarmless) {
  std::size_t files = 0, opened = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "tests/fuzz/corpus/open_fuzz")) {
    SCOPED_TRACE(entry.path().filename().string());
    const std::vector<std::byte> stored = test::read_bytes(entry.path());
    const Bytes bytes(stored.begin(), stored.end());
    ++files;
    const auto character = open(bytes);
    if (!character) {
      EXPECT_FALSE(character.error().what.empty());
      continue;
    }
    ++opened;
    const test::CaughtContracts contracts;
    test::run_everything(*character);
    EXPECT_TRUE(contracts.empty());
  }
  EXPECT_GT(files, 50u);
  EXPECT_GT(opened, 10u);
}

}  // namespace
}  // namespace sinew
