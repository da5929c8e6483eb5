// Laws that hold for every character in every pose; tried on the assets, the built-in character and scenes in code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"
#include "support/subjects.h"

namespace sinew {
namespace {

constexpr unsigned kSeed = 20261129;
constexpr float kTolerance = 2e-6f;  ///< of the larger of size and distance from the origin

class Law : public ::testing::TestWithParam<test::Subject> {
 protected:
  Law() : scene(GetParam().scene()), loaded(test::must(test::load(scene))), random(kSeed) {
    RecordProperty("seed", int(kSeed));
  }

  const Character& character() const { return loaded.character; }
  const Skeleton& skeleton() const { return character().skeleton(); }
  Vec3 random_vec() {
    std::normal_distribution<float> normal;
    return {normal(random), normal(random), normal(random)};
  }
  Quat random_turn() {
    std::normal_distribution<float> normal;
    return normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
  }
  float size() const { return std::max(character().size(), 1e-6f); }
  /// Some poses: rest, each clip at two times, one with every joint turned by chance.
  std::vector<Pose> poses() {
    std::vector<Pose> out{Pose(skeleton())};
    std::uniform_real_distribution<float> uniform(0, 1);
    for (const Clip& clip : character().clips()) {
      for (int i = 0; i < 2; ++i) {
        const float time = clip.first_key + uniform(random) * (clip.duration - clip.first_key);
        Pose& pose = out.emplace_back(skeleton());
        run(SampleJob{.clip = clip, .skeleton = skeleton(), .time = time, .pose = pose});
      }
    }
    Pose& turned = out.emplace_back(skeleton());
    for (std::size_t j = 0; j < skeleton().joint_count(); ++j) {
      Transform t = turned.transform(j);
      t.rotation = random_turn() * t.rotation;
      turned.set_transform(j, t);
    }
    for (float& channel : turned.channels()) channel = uniform(random);
    return out;
  }
  std::vector<Affine> model(const Pose& pose) const {
    std::vector<Affine> out(skeleton().joint_count());
    run(ModelJob{.skeleton = skeleton(), .pose = pose, .model_from_joint = out});
    return out;
  }

  Scene scene;
  test::Loaded loaded;
  std::mt19937 random;
};

// A palette of identities gives the mesh as stored, normals and tangents at unit length.
TEST_P(Law, IdentityPaletteIsTheStoredMesh) {
  for (const Part& part : character().parts()) {
    const Mesh& mesh = character().meshes()[part.mesh];
    Vertices vertices(mesh);
    const std::vector<Affine> palette(character().skins()[part.skin].joints.size());
    run(SkinJob{.mesh = mesh, .palette = palette, .output = vertices});
    const Scene::Primitive& source = scene.meshes[part.source_mesh].primitives[part.source_primitive];
    ASSERT_EQ(mesh.vertex_count(), source.positions.size());
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
      const std::size_t s = mesh.source_vertices[i];
      const float scale = std::max(size(), glm::length(source.positions[s]));
      ASSERT_LE(glm::distance(vertices.positions()[i], source.positions[s]), kTolerance * scale) << "vertex " << s;
      if (source.normals.empty() || glm::length(source.normals[s]) == 0) continue;
      ASSERT_LE(glm::distance(vertices.normals()[i], glm::normalize(source.normals[s])), 1e-5f) << "vertex " << s;
    }
  }
}

// Joints where the mesh was made: every palette entry is the identity, to what the inverse's own rounding allows.
TEST_P(Law, BindPoseGivesTheIdentityPalette) {
  for (const Skin& skin : character().skins()) {
    std::vector<Affine> bind(skeleton().joint_count());
    bool unique = true;
    std::vector<char> seen(skeleton().joint_count());
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      const auto inverted = inverse(skin.inverse_bind_matrices[i]);
      if (!inverted) continue;  // scale 0: no pose is the bind pose
      bind[skin.joints[i]] = *inverted;
      unique = unique && !seen[skin.joints[i]];
      seen[skin.joints[i]] = 1;
    }
    if (!unique) continue;  // one joint listed with two binds cannot be at both
    std::vector<Affine> palette(skin.joints.size());
    run(PaletteJob{.skin = skin, .model_from_joint = bind, .palette = palette});
    for (std::size_t i = 0; i < palette.size(); ++i) {
      if (!inverse(skin.inverse_bind_matrices[i])) continue;
      const Affine& b = bind[skin.joints[i]];
      const float place =
          std::sqrt(b.rows[0][3] * b.rows[0][3] + b.rows[1][3] * b.rows[1][3] + b.rows[2][3] * b.rows[2][3]);
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(palette[i].rows[r][c], r == c ? 1 : 0, 1e-5f) << "entry " << i;
        EXPECT_NEAR(palette[i].rows[r][3], 0, 1e-5f * std::max(size(), place)) << "entry " << i;
      }
    }
  }
}

