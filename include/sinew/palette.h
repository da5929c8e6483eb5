// Palette: skinning matrices (joint matrices), `model_from_joint * joint_from_mesh`: model matrix times inverse bind matrix.
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

/// `palette[i] = model_from_joint[skin.joints[i]] * skin.inverse_bind_matrices[i]`: what a part's vertices index.
struct PaletteJob {
  In<Skin> skin;
  Required<const Affine> model_from_joint;  ///< of the skin's skeleton, from ModelJob
  Required<Affine> palette;                 ///< at least one a skin joint
};
void run(const PaletteJob& job);

}  // namespace sinew
