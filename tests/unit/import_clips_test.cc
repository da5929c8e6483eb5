// Animations: tracks, times, interpolation; what is told of keys, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

using nlohmann::json;

constexpr int kElbow = 1, kMeshNode = 2;

Error clip_refusal(const RawGltf& raw) {
  const auto scene = import_gltf(raw.glb());
  EXPECT_FALSE(scene) << "was accepted";
  return scene ? Error{} : scene.error();
}

Error clip_refusal(const Scene& scene) { return clip_refusal(to_raw(scene)); }

Finding finding(const RawGltf& raw, const char* code) {
  const Scene scene = import_raw(raw);
  const Finding* found = find(scene.findings, code);
  EXPECT_NE(found, nullptr) << code << " is not among:\n" << lines(scene.findings);
  return found ? *found : Finding{};
}

Finding finding(const Scene& scene, const char* code) { return finding(to_raw(scene), code); }

/// The strip with one clip of one track of the second joint.
Scene with_track(Path path, Interpolation interpolation, std::vector<float> times, std::vector<float> values) {
  Scene scene = strip();
  scene.clips.clear();
  add_track(add_clip(scene, "wave"), kElbow, path, interpolation, std::move(times), std::move(values));
  return scene;
}

TEST(ImportClips, AllPathsAndInterpolations) {
  Scene expected = morph_triangle(2);
  expected.clips.clear();
  Scene::Clip& clip = add_clip(expected, "all");
  add_track(clip, 0, Path::translation, Interpolation::step, {0, 1}, {1, 2, 3, 4, 5, 6});
  add_track(clip, 0, Path::rotation, Interpolation::linear, {0, 2}, {0, 0, 0, 1, 0, 0, 1, 0});
  std::vector<float> cubic(2 * 3 * 3);
  for (std::size_t i = 0; i < cubic.size(); ++i) cubic[i] = float(i);
  add_track(clip, 0, Path::scale, Interpolation::cubicspline, {0.5f, 3}, cubic);
  add_track(clip, 0, Path::weights, Interpolation::linear, {0, 1}, {0, 0.5f, 1, 0.25f});
  const Scene scene = through_file(expected);
  ASSERT_EQ(scene.clips.size(), 1u);
  EXPECT_EQ(scene.clips[0].name, "all");
  EXPECT_EQ(scene.clips[0].times, clip.times);
  ASSERT_EQ(scene.clips[0].tracks.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(scene.clips[0].tracks[i].node, 0);
    EXPECT_EQ(scene.clips[0].tracks[i].path, clip.tracks[i].path);
    EXPECT_EQ(scene.clips[0].tracks[i].interpolation, clip.tracks[i].interpolation);
    EXPECT_EQ(scene.clips[0].tracks[i].times, i);
    EXPECT_EQ(scene.clips[0].tracks[i].values, clip.tracks[i].values);
  }
}

TEST(ImportClips, ChannelsOfOneInputShareItsTimes) {
  RawGltf raw = to_raw(strip());
  json& animation = raw.json["animations"][0];
  animation["samplers"].push_back(
      {{"input", animation["samplers"][0]["input"]}, {"output", raw.accessor(std::vector<float>(6), "VEC3")}});
  animation["channels"].push_back({{"sampler", 1}, {"target", {{"node", 0}, {"path", "translation"}}}});
  const Scene scene = import_raw(raw);
  EXPECT_EQ(scene.clips[0].times.size(), 1u);
  EXPECT_EQ(scene.clips[0].tracks[1].times, 0u);
}

TEST(ImportClips, DefaultIsLinearAndUnknownIsRefused) {
  RawGltf raw = to_raw(strip());
  json& sampler = raw.json["animations"][0]["samplers"][0];
  sampler.erase("interpolation");
  EXPECT_EQ(import_raw(raw).clips[0].tracks[0].interpolation, Interpolation::linear);
  sampler["interpolation"] = "QUADRATIC";
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::bad_value);
}

