// All runtime stages for a whole character at one moment.
#pragma once

#include <vector>

#include "input.h"
#include "sinew/sinew.h"

namespace sinew::tool {

Pose pose_at(const Character& character, const Moment& moment);
Instance evaluate(const Character& character, const Moment& moment, SkinMethod method = SkinMethod::linear);
Instance evaluate(const Character& character, const Pose& pose, SkinMethod method = SkinMethod::linear);

/// A part's skinned vertices, as the source file orders them.
struct SkinnedPart {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  ///< empty where the mesh has none
};
SkinnedPart skin_part(const Character& character, const Part& part, const Instance& instance);

/// Name of the node that places the part.
std::string_view node_name(const Character& character, const Part& part);
/// `part 0 (node 1 "Body", mesh 0, primitive 0)`.
std::string describe(const Character& character, const Part& part);

}  // namespace sinew::tool
