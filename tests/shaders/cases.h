// How the cases are made.
#pragma once

#include "exported.h"
#include "sinew/scene.h"

namespace sinew::test {

/// One case a part of the scene at a time of a clip (kNone: at rest).
std::vector<Case> scene_cases(const std::string& name, const Scene& scene, int clip, float time);
struct RandomMesh {
  std::uint32_t influences = 4, instances = 1, targets = 0;
  bool tangents = false;
  SkinMethod method = SkinMethod::linear;
  bool stretch = true;
};
/// Uneven scales, mirrored joints, and vertex 0 with weights that sum to 0.8. Of other methods than linear the scales are
/// the stretches; without them there are none.
Case random_case(const RandomMesh& mesh, unsigned seed);

}  // namespace sinew::test