// A point at a joint's bind position, of weight 1, lands on the joint in every pose.
TEST_P(Law, APointOnAJointGoesWhereTheJointGoes) {
  for (const Pose& pose : poses()) {
    const std::vector<Affine> matrices = model(pose);
    for (const Skin& skin : character().skins()) {
      std::vector<Affine> palette(skin.joints.size());
      run(PaletteJob{.skin = skin, .model_from_joint = matrices, .palette = palette});
      for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const auto mesh_from_joint = inverse(skin.inverse_bind_matrices[i]);
        if (!mesh_from_joint) continue;
        const Vec3 bind_position = transform_point(*mesh_from_joint, Vec3(0));
        // The vertex is skinned by SkinJob itself, as the only one of a mesh.
        const std::uint16_t entry = 0;
        const float weight = 1;
        const std::uint32_t source = 0;
        Mesh point;
        point.positions = {&bind_position, 1};
        point.joints = {&entry, 1};
        point.weights = {&weight, 1};
        point.source_vertices = {&source, 1};
        point.palette_limit = 1;
        Vertices vertices(point);
        run(SkinJob{.mesh = point, .palette = std::span<const Affine>(palette).subspan(i), .output = vertices});
        const Vec3 joint = transform_point(matrices[skin.joints[i]], Vec3(0));
        const float scale = std::max({size(), glm::length(joint), glm::length(bind_position)});
        ASSERT_LE(glm::distance(vertices.positions()[0], joint), 5 * kTolerance * scale)
            << "joint " << skeleton().names[skin.joints[i]];
      }
    }
  }
}

// Every root moved by one rigid motion moves every vertex by it, and turns every normal.
TEST_P(Law, RigidMotionOfTheRootsMovesAllVerticesRigidly) {
  const Transform motion{size() * random_vec(), random_turn(), Vec3(1.0f)};
  const Affine rigid = to_affine(motion);
  for (const Pose& pose : poses()) {
    Pose moved = pose;
    for (std::size_t j = 0; j < skeleton().joint_count(); ++j) {
      if (skeleton().parents[j] != kNone) continue;
      Transform t = pose.transform(j);
      t.translation = transform_point(rigid, t.translation);
      t.rotation = motion.rotation * t.rotation;
      moved.set_transform(j, t);
    }
    const test::Evaluated before = test::evaluate(character(), pose), after = test::evaluate(character(), moved);
    for (std::size_t p = 0; p < before.parts.size(); ++p) {
      for (std::size_t v = 0; v < before.parts[p].positions.size(); ++v) {
        const test::DVec3 expected = test::point(test::to_double(rigid), before.parts[p].positions[v]);
        const double scale =
            std::max({double(size()), test::length(expected), test::length(before.parts[p].positions[v])});
        ASSERT_LE(test::distance(after.parts[p].positions[v], expected), 2 * kTolerance * scale) << "vertex " << v;
      }
      for (std::size_t v = 0; v < before.parts[p].normals.size(); ++v) {
        const test::DVec3 expected = test::linear_part(test::to_double(rigid), before.parts[p].normals[v]);
        ASSERT_LE(test::distance(after.parts[p].normals[v], expected), 1e-4) << "vertex " << v;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Everything, Law, ::testing::ValuesIn(test::subjects()),
                         test::subject_name<::testing::TestParamInfo<test::Subject>>);

}  // namespace
}  // namespace sinew
