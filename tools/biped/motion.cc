#include "biped/motion.h"

#include <algorithm>
#include <cmath>

namespace sinew::biped {
namespace {

/// Turns below this (of a quaternion's components) and shifts in metres count as none.
constexpr float kStill = 1e-6f;

bool same(Quat a, Quat b) {
  return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z), std::fabs(a.w - b.w)}) < kStill;
}

Scene::Track track(int joint_row, Path path, std::uint32_t times, std::vector<float> values) {
  return {joint_row, path, Interpolation::linear, times, std::move(values)};
}

std::vector<float> flat(const std::vector<Quat>& keys) {
  std::vector<float> out;
  for (Quat q : keys) out.insert(out.end(), {q.x, q.y, q.z, q.w});
  return out;
}

}  // namespace

float ease(float from, float to, float t) {
  const float u = std::clamp((t - from) / (to - from), 0.0f, 1.0f);
  return u * u * (3 - 2 * u);
}

Scene::Clip bake(const Motion& motion, const Skeleton& skeleton) {
  const int last = int(std::lround(motion.duration * motion.rate));
  std::vector<float> times;
  std::vector<Vec3> hips;
  std::vector<std::vector<Quat>> turns(kJointCount);
  for (int k = 0; k <= last; ++k) {
    times.push_back(motion.duration * float(k) / float(last));
    if (motion.loops && k == last) {
      hips.push_back(hips.front() + motion.travel);
      for (auto& keys : turns) keys.push_back(keys.front());
    } else {
      Puppet puppet(skeleton);
      motion.pose(times.back(), puppet);
      hips.push_back(puppet.hips());
      for (int i = 0; i < kJointCount; ++i) turns[i].push_back(puppet.rotation(i));
    }
    // Neighbouring keys on one hemisphere, so that a plain mean of components is near the rotation between.
    for (auto& keys : turns)
      if (k > 0 && dot(keys[k - 1], keys[k]) < 0) keys[k] = -keys[k];
  }

  Scene::Clip clip;
  clip.name = motion.name;
  clip.times = {times};
  clip.wrap_period = motion.loops ? motion.duration : 0.0f;
  std::vector<float> places;
  for (Vec3 p : hips) places.insert(places.end(), {p.x, p.y, p.z});
  clip.tracks.push_back(track(kHips, Path::translation, 0, std::move(places)));
  for (int i = 0; i < kJointCount; ++i) {
    const auto& keys = turns[i];
    const bool still = std::all_of(keys.begin(), keys.end(), [&](Quat q) { return same(q, keys.front()); });
    if (!still) {
      clip.tracks.push_back(track(i, Path::rotation, 0, flat(keys)));
    } else if (!same(keys.front(), skeleton.rest[i].rotation)) {
      if (clip.times.size() == 1) clip.times.push_back({0.0f});
      clip.tracks.push_back(track(i, Path::rotation, 1, flat({keys.front()})));
    }
  }
  return clip;
}

Scene::Clip wrist_twist(const Skeleton& skeleton) {
  constexpr float kQuarter = 0.5f, kDegrees = kTurn / 360;
  const float angles[] = {0, 85, 170, 85, 0};
  const int hand = joint(kLeft, kHand);
  Scene::Clip clip;
  clip.name = "wrist_twist";
  std::vector<Quat> keys;
  clip.times.emplace_back();
  for (float angle : angles) {
    clip.times[0].push_back(kQuarter * float(keys.size()));
    // The turn stands before the rest rotation: its axis is the forearm's Y.
    keys.push_back(normalize(about_y(angle * kDegrees) * skeleton.rest[hand].rotation));
  }
  clip.tracks.push_back(track(hand, Path::rotation, 0, flat(keys)));
  return clip;
}

std::vector<Scene::Clip> make_clips(const Skeleton& skeleton) {
  std::vector<Scene::Clip> clips;
  for (const auto& make : {idle, walk, run, jump, wave, aim, punch}) clips.push_back(bake(make(skeleton), skeleton));
  clips.push_back(wrist_twist(skeleton));
  return clips;
}

}  // namespace sinew::biped
