// Scenes built in code may be nonsense: each is refused with the place, and none crashes or takes the memory.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "sinew/write.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

struct Nonsense {
  std::string name;
  std::function<void(Scene&)> change;
  ErrorCode code;
  std::string where;
};

void PrintTo(const Nonsense& nonsense, std::ostream* out) { *out << nonsense.name; }

std::vector<Nonsense> hierarchy() {
  using E = ErrorCode;
  return {
      {"parent_outside", [](Scene& s) { s.nodes[0].parent = 100; }, E::out_of_range, "nodes[0].parent"},
      {"parent_below_none", [](Scene& s) { s.nodes[0].parent = -2; }, E::out_of_range, "nodes[0].parent"},
      {"child_outside", [](Scene& s) { s.nodes[0].children.push_back(-1); }, E::out_of_range, "nodes[0].children[1]"},
      {"child_of_another", [](Scene& s) { s.nodes[3].children.push_back(1); }, E::inconsistent, "nodes[3].children[2]"},
      {"child_twice", [](Scene& s) { s.nodes[0].children.push_back(1); }, E::inconsistent, "nodes[0].children[1]"},
      {"child_unlisted", [](Scene& s) { s.nodes[0].children.clear(); }, E::inconsistent, "nodes[1]"},
      {"own_parent", [](Scene& s) { s.nodes[2].parent = 2, s.nodes[2].children = {2}; }, E::cyclic, "nodes[2]"},
      {"cycle", [](Scene& s) { s.nodes[0].parent = 1, s.nodes[1].children = {0}; }, E::cyclic, "nodes[0]"},
      {"mesh_outside", [](Scene& s) { s.nodes[2].mesh = 2; }, E::out_of_range, "nodes[2].mesh"},
      {"skin_outside", [](Scene& s) { s.nodes[2].skin = -3; }, E::out_of_range, "nodes[2].skin"},
      {"scene_node_outside",
       [](Scene& s) {
         s.scenes = {{0}, {9}};
       },
       E::out_of_range, "scenes[1]"},
      {"rotation_zero", [](Scene& s) { s.nodes[1].rest.rotation = quat_xyzw(0, 0, 0, 0); }, E::bad_value,
       "nodes[1].rest"},
      {"rotation_nan", [](Scene& s) { s.nodes[1].rest.rotation.x = kNotANumber; }, E::bad_value, "nodes[1].rest"},
      {"translation_nan", [](Scene& s) { s.nodes[1].rest.translation.x = kNotANumber; }, E::bad_value, "nodes[1].rest"},
      {"scale_infinite", [](Scene& s) { s.nodes[1].rest.scale.z = kInfinite; }, E::bad_value, "nodes[1].rest"},
      {"rest_overflows", [](Scene& s) { s.nodes[0].rest.scale = Vec3(1e30f), s.nodes[1].rest.translation.x = 1e30f; },
       E::bad_value, "nodes[1]"},
      {"node_weight_nan",
       [](Scene& s) {
         s.nodes[2].weights = {0, kNotANumber};
       },
       E::bad_value, "nodes[2].weights[1]"},
      {"mesh_weight_nan",
       [](Scene& s) {
         s.meshes[0].weights = {0, kNotANumber};
       },
       E::bad_value, "meshes[0].weights[1]"},
      {"skin_joint_outside", [](Scene& s) { s.skins[0].joints[1] = 99; }, E::out_of_range, "skins[0].joints[1]"},
      {"skin_joint_none", [](Scene& s) { s.skins[0].joints[1] = kNone; }, E::out_of_range, "skins[0].joints[1]"},
      {"skin_matrices_fewer", [](Scene& s) { s.skins[0].inverse_bind_matrices.pop_back(); }, E::inconsistent,
       "skins[0].inverse_bind_matrices"},
      {"skin_matrix_nan", [](Scene& s) { s.skins[0].inverse_bind_matrices[1].rows[0][0] = kNotANumber; }, E::bad_value,
       "skins[0].inverse_bind_matrices[1]"},
  };
}

