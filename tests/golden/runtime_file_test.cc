// Real files through import, write and open: what is stored once, and that all jobs run on it.
#include <gtest/gtest.h>

#include "sinew/import.h"
#include "sinew/sinew.h"
#include "sinew/write.h"
#include "support/files.h"
#include "support/run_everything.h"

namespace sinew {
namespace {

using test::must;

class RuntimeFileOfAsset : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(RuntimeFileOfAsset, OpensAndRuns) {
  const Scene scene = must(import_file(GetParam()));
  const Bytes bytes = must(write(scene));
  EXPECT_EQ(bytes, must(write(scene)));
  const auto character = open(bytes);
  ASSERT_TRUE(character) << character.error().message();
  EXPECT_EQ(character->clips().size(), scene.clips.size());
  std::size_t vertices = 0;
  for (const Part& part : character->parts()) vertices += character->meshes()[part.mesh].vertex_count();
  EXPECT_EQ(test::run_everything(*character), vertices * (1 + character->clips().size()));
}

INSTANTIATE_TEST_SUITE_P(All, RuntimeFileOfAsset, ::testing::ValuesIn(test::gltf_assets()),
                         [](const auto& test) { return test::test_name(test.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RuntimeFileOfAsset);

TEST(RuntimeFile, OneMeshUnderManySkinsIsStoredOnce) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoShared;
  const Scene scene = must(import_file(*shared / "assets/gltf/InfiniteSkinnedTentacle.glb"));
  const Bytes bytes = must(write(scene));
  const Character character = must(open(bytes));
  EXPECT_EQ(character.skins().size(), scene.skins.size());
  EXPECT_EQ(character.parts().size(), scene.skins.size());
  EXPECT_EQ(character.meshes().size(), 1u);
}

}  // namespace
}  // namespace sinew
