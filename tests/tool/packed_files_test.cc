// Verbs that read a .sinew read a compressed one: inspect, skin, explain, bench and render say what is true of packed tracks.
#include <gtest/gtest.h>

#include <algorithm>

#include "moving_tube.h"
#include "program.h"
#include "render/codec.h"
#include "support/raw_gltf.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

/// `tube.glb` and `tube.sinew`, compressed; of its clip, joint 0 steps, and joint 1 turns and is scaled for good.
class PackedFiles : public testing::Test {
 protected:
  PackedFiles() {
    Scene scene = moving_tube({"walk"});
    Scene::Clip& clip = scene.clips[0];
    add_turn(clip, 0, {0, 0.5f, 1.7f}, {0, 30, 60}).interpolation = Interpolation::step;
    add_track(clip, 1, Path::scale, Interpolation::linear, {0, 2}, {1, 1.2f, 1, 1, 1.2f, 1});
    write_glb(folder(), "tube", scene);
    ran({"build", "tube.glb"});
  }
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(const std::vector<std::string>& arguments) {
    Ran out = sinew(folder(), arguments);
    EXPECT_EQ(out.status, 0) << out.err;
    return out;
  }
  std::string text(const std::vector<std::string>& arguments) { return ran(arguments).out; }
  Json json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    return ran(arguments).json();
  }

 private:
  TemporaryFolder folder_;
};

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(PackedFiles, InspectTellsPackedTracksFromKeys) {
  const Json inspected = json({"inspect", "tube.sinew"}), clip = inspected["clips"][0], packed = clip["packed"];
  EXPECT_EQ(clip["interpolation"], "packed + step");
  EXPECT_EQ(clip["rotations"], 2);
  EXPECT_EQ(clip["scales"], 1);
  EXPECT_EQ(clip["keys"], 3);
  EXPECT_EQ(packed["frames"], 61);
  EXPECT_NEAR(packed["seconds_per_frame"].get<double>(), 1.0 / 30, 1e-6);
  EXPECT_EQ(packed["moving"], 1);
  EXPECT_EQ(packed["constant"], 1);
  EXPECT_EQ(packed["kept"], 1);
  EXPECT_GT(packed["bytes"], 0);
  EXPECT_GT(packed["table_bytes"], 0);
  EXPECT_GT(clip["bytes"], packed["bytes"]);
  EXPECT_TRUE(json({"inspect", "tube.glb"})["clips"][0]["packed"].is_null());
  expect_parts(text({"inspect", "tube.sinew"}), {"packed + step", "Packed clips", "kept keys", " 61 "});
  EXPECT_EQ(text({"inspect", "tube.glb"}).find("Packed clips"), std::string::npos);
}

TEST_F(PackedFiles, SkinIsNearTheSource) {
  const auto positions = [&](const std::string& file, const std::string& time) {
    return json({"skin", file, "--clip", "walk", "--time", time})["meshes"][0]["positions"].get<std::vector<float>>();
  };
  for (const std::string time : {"0", "0.51", "1.3", "2", "3"}) {
    const std::vector<float> source = positions("tube.glb", time), built = positions("tube.sinew", time);
    ASSERT_EQ(source.size(), built.size());
    for (std::size_t i = 0; i < source.size(); ++i) EXPECT_NEAR(source[i], built[i], 2 * 5.6e-5) << time << ' ' << i;
  }
}

