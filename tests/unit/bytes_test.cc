#include "sinew/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

TEST(Bytes, BeginAtAMultipleOf64WhateverTheirLength) {
  for (std::size_t count : {1, 15, 64, 65, 4097, 1 << 20}) {
    const sinew::Bytes bytes(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % sinew::kAlignment, 0u) << count;
  }
}

TEST(Bytes, PaddedIsTheNextMultipleOf16) {
  EXPECT_EQ(sinew::padded(0), 0u);
  EXPECT_EQ(sinew::padded(1), 16u);
  EXPECT_EQ(sinew::padded(16), 16u);
  EXPECT_EQ(sinew::padded(17), 32u);
}

TEST(Bytes, ReadFileGivesWhatIsThere) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "sinew_bytes_test.bin";
  const std::string text("a\0b\r\n\xff", 6);
  std::ofstream(path, std::ios::binary) << text;
  const sinew::Result<sinew::Bytes> bytes = sinew::read_file(path);
  ASSERT_TRUE(bytes) << bytes.error().message();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()), text);
  std::filesystem::remove(path);
}

TEST(Bytes, ReadFileSaysWhatItCannotRead) {
  for (const std::filesystem::path& path : {std::filesystem::path("/no/such/file.sinew"), std::filesystem::path("/")}) {
    const sinew::Result<sinew::Bytes> bytes = sinew::read_file(path);
    ASSERT_FALSE(bytes) << path;
    EXPECT_EQ(bytes.error().code, sinew::ErrorCode::io) << path;
    EXPECT_FALSE(bytes.error().what.empty()) << path;
  }
}

}  // namespace
