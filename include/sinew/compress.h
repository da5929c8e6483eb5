// Compress: makes clips small (animation compression, quantisation, key reduction) within a distance that is promised, and measures it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/result.h"
#include "sinew/scene.h"
#include "sinew/write.h"

namespace sinew {

/// Distances are in the file's units; 0 stands for a share of the character's height, which is the longest side of the
/// rest box of its vertices, of its joints where there are none.
struct CompressOptions {
  double tolerance = 0;     ///< how far a point may stray; 0: 0.01 / 180 of the height, 0.1 mm for a tall man
  double shell = 0;         ///< how far from each joint points are watched; 0: 3 / 180 of the height
  WriteOptions write = {};  ///< as for the file to be; its `compressed` is not looked at
};

/// How far a clip strays from its source, in the file's units, over all times looked at: each key, each frame of an even
/// rate on which keys lie, and halfway between any two of them.
struct ClipError {
  double largest = 0;
  double percentile_99 = 0;                                  ///< of the largest errors of all times
  float seconds = 0;                                         ///< where the largest is
  std::int32_t joint = kNone, part = kNone, vertex = kNone;  ///< what strays there: a point of a joint, or a vertex
  std::vector<float> times;                                  ///< looked at
  std::vector<float> errors;                                 ///< the largest at each
};

/// Measures with the jobs that play clips: three points about each joint, `shell` along its axes in its space, and every
/// vertex of every part. Both characters must have the same skeleton and meshes, `source` keyframes.
/// Error: they have not; `inconsistent`.
Result<ClipError> measure_error(const Character& source, const Clip& source_clip, const Character& tested,
                                const Clip& tested_clip, double shell);

/// Longest side of the rest box of the vertices, or of the joints; 1 where that is 0.
double height(const Character& character);
/// The distances that zeros in the options stand for are put in.
CompressOptions with_defaults(const CompressOptions& options, const Character& character);

struct Compression {
  std::vector<CompressedClip> clips;  ///< for WriteOptions::compressed: one a clip of the scene
  std::vector<ClipError> errors;      ///< of each, measured
};

/// Packs the clips of a scene so that no point strays by more than the tolerance (docs/compression.md). Steps stay steps,
/// and tracks whose keys lie on no even rate stay keys. The same scene gives the same bytes on every machine.
/// Error: what `write` refuses; `bad_argument` for a tolerance that is negative, not finite, or not reached.
Result<Compression> compress(const Scene& scene, const CompressOptions& options = {}, Report* report = nullptr);

}  // namespace sinew