TEST(ImportClips, Times) {
  const auto at = [&](std::vector<float> times) {
    std::vector<float> values(times.size() * 3, 1.0f);
    return with_track(Path::scale, Interpolation::linear, std::move(times), std::move(values));
  };
  EXPECT_EQ(through_file(at({1.5f, 2.5f})).clips[0].times[0], (std::vector<float>{1.5f, 2.5f})) << "kept as stored";
  const Finding twice = finding(at({0, 1, 1, 2, 2}), "times.duplicate");
  EXPECT_EQ(twice.severity, Severity::warning);
  EXPECT_EQ(twice.count, 2u);
  EXPECT_NE(twice.what.find("key 2 at 1 s"), std::string::npos) << twice.what;
  EXPECT_EQ(through_file(at({0, 1, 1, 2, 2})).clips[0].times[0].size(), 5u);
  EXPECT_EQ(finding(at({-1, 1}), "times.negative").severity, Severity::warning);
  const Error back = clip_refusal(at({0, 1, 0.5f}));
  EXPECT_EQ(back.code, ErrorCode::bad_value);
  EXPECT_NE(back.what.find("key 2 is at 0.5 s, after 1 s"), std::string::npos) << back.what;
  EXPECT_EQ(clip_refusal(at({0, std::nanf("")})).code, ErrorCode::bad_value);
}

TEST(ImportClips, NumbersOfValuesThatDoNotFitAreRefused) {
  Error error = clip_refusal(with_track(Path::scale, Interpolation::linear, {0, 1}, std::vector<float>(9)));
  EXPECT_EQ(error.code, ErrorCode::inconsistent);
  EXPECT_EQ(error.where, "animations[0].samplers[0].output");
  EXPECT_NE(error.what.find("has 3 values; 2 keys ask for 2"), std::string::npos) << error.what;
  EXPECT_EQ(clip_refusal(with_track(Path::scale, Interpolation::cubicspline, {0, 1}, std::vector<float>(6))).code,
            ErrorCode::inconsistent);
  EXPECT_EQ(clip_refusal(with_track(Path::rotation, Interpolation::linear, {0, 1, 2}, {0, 0, 0, 1, 0, 0, 0, 1})).code,
            ErrorCode::inconsistent);
}

TEST(ImportClips, TypesThatDoNotFitAreRefused) {
  RawGltf raw = to_raw(strip());
  json& sampler = raw.json["animations"][0]["samplers"][0];
  const json right = sampler;
  sampler["output"] = raw.accessor(std::vector<float>(6), "VEC3");
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::bad_type);
  sampler = right;
  sampler["input"] = raw.accessor(std::vector<std::uint16_t>{0, 1}, "SCALAR", true);
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::bad_type);
  sampler["input"] = 1000;
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::out_of_range);
  sampler = right;
  sampler.erase("output");
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::bad_value);
}

TEST(ImportClips, ChannelsThatDriveNothing) {
  RawGltf raw = to_raw(strip());
  json& channel = raw.json["animations"][0]["channels"][0];
  channel["target"].erase("node");
  EXPECT_EQ(finding(raw, "animation.no_node").severity, Severity::info);
  EXPECT_TRUE(import_raw(raw).clips[0].tracks.empty());
  channel["target"] = {{"node", 1}, {"path", "color"}};
  EXPECT_EQ(finding(raw, "animation.unknown_path").severity, Severity::warning);
  channel["target"] = {{"node", 1}, {"path", "weights"}};
  EXPECT_EQ(finding(raw, "morph.no_targets").severity, Severity::warning);
  channel["target"] = {{"path", "pointer"},
                       {"extensions", {{"KHR_animation_pointer", {{"pointer", "/nodes/1/rotation"}}}}}};
  EXPECT_EQ(finding(raw, "animation.node_pointer").severity, Severity::warning);
  channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = "/materials/0/alphaCutoff";
  EXPECT_EQ(finding(raw, "animation.pointer").severity, Severity::info);
  channel["target"] = {{"node", 9}, {"path", "rotation"}};
  EXPECT_EQ(clip_refusal(raw).code, ErrorCode::out_of_range);
  raw.json["animations"][0]["channels"] = json::array();
  EXPECT_EQ(finding(raw, "animation.empty").severity, Severity::info);
}

