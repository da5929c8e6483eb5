// The oracle: skinned vertices and joints of a scene in double precision, straight from the glTF 2.0 specification.
#pragma once

#include <vector>

#include "sinew/scene.h"
#include "support/doubles.h"
#include "support/evaluate.h"

namespace sinew::test {

/// Everything of a scene at a time, without any of the library's stages, its file, or its maths: all nodes count,
/// whether a scene shows them or not. `clip` kNone: the rest pose.
///
/// Sections followed: 3.5.3 (transforms), 3.7.2.2 (morph targets), 3.7.3 (skins), 3.11 and appendix C (animation).
/// Where the specification leaves off: rotations are brought to unit length before they are used (a cubicspline key's
/// tangents with it); weights are divided by their sum; a vertex whose weights are all 0 stays where it is stored, tied
/// at rest to the joints' lowest common ancestor; normals go by the inverse transpose, and tangents by the matrix
/// itself.
Evaluated oracle(const Scene& scene, int clip = kNone, double time = 0);

/// Value of a track at a time: 3 or 4 numbers, or one a morph target. Empty: it has no keys.
std::vector<double> oracle_value(const Scene::Clip& clip, const Scene::Track& track, double time);

/// Great-circle interpolation of unit quaternions along the shorter arc (appendix C.4).
DVec4 oracle_slerp(const DVec4& a, DVec4 b, double t);

/// T * R * S.
DAffine oracle_local(const DVec3& translation, const DVec4& rotation, const DVec3& scale);

}  // namespace sinew::test
