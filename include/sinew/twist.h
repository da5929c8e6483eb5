// Twist: joints along a limb that share its twist (twist or roll bones, swing-twist decomposition), against the candy-wrapper effect of LBS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

inline constexpr std::uint32_t kMostTwistJoints = 32;

struct TwistOptions {
  /// The joint at the limb's end, whose twist is shared (a hand; its parent is then the forearm): its name, or the
  /// index of its node where no node has that name.
  std::string joint;
  std::uint32_t count = 1;  ///< twist joints, 1 to kMostTwistJoints
};

/// What a clip of the scene got.
struct TwistedClip {
  std::size_t keys = 0;   ///< keys of each twist joint's new track; 0: none was needed, the rest pose says it
  std::size_t added = 0;  ///< of these, keys at times where the joint itself has none
  float greatest = 0;  ///< radians, not negative: the farthest that the joint twists from the bind pose; over pi where
                       ///< it goes on turning
};

struct Twisted {
  Scene scene;
  std::int32_t joint = kNone, parent = kNone;  ///< nodes at the limb's two ends
  std::vector<std::int32_t> joints;            ///< nodes of the twist joints, from the parent on
  std::size_t vertices = 0;                    ///< whose weights changed
  std::size_t crowded = 0;                     ///< vertices that had no room for two neighbours in the row
  float dropped = 0;                           ///< largest share of their weights that was another joint's
  float moved = 0;                             ///< largest share that the nearer took from the other
  float rest = 0;                              ///< radians, signed: twist of the rest pose from the bind pose
  std::vector<TwistedClip> clips;              ///< one a clip of the scene
};

/// Puts twist joints between a joint and its parent, so that plain linear blend skinning keeps the limb's volume
/// (docs/twist.md). They are children of the parent at k / (count + 1) of the way, named `JOINT_twist_k`, and entries
/// at the end of each skin that has the joint.
/// - Poses: the joint's rotation since the bind pose, in the parent's space, is swing * twist, the twist about the axis
///   from the parent to the joint as bound; twist joint k turns by k / (count + 1) of it. Every clip that rotates the
///   joint gets tracks. Angles are followed through the half turn. Steps stay steps, other tracks stay within 0.01
///   degrees at every time: linear ones by linear keys, cubic splines by cubic ones; keys are added where that
///   takes them. Where the joint is bent by half a turn it has no twist, and that of before and after is
///   bridged (`twist.steep`).
/// - Weights: what a vertex has of the parent goes to the two nearest in the row parent, twist joints by linear hats
///   over the axis, all of it to the last beyond that; the joint and all others keep theirs, and sums stay. A vertex
///   without room for two of the row in the sets of four that its mesh has gives up its least other influence, where
///   that is at most 0.05 and a quarter of the smaller of the two, or else gets the nearer of the two alone.
/// `scene` is as importers return it. Error: `bad_argument` for the options (no such joint, no parent, a parent that is
/// not in the joint's skin, twist joints already there); `bad_value` for a limb without length or a bind matrix that is
/// singular; `too_large` beyond 65536 joints; `inconsistent` for a track with too few values; `unsupported` for a mesh
/// of two skins whose joints differ.
Result<Twisted> add_twist_joints(Scene scene, const TwistOptions& options, Report* report = nullptr);

}  // namespace sinew
