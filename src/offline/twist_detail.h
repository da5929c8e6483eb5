// The parts of add_twist_joints: the limb, the vertices along it, the clips that twist it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "offline/compress_maths.h"
#include "sinew/result.h"
#include "sinew/twist.h"

namespace sinew::detail {

/// A joint of a scene by name, or by node where no node has the name.
Result<std::int32_t> find_joint(const Scene& scene, const std::string& text);

/// The stretch from a parent to its joint, as it was bound.
struct Limb {
  std::int32_t joint = kNone, parent = kNone;  ///< nodes
  std::uint32_t count = 0;                     ///< twist joints
  Vec3 end{0.0f};                              ///< the joint's origin in the parent's space
  Vec3d axis;                                  ///< towards it, unit length
  Quatd from_bound;                            ///< undoes the joint's local rotation of the bind pose
  double rest = 0;                             ///< radians that the rest pose is twisted from the bind pose

  double share(std::uint32_t k) const { return double(k) / (count + 1); }
};

/// Twist joint k of a limb that is twisted by `radians`.
Quat twist_rotation(const Limb& limb, double radians, std::uint32_t k);
/// Twist of a local rotation of the joint, -pi to pi.
double twist_of(const Limb& limb, Quat rotation);

/// Weights of the parent in every mesh of the skins named, which have the new joints already.
std::optional<Error> share_weights(Twisted& out, const Limb& limb, const std::vector<std::size_t>& skins,
                                   Report* report);

/// Tracks for the twist joints in every clip that rotates the joint.
std::optional<Error> add_twist_tracks(Twisted& out, const Limb& limb, Report* report);

inline std::string place(const char* list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

}  // namespace sinew::detail