std::vector<Nonsense> meshes() {
  using E = ErrorCode;
  const std::string p = "meshes[0].primitives[0]";
  const auto primitive = [](auto change) { return [=](Scene& s) { change(s.meshes[0].primitives[0]); }; };
  using Primitive = Scene::Primitive;
  return {
      {"topology", primitive([](Primitive& m) { m.topology = Topology(9); }), E::bad_value, p + ".topology"},
      {"position_nan", primitive([](Primitive& m) { m.positions[3].y = kNotANumber; }), E::bad_value,
       p + ".positions[3]"},
      {"normals_fewer", primitive([](Primitive& m) { m.normals.pop_back(); }), E::inconsistent, p + ".normals"},
      {"normal_nan", primitive([](Primitive& m) { m.normals[2].y = kNotANumber; }), E::bad_value, p + ".normals[2]"},
      {"tangents_more", primitive([](Primitive& m) { m.tangents.emplace_back(); }), E::inconsistent, p + ".tangents"},
      {"tangent_infinite", primitive([](Primitive& m) { m.tangents[9].w = kInfinite; }), E::bad_value,
       p + ".tangents[9]"},
      {"uvs_fewer", primitive([](Primitive& m) { m.uvs.resize(1); }), E::inconsistent, p + ".uvs"},
      {"uv_nan", primitive([](Primitive& m) { m.uvs[0].x = kNotANumber; }), E::bad_value, p + ".uvs[0]"},
      {"target_fewer", primitive([](Primitive& m) { m.targets[1].positions.pop_back(); }), E::inconsistent,
       p + ".targets[1].positions"},
      {"target_nan", primitive([](Primitive& m) { m.targets[1].normals[4].x = kNotANumber; }), E::bad_value,
       p + ".targets[1].normals[4]"},
      {"joints_fewer", primitive([](Primitive& m) { m.influences[0].joints.pop_back(); }), E::inconsistent,
       p + ".influences[0].joints"},
      {"weights_fewer", primitive([](Primitive& m) { m.influences[0].weights.clear(); }), E::inconsistent,
       p + ".influences[0].weights"},
      {"weight_nan", primitive([](Primitive& m) { m.influences[0].weights[7].w = kNotANumber; }), E::bad_value,
       p + ".influences[0].weights[7]"},
      {"joint_outside", primitive([](Primitive& m) { m.influences[0].joints[5][0] = 7; }), E::out_of_range, p},
      {"index_outside", primitive([](Primitive& m) { m.indices[4] = 10; }), E::out_of_range, p + ".indices[4]"},
      {"skin_without_joints",
       [](Scene& s) {
         s.skins[0].joints.clear();
         s.meshes[0].primitives[0].influences[0].weights.assign(10, Vec4(0.0f));
       },
       E::bad_value, "skins[0].joints"},
      {"vertex_overflows", primitive([](Primitive& m) {
         m.positions[1] = Vec3(3e38f), m.targets[0].positions[1] = Vec3(3e38f), m.targets[1].positions[1] = Vec3(3e38f);
       }),
       E::bad_value, p},
      {"box_overflows",
       primitive([](Primitive& m) { m.positions[0] = Vec3(3e38f), m.positions[1] = Vec3(-3e38f), m.targets.clear(); }),
       E::too_large, ""},
  };
}

std::vector<Nonsense> clips() {
  using E = ErrorCode;
  const std::string track = "clips[0].tracks[0]";
  const auto change_track = [](auto change) { return [=](Scene& s) { change(s.clips[0].tracks[0]); }; };
  using Track = Scene::Track;
  return {
      {"track_node_outside", change_track([](Track& t) { t.node = 50; }), E::out_of_range, track + ".node"},
      {"track_node_below_none", change_track([](Track& t) { t.node = -7; }), E::out_of_range, track + ".node"},
      {"track_path", change_track([](Track& t) { t.path = Path(4); }), E::bad_value, track},
      {"track_interpolation", change_track([](Track& t) { t.interpolation = Interpolation(3); }), E::bad_value, track},
      {"track_times_outside", change_track([](Track& t) { t.times = 70; }), E::out_of_range, track + ".times"},
      {"track_values_fewer", change_track([](Track& t) { t.values.pop_back(); }), E::inconsistent, track + ".values"},
      {"track_values_of_a_spline", change_track([](Track& t) { t.interpolation = Interpolation::cubicspline; }),
       E::inconsistent, track + ".values"},
      {"track_value_nan", change_track([](Track& t) { t.values[5] = kNotANumber; }), E::bad_value,
       track + ".values[5]"},
      {"track_rotation_zero",
       change_track([](Track& t) { std::fill(t.values.begin() + 4, t.values.begin() + 8, 0.0f); }), E::bad_value,
       track},
      {"time_nan", [](Scene& s) { s.clips[0].times[0][1] = kNotANumber; }, E::bad_value, "clips[0].times[0]"},
      {"times_decrease", [](Scene& s) { s.clips[0].times[0][1] = 5; }, E::inconsistent, "clips[0].times[0]"},
      {"time_span_infinite",
       [](Scene& s) {
         s.clips[0].times[0] = {-3e38f, 0, 3e38f};
       },
       E::bad_value, "clips[0].times[0]"},
      {"wrap_period_nan", [](Scene& s) { s.clips[1].wrap_period = kNotANumber; }, E::bad_value, "clips[1].wrap_period"},
      {"wrap_period_negative", [](Scene& s) { s.clips[1].wrap_period = -1; }, E::bad_value, "clips[1].wrap_period"},
      {"tangent_overflows",
       [](Scene& s) {
         for (std::size_t i = 4; i < 8; ++i) s.clips[1].tracks[0].values[i] *= 1e-3f;  // the value of key 0
         s.clips[1].tracks[0].values[2] = 3e38f;
       },
       E::bad_value, "clips[1].tracks[0]"},
  };
}

