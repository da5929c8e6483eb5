// What tests of twist joints share: the tube with them, and what of it is looked at.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/twist.h"
#include "support/evaluate.h"
#include "support/files.h"

namespace sinew::test {

inline Twisted twisted(const Scene& scene, std::uint32_t count = 1, const std::string& joint = "joint1",
                       Report* report = nullptr) {
  return must(add_twist_joints(scene, {joint, count}, report));
}

/// Mean distance of a ring of the tube from its axis, over the radius at rest.
inline double radius_of_ring(const Evaluated& evaluated, std::size_t ring) {
  double sum = 0;
  for (std::size_t v = 12 * ring; v < 12 * (ring + 1); ++v) {
    const DVec3 p = evaluated.parts[0].positions[v];
    sum += std::hypot(p[1], p[2]) / 12;
  }
  return sum / 0.25;
}

/// The largest distance of a vertex of one from the same of the other.
inline double farthest(const Evaluated& a, const Evaluated& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    for (std::size_t v = 0; v < a.parts[i].positions.size(); ++v) {
      const DVec3 p = a.parts[i].positions[v], q = b.parts[i].positions[v];
      out = std::max(out, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
    }
  return out;
}

}  // namespace sinew::test
