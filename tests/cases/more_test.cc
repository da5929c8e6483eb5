// Cases of further kinds that already hold today: NORMALS, MIRROR, SHEAR, LIMITS, NAMES, UNITS, BLEND. One test each,
// named by its id.
#include <algorithm>
#include <cmath>
#include <string>

#include "cases/case_support.h"
#include "oracle/oracle.h"
#include "support/contract.h"

namespace sinew {
namespace {

using namespace test;

constexpr int kMeshNode = 2;  ///< of the strip

TEST(Cases, NORMALS_01) {
  Scene scene = strip();
  scene.nodes[0].rest.scale = {1, 4, 1};
  const float half = std::sqrt(0.5f);
  scene.meshes[0].primitives[0].normals.assign(10, {half, half, 0});
  const Evaluated result = evaluate(through_file(scene));
  EXPECT_LE(distance(result.part(kMeshNode)->normals[0], {0.9701425, 0.2425356, 0}), 1e-6);
}

TEST(Cases, NORMALS_02) {
  const Evaluated result = evaluate(through_file(strip()));
  for (const DVec3& n : result.part(kMeshNode)->normals) EXPECT_LE(distance(n, {0, 0, 1}), 1e-6);
  for (const DVec4& t : result.part(kMeshNode)->tangents) {
    EXPECT_LE(distance({t[0], t[1], t[2]}, {1, 0, 0}), 1e-6);
    EXPECT_EQ(t[3], 1);
  }
}

TEST(Cases, MIRROR_02) {
  Scene scene = morph_triangle(0);
  scene.clips.clear();
  const int mirrored = add_node(scene, "mirrored", kNone, {{}, {}, {-1, 1, 1}});
  scene.nodes[mirrored].mesh = 0;
  const Evaluated result = evaluate(through_file(scene));
  expect_vertices(result.part(0), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  expect_vertices(result.part(mirrored), {{0, 0, 0}, {-1, 0, 0}, {0, 1, 0}});
  for (int node : {0, mirrored}) EXPECT_LE(distance(result.part(node)->normals[0], {0, 0, 1}), 1e-6);
}

TEST(Cases, SHEAR_01) {
  Scene scene = morph_triangle(0);
  scene.clips.clear();
  scene.nodes[0].rest.scale = {1, 2, 1};
  scene.nodes[0].mesh = kNone;
  const int child = add_node(scene, "child", 0, {{}, about_z(45), Vec3(1.0f)});
  scene.nodes[child].mesh = 0;
  const DVec3 p = evaluate(through_file(scene)).part(child)->positions[1];
  EXPECT_LE(distance(p, {std::sqrt(0.5), std::sqrt(2.0), 0}), 1e-6);
}

TEST(Cases, SHEAR_03) {
  Scene scene = morph_triangle(0);
  scene.clips.clear();
  scene.nodes[0].rest.scale = Vec3(2.0f);
  add_track(add_clip(scene, "shrink"), 0, Path::scale, Interpolation::linear, {0, 1}, {3, 3, 3, 0, 0, 0});
  const Loaded loaded = must(load(through_file(scene)));
  EXPECT_LE(distance(evaluate(loaded.character).part(0)->positions[1], {2, 0, 0}), 1e-6);
  EXPECT_LE(distance(evaluate(loaded.character, 0, 0).part(0)->positions[1], {3, 0, 0}), 1e-6);
  const Evaluated gone = evaluate(loaded.character, 0, 1);
  for (const DVec3& p : gone.part(0)->positions) EXPECT_EQ(p, (DVec3{0, 0, 0}));
  for (const DVec3& n : gone.part(0)->normals)
    EXPECT_TRUE(std::isfinite(n[0]) && std::isfinite(n[1]) && std::isfinite(n[2]));
}

TEST(Cases, SHEAR_06) {
  const auto with_matrix = [](float shear) {
    RawGltf raw = to_raw(strip());
    nlohmann::json& node = raw.json["nodes"][1];
    for (const char* key : {"translation", "rotation", "scale"}) node.erase(key);
    node["matrix"] = {1, 0, 0, 0, shear, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
    return raw;
  };
  const Scene read = import_raw(with_matrix(0));
  expect_finding(read.findings, Severity::warning, "node.matrix_animated");
  expect_vertices(evaluate(read, 0, 1).part(kMeshNode), bent_strip());
  expect_refused(with_matrix(0.5f), ErrorCode::unsupported, {"nodes[1]", "shear"});
}

TEST(Cases, LIMITS_01) {
  const Scene read = through_file(chain(300));
  const Loaded loaded = must(load(read));
  EXPECT_EQ(loaded.character.skins()[0].joints.size(), 300u);
  // 300 joints one below the other: each product rounds once more, so the limit grows with the depth.
  const Difference d = compare(oracle(read, 0, 0.7f), evaluate(loaded.character, 0, 0.7f), loaded.character.size());
  EXPECT_LE(d.vertices, 1e-5);
}

TEST(Cases, LIMITS_02) {
  Scene scene = chain(300);
  Scene::Primitive& p = scene.meshes[0].primitives[0];
  p.positions = {{0, 3, 0}, {0, 280, 0}, {0, 299, 0}};
  p.influences = influence_sets({{{3, 1.0f}}, {{280, 1.0f}}, {{299, 1.0f}}});
  const Loaded loaded = must(load(through_file(scene)));
  ASSERT_EQ(loaded.character.skins()[0].joints.size(), 3u);
  const Skeleton& skeleton = loaded.character.skeleton();
  std::vector<std::string> names;
  for (std::uint32_t joint : loaded.character.skins()[0].joints) names.emplace_back(skeleton.names[joint]);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"joint280", "joint299", "joint3"}));
  for (std::uint16_t entry : loaded.character.meshes()[0].joints) EXPECT_LT(entry, 3);
  expect_vertices(evaluate(loaded.character).part(300), p.positions, 1e-4);
}

TEST(Cases, NAMES_02) {
  // The node above the joints has the root joint's name; channels go by node.
  Scene scene = strip();
  const int above = add_node(scene, "joint0");
  scene.nodes[0].parent = above;
  scene.nodes[above].children = {0};
  add_turn(scene.clips[0], 0, {0, 1}, {0, 90});
  const Evaluated result = evaluate(through_file(scene), 0, 1);
  EXPECT_LE(distance(origin_of(result.joints.at(1)), {-1, 0, 0}), 1e-6);
  EXPECT_LE(distance(point(result.joints.at(above), {1, 0, 0}), {1, 0, 0}), 1e-6);
}

TEST(Cases, UNITS_02) {
  Scene scene = strip();
  const int above = add_node(scene, "armature", kNone, {{}, about_z(90), Vec3(0.01f)});
  scene.nodes[0].parent = above;
  scene.nodes[above].children = {0};
  scene.nodes[0].rest.translation = {0, 100, 0};
  const Loaded loaded = must(load(through_file(scene)));
  const Transform hips =
      loaded.character.skeleton().rest_transform(std::size_t(loaded.character.skeleton().find("joint0")));
  EXPECT_EQ(hips, scene.nodes[0].rest);
}

TEST(Cases, BLEND_01) {
  const Loaded loaded = must(load(through_file(strip())));
  const Skeleton& skeleton = loaded.character.skeleton();
  Pose a(skeleton), b(skeleton), out(skeleton);
  a.set_transform(1, {{0, 1, 0}, about_z(178), Vec3(1.0f)});
  b.set_transform(1, {{0, 1, 0}, about_z(-178), Vec3(1.0f)});
  const std::vector<BlendLayer> layers{{a, 0.5f}, {b, 0.5f}};
  run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
  EXPECT_NEAR(angle(out.transform(1).rotation), kPi, 1e-6f);
}

TEST(Cases, BLEND_02) {
  const Loaded loaded = must(load(through_file(strip())));
  const Skeleton& skeleton = loaded.character.skeleton();
  const Pose a = sample(loaded.character, 0, 0.37f);
  for (float w : {0.0f, 0.1f, 0.5f, 0.9f, 1.0f}) {
    Pose out(skeleton);
    const std::vector<BlendLayer> layers{{a, 1 - w}, {a, w}};
    run(BlendJob{.skeleton = skeleton, .layers = layers, .pose = out});
    EXPECT_NEAR(dot(out.transform(1).rotation, a.transform(1).rotation), 1, 1e-6f);
    EXPECT_LT(glm::distance(out.transform(1).translation, a.transform(1).translation), 1e-6f);
  }
}

TEST(Cases, BLEND_03) {
  const Loaded loaded = must(load(through_file(strip())));
  const Skeleton& skeleton = loaded.character.skeleton();
  Pose pose(skeleton);
  CaughtContracts caught;
  float time = 0;
  for (float step : {0.25f, std::nanf(""), 0.25f}) {
    const float next = time + step;
    run(SampleJob{.clip = loaded.character.clips()[0], .skeleton = skeleton, .time = next, .pose = pose});
    if (caught.empty())
      time = next;
    else
      EXPECT_TRUE(caught.took("SampleJob.time"));
  }
  EXPECT_NEAR(angle(pose.transform(1).rotation), radians(45), 1e-5f) << "the good steps after it work";
}

}  // namespace
}  // namespace sinew
