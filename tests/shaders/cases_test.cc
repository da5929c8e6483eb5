// What the exported shaders are tried on holds what it should, and the two double-precision answers agree.
#include "cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/files.h"

namespace sinew::test {
namespace {

bool any(const std::function<bool(const Case&)>& is) { return std::any_of(cases().begin(), cases().end(), is); }

TEST(ExportedCases, MadeOnesHaveEverything) {
  for (const std::uint32_t influences : {1u, 2u, 4u, 8u})
    for (const bool tangents : {false, true})
      EXPECT_TRUE(any([&](const Case& c) {
        return c.influences == influences && c.tangents == tangents && c.instances > 1 && c.target_count > 0;
      }));
  std::size_t incomplete = 0;  // vertices whose weights sum to 0.8
  for (const Case& c : cases()) {
    if (!c.oracle.positions.empty()) continue;
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += c.vertices[0].weights[i] + c.more[0].weights[i];
    EXPECT_NEAR(sum, 0.8f, 1e-6f) << c.name;
    ++incomplete;
  }
  EXPECT_EQ(incomplete, 24u + 18u);
  EXPECT_TRUE(any([](const Case& c) { return c.name.starts_with("biped") && c.influences == 4; }));
}

TEST(ExportedCases, SignsThatAreNotLookedAtWouldShow) {
  std::size_t tried = 0;
  for (const Case& c : cases()) {
    if (c.method == SkinMethod::linear || c.influences == 1) continue;
    const Exact right = skin_exactly(c, false), wrong = skin_exactly(c, false, false);
    double worst = 0;
    for (std::size_t i = 0; i < right.positions.size(); ++i)
      worst = std::max(worst, distance(right.positions[i], wrong.positions[i]));
    EXPECT_GT(worst, 0.1) << c.name;
    ++tried;
  }
  EXPECT_EQ(tried, 17u);
}

TEST(ExportedCases, AssetsHaveMorphsInfluencesAndTangents) {
  if (!shared_dir()) GTEST_SKIP() << kNoShared;
  std::set<std::string> files;
  for (const Case& c : cases())
    if (c.name.find(".gl") != std::string::npos) files.insert(c.name.substr(0, c.name.find(" part")));
  EXPECT_GE(files.size(), 6u);
  const auto asset = [](const Case& c) { return c.name.find(".gl") != std::string::npos; };
  EXPECT_TRUE(any([&](const Case& c) { return asset(c) && c.influences == 8; }));
  EXPECT_TRUE(any([&](const Case& c) { return asset(c) && c.target_count >= 8; }));
  EXPECT_TRUE(any([&](const Case& c) { return asset(c) && c.tangents; }));
  EXPECT_TRUE(any([&](const Case& c) { return asset(c) && c.influences == 4 && c.normals; }));
}

/// The oracle starts from the scene, `skin_exactly` from the packed numbers: what is packed is what the scene holds.
TEST(ExportedCases, PackedNumbersAgreeWithTheScene) {
  for (const Case& c : cases()) {
    if (c.oracle.positions.empty()) continue;
    const Exact packed = skin_exactly(c, false);
    ASSERT_EQ(packed.positions.size(), c.oracle.positions.size()) << c.name;
    ASSERT_EQ(packed.normals.size(), c.oracle.normals.size()) << c.name;
    for (std::size_t i = 0; i < packed.positions.size(); ++i) {
      EXPECT_LE(distance(packed.positions[i], c.oracle.positions[i]), 1e-6 * c.size) << c.name << ' ' << i;
      if (packed.normals.empty()) continue;
      EXPECT_LE(distance(packed.normals[i], c.oracle.normals[i]), 1e-6) << c.name << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace sinew::test
