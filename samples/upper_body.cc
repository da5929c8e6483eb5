// Legs that walk under arms that aim: two clips, a mask with a soft edge, one blend. `upper_body posed.glb` also writes
// the pose as a file, for a look at it: `sinew render posed.glb -o posed.png`.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "biped/biped.h"
#include "sinew/export.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

int failures = 0;

/// Degrees between the rotations that two poses give a joint.
float degrees(const sinew::Pose& a, const sinew::Pose& b, std::size_t joint) {
  return 57.29577951f * sinew::angle(sinew::conjugate(a.transform(joint).rotation) * b.transform(joint).rotation);
}

void expect(const char* what, bool holds) {
  std::printf("  %-4s %s\n", holds ? "ok" : "OFF", what);
  failures += !holds;
}

}  // namespace

int main(int argc, char** argv) {
  const sinew::Scene scene = sinew::make_biped();
  const auto bytes = sinew::write(scene).value();
  const auto character = sinew::open(bytes).value();
  const sinew::Skeleton& skeleton = character.skeleton();
  const auto joint = [&](const char* name) { return std::size_t(std::max(0, skeleton.find(name))); };

  // The mask is made once. The spine begins with a third of the aim, the chest has two thirds, all above it the whole.
  sinew::JointMask upper(skeleton, 0);
  upper.set_subtree(skeleton, joint("spine"), 1, 2);
  sinew::JointMask lower = upper;
  lower.invert();  // the walk gets what the aim leaves: both layers weigh 1, and each joint's weights sum to 1

  // Each frame: two clips, one blend.
  sinew::Pose walk(skeleton), aim(skeleton), pose(skeleton);
  sinew::run(sinew::SampleJob{*character.find_clip("walk"), skeleton, 0.3f, walk});
  sinew::run(sinew::SampleJob{*character.find_clip("aim"), skeleton, 0.3f, aim});
  const sinew::BlendLayer layers[] = {{walk, 1, &lower}, {aim, 1, &upper}};
  sinew::run(sinew::BlendJob{skeleton, layers, pose});

  std::printf("degrees away from\n  %-16s %5s %8s %8s\n", "", "mask", "walk", "aim");
  for (const char* name :
       {"hips", "left_upper_leg", "right_foot", "spine", "chest", "upper_chest", "head", "left_hand"})
    std::printf("  %-16s %5.2f %8.3f %8.3f\n", name, upper.joints()[joint(name)], degrees(pose, walk, joint(name)),
                degrees(pose, aim, joint(name)));

  constexpr float kSame = 0.001f;  // degrees
  bool below = true, above = true, apart = false;
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    if (upper.joints()[j] == 0) below &= degrees(pose, walk, j) < kSame;
    if (upper.joints()[j] == 1) above &= degrees(pose, aim, j) < kSame;
    apart |= degrees(walk, aim, j) > 30;
  }
  const float spine = degrees(pose, walk, joint("spine")) / degrees(walk, aim, joint("spine"));
  const float chest = degrees(pose, walk, joint("chest")) / degrees(walk, aim, joint("chest"));
  std::printf("what must hold\n");
  expect("the two poses differ", apart);
  expect("where the mask is 0 it is the walk", below);
  expect("where the mask is 1 it is the aim", above);
  expect("the spine is a third of the way from walk to aim", spine > 0.32f && spine < 0.35f);
  expect("the chest is two thirds of the way", chest > 0.65f && chest < 0.68f);

  if (argc > 1) {
    const auto glb = sinew::export_posed_glb(scene, character, pose).value();
    std::ofstream(argv[1], std::ios::binary)
        .write(reinterpret_cast<const char*>(glb.data()), std::streamsize(glb.size()));
  }
  return failures == 0 ? 0 : 1;
}
