// SINEW_TARGET: the tool runs on the instruction set that the environment names, and refuses one that is not there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program.h"
#include "sinew/simd.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

/// The tool with SINEW_TARGET set, which this process has afterwards as before.
Ran sinew_on(const std::string& target, const std::filesystem::path& folder, const std::vector<std::string>& words) {
  std::optional<std::string> before;
  if (const char* value = std::getenv("SINEW_TARGET")) before = value;
  ::setenv("SINEW_TARGET", target.c_str(), 1);
  const Ran ran = sinew(folder, words);
  before ? ::setenv("SINEW_TARGET", before->c_str(), 1) : ::unsetenv("SINEW_TARGET");
  return ran;
}

TEST(SimdTarget, EachOneOfThisMachineRunsTheStages) {
  const TemporaryFolder folder;
  write_glb(folder.path(), "tube", tube());
  const auto vertices = [&](const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.json()["meshes"][0]["positions"].get<std::vector<float>>();
  };
  const std::vector<std::string> words{"skin", "tube.glb", "--clip", "twist", "--time", "0.3", "--json"};
  const std::vector<float> expected = vertices(sinew_on("", folder.path(), words));  // empty: the best
  for (const std::string_view name : simd_targets()) {
    SCOPED_TRACE(name);
    const std::vector<float> found = vertices(sinew_on(std::string(name), folder.path(), words));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 4e-6f) << i;
    const Ran said = sinew_on(std::string(name), folder.path(), {"bench", "tube.glb", "--seconds", "0.001", "--json"});
    EXPECT_EQ(said.json()["simd_target"], name);
  }
}

TEST(SimdTarget, OneThatIsNotThereIsRefusedByName) {
  const TemporaryFolder folder;
  for (const char* name : {"mmx", "AVX2", " ", "avx2,scalar"}) {
    const Ran ran = sinew_on(name, folder.path(), {"--version"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.error_lines(), 1u) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("sinew: SINEW_TARGET: ")) << ran.err;
    EXPECT_NE(ran.err.find('"' + std::string(name) + '"'), std::string::npos) << ran.err;
    for (const std::string_view known : simd_targets()) EXPECT_NE(ran.err.find(known), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace sinew::test
