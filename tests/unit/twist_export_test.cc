// Scenes with twist joints as files: types of weights, what passes through, real characters.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/export.h"
#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/glb_file.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"
#include "twisted_tube.h"

namespace sinew::test {
namespace {

/// The tube as a file with weights stored as normalized integers, and things around it that sinew does not model.
template <class T>
RawGltf stored_tube(T most) {
  RawGltf raw = to_raw(tube());
  std::vector<T> weights;
  for (const Vec4& w : tube().meshes[0].primitives[0].influences[0].weights) {
    const T second = T(std::lround(w[1] * float(most)));
    for (const T v : {T(most - second), second, T(0), T(0)}) weights.push_back(v);
  }
  raw.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = raw.accessor(weights, "VEC4", true);
  raw.json["animations"][0]["channels"][0]["extras"] = "channel";
  raw.json["animations"][0]["samplers"][0]["extras"] = "sampler";
  raw.json["animations"][0]["extras"] = 7;
  raw.json["nodes"][0]["extras"] = {{"kept", true}};
  raw.json["materials"] = {{{"name", "cloth"}, {"extras", 3}}};
  raw.json["meshes"][0]["primitives"][0]["material"] = 0;
  return raw;
}

template <class T>
void expect_stored(T most, int type) {
  const Twisted made = twisted(import_raw(stored_tube(most)), 3);
  Report report;
  const GlbFile file = read_glb(must(export_glb(made.scene, &report)));
  const auto& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  const auto& accessor = file.json["accessors"][attributes["WEIGHTS_0"].get<std::size_t>()];
  EXPECT_EQ(accessor["componentType"], type);
  EXPECT_EQ(accessor["normalized"], true);
  EXPECT_FALSE(attributes.contains("JOINTS_1"));
  const Scene again = must(import_gltf(must(export_glb(made.scene))));
  for (const Vec4& w : again.meshes[0].primitives[0].influences[0].weights) {
    long sum = 0;
    for (int i = 0; i < 4; ++i) sum += std::lround(w[i] * float(most));
    EXPECT_EQ(sum, long(most));
  }
  EXPECT_NEAR(radius_of_ring(evaluate(again, 0, 1), 10), 0.9239, 0.01);
}

TEST(TwistExport, StoredWeightsKeepTheirTypeAndSum) {
  expect_stored<std::uint8_t>(255, kUnsignedByte);
  expect_stored<std::uint16_t>(65535, kUnsignedShort);
}

TEST(TwistExport, EverythingElseOfTheFilePassesThrough) {
  Scene source = tube();
  add_turn(add_clip(source, "other"), 0, {0, 1}, {0, 30});
  RawGltf raw = stored_tube<std::uint8_t>(255);
  const Scene scene = import_raw(raw);
  const GlbFile before = read_glb(must(export_glb(scene))), after = read_glb(must(export_glb(twisted(scene, 2).scene)));
  EXPECT_EQ(after.json["materials"], before.json["materials"]);
  EXPECT_EQ(after.json["nodes"][0]["extras"], before.json["nodes"][0]["extras"]);
  EXPECT_EQ(after.json["meshes"][0]["primitives"][0]["material"], 0);
  const auto& animation = after.json["animations"][0];
  EXPECT_EQ(animation["extras"], 7);
  ASSERT_EQ(animation["channels"].size(), 3u);
  EXPECT_EQ(animation["channels"][0]["extras"], "channel") << "a track that is as it was keeps its channel";
  EXPECT_EQ(animation["samplers"][0]["extras"], "sampler");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(animation["channels"][std::size_t(i)]["sampler"], i);
}

TEST(TwistExport, ReadsBackAsItWasMade) {
  for (const Scene& scene :
       {twisted(tube(), 3).scene, twisted(chain(5), 2, "joint3").scene, twisted(through_file(tube()), 2).scene})
    EXPECT_EQ(difference(scene, must(import_gltf(must(export_glb(scene)))), 1e-6f), "");
}

struct TwistAsset {
  const char *file, *joint;
};
class TwistAssets : public testing::TestWithParam<TwistAsset> {};

TEST_P(TwistAssets, StayAsTheyWereWhereNothingTwists) {
  const auto shared = shared_dir();
  if (!shared) GTEST_SKIP() << kNoShared;
  const Scene scene = must(import_file(*shared / "assets/gltf" / GetParam().file));
  const Twisted made = twisted(scene, 2, GetParam().joint);
  EXPECT_GT(made.vertices, 100u);
  const Loaded before = must(load(scene));
  EXPECT_LT(compare(evaluate(scene), evaluate(made.scene), before.character.size()).vertices, 1e-6);
  const Scene again = must(import_gltf(must(export_glb(made.scene))));
  EXPECT_EQ(again.nodes.size(), scene.nodes.size() + 2);
  EXPECT_EQ(again.clips.size(), scene.clips.size());
}

INSTANTIATE_TEST_SUITE_P(Files, TwistAssets,
                         testing::Values(TwistAsset{"cesium_man.gltf", "9"}, TwistAsset{"robot.glb", "LowerArm.L"},
                                         TwistAsset{"robot.glb", "Palm2.R"}),
                         [](const auto& row) { return "asset" + std::to_string(row.index); });

}  // namespace
}  // namespace sinew::test
