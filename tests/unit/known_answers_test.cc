// A two-joint rig worked out by hand. Every stage has a number here, and wrong pipelines are run beside the right one,
// to show that these numbers tell them apart.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/sinew.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::about_z;
using test::load;
using test::Loaded;
using test::must;

constexpr float kDegree = 180 / test::kPi;
constexpr float kAngleTolerance = 0.01f;  ///< degrees
constexpr float kPlaceTolerance = 1e-5f;
constexpr int kShoulder = 0, kElbow = 1, kArm = 2;
/// Points of the rig's mesh.
constexpr std::size_t kAtElbow = 0, kMixed = 1, kShoulderAlone = 2, kElbowAlone = 3;

/// The rig with a clip of linear keys on the Elbow.
Loaded rig_with_keys(std::vector<float> times, const std::vector<float>& degrees) {
  Scene scene = test::two_joints();
  test::add_turn(test::add_clip(scene, "bend"), kElbow, std::move(times), degrees);
  return must(load(scene));
}

float elbow_degrees(const Loaded& loaded, float time) {
  const auto row = std::size_t(loaded.character.skeleton().find("Elbow"));
  return angle(test::sample(loaded.character, 0, time).transform(row).rotation) * kDegree;
}

void expect_place(const test::DVec3& p, Vec3 wanted) {
  EXPECT_LT(test::distance(p, test::to_double(wanted)), kPlaceTolerance) << p[0] << ' ' << p[1] << ' ' << p[2];
}

/// The rig posed by hand.
class Rig {
 public:
  Rig() : loaded_(must(load(test::two_joints()))), pose_(skeleton()) {}

  void turn(const char* joint, float degrees) {
    const auto row = std::size_t(skeleton().find(joint));
    Transform t = skeleton().rest_transform(row);
    t.rotation = about_z(degrees);
    pose_.set_transform(row, t);
  }
  test::Evaluated run() const { return test::evaluate(loaded_.character, pose_); }

  /// The Elbow's point under a palette of the caller's making: `wrong(model_from_joint, joint_from_mesh)` is one entry.
  template <class Entry>
  Vec3 elbow_point_by(Entry entry) const {
    std::vector<Affine> model(skeleton().joint_count());
    sinew::run(ModelJob{.skeleton = skeleton(), .pose = pose_, .model_from_joint = model});
    const Part& part = loaded_.character.parts()[0];
    const Skin& skin = loaded_.character.skins()[part.skin];
    const Mesh& mesh = loaded_.character.meshes()[part.mesh];
    std::vector<Affine> palette;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      palette.push_back(entry(model[skin.joints[i]], skin.inverse_bind_matrices[i]));
    }
    Vertices vertices(mesh);
    sinew::run(SkinJob{.mesh = mesh, .palette = palette, .output = vertices});
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
      if (mesh.source_vertices[v] == kAtElbow) return vertices.positions()[v];
    return Vec3(NAN);
  }

 private:
  const Skeleton& skeleton() const { return loaded_.character.skeleton(); }
  Loaded loaded_;
  Pose pose_;
};

TEST(KnownAnswers, AnglesBetweenKeys) {
  const Loaded loaded = rig_with_keys({0, 0.2f, 0.4f}, {0, 100, 10});
  const float times[] = {0.05f, 0.13f, 0.20f, 0.27f, 0.30f}, degrees[] = {25, 65, 100, 68.5f, 55};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(elbow_degrees(loaded, times[i]), degrees[i], kAngleTolerance) << times[i];
}

TEST(KnownAnswers, AnglesOfEvenKeys) {
  const Loaded loaded = rig_with_keys({0, 0.5f, 1}, {0, 45, 90});
  EXPECT_NEAR(elbow_degrees(loaded, 0.25f), 22.5f, kAngleTolerance);
  EXPECT_NEAR(elbow_degrees(loaded, 0.75f), 67.5f, kAngleTolerance);
}

TEST(KnownAnswers, NormalizedLerpIsAWitnessThatIsRejected) {
  const auto nlerp_degrees = [](float from, float to, float t) {
    const Quat a = about_z(from), b = about_z(to);
    const float s = 1 - t;
    return angle(normalize(quat_xyzw(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w))) *
           kDegree;
  };
  EXPECT_NEAR(nlerp_degrees(0, 100, 0.25f), 23.75f, kAngleTolerance);
  EXPECT_NEAR(nlerp_degrees(0, 100, 0.65f), 65.93f, kAngleTolerance);
  const Loaded loaded = rig_with_keys({0, 0.2f, 0.4f}, {0, 100, 10});
  EXPECT_GT(std::fabs(elbow_degrees(loaded, 0.05f) - nlerp_degrees(0, 100, 0.25f)), 100 * kAngleTolerance);
  EXPECT_GT(std::fabs(elbow_degrees(loaded, 0.13f) - nlerp_degrees(0, 100, 0.65f)), 50 * kAngleTolerance);
}

