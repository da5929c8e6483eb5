// One trial of compression: with steps of a given coarseness, what the tracks become, and how far points stray.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "offline/clip_source.h"
#include "offline/pack_clip.h"
#include "sinew/character.h"

namespace sinew::detail {

/// What errors are measured on.
struct ErrorShape {
  const Character* character = nullptr;
  std::vector<std::vector<Vec3d>> points;   ///< of each joint, in its space: they move with it
  std::vector<std::vector<Vec3d>> corners;  ///< of the box of all vertices that follow a joint at all, in its space
  std::vector<double> reach;                ///< of each joint: how far from it anything is that it carries, at rest
  std::vector<double> target_lengths;       ///< by channel: how far weight 1 moves a vertex at most, in mesh space
  std::vector<double> channel_reach;        ///< the same at rest in model space, times the channels of its part
};

/// Of the tolerance, what rounding morph weights may use up; joints have the rest.
inline constexpr double kChannelShare = 0.1;

/// Three points at `shell` along the axes of each joint, and the outermost vertices among those that follow it most.
ErrorShape make_shape(const Character& character, double shell);

/// No palette entry of a skin stretches anything more than this.
double greatest_scale(const Skin& skin, const std::vector<Affined>& model_from_joint);

struct TrialResult {
  PackPlan plan;
  std::vector<double> errors;  ///< by joint: how far its points stray at most, over all frames
  double worst = 0;            ///< of them
  std::vector<std::pair<std::size_t, std::size_t>> unfit;  ///< tracks (section, target) too wide for the bits there are
};

class Trial {
 public:
  /// The source and the rest are to outlive the trial. Distances are in the skeleton's units.
  Trial(const ClipSource& source, const Skeleton& skeleton, const ErrorShape& shape, double tolerance);

  /// `coarseness`, by joint: how far a step's rounding may move what the joint carries, as a share of the tolerance.
  TrialResult run(const std::vector<double>& coarseness, unsigned shift) const;

  /// The same plan's greatest error with all that is promised: at frames and halfway between, about joints and at
  /// every vertex.
  double check(const std::vector<double>& coarseness, unsigned shift) const;

 private:
  struct State;
  Quatd source_rotation(std::size_t joint, std::size_t frame) const;
  Vec3d source_vector(std::size_t section, std::size_t joint, std::size_t frame) const;
  Quatd half_rotation(std::size_t joint, std::size_t frame) const;
  Vec3d half_vector(std::size_t section, std::size_t joint, std::size_t frame) const;
  void measure_source();
  void measure_reach();
  void code_rotation(State& state, std::size_t joint) const;
  MovingTrack moving_rotation(State& state, std::size_t joint, const Vec3d& steps, Quatd mean) const;
  void code_vector(State& state, std::size_t section, std::size_t joint) const;
  void code_channel(State& state, std::size_t channel) const;
  void code_joint(State& state, std::size_t joint) const;
  void place_joint(State& state, std::size_t joint) const;
  State make_state(const std::vector<double>& coarseness, unsigned shift) const;
  double morph_error(const State& state, const std::vector<Affined>& wanted, std::size_t frame) const;
  double vertex_error(const std::vector<Affined>& wanted, const std::vector<Affined>& reached) const;
  int length_exponent() const;

  const ClipSource& source_;
  const Skeleton& skeleton_;
  const ErrorShape& shape_;
  double tolerance_;
  std::size_t frames_;
  std::vector<Affined> model_;         // joint by joint, frame by frame; so is the next
  std::vector<Quatd> model_rotation_;  // products of the rotations alone
  std::vector<Vec3d> reach_;           // by joint: distance from each axis of what it carries, at most
};

}  // namespace sinew::detail
