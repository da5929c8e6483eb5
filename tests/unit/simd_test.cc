#include "sinew/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "support/simd_target.h"

namespace sinew {
namespace {

TEST(Simd, TheBestIsInUseUntilAnotherIsForced) {
  const auto all = simd_targets();
  ASSERT_FALSE(all.empty());
#if defined(__x86_64__) && !defined(__SSSE3__)
  EXPECT_EQ(all.back(), "scalar");  // elsewhere nothing is built below what the compiler may use anyway
#endif
  for (const std::string_view name : all) EXPECT_EQ(std::count(all.begin(), all.end(), name), 1) << name;
  for (const std::string_view name : all) {
    EXPECT_TRUE(set_simd_target(name));
    EXPECT_EQ(simd_target(), name);
  }
  EXPECT_TRUE(set_simd_target(""));
  EXPECT_EQ(simd_target(), all.front());
}

TEST(Simd, WhatIsNotThereChangesNothing) {
  const std::string_view last = simd_targets().back();
  EXPECT_TRUE(set_simd_target(last));
  EXPECT_FALSE(set_simd_target("mmx"));
  EXPECT_EQ(simd_target(), last);
  EXPECT_TRUE(set_simd_target(""));
}

/// SINEW_TARGET as a test wants it; afterwards as it was.
class SimdEnvironment : public testing::Test {
 protected:
  SimdEnvironment() {
    if (const char* value = std::getenv("SINEW_TARGET")) before_ = value;
  }
  ~SimdEnvironment() override {
    if (before_)
      setenv("SINEW_TARGET", before_->c_str(), 1);
    else
      unsetenv("SINEW_TARGET");
    set_simd_target("");
  }
  static void set(std::string_view name) { setenv("SINEW_TARGET", std::string(name).c_str(), 1); }

 private:
  std::optional<std::string> before_;
};

TEST_F(SimdEnvironment, TestProgramsTakeTheTargetThatItNames) {
  for (const std::string_view name : simd_targets()) {
    set(name);
    test::take_simd_target();
    EXPECT_EQ(simd_target(), name);
  }
}

TEST_F(SimdEnvironment, TestProgramsRefuseATargetThatIsNotThere) {
  set("mmx");
  const std::string known(simd_targets().back());
  EXPECT_EXIT(test::take_simd_target(), testing::ExitedWithCode(2), "SINEW_TARGET: .*\"mmx\".*" + known);
}

}  // namespace
}  // namespace sinew
