// Which joints move which vertices of the biped, and how much.
#pragma once

#include <array>
#include <vector>

#include "biped/surface.h"

namespace sinew::biped {

/// A share of every joint; the sum is 1.
using Shares = std::array<float, kJointCount>;

/// Shares of the left half's vertices. Joints hand over smoothly along a limb, and the shares are then evened out along
/// the surface, so that they never jump through the air: not from finger to finger, nor from arm to trunk.
std::vector<Shares> make_shares(const Surface& surface, const Skeleton& skeleton);

}  // namespace sinew::biped