class WriteNonsense : public ::testing::TestWithParam<Nonsense> {};

TEST_P(WriteNonsense, IsRefused) {
  Scene scene = test::every_array_scene();
  ASSERT_TRUE(write(scene)) << "right before the change";
  GetParam().change(scene);
  const auto bytes = write(scene);
  ASSERT_FALSE(bytes);
  const Error& error = bytes.error();
  EXPECT_EQ(to_string(error.code), std::string(to_string(GetParam().code))) << error.message();
  EXPECT_EQ(error.where, GetParam().where) << error.message();
  EXPECT_FALSE(error.what.empty());
  EXPECT_FALSE(error.what_to_do.empty());
}

std::string nonsense_name(const ::testing::TestParamInfo<Nonsense>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Hierarchy, WriteNonsense, ::testing::ValuesIn(hierarchy()), nonsense_name);
INSTANTIATE_TEST_SUITE_P(Meshes, WriteNonsense, ::testing::ValuesIn(meshes()), nonsense_name);
INSTANTIATE_TEST_SUITE_P(Clips, WriteNonsense, ::testing::ValuesIn(clips()), nonsense_name);

TEST(WriteLimits, MoreEntriesThanSixteenBitsAreRefusedByName) {
  // All 65,536 joints used, and a vertex without weight, which needs one entry more.
  constexpr int kJoints = 65536;
  Scene scene;
  test::add_node(scene, "root");
  Scene::Skin& skin = scene.skins.emplace_back();
  skin.name = "crowd";
  skin.joints.assign(kJoints, 0);
  scene.nodes[0].mesh = 0, scene.nodes[0].skin = 0;
  Scene::Primitive& p = scene.meshes.emplace_back().primitives.emplace_back();
  p.topology = Topology::points;
  Scene::InfluenceSet& set = p.influences.emplace_back();
  for (int j = 0; j < kJoints; ++j) {
    p.positions.emplace_back(0.0f);
    set.joints.push_back({std::uint16_t(j), 0, 0, 0});
    set.weights.emplace_back(1, 0, 0, 0);
  }
  EXPECT_TRUE(write(scene));
  p.positions.emplace_back(0.0f);
  set.joints.push_back({0, 0, 0, 0});
  set.weights.emplace_back(0.0f);
  const auto bytes = write(scene);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::unsupported);
  EXPECT_NE(bytes.error().what.find("crowd"), std::string::npos);
  EXPECT_NE(bytes.error().what.find("65537"), std::string::npos);
}

TEST(WriteLimits, MorphWeightsOfManyNodesAreBounded) {
  Scene scene = test::morph_triangle(1);
  scene.clips.clear();
  scene.meshes[0].primitives[0].targets.resize(20000);
  for (int i = 0; i < 20000; ++i) scene.nodes[std::size_t(test::add_node(scene, {}))].mesh = 0;
  const auto bytes = write(scene);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::too_large);
}

TEST(WriteLimits, PartsOfManyNodesAreBounded) {
  Scene scene = test::morph_triangle(1);
  scene.clips.clear();
  scene.meshes[0].primitives.resize(4000, scene.meshes[0].primitives[0]);
  for (int i = 0; i < 4000; ++i) scene.nodes[std::size_t(test::add_node(scene, {}))].mesh = 0;
  EXPECT_EQ(write(scene).error().code, ErrorCode::too_large);
}

TEST(WriteLimits, TargetsWithoutDataAreBounded) {
  Scene scene = test::morph_triangle(1);
  scene.clips.clear();
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.positions.resize(100000);
  p.normals.clear();
  p.targets.assign(50000, {});
  EXPECT_EQ(write(scene).error().code, ErrorCode::too_large);
}

TEST(WriteLimits, DeepHierarchiesNeedNoDeepStack) {
  Scene scene;
  constexpr int kDepth = 40000;
  for (int i = 0; i < kDepth; ++i) test::add_node(scene, {}, i - 1);
  scene.skins.emplace_back().joints = {kDepth - 1};
  const Bytes bytes = test::must(write(scene));
  EXPECT_EQ(test::must(open(bytes)).skeleton().joint_count(), std::size_t(kDepth));
}

}  // namespace
}  // namespace sinew