TEST(KnownAnswers, ANegatedKeyIsTheSameRotation) {
  Scene scene = test::two_joints();
  test::add_track(test::add_clip(scene, "bend"), kElbow, Path::rotation, Interpolation::linear, {0, 1},
                  test::values_of({Quat(), -about_z(20)}));
  EXPECT_NEAR(elbow_degrees(must(load(scene)), 0.5f), 10, kAngleTolerance);
}

TEST(KnownAnswers, BeforeTheFirstKeyItsValue) {
  const Loaded loaded = rig_with_keys({0.1f, 0.2f, 0.4f}, {5, 100, 10});
  EXPECT_NEAR(elbow_degrees(loaded, 0.05f), 5, kAngleTolerance);
}

TEST(KnownAnswers, ShoulderTurned) {
  Rig rig;
  rig.turn("Shoulder", 90);
  const test::Evaluated result = rig.run();
  expect_place(test::origin_of(result.joints.at(kElbow)), {0, 1, 0});
  expect_place(result.part(kArm)->positions[kAtElbow], {0, 1, 0});
}

TEST(KnownAnswers, ElbowTurnedToo) {
  Rig rig;
  rig.turn("Shoulder", 90);
  rig.turn("Elbow", 30);
  const test::Evaluated result = rig.run();
  expect_place(result.part(kArm)->positions[kShoulderAlone], {0, 1.2f, 0});
  expect_place(result.part(kArm)->positions[kElbowAlone], {-0.1f, 1.17321f, 0});
  expect_place(result.part(kArm)->positions[kMixed], {-0.05f, 1.18660f, 0});
}

TEST(KnownAnswers, ScaleThenRotationThenTranslation) {
  const Affine m = to_affine({{1, 0, 0}, about_z(90), {2, 1, 1}});
  expect_place(test::to_double(transform_point(m, {1, 0, 0})), {1, 2, 0});
  // As a node with a mesh, through every stage.
  Scene scene = test::morph_triangle(0);
  scene.clips.clear();
  scene.nodes[0].rest = {{1, 0, 0}, about_z(90), {2, 1, 1}};
  expect_place(test::evaluate(scene).part(0)->positions[1], {1, 2, 0});
}

TEST(KnownAnswers, InverseBindOfATurnedBind) {
  const Affine bind = to_affine({{1, 0, 0}, about_z(90), Vec3(1.0f)});
  const std::vector<Affine> joint_from_mesh = must(inverse_bind_matrices(std::vector<Affine>{bind}));
  expect_place(test::to_double(transform_point(joint_from_mesh[0], {1, 0.5f, 0})), {0.5f, 0, 0});
}

TEST(KnownAnswers, SwappedFactorsAreAWitnessThatIsRejected) {
  const auto right = [](const Affine& model_from_joint, const Affine& joint_from_mesh) {
    return model_from_joint * joint_from_mesh;
  };
  const auto swapped = [](const Affine& model_from_joint, const Affine& joint_from_mesh) {
    return joint_from_mesh * model_from_joint;
  };
  Rig rig;
  // In the bind pose the wrong one is the identity as well: such a test alone proves nothing.
  expect_place(test::to_double(rig.elbow_point_by(right)), {1, 0, 0});
  expect_place(test::to_double(rig.elbow_point_by(swapped)), {1, 0, 0});
  rig.turn("Shoulder", 90);
  expect_place(test::to_double(rig.elbow_point_by(right)), {0, 1, 0});
  expect_place(test::to_double(rig.elbow_point_by(swapped)), {-1, 2, 0});
  EXPECT_GT(test::distance(test::to_double(rig.elbow_point_by(swapped)), rig.run().part(kArm)->positions[kAtElbow]), 1);
}

TEST(KnownAnswers, InverseBindLeftOutIsAWitnessThatIsRejected) {
  const auto without = [](const Affine& model_from_joint, const Affine&) { return model_from_joint; };
  Rig rig;
  expect_place(test::to_double(rig.elbow_point_by(without)), {2, 0, 0});
  expect_place(rig.run().part(kArm)->positions[kAtElbow], {1, 0, 0});
  rig.turn("Shoulder", 90);
  expect_place(test::to_double(rig.elbow_point_by(without)), {0, 2, 0});
  expect_place(rig.run().part(kArm)->positions[kAtElbow], {0, 1, 0});
  EXPECT_GT(test::distance(test::to_double(rig.elbow_point_by(without)), rig.run().part(kArm)->positions[kAtElbow]),
            0.9);
}

TEST(KnownAnswers, TheShoulderMovesItsOwnPointsOnly) {
  Rig rig;
  rig.turn("Elbow", 90);
  const test::Evaluated result = rig.run();
  expect_place(result.part(kArm)->positions[kShoulderAlone], {1.2f, 0, 0});
  expect_place(result.part(kArm)->positions[kElbowAlone], {1, 0.2f, 0});
  expect_place(test::origin_of(result.joints.at(kShoulder)), {0, 0, 0});
}

}  // namespace
}  // namespace sinew
