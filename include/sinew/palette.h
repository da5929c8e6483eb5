// Palette: skinning matrices (joint matrices), `model_from_joint * joint_from_mesh`: model matrix times inverse bind matrix; the same as dual quaternions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/bytes.h"
#include "sinew/job.h"
#include "sinew/math.h"
#include "sinew/mesh.h"

namespace sinew {

/// A palette's memory: one matrix an entry of a skin, aligned to 64 bytes. Any other buffer of `Affine`s does as well.
class Palette {
 public:
  explicit Palette(const Skin& skin) : matrices_(skin.joints.size()) {}
  std::size_t size() const { return matrices_.size(); }
  std::span<Affine> matrices() { return matrices_; }
  std::span<const Affine> matrices() const { return matrices_; }

 private:
  std::vector<Affine, AlignedAllocator<Affine>> matrices_;
};

/// What dual quaternion skinning reads: each entry's matrix as a stretch, in mesh space, and a rigid transform after it
/// (the two phases of Kavan et al. 2008). A joint's stretch keeps the joint where its parents' stretches put it, so that
/// rigid transforms turn about the joints. All memory is taken in the constructor.
class DualPalette {
 public:
  explicit DualPalette(const Skin& skin) : rigid_(skin.joints.size()), stretch_(skin.joints.size()) {}
  std::size_t size() const { return rigid_.size(); }
  std::span<DualQuaternion> rigid() { return rigid_; }
  std::span<const DualQuaternion> rigid() const { return rigid_; }
  /// One an entry, or empty where all entries are rigid: lengths within 2e-6 of what they were.
  std::span<const Affine> stretch() const {
    return stretched_ ? std::span<const Affine>(stretch_) : std::span<const Affine>();
  }

 private:
  std::vector<DualQuaternion, AlignedAllocator<DualQuaternion>> rigid_;
  std::vector<Affine, AlignedAllocator<Affine>> stretch_;
  bool stretched_ = false;
  friend void run(const struct PaletteJob& job);
};

/// `palette[i] = model_from_joint[skin.joints[i]] * skin.inverse_bind_matrices[i]`: what a part's vertices index.
struct PaletteJob {
  In<Skin> skin;
  Required<const Affine> model_from_joint;  ///< of the skin's skeleton, from ModelJob
  Required<Affine> palette;                 ///< at least one a skin joint
  DualPalette* dual = nullptr;              ///< made for this skin: filled too, for SkinMethod's others than linear
};
void run(const PaletteJob& job);

}  // namespace sinew
