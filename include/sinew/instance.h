// Instance: one copy of a character in a scene with the buffers of every stage; from its pose to skinned vertices in one call.
#pragma once

#include <vector>

#include "sinew/character.h"
#include "sinew/job.h"
#include "sinew/math.h"
#include "sinew/palette.h"
#include "sinew/pose.h"
#include "sinew/skin.h"

namespace sinew {

/// One copy of a character: its pose, and what the stages after it fill. Takes all its memory in the constructor. An
/// engine that skins on the GPU, or keeps its buffers elsewhere, needs the pose only and runs the jobs by itself.
struct Instance {
  /// In the rest pose; matrices and vertices are zero until InstanceJob has run.
  explicit Instance(const Character& character);

  Pose pose;
  std::vector<Affine, AlignedAllocator<Affine>> model_from_joint;  ///< one a joint
  std::vector<Palette> palettes;                                   ///< one a skin
  std::vector<DualPalette> dual_palettes;                          ///< one a skin; filled where `method` reads them
  std::vector<Vertices> vertices;                                  ///< one a part
};

/// All stages after the pose, in order: ModelJob, PaletteJob for each skin, SkinJob for each part with its morph
/// weights.
struct InstanceJob {
  In<Character> character;
  Out<Instance> instance;  ///< made for this character; its pose is read, the rest is written
  NormalMode normal_mode = NormalMode::exact;
  SkinMethod method = SkinMethod::linear;
};
void run(const InstanceJob& job);

}  // namespace sinew