TEST(ImportClips, OneNodeAndPathIsDrivenOnce) {
  Scene scene = strip();
  add_track(scene.clips[0], kElbow, Path::rotation, Interpolation::linear, {0}, {0, 0, 0, 1});
  const Error error = clip_refusal(scene);
  EXPECT_EQ(error.code, ErrorCode::inconsistent);
  EXPECT_NE(error.what.find("animations[0].channels[0]"), std::string::npos) << error.what;
}

TEST(ImportClips, ATrackWithoutKeysIsKeptAndDrivesNothing) {
  RawGltf raw = to_raw(strip());
  raw.json["accessors"].push_back({{"componentType", kFloat}, {"count", 0}, {"type", "SCALAR"}});
  raw.json["accessors"].push_back({{"componentType", kFloat}, {"count", 0}, {"type", "VEC4"}});
  json& sampler = raw.json["animations"][0]["samplers"][0];
  sampler["input"] = raw.json["accessors"].size() - 2, sampler["output"] = raw.json["accessors"].size() - 1;
  const Scene scene = import_raw(raw);
  EXPECT_NE(find(scene.findings, "animation.empty_track"), nullptr);
  ASSERT_EQ(scene.clips[0].tracks.size(), 1u);
  EXPECT_TRUE(scene.clips[0].times[0].empty());
  EXPECT_TRUE(scene.clips[0].tracks[0].values.empty());
}

TEST(ImportClips, RotationsThatAreNoUnit) {
  std::vector<float> times, values;
  for (int k = 0; k < 20; ++k) {
    times.push_back(float(k) / 10);
    values.insert(values.end(), {0, 0, 0, k == 13 ? 1.28f : k == 4 ? 1.1f : 1.0f});
  }
  const Finding found = finding(with_track(Path::rotation, Interpolation::linear, times, values), "rotation.not_unit");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.count, 2u);
  for (const char* part : {"\"wave\"", "\"joint1\"", "key 13", "1.3 s", "1.28"})
    EXPECT_NE(found.what.find(part), std::string::npos) << part << " in: " << found.what;
  EXPECT_EQ(through_file(with_track(Path::rotation, Interpolation::linear, times, values)).clips[0].tracks[0].values,
            values)
      << "kept as stored";

  values[4 * 7 + 3] = 0;
  const Error zero = clip_refusal(with_track(Path::rotation, Interpolation::linear, times, values));
  EXPECT_EQ(zero.code, ErrorCode::bad_value);
  EXPECT_NE(zero.what.find("key 7 at 0.7 s"), std::string::npos) << zero.what;
}

TEST(ImportClips, TangentsNeedNoLength) {
  const std::vector<float> keys = {0, 0, 0, 0, 0, 0, 0, 1, 5, 5, 5, 5, 9, 9, 9, 9, 0, 0, 1, 0, 0, 0, 0, 0};
  const Scene scene = through_file(with_track(Path::rotation, Interpolation::cubicspline, {0, 1}, keys));
  EXPECT_EQ(find(scene.findings, "rotation.not_unit"), nullptr) << lines(scene.findings);
  EXPECT_EQ(scene.clips[0].tracks[0].values, keys);
}

