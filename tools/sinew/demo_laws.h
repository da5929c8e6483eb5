// What demo measures: each function gives the worst figure it met over the whole character.
#pragma once

#include <cstddef>
#include <vector>

#include "input.h"

namespace sinew::tool {

/// Moments spread over all clips, the first and last key of each among them.
std::vector<Moment> spread_moments(const Character& character);

double worst_weight_sum(const Character& character);
/// Entries of the palettes from those of the identity, with each joint where its mesh was made.
double worst_bind_palette(const Character& character);
/// Vertices from their stored place, with each joint where its mesh was made; metres.
double worst_bind_vertex(const Character& character);
/// Points at the joints' bind positions, weight 1, from the joints; metres.
double worst_point_on_joint(const Character& character);
/// Vertices from where a rigid motion of the roots should take them; metres.
double worst_rigid_motion(const Character& character);
/// Lengths of skinned normals from 1.
double worst_normal_length(const Character& character);

struct Differences {
  std::size_t compared = 0, different = 0;
};
/// Sampled values at the keys against the keys, to the bit.
Differences keys_against_samples(const Character& character);
/// Poses by cursors (forward, back, loops, wrong hints) against poses without, to the bit.
Differences cursors_against_seeks(const Character& character);
/// Joints' angles from half way between two clips in a blend of halves; degrees.
double worst_half_way(const Character& character, const char* from, const char* to);
/// Joints' angles between the start and the end of a cycle, for clips that loop; degrees.
double worst_loop_gap(const Character& character);
/// How far the ball of a foot drifts while it is down, in any clip, between keys too; metres.
double worst_foot_drift(const Character& character);
/// The blend that explain adds up from what skin gives, over some vertices of every part; metres.
double worst_explained(const Character& character);

/// Skinned vertices of two characters with the same parts in the same order, over `moments` of each; metres, infinite
/// where their shapes differ.
double worst_vertex(const Character& a, const std::vector<Moment>& a_moments, const Character& b,
                    const std::vector<Moment>& b_moments);

}  // namespace sinew::tool
