// Which joints twist far (candy wrapper): for mixed skinning, where dual quaternions are worth it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/character.h"

namespace sinew {

/// How far a skin's joint turns about a bone against its parent in the skin, from the bind pose on: about the bone that
/// leads to it, or about its own.
struct JointTwist {
  std::uint32_t joint = 0, parent = 0;  ///< rows of the skeleton
  float radians = 0;                    ///< the farthest, 0 to pi
  std::int32_t clip = kNone;            ///< index of the clip that reaches it; -1: the rest pose
  float seconds = 0;                    ///< when
};

/// Of each joint that has a parent in its skin, over the rest pose and all clips, looked at 30 times a second and at the ends.
std::vector<JointTwist> measure_twist(const Character& character);

/// Whether a joint's name is that of a wrist (or hand), a forearm, an upper arm or a shoulder, in the usual spellings:
/// `LeftForeArm`, `mixamorig:LeftArm`, `upperarm_l`, `hand.R`, `Bip01 L Forearm`. Fingers are none of them.
bool is_arm_name(std::string_view name);

/// From 120 degrees on linear blending keeps less than half of a limb's radius.
inline constexpr float kFarTwist = 2.0943951f;

/// Nodes of the source, for `WriteOptions::dual_joints`: both joints of each pair that twists at least so far, and those
/// whose names are of an arm. Ascending.
std::vector<std::int32_t> choose_dual_joints(const Character& character, float radians = kFarTwist);

}  // namespace sinew
