#include "sinew/simd.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sinew {
namespace {

TEST(Simd, TheBestIsInUseUntilAnotherIsForced) {
  const auto all = simd_targets();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), "scalar");
  EXPECT_EQ(std::count(all.begin(), all.end(), "scalar"), 1);
  for (const std::string_view name : all) {
    EXPECT_TRUE(set_simd_target(name));
    EXPECT_EQ(simd_target(), name);
  }
  EXPECT_TRUE(set_simd_target(""));
  EXPECT_EQ(simd_target(), all.front());
}

TEST(Simd, WhatIsNotThereChangesNothing) {
  EXPECT_TRUE(set_simd_target("scalar"));
  EXPECT_FALSE(set_simd_target("mmx"));
  EXPECT_EQ(simd_target(), "scalar");
  EXPECT_TRUE(set_simd_target(""));
}

}  // namespace
}  // namespace sinew
