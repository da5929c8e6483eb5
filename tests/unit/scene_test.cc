#include "sinew/scene.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/scenes.h"

namespace sinew {
namespace {

using test::add_node;
using test::kPi;

TEST(SceneData, ComponentsOfAKey) {
  EXPECT_EQ(component_count(Path::translation), 3u);
  EXPECT_EQ(component_count(Path::rotation), 4u);
  EXPECT_EQ(component_count(Path::scale), 3u);
  EXPECT_EQ(component_count(Path::weights, 5), 5u);
}

TEST(SceneData, SpanIsFirstAndLastKeyOfAllTracks) {
  Scene::Clip clip;
  EXPECT_EQ(span_of(clip).first_key, 0);
  EXPECT_EQ(span_of(clip).last_key, 0);
  clip.times = {{}, {1.5f, 2.5f}, {2, 4}, {3}};
  EXPECT_EQ(span_of(clip).first_key, 1.5f);
  EXPECT_EQ(span_of(clip).last_key, 4);
  clip.times = {{-2, -1}};
  EXPECT_EQ(span_of(clip).first_key, -2);
  EXPECT_EQ(span_of(clip).last_key, -1);
}

TEST(SceneData, TrimMovesAllKeysByOneAmount) {
  Scene::Clip clip;
  clip.times = {{1.5f, 2.5f}, {2, 4}};
  trim(clip);
  EXPECT_EQ(clip.times, (std::vector<std::vector<float>>{{0, 1}, {0.5f, 2.5f}}));
}

TEST(SceneData, RestMatricesAreProductsFromTheRoot) {
  Scene scene;
  add_node(scene, "root", kNone, {{1, 0, 0}, quat_axis_angle({0, 0, 1}, kPi / 2), Vec3(2.0f)});
  add_node(scene, "child", 0, {{3, 0, 0}, {}, Vec3(1.0f)});
  add_node(scene, "other root", kNone, {{0, 7, 0}, {}, Vec3(1.0f)});
  const std::vector<Affine> m = rest_model_matrices(scene);
  ASSERT_EQ(m.size(), 3u);
  const Vec3 child = transform_point(m[1], {1, 0, 0});
  EXPECT_NEAR(child.x, 1, 1e-6f);
  EXPECT_NEAR(child.y, 8, 1e-6f);  // 2 * (3 + 1), turned to +Y
  EXPECT_EQ(transform_point(m[2], {0, 0, 0}), Vec3(0, 7, 0));
}

TEST(SceneData, RestMatricesOfAChildStoredBeforeItsParent) {
  Scene scene;
  scene.nodes.resize(2);
  scene.nodes[0].parent = 1;
  scene.nodes[1].children = {0};
  scene.nodes[0].rest.translation = {1, 0, 0};
  scene.nodes[1].rest.translation = {0, 1, 0};
  EXPECT_EQ(transform_point(rest_model_matrices(scene)[0], {0, 0, 0}), Vec3(1, 1, 0));
}

TEST(SceneData, RestMatricesOfAVeryDeepChain) {
  constexpr int kDeep = 200'000;
  Scene scene;
  scene.nodes.resize(kDeep);
  for (int i = 0; i < kDeep; ++i) {
    scene.nodes[i].parent = i - 1;
    scene.nodes[i].rest.translation = {0, 1, 0};
    if (i + 1 < kDeep) scene.nodes[i].children = {i + 1};
  }
  EXPECT_EQ(rest_model_matrices(scene).back().rows[1][3], float(kDeep));
}

TEST(SceneData, InverseBindsTakeAMeshPointIntoTheJoint) {
  const std::vector<Affine> bind{to_affine({{1, 2, 3}, quat_axis_angle({0, 1, 1}, 1), {1, 2, 4}})};
  const Affine model_from_mesh = test::translation({0, 0, 5});
  const auto inverse_bind = inverse_bind_matrices(bind, model_from_mesh);
  ASSERT_TRUE(inverse_bind);
  const Vec3 point{0.3f, -2, 1};
  const Vec3 back = transform_point(bind[0] * inverse_bind->front(), point);
  EXPECT_LT(glm::distance(back, point + Vec3(0, 0, 5)), 2e-6f);
}

TEST(SceneData, InverseBindsNameTheSingularJoint) {
  std::vector<Affine> bind(3);
  bind[1] = to_affine({{}, {}, {1, 0, 1}});
  const auto result = inverse_bind_matrices(bind);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::bad_value);
  EXPECT_EQ(result.error().where, "joints[1]");
  EXPECT_FALSE(result.error().what_to_do.empty());
  bind[1] = {};
  bind[2].rows[0][0] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_FALSE(inverse_bind_matrices(bind));
  EXPECT_EQ(inverse_bind_matrices(bind).error().where, "joints[2]");
}

TEST(SceneData, InverseBindsOfNoJointsAreNone) {
  const auto result = inverse_bind_matrices({});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->empty());
}

}  // namespace
}  // namespace sinew
