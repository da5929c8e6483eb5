#include "sinew/sample_joint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/contract.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::must;

TEST(SampleJoint, RefusesWhatSampleRefuses) {
  const test::Loaded loaded = must(test::load(test::strip()));
  const Clip& clip = loaded.character.clips()[0];
  Transform out;
  test::CaughtContracts caught;
  run(SampleJointJob{clip, loaded.character.skeleton(), 99, 0, out});
  EXPECT_TRUE(caught.took("SampleJointJob.joint"));
  run(SampleJointJob{clip, loaded.character.skeleton(), 0, std::nanf(""), out});
  EXPECT_TRUE(caught.took("not finite"));
}

TEST(SampleJoint, IsTheSameAsInTheWholePose) {
  Scene scene = test::chain(5);
  Scene::Clip& clip = scene.clips[0];
  test::add_track(clip, 0, Path::translation, Interpolation::step, {0, 0.3f}, {0, 0, 0, 1, 1, 1});
  test::add_track(clip, 1, Path::scale, Interpolation::cubicspline, {0, 1},
                  {0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 2, 2, 2, 0, 0, 0});
  const test::Loaded loaded = must(test::load(scene));
  const Skeleton& skeleton = loaded.character.skeleton();
  for (const float t : {-1.0f, 0.0f, 0.1f, 0.3f, 0.77f, 1.0f, 3.0f}) {
    const Pose pose = test::sample(loaded.character, 0, t);
    for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      Transform alone;
      run(SampleJointJob{loaded.character.clips()[0], skeleton, j, t, alone});
      const Transform whole = pose.transform(j);
      EXPECT_LT(glm::length(alone.translation - whole.translation), 1e-6f);
      EXPECT_LT(glm::length(alone.scale - whole.scale), 1e-6f);
      EXPECT_LT(angle(conjugate(alone.rotation) * whole.rotation), 2e-6f);
    }
  }
}

}  // namespace
}  // namespace sinew
