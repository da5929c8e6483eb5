#include "sinew/result.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sinew {
namespace {

Result<int> half(int value) {
  if (value % 2) {
    return fail(ErrorCode::bad_value, "values[0]", "3 is odd", "give an even number");
  }
  return value / 2;
}

TEST(ResultType, HoldsAValueOrAnError) {
  ASSERT_TRUE(half(4));
  EXPECT_EQ(*half(4), 2);
  const Result<int> bad = half(3);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::bad_value);
  EXPECT_EQ(bad.error().where, "values[0]");
}

TEST(ResultType, MessageSaysWhereWhatAndWhatToDo) {
  EXPECT_EQ((Error{ErrorCode::bad_value, "values[0]", "3 is odd", "give an even number"}).message(),
            "values[0]: 3 is odd (give an even number)");
  EXPECT_EQ((Error{ErrorCode::io, "", "cannot be read", ""}).message(), "cannot be read");
}

TEST(ResultType, MessageIsOneLineWhateverNamesAFileHolds) {
  const std::string text = Error{ErrorCode::bad_value, "nodes[0]", "named \"a\nb\r\tc\x01\"", "rename it\n"}.message();
  for (char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
}

TEST(ResultType, EveryCodeHasANameOfItsOwn) {
  std::set<std::string> names;
  const int count = int(ErrorCode::bad_argument) + 1;
  for (int i = 0; i < count; ++i) names.insert(to_string(ErrorCode(i)));
  EXPECT_EQ(int(names.size()), count);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(to_string(ErrorCode::wrong_version), "wrong_version");
  EXPECT_STREQ(to_string(Severity::info), "info");
  EXPECT_STREQ(to_string(Severity::warning), "warning");
  EXPECT_STREQ(to_string(Severity::error), "error");
}

TEST(ResultType, FindingsOfOneCodeAreCounted) {
  Report report;
  add(report, {Severity::warning, "weights.sum", "meshes[0]", "sum 0.8 at vertex 3", "normalise"});
  add(report, {Severity::warning, "weights.sum", "meshes[1]", "sum 0.9 at vertex 4", "normalise"});
  add(report, {Severity::info, "weights.sum", "meshes[2]", "another", "", 5});
  add(report, {Severity::info, "times.duplicate", "animations[0]", "two keys at 1 s", ""});
  ASSERT_EQ(report.size(), 2u);
  EXPECT_EQ(report[0].count, 7u);
  EXPECT_EQ(report[0].where, "meshes[0]") << "the first occurrence is told";
  EXPECT_EQ(report[0].message(), "meshes[0]: sum 0.8 at vertex 3, and 6 more of this kind (normalise)");
  EXPECT_EQ(report[1].message(), "animations[0]: two keys at 1 s");
}

}  // namespace
}  // namespace sinew
