// The biped's clips: poses as functions of time, sampled into keys.
#pragma once

#include <functional>
#include <vector>

#include "biped/puppet.h"
#include "sinew/scene.h"

namespace sinew::biped {

struct Motion {
  const char* name;
  float duration;                            ///< seconds
  float rate;                                ///< keys a second; the last key is at `duration`
  bool loops = false;                        ///< the last key is the first one, moved on by `travel`
  Vec3 travel{0.0f};                         ///< metres a cycle
  std::function<void(float, Puppet&)> pose;  ///< poses the puppet at a time from 0 to `duration`
};

/// Tracks of the joints that leave their rest transform; a joint that holds still has one key. Node = row of the
/// skeleton.
Scene::Clip bake(const Motion& motion, const Skeleton& skeleton);

Motion walk(const Skeleton& skeleton);
Motion run(const Skeleton& skeleton);
Motion idle(const Skeleton& skeleton);
Motion jump(const Skeleton& skeleton);
Motion wave(const Skeleton& skeleton);
Motion aim(const Skeleton& skeleton);
Motion punch(const Skeleton& skeleton);
/// One joint only: the left hand turns about the forearm by 170 degrees and back.
Scene::Clip wrist_twist(const Skeleton& skeleton);
std::vector<Scene::Clip> make_clips(const Skeleton& skeleton);

/// 0 before `from`, 1 after `to`, between them smooth with no speed at either end.
float ease(float from, float to, float t);

/// A curve through knots with the slopes of their neighbours; the slopes at its ends are given. Times rise.
template <class T>
struct Knot {
  float time;
  T value;
};
template <class T>
T curve(const std::vector<Knot<T>>& knots, T first_slope, T last_slope, float t) {
  std::size_t i = 0;
  while (i + 2 < knots.size() && knots[i + 1].time <= t) ++i;
  const auto slope = [&](std::size_t k) {
    if (k == 0) return first_slope;
    if (k + 1 == knots.size()) return last_slope;
    return (knots[k + 1].value - knots[k - 1].value) / (knots[k + 1].time - knots[k - 1].time);
  };
  const float h = knots[i + 1].time - knots[i].time, u = (t - knots[i].time) / h, u2 = u * u, u3 = u2 * u;
  return knots[i].value * (2 * u3 - 3 * u2 + 1) + slope(i) * (h * (u3 - 2 * u2 + u)) +
         knots[i + 1].value * (3 * u2 - 2 * u3) + slope(i + 1) * (h * (u3 - u2));
}

}  // namespace sinew::biped
