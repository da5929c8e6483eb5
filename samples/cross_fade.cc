// A cross-fade: from one clip to another over a quarter of a second, and proof that half way is half way.
//
// Both clips are sampled each frame, the two poses are blended, and one pose is handed on to the later stages, which do
// not know that there were two. Blending works on poses (translation, rotation, scale apart), never on matrices.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "biped/biped.h"
#include "sinew/sinew.h"
#include "sinew/write.h"

namespace {

constexpr float kFadeSeconds = 0.25f;
constexpr float kFrameSeconds = 1.0f / 60;
constexpr float kSame = 1e-4f;  // degrees; single precision

/// A clip that plays: its own clock, and cursors that make going forward cheap.
struct Player {
  explicit Player(const sinew::Clip& c) : clip(c), cursors(c.groups.size(), 0) {}
  void sample(const sinew::Skeleton& skeleton, float seconds, sinew::Pose& pose) {
    const float period = clip.wrap_period > 0 ? clip.wrap_period : clip.duration;
    sinew::run(sinew::SampleJob{clip, skeleton, period > 0 ? std::fmod(seconds, period) : 0, pose, cursors});
  }
  const sinew::Clip& clip;
  std::vector<std::uint32_t> cursors;
};

struct Fade {
  const sinew::Skeleton& skeleton;
  Player from, to;
  sinew::Pose from_pose, to_pose, pose;

  /// Writes `pose`: the one that is handed on.
  void at(float seconds) {
    const float weight = std::clamp(seconds / kFadeSeconds, 0.0f, 1.0f);
    from.sample(skeleton, seconds, from_pose);
    to.sample(skeleton, seconds, to_pose);
    const sinew::BlendLayer layers[] = {{from_pose, 1 - weight}, {to_pose, weight}};
    sinew::run(sinew::BlendJob{skeleton, layers, pose});
  }
};

/// The widest angle, in degrees, between the rotations of two poses.
float widest_angle(const sinew::Pose& a, const sinew::Pose& b) {
  float widest = 0;
  for (std::size_t joint = 0; joint < a.joint_count(); ++joint)
    widest =
        std::max(widest, sinew::angle(sinew::conjugate(a.transform(joint).rotation) * b.transform(joint).rotation));
  return widest * 57.29577951f;
}

/// How far any joint is from lying half way, by angle, between the two: 0 is exactly half way, in degrees.
float off_half_way(const sinew::Pose& a, const sinew::Pose& middle, const sinew::Pose& b) {
  float off = 0;
  for (std::size_t joint = 0; joint < a.joint_count(); ++joint) {
    const sinew::Quat to_middle = sinew::conjugate(a.transform(joint).rotation) * middle.transform(joint).rotation;
    const sinew::Quat onwards = sinew::conjugate(middle.transform(joint).rotation) * b.transform(joint).rotation;
    off = std::max(off, std::abs(sinew::angle(to_middle) - sinew::angle(onwards)));
  }
  return off * 57.29577951f;
}

int failures = 0;
void expect(const char* what, float degrees, float limit) {
  std::printf("  %-4s %-62s %.6f degrees\n", degrees <= limit ? "ok" : "OFF", what, degrees);
  failures += !(degrees <= limit);
}

}  // namespace

int main() {
  const auto bytes = sinew::write(sinew::make_biped());
  if (!bytes) return std::printf("%s\n", bytes.error().message().c_str()), 1;
  const auto character = sinew::open(*bytes);
  if (!character) return std::printf("%s\n", character.error().message().c_str()), 1;
  const sinew::Clip* walk = character->find_clip("walk");
  const sinew::Clip* run = character->find_clip("run");
  if (!walk || !run) return std::puts("the built-in character lacks a clip"), 1;

  const sinew::Skeleton& skeleton = character->skeleton();
  Fade fade{skeleton, Player(*walk), Player(*run), sinew::Pose(skeleton), sinew::Pose(skeleton), sinew::Pose(skeleton)};
  std::vector<sinew::Affine> model_from_joint(skeleton.joint_count());
  sinew::Pose before(skeleton);
  const auto head = static_cast<std::size_t>(std::max(0, skeleton.find("head")));

  std::printf("walk to run over %g s, one frame a line\n", kFadeSeconds);
  float widest_step = 0;
  for (int frame = 0; frame * kFrameSeconds <= kFadeSeconds + kFrameSeconds; ++frame) {
    fade.at(frame * kFrameSeconds);
    sinew::run(sinew::ModelJob{skeleton, fade.pose, model_from_joint});
    const sinew::Vec3 p = sinew::transform_point(model_from_joint[head], sinew::Vec3(0));
    std::printf("  %.4f s  run %3.0f %%  head at (%7.4f, %7.4f, %7.4f)\n", frame * kFrameSeconds,
                std::clamp(frame * kFrameSeconds / kFadeSeconds, 0.0f, 1.0f) * 100, p.x, p.y, p.z);
    if (frame > 0) widest_step = std::max(widest_step, widest_angle(before, fade.pose));
    before = fade.pose;
  }

  std::printf("\nwhat must hold\n");
  fade.at(0);
  expect("at the start it is the walk", widest_angle(fade.pose, fade.from_pose), kSame);
  fade.at(kFadeSeconds);
  expect("at the end it is the run", widest_angle(fade.pose, fade.to_pose), kSame);
  fade.at(kFadeSeconds / 2);
  sinew::Pose halves(skeleton);
  const sinew::BlendLayer layers[] = {{fade.from_pose, 0.5f}, {fade.to_pose, 0.5f}};
  sinew::run(sinew::BlendJob{skeleton, layers, halves});
  expect("half way it is the blend at 0.5", widest_angle(fade.pose, halves), kSame);
  expect("half way each joint is as far from the walk as from the run",
         off_half_way(fade.from_pose, fade.pose, fade.to_pose), 0.1f);
  expect("no joint jumps: the widest turn in one frame", widest_step, 30);
  return failures == 0 ? 0 : 1;
}
