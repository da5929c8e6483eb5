#include "sinew/job.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/contract.h"
#include "support/contract.h"

namespace sinew {
namespace {

void broken(int count) { SINEW_CONTRACT(count >= 2, "Job.field: %d given, 2 needed", count); }

TEST(JobDeathTest, TheDefaultHandlerPrintsTheMessageAndAborts) {
  EXPECT_DEATH(broken(1), "sinew: contract broken: Job.field: 1 given, 2 needed");
}

TEST(JobDeathTest, TheDefaultHandlerComesBackWithNull) {
  test::CaughtContracts caught;
  set_contract_handler(nullptr);
  EXPECT_DEATH(broken(0), "Job.field: 0 given");
}

TEST(Job, AHandlerOfTheUsersIsCalledOnceAndTheFunctionReturns) {
  test::CaughtContracts caught;
  broken(1);
  ASSERT_EQ(caught.messages().size(), 1u);
  EXPECT_EQ(caught.messages()[0], "Job.field: 1 given, 2 needed");
  broken(2);
  EXPECT_EQ(caught.messages().size(), 1u) << "a contract that holds is silent";
}

TEST(Job, SetHandlerReturnsTheOneBefore) {
  const ContractHandler mine = [](const char*) {};
  const ContractHandler before = set_contract_handler(mine);
  EXPECT_EQ(set_contract_handler(before), mine);
}

TEST(Job, LongMessagesAreCut) {
  test::CaughtContracts caught;
  detail::contract_failed("%s", std::string(10'000, 'x').c_str());
  ASSERT_EQ(caught.messages().size(), 1u);
  EXPECT_LT(caught.messages()[0].size(), 1000u);
}

TEST(Job, InAndOutPointAtWhatTheyWereMadeFrom) {
  int value = 3;
  const In<int> in(value);
  const Out<int> out(value);
  *out = 5;
  EXPECT_EQ(*in, 5);
  int other = 7;
  In<int> assigned(value);
  assigned = In<int>(other);
  EXPECT_EQ(*assigned, 7);
  EXPECT_FALSE((std::is_default_constructible_v<In<int>> || std::is_default_constructible_v<Out<int>>));
  EXPECT_FALSE((std::is_constructible_v<In<int>, int>)) << "a temporary would dangle";
  EXPECT_FALSE((std::is_constructible_v<Out<int>, int>)) << "a temporary would dangle";
}

TEST(Job, RequiredTakesRangesThatOutliveIt) {
  std::vector<int> values{1, 2, 3};
  std::array<int, 2> pair{4, 5};
  const Required<int> a(values), b(pair), c(std::span<int>(values).first(1));
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(b[1], 5);
  EXPECT_EQ(c.size(), 1u);
  const Required<const int> d(values);
  EXPECT_EQ(d.data(), values.data());
  int sum = 0;
  for (int v : d) sum += v;
  EXPECT_EQ(sum, 6);
  EXPECT_FALSE(std::is_default_constructible_v<Required<int>>);
  EXPECT_FALSE((std::is_constructible_v<Required<int>, std::vector<int>>)) << "a temporary would dangle";
  EXPECT_FALSE((std::is_constructible_v<Required<int>, const std::vector<int>&>));
}

}  // namespace
}  // namespace sinew