TEST(ImportClips, SignFlips) {
  const std::vector<float> keys = {0, 0, 0, 1, 0, 0, -0.17364818f, -0.98480775f, 0, 0, 0, -1};
  const Finding flip = finding(with_track(Path::rotation, Interpolation::linear, {0, 1, 2}, keys), "qsign.flip");
  EXPECT_EQ(flip.severity, Severity::info);
  EXPECT_EQ(flip.count, 1u);
  EXPECT_NE(flip.what.find("1 sign flips"), std::string::npos) << flip.what;
  EXPECT_EQ(find(through_file(with_track(Path::rotation, Interpolation::step, {0, 1, 2}, keys)).findings, "qsign.flip"),
            nullptr);
  std::vector<float> cubic;
  for (std::size_t k = 0; k < 3; ++k) {
    cubic.insert(cubic.end(), 4, 0.0f);
    cubic.insert(cubic.end(), keys.begin() + std::ptrdiff_t(4 * k), keys.begin() + std::ptrdiff_t(4 * k + 4));
    cubic.insert(cubic.end(), 4, 0.0f);
  }
  EXPECT_EQ(finding(with_track(Path::rotation, Interpolation::cubicspline, {0, 1, 2}, cubic), "qsign.cubic").severity,
            Severity::warning);
}

TEST(ImportClips, OneKey) {
  const Finding cubic = finding(with_track(Path::scale, Interpolation::cubicspline, {0}, {0, 0, 0, 2, 2, 2, 0, 0, 0}),
                                "interp.one_key_cubic");
  EXPECT_EQ(cubic.severity, Severity::warning);
}

TEST(ImportClips, HeldKeysAreHinted) {
  std::vector<float> times, held, moving;
  for (int k = 0; k < 20; ++k) {
    times.push_back(float(k) / 30);
    for (int c = 0; c < 3; ++c) held.push_back(k < 10 ? 1.0f : 2.0f), moving.push_back(1 + 0.1f * float(k));
  }
  const Finding found = finding(with_track(Path::scale, Interpolation::linear, times, held), "interp.held");
  EXPECT_EQ(found.severity, Severity::info);
  EXPECT_NE(found.what.find("looks like held keys"), std::string::npos);
  EXPECT_EQ(through_file(with_track(Path::scale, Interpolation::linear, times, held)).clips[0].tracks[0].interpolation,
            Interpolation::linear);
  const auto quiet = [&](Interpolation interpolation, const std::vector<float>& values) {
    return find(through_file(with_track(Path::scale, interpolation, times, values)).findings, "interp.held") == nullptr;
  };
  EXPECT_TRUE(quiet(Interpolation::step, held));
  EXPECT_TRUE(quiet(Interpolation::linear, moving));
  EXPECT_TRUE(quiet(Interpolation::linear, std::vector<float>(60, 1.0f))) << "constant";
}

TEST(ImportClips, NodesThatAreNotMoved) {
  Scene scene = strip();
  add_track(scene.clips[0], kMeshNode, Path::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 0, 5, 0});
  const Finding found = finding(scene, "meshnode.channel");
  EXPECT_EQ(found.severity, Severity::info);
  EXPECT_EQ(found.where, "animations[0].channels[1]");

  RawGltf raw = to_raw(strip());
  for (const char* part : {"translation", "rotation", "scale"}) raw.json["nodes"][kElbow].erase(part);
  raw.json["nodes"][kElbow]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
  EXPECT_EQ(finding(raw, "node.matrix_animated").severity, Severity::warning);
}

TEST(ImportClips, MorphWeightsByTheNumberOfKeys) {
  Scene scene = morph_triangle(3);
  scene.clips[0].times[0] = {0, 1, 1, 2};
  EXPECT_EQ(through_file(scene).clips[0].tracks[0].values, scene.clips[0].tracks[0].values);
  // Two weights a key where the mesh has three targets.
  scene.clips[0].times[0] = {0, 1, 2};
  scene.clips[0].tracks[0].values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(finding(scene, "morph.track_targets").severity, Severity::warning);
  EXPECT_EQ(through_file(scene).clips[0].tracks[0].values, (std::vector<float>{1, 2, 0, 3, 4, 0, 5, 6, 0}));
  scene.clips[0].tracks[0].values = {1, 2, 3, 4};
  EXPECT_EQ(clip_refusal(scene).code, ErrorCode::inconsistent) << "4 weights for 3 keys";
}

}  // namespace
}  // namespace sinew::test
