#include "sinew/twist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"
#include "twisted_tube.h"

namespace sinew::test {
namespace {

constexpr double kTwistDegree = std::numbers::pi / 180;

Error refused_twist(const Scene& scene, const std::string& joint, std::uint32_t count = 1) {
  const Result<Twisted> made = add_twist_joints(scene, {joint, count});
  if (made) throw std::runtime_error("it was not refused");
  EXPECT_FALSE(made.error().what_to_do.empty());
  return made.error();
}

Quat turn_x(double degrees) { return quat_axis_angle({1, 0, 0}, float(degrees * kTwistDegree)); }

/// The tube, its joint turned by other keys than those of its clip.
Scene turning_tube(Interpolation interpolation, std::vector<float> times, std::vector<float> values) {
  Scene scene = tube();
  scene.clips.clear();
  add_track(add_clip(scene, "turn"), 1, Path::rotation, interpolation, std::move(times), std::move(values));
  return scene;
}

Quat local_rotation(const Character& character, const Pose& pose, int node) {
  const auto& nodes = character.skeleton().source_nodes;
  return pose.transform(std::size_t(std::ranges::find(nodes, node) - nodes.begin())).rotation;
}

/// Twist of a rotation about X, -180 to 180 degrees.
double twist_about_x(Quat q) {
  return (q.w < 0 ? 2 * std::atan2(-double(q.x), -double(q.w)) : 2 * std::atan2(double(q.x), double(q.w))) /
         kTwistDegree;
}

/// Degrees between two angles, whole turns left out.
double degrees_apart(double a, double b) { return std::fabs(std::remainder(a - b, 360)); }

/// How far a twist joint of the tube is, at the worst of many times, from its share of the twist of joint 1, in
/// degrees. The twist is followed in small steps from the first key.
double twist_straying(const Twisted& made, std::uint32_t k) {
  const Loaded loaded = must(load(made.scene));
  const Clip& clip = *source_clip(loaded.character, 0);
  const double share = double(k) / double(made.joints.size() + 1);
  double worst = 0, followed = 0;
  constexpr int kLooks = 4000;
  for (int i = 0; i <= kLooks; ++i) {
    const float time = clip.first_key + (clip.duration - clip.first_key) * float(i) / kLooks;
    const Pose pose = sample(loaded.character, 0, time);
    const double twist = twist_about_x(local_rotation(loaded.character, pose, made.joint));
    followed = i == 0 ? twist : followed + std::remainder(twist - followed, 360);
    const Quat q = local_rotation(loaded.character, pose, made.joints[k - 1]);
    EXPECT_NEAR(std::hypot(q.y, q.z), 0, 1e-6) << "it turns about the limb alone";
    worst = std::max(worst, degrees_apart(twist_about_x(q), share * followed));
  }
  return worst;
}

std::map<int, float> vertex_weights(const Scene::Primitive& primitive, std::size_t vertex) {
  std::map<int, float> out;
  for (const Scene::InfluenceSet& set : primitive.influences)
    for (int i = 0; i < 4; ++i)
      if (set.weights[vertex][i] != 0) out[set.joints[vertex][std::size_t(i)]] += set.weights[vertex][i];
  return out;
}

TEST(Twist, KeepsTheRadiusOfATubeTurnedByHalf) {
  EXPECT_NEAR(radius_of_ring(evaluate(tube(), 0, 1), 10), 0, 1e-6) << "without twist joints";
  const double expected[] = {0.7071, 0.8660, 0.9239};
  for (std::uint32_t count = 1; count <= 3; ++count) {
    const Twisted made = twisted(tube(), count);
    EXPECT_NEAR(radius_of_ring(evaluate(made.scene, 0, 1), 10), expected[count - 1], 1e-4) << count;
    EXPECT_EQ(made.joints.size(), count);
    ASSERT_EQ(made.clips.size(), 1u);
    EXPECT_EQ(made.clips[0].keys, 3u);
    EXPECT_EQ(made.clips[0].added, 0u);
    EXPECT_NEAR(made.clips[0].greatest, kPi, 1e-6);
  }
}

TEST(Twist, NothingMovesAtRest) {
  for (const std::uint32_t count : {1u, 2u, 7u, kMostTwistJoints})
    EXPECT_LT(farthest(evaluate(tube()), evaluate(twisted(tube(), count).scene)), 1e-6) << count;
}

TEST(Twist, JointsLieEvenlyOnTheLimbBelowTheParent) {
  const Twisted made = twisted(tube(), 3);
  EXPECT_EQ(made.joints, (std::vector<std::int32_t>{3, 4, 5}));
  EXPECT_EQ(made.parent, 0);
  for (int k = 1; k <= 3; ++k) {
    const Scene::Node& node = made.scene.nodes[std::size_t(made.joints[std::size_t(k - 1)])];
    EXPECT_EQ(node.name, "joint1_twist_" + std::to_string(k));
    EXPECT_EQ(node.parent, 0);
    EXPECT_EQ(node.rest.translation, Vec3(0.25f * float(k), 0, 0));
    EXPECT_EQ(node.rest.rotation, Quat());
  }
  EXPECT_EQ(made.scene.nodes[0].children, (std::vector<std::int32_t>{1, 3, 4, 5}));
  EXPECT_EQ(made.scene.skins[0].joints, (std::vector<std::int32_t>{0, 1, 3, 4, 5}));
  EXPECT_EQ(made.scene.skins[0].inverse_bind_matrices.size(), 5u);
}

TEST(Twist, WeightsOfTheParentAreHatsAlongTheLimb) {
  const Scene before = tube();
  const Twisted made = twisted(before, 3);
  const Scene::Primitive& primitive = made.scene.meshes[0].primitives[0];
  std::size_t changed = 0;
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    const std::map<int, float> old = vertex_weights(before.meshes[0].primitives[0], v),
                               now = vertex_weights(primitive, v);
    const auto at = [](const std::map<int, float>& weights, int joint) {
      return weights.contains(joint) ? weights.at(joint) : 0.0f;
    };
    EXPECT_EQ(at(now, 1), at(old, 1)) << "the joint keeps its own";
    const int entries[] = {0, 2, 3, 4};  // of the parent and of the three
    const float place = std::clamp(4 * primitive.positions[v].x, 0.0f, 3.0f);
    for (int k = 0; k <= 3; ++k)
      EXPECT_NEAR(at(now, entries[k]), at(old, 0) * std::max(0.0f, 1 - std::fabs(place - float(k))), 1e-6) << v;
    changed += old != now;
  }
  EXPECT_EQ(made.vertices, changed);
  EXPECT_EQ(made.crowded, 0u);
}

TEST(Twist, SwingAloneGivesNoTracks) {
  Scene scene = tube();
  scene.clips.clear();
  add_turn(add_clip(scene, "swing"), 1, {0, 1, 2}, {0, 120, -50});
  const Twisted made = twisted(scene, 2);
  EXPECT_EQ(made.clips[0].keys, 0u);
  EXPECT_LT(made.clips[0].greatest, 1e-4);
  EXPECT_EQ(made.scene.clips[0].tracks.size(), 1u);
  EXPECT_EQ(made.scene.nodes[std::size_t(made.joints[0])].rest.rotation, Quat());
  EXPECT_LT(farthest(evaluate(scene, 0, 0.7f), evaluate(made.scene, 0, 0.7f)), 1e-5) << "bends are as they were";
}

TEST(Twist, IsTakenOutOfSwingsAtEveryTime) {
  const std::vector<Quat> keys = {{},
                                  about_z(70) * turn_x(100),
                                  quat_axis_angle({0, 1, 1}, 1.2f) * turn_x(-60),
                                  about_z(-100) * turn_x(170),
                                  quat_axis_angle({0, 1, 0}, -1.5f) * turn_x(230)};
  const std::vector<float> times = {0.5f, 1, 1.25f, 3, 4.5f};
  const Twisted made = twisted(turning_tube(Interpolation::linear, times, values_of(keys)), 2);
  EXPECT_EQ(made.scene.clips[0].tracks[1].interpolation, Interpolation::linear);
  EXPECT_GT(made.clips[0].added, 0u) << "straight lines between these keys would stray";
  EXPECT_EQ(made.clips[0].keys, times.size() + made.clips[0].added);
  EXPECT_LT(twist_straying(made, 1), 0.011);
  EXPECT_LT(twist_straying(made, 2), 0.011);
}

TEST(Twist, AnglesGoOnPastTheHalfTurn) {
  const std::vector<float> times = {0, 1, 2, 3, 4};
  Report report;
  const Twisted made =
      twisted(turning_tube(Interpolation::linear, times,
                           values_of({turn_x(100), turn_x(170), -turn_x(190), turn_x(300), -turn_x(400)})),
              1, "joint1", &report);
  EXPECT_EQ(made.clips[0].added, 0u);
  EXPECT_NEAR(made.clips[0].greatest / kTwistDegree, 400, 1e-3);
  ASSERT_TRUE(find(report, "twist.over_half_turn")) << lines(report);
  EXPECT_NE(find(report, "twist.over_half_turn")->what.find("400"), std::string::npos);
  const Loaded loaded = must(load(made.scene));
  const double expected[] = {50, 85, 95, 150, 200};
  for (int i = 0; i < 5; ++i) {
    const Quat q = local_rotation(loaded.character, sample(loaded.character, 0, times[std::size_t(i)]), made.joints[0]);
    EXPECT_LT(degrees_apart(twist_about_x(q), expected[i]), 1e-3) << i;
  }
  EXPECT_LT(twist_straying(made, 1), 0.011) << "between keys too";
}

// Two keys far apart: the shares turn by more than half a turn, which one straight line would take the other way round.
TEST(Twist, SharesTurnTheWayTheJointDoes) {
  const std::vector<Quat> keys = {about_z(150) * turn_x(-80), about_z(150) * turn_x(80)};
  EXPECT_LT(twist_straying(twisted(turning_tube(Interpolation::linear, {0, 1}, values_of(keys)), 5), 5), 0.011);
}

TEST(Twist, StepsStaySteps) {
  const std::vector<Quat> keys = {turn_x(20), about_z(40) * turn_x(150), turn_x(-160)};
  const Twisted made = twisted(turning_tube(Interpolation::step, {0, 1, 2}, values_of(keys)), 1);
  const Scene::Clip& clip = made.scene.clips[0];
  ASSERT_EQ(clip.tracks.size(), 2u);
  EXPECT_EQ(clip.tracks[1].interpolation, Interpolation::step);
  EXPECT_EQ(clip.tracks[1].times, clip.tracks[0].times) << "one list of times";
  const double expected[] = {10, 75, 100};  // -160 is 200: nearer to 150
  for (std::size_t i = 0; i < 3; ++i) {
    const float* q = clip.tracks[1].values.data() + 4 * i;
    EXPECT_NEAR(twist_about_x(quat_xyzw(q[0], q[1], q[2], q[3])), expected[i], 1e-3);
  }
}

TEST(Twist, SplinesStaySplinesWithinTheTolerance) {
  const std::vector<Quat> keys = {{}, about_z(60) * turn_x(140), about_z(-30) * turn_x(250), turn_x(40)};
  std::vector<float> values;
  for (std::size_t i = 0; i < keys.size(); ++i) {  // tangents of any size and direction, and unlike on both sides
    const float f = float(i);
    for (const float v : {0.5f * f, -0.3f, 0.2f, 0.1f * f}) values.push_back(v);
    const Quat q = i == 2 ? -keys[i] : keys[i];
    values.insert(values.end(), {q.x, q.y, q.z, q.w});
    for (const float v : {-0.4f, 0.2f * f, 0.3f, -0.6f}) values.push_back(v);
  }
  const Twisted made = twisted(turning_tube(Interpolation::cubicspline, {0, 0.5f, 2, 2.25f}, values), 2);
  EXPECT_EQ(made.scene.clips[0].tracks[1].interpolation, Interpolation::cubicspline);
  EXPECT_LT(made.clips[0].keys, 200u);
  EXPECT_LT(twist_straying(made, 1), 0.011);
  EXPECT_LT(twist_straying(made, 2), 0.011);
}

TEST(Twist, ASplineOfOneKeyIsAConstant) {
  const Quat q = turn_x(80);
  std::vector<float> values(12);
  values[4] = q.x, values[7] = q.w;
  const Twisted made = twisted(turning_tube(Interpolation::cubicspline, {1}, values), 1);
  EXPECT_EQ(made.scene.clips[0].tracks[1].interpolation, Interpolation::step);
  EXPECT_LT(twist_straying(made, 1), 1e-3);
}

TEST(Twist, IsMeasuredFromTheBindPose) {
  Scene scene = tube();
  scene.nodes[1].rest.rotation = about_z(30) * turn_x(90);
  scene.clips.clear();
  add_track(add_clip(scene, "moves"), 1, Path::translation, Interpolation::linear, {0, 1}, {1, 0, 0, 1, 0, 0});
  add_track(add_clip(scene, "bound"), 1, Path::rotation, Interpolation::linear, {0}, values_of({Quat()}));
  const Twisted made = twisted(scene, 2);
  EXPECT_NEAR(made.rest / kTwistDegree, 90, 1e-3);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(twist_about_x(made.scene.nodes[std::size_t(made.joints[k])].rest.rotation), 30.0 * double(k + 1), 1e-3);
  EXPECT_EQ(made.clips[0].keys, 0u) << "the rest pose says it";
  EXPECT_NEAR(made.clips[0].greatest / kTwistDegree, 90, 1e-3);
  EXPECT_EQ(made.clips[1].keys, 1u);
  EXPECT_LT(farthest(evaluate(tube()), evaluate(made.scene, 1, 0)), 1e-6) << "bound, the mesh is as stored";
}

TEST(Twist, LimbsMayLieAnyhowInTheirSpaces) {
  Scene scene = tube();
  // As exporters write it: the mesh in centimetres with Z up, the joint turned against its parent when it was bound.
  const Affine mesh_from_model = to_affine({{3, -2, 5}, quat_axis_angle({1, 2, 3}, 1.1f), Vec3(100.0f)});
  for (Vec3& p : scene.meshes[0].primitives[0].positions) p = transform_point(mesh_from_model, p);
  for (Vec3& n : scene.meshes[0].primitives[0].normals) n = glm::normalize(transform_vector(mesh_from_model, n));
  const Quat turned = quat_axis_angle({-1, 4, 2}, 2.3f);
  scene.nodes[1].rest.rotation = turned;
  const Affine model_from_mesh = *inverse(mesh_from_model);
  scene.skins[0].inverse_bind_matrices =
      must(inverse_bind_matrices(std::vector{Affine{}, to_affine({{1, 0, 0}, turned, Vec3(1.0f)})}, model_from_mesh));
  scene.clips.clear();
  add_track(add_clip(scene, "twist"), 1, Path::rotation, Interpolation::linear, {0, 1},
            values_of({turn_x(0) * turned, turn_x(179) * turned}));
  const Twisted made = twisted(scene, 1);
  EXPECT_EQ(made.rest, 0);
  EXPECT_LT(farthest(evaluate(scene), evaluate(made.scene)), 1e-5);
  EXPECT_NEAR(radius_of_ring(evaluate(made.scene, 0, 1), 10), std::cos(179.0 / 4 * kTwistDegree), 1e-4);
}

TEST(Twist, ASkinWithoutMatricesIsMeasuredAtItsNodes) {
  Scene scene = two_joints();
  scene.skins[0].inverse_bind_matrices.clear();
  const Twisted made = twisted(scene, 1, "Elbow");
  ASSERT_EQ(made.scene.skins[0].inverse_bind_matrices.size(), 3u);
  EXPECT_EQ(made.scene.skins[0].inverse_bind_matrices[2], translation({-0.5f, 0, 0}));
  EXPECT_LT(farthest(evaluate(scene), evaluate(made.scene)), 1e-6);
}

TEST(Twist, FullVerticesGiveUpWhatCostsLeast) {
  Scene scene = tube();
  for (int i = 3; i < 6; ++i) scene.skins[0].joints.push_back(add_node(scene, "other" + std::to_string(i)));
  scene.skins[0].inverse_bind_matrices.resize(5);
  Scene::InfluenceSet& set = scene.meshes[0].primitives[0].influences[0];
  // Ring 3 is at x = 0.3, where one twist joint gets 0.6 of the parent's weight; ring 2 at 0.2, where it gets 0.4.
  set.joints[36] = {2, 0, 3, 4}, set.weights[36] = {0.25f, 0.5f, 0.21f, 0.04f};
  set.joints[24] = {2, 0, 3, 4}, set.weights[24] = {0.3f, 0.1f, 0.3f, 0.3f};
  set.joints[37] = {2, 0, 3, 4}, set.weights[37] = {0.3f, 0.1f, 0.58f, 0.02f};  // little, but more than a quarter
  Report report;
  const Twisted made = twisted(scene, 1, "joint1", &report);
  EXPECT_EQ(made.crowded, 3u);
  EXPECT_NEAR(made.dropped, 0.04, 1e-6);
  EXPECT_NEAR(made.moved, 0.04, 1e-6);
  const Scene::Primitive& primitive = made.scene.meshes[0].primitives[0];
  EXPECT_EQ(primitive.influences.size(), 1u);
  const std::map<int, float> given_up = vertex_weights(primitive, 36);
  EXPECT_EQ(given_up.size(), 4u);
  EXPECT_NEAR(given_up.at(0), 0.54 * 0.4, 1e-6);
  EXPECT_NEAR(given_up.at(5), 0.54 * 0.6, 1e-6);
  EXPECT_EQ(given_up.at(2), 0.25f);
  EXPECT_EQ(vertex_weights(primitive, 24), (std::map<int, float>{{2, 0.3f}, {0, 0.1f}, {3, 0.3f}, {4, 0.3f}}));
  EXPECT_EQ(vertex_weights(primitive, 37), (std::map<int, float>{{2, 0.3f}, {5, 0.1f}, {3, 0.58f}, {4, 0.02f}}));
  const Finding* told = find(report, "twist.crowded");
  ASSERT_TRUE(told) << lines(report);
  EXPECT_EQ(told->count, 3u);
  EXPECT_NE(told->where.find("vertex "), std::string::npos);
}

TEST(Twist, OneLimbAfterAnother) {
  const Scene scene = chain(4);
  const Twisted first = twisted(scene, 2, "joint2");
  const Twisted second = twisted(first.scene, 3, "joint3");
  EXPECT_EQ(second.scene.skins[0].joints.size(), 9u);
  EXPECT_LT(farthest(evaluate(scene), evaluate(second.scene)), 1e-6);
  const auto& tracks = second.scene.clips[0].tracks;
  EXPECT_GE(tracks.size(), 4u);
  EXPECT_EQ(refused_twist(second.scene, "joint2").code, ErrorCode::bad_argument) << "has them already";
}

TEST(Twist, EverySkinThatHasTheJointGetsThem) {
  Scene scene = tube();
  Scene::Primitive sleeve = scene.meshes[0].primitives[0];
  for (auto& joints : sleeve.influences[0].joints) std::swap(joints[0], joints[1]);
  add_skinned(scene, "sleeve", sleeve, {1, 0}, {translation({-1, 0, 0}), Affine{}});
  add_skinned(scene, "other", sleeve, {2}, {Affine{}});
  std::fill(scene.meshes[2].primitives[0].influences[0].joints.begin(),
            scene.meshes[2].primitives[0].influences[0].joints.end(), std::array<std::uint16_t, 4>{});
  const Twisted made = twisted(scene, 2);
  EXPECT_EQ(made.scene.skins[1].joints.size(), 4u);
  EXPECT_EQ(made.scene.skins[2].joints.size(), 1u);
  const Evaluated now = evaluate(made.scene, 0, 1);
  for (std::size_t v = 120; v < 132; ++v) {
    const DVec3 a = now.part(2)->positions[v], b = now.part(3)->positions[v];
    EXPECT_NEAR(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 0, 1e-6) << "they lie on one another";
  }
}

TEST(Twist, NamesAreUniqueInTheFile) {
  Scene scene = tube();
  add_node(scene, "joint1_twist_2");
  const Twisted made = twisted(scene, 2);
  EXPECT_EQ(made.scene.nodes[std::size_t(made.joints[0])].name, "joint1_twist__1");
  scene.nodes[1].name.clear();
  EXPECT_EQ(twisted(scene, 1, "1").scene.nodes.back().name, "node_1_twist_1");
}

TEST(Twist, SaysWhatIsWrongWithTheOptions) {
  EXPECT_EQ(refused_twist(tube(), "joint1", 0).where, "count");
  EXPECT_EQ(refused_twist(tube(), "joint1", kMostTwistJoints + 1).code, ErrorCode::bad_argument);
  const Error unknown = refused_twist(tube(), "jiont1");
  EXPECT_EQ(unknown.code, ErrorCode::bad_argument);
  EXPECT_NE(unknown.what_to_do.find("\"joint1\""), std::string::npos) << unknown.message();
  EXPECT_EQ(refused_twist(tube(), "").code, ErrorCode::bad_argument);
  EXPECT_NE(refused_twist(tube(), "tube").what.find("joint of no skin"), std::string::npos);
  EXPECT_NE(refused_twist(tube(), "joint0").what.find("no parent"), std::string::npos);
  EXPECT_NE(refused_twist(tube(), "7").what.find("index"), std::string::npos);
  EXPECT_NE(refused_twist(morph_triangle(1), "x").what.find("no skin"), std::string::npos);
  EXPECT_EQ(twisted(tube(), 1, "1").joint, 1) << "an index does as well";
  Scene scene = tube();
  scene.nodes[0].name = "joint1";
  EXPECT_NE(refused_twist(scene, "joint1").what.find("nodes 0 and 1"), std::string::npos);
}

TEST(Twist, RefusesWhatItCannotTwist) {
  Scene scene = tube();
  scene.skins[0].joints[0] = 2;
  EXPECT_NE(refused_twist(scene, "joint1").what.find("but not its parent"), std::string::npos);
  scene = tube();
  scene.nodes[1].rest.translation = Vec3(0.0f);
  scene.skins[0].inverse_bind_matrices[1] = Affine{};
  EXPECT_EQ(refused_twist(scene, "joint1").code, ErrorCode::bad_value);
  scene = tube();
  scene.skins[0].inverse_bind_matrices[1].rows[0][0] = 0;
  EXPECT_NE(refused_twist(scene, "joint1").what.find("singular"), std::string::npos);
  scene = tube();
  scene.clips[0].tracks[0].values.pop_back();
  EXPECT_EQ(refused_twist(scene, "joint1").code, ErrorCode::inconsistent);
  scene = tube();
  scene.skins.push_back(scene.skins[0]);
  scene.skins[1].joints[1] = 2;
  scene.nodes[std::size_t(add_node(scene, "again"))].mesh = 0;
  scene.nodes.back().skin = 1;
  EXPECT_EQ(refused_twist(scene, "joint1").code, ErrorCode::unsupported) << "one mesh, two skins";
}

TEST(Twist, SaysWhereNothingOrTwoBindingsAreFound) {
  Scene scene = tube();
  for (auto& weights : scene.meshes[0].primitives[0].influences[0].weights) weights = {0, 1, 0, 0};
  scene.skins.push_back(scene.skins[0]);
  scene.skins[1].inverse_bind_matrices[1] = translation({-1.5f, 0, 0});
  Report report;
  EXPECT_EQ(twisted(scene, 1, "joint1", &report).vertices, 0u);
  EXPECT_TRUE(find(report, "twist.no_vertices")) << lines(report);
  ASSERT_TRUE(find(report, "twist.other_binding")) << lines(report);
  EXPECT_EQ(find(report, "twist.other_binding")->where, "skins[1]");
}

// A swing by half a turn leaves no twist: past it, the twist is what it was, or has spun round once.
TEST(Twist, IsPassedOverWhereAJointBendsByHalfATurn) {
  Report report;
  const std::vector<Quat> keys = {about_z(150) * turn_x(10), about_z(210) * turn_x(10.01)};
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubicspline}) {
    std::vector<float> values = values_of(keys);
    if (interpolation == Interpolation::cubicspline) {
      values.clear();
      for (std::size_t i = 0; i < 2; ++i) {
        const Quat& a = keys[0];
        const Quat& b = keys[1];
        const float slope[] = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
        for (const float v : slope) values.push_back(v);
        for (const float v : {keys[i].x, keys[i].y, keys[i].z, keys[i].w}) values.push_back(v);
        for (const float v : slope) values.push_back(v);
      }
    }
    const Twisted made = twisted(turning_tube(interpolation, {0, 1}, values), 1, "joint1", &report);
    EXPECT_LT(made.clips[0].keys, 30u);
    EXPECT_NEAR(made.clips[0].greatest / kTwistDegree, 10, 0.1);
    EXPECT_TRUE(find(report, "twist.steep")) << lines(report);
  }
}

}  // namespace
}  // namespace sinew::test
