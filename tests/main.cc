// `main` of every test program: GoogleTest's, and SINEW_TARGET.
#include <gtest/gtest.h>

#include "support/simd_target.h"

namespace {

class ForceTarget : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { sinew::test::take_simd_target(); }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  sinew::test::take_simd_target();  // here too: a wrong name must not wait for a test
  testing::UnitTest::GetInstance()->listeners().Append(new ForceTarget);
  return RUN_ALL_TESTS();
}