TEST_F(PackedFiles, ExplainNamesFramesAndTheirPoses) {
  const Json e = json({"explain", "tube.sinew", "--vertex", "150", "--clip", "walk", "--time", "0.41"});
  const Json& joint = e["joints"][1];
  ASSERT_EQ(joint["tracks"].size(), 2u);
  const Json &turn = joint["tracks"][0], &scale = joint["tracks"][1];
  EXPECT_EQ(turn["path"], "rotation");
  EXPECT_TRUE(turn["packed"].get<bool>());
  EXPECT_EQ(turn["key_count"], 61);
  EXPECT_EQ(turn["keys"], Json({12, 13}));
  EXPECT_NEAR(turn["factor"].get<double>(), 0.3, 1e-3);
  EXPECT_EQ(scale["key_count"], 1);
  EXPECT_NEAR(scale["values"][0][1].get<double>(), 1.2, 1e-6);
  const Json& step = e["joints"][0]["tracks"][0];
  EXPECT_FALSE(step["packed"].get<bool>());
  EXPECT_EQ(step["interpolation"], "step");
  // The pose lies between those of the two frames, at the factor.
  const auto local = [&](const std::string& time) {
    return json({"explain", "tube.sinew", "--vertex", "150", "--clip", "walk", "--time", time})["joints"][1]["local"];
  };
  const Json before = local(std::to_string(12 / 30.0f)), after = local(std::to_string(13 / 30.0f));
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(turn["values"][0][c].get<double>(), before["rotation"][c].get<double>(), 1e-5);
    EXPECT_NEAR(turn["values"][1][c].get<double>(), after["rotation"][c].get<double>(), 1e-5);
  }
  const Json skinned = json({"skin", "tube.sinew", "--clip", "walk", "--time", "0.41"})["meshes"][0]["positions"];
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(e["skinned"][axis], skinned[450 + axis]);
  expect_parts(text({"explain", "tube.sinew", "--vertex", "150", "--clip", "walk", "--time", "0.41"}),
               {"rotation (packed, 61 frames): frames 12 and 13 at 0.4 and ", "scale (packed, constant): (1, 1.2, 1)",
                "rotation (step, 3 keys)"});
  expect_parts(text({"explain", "tube.sinew", "--vertex", "150", "--clip", "walk", "--time", "9"}),
               {"frames 59 and 60", "factor 1, after the last: held"});
}

TEST_F(PackedFiles, ExplainNamesFramesOfMorphWeights) {
  Scene scene = morph_triangle(2);
  Scene::Track& track = scene.clips[0].tracks[0];
  scene.clips[0].times[track.times] = {0, 0.25f, 0.5f, 0.75f, 1};
  track.values = {0, 0.3f, 0.1f, 0.3f, 0.7f, 0.3f, 0.4f, 0.3f, 0, 0.3f};
  write_glb(folder(), "morph", scene);
  ran({"build", "morph.glb"});
  const Json e = json({"explain", "morph.sinew", "--vertex", "0", "--clip", "0", "--time", "0.3"});
  EXPECT_TRUE(e["morphs"][0]["track"]["packed"].get<bool>());
  EXPECT_EQ(e["morphs"][0]["track"]["keys"], Json({1, 2}));
  EXPECT_NEAR(e["morphs"][0]["track"]["values"][1][0].get<double>(), 0.7, 1e-4);
  EXPECT_EQ(e["morphs"][1]["track"]["key_count"], 1);
}

TEST_F(PackedFiles, BenchTimesPackedSampling) {
  const Json out = json({"bench", "tube.sinew", "--seconds", "0.002", "--instances", "4"});
  EXPECT_TRUE(out["packed"].get<bool>());
  const auto sample = std::ranges::find_if(out["stages"], [](const Json& s) { return s["stage"] == "sample_random"; });
  ASSERT_NE(sample, out["stages"].end());
  EXPECT_GT((*sample)["bytes"], 0);
  expect_parts(text({"bench", "tube.sinew", "--seconds", "0.002", "--instances", "4"}),
               {" 2 s, packed, 1 group of keys"});
}

TEST_F(PackedFiles, RenderDrawsThem) {
  ran({"render", "tube.sinew", "--clip", "walk", "--time", "0.4", "--size", "64x64", "-o", "tube.png"});
  EXPECT_EQ(must(render::decode(read_bytes(folder() / "tube.png"))).width, 64u);
  const Json both = json({"render", "tube.glb", "--compare", "tube.sinew", "--heat", "--clip", "walk", "--time", "0.41",
                          "--size", "32x32", "-o", "both.png"});
  EXPECT_GT(both["largest_difference"], 0);
  EXPECT_LT(both["largest_difference"], 5.6e-5);
}

}  // namespace
}  // namespace sinew::test
