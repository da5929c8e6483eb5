// The whole pipeline in one call: a scene or character, a clip and a time in; joints and vertices in the source's terms
// out.
#pragma once

#include <map>
#include <vector>

#include "sinew/scene.h"
#include "sinew/sinew.h"
#include "sinew/write.h"
#include "support/doubles.h"

namespace sinew::test {

/// Vertices of one primitive at one node, in the source file's order, model space.
struct PlacedVertices {
  int node = kNone, mesh = kNone, primitive = kNone;
  std::vector<DVec3> positions, normals;  ///< normals: empty where the mesh has none
  std::vector<DVec4> tangents;            ///< likewise
};

/// What comes out of a pipeline, the runtime's or the oracle's, in the same terms, so that two can be compared.
struct Evaluated {
  std::map<int, DAffine> joints;  ///< model_from_joint by node of the source file
  std::vector<PlacedVertices> parts;
  /// Null where there is none.
  const PlacedVertices* part(int node, int primitive = 0) const;
};

/// A scene through `write` and `open`, with the bytes that the character views.
struct Loaded {
  Bytes bytes;
  Character character;
  Report report;  ///< of `write`
};
Result<Loaded> load(const Scene& scene, const WriteOptions& options = {});

/// The character's clip of that index in the source file; null where it has none.
const Clip* source_clip(const Character& character, int clip);
/// The pose of a clip of the source file at a time; `clip` kNone: the rest pose.
Pose sample(const Character& character, int clip, float time);
/// Model, palette and skin of a pose, by the library's jobs.
Evaluated evaluate(const Character& character, const Pose& pose);
/// Sample, model, palette, skin.
Evaluated evaluate(const Character& character, int clip = kNone, float time = 0);
/// Write, open, sample, model, palette, skin. An error throws, which fails the test with its line.
Evaluated evaluate(const Scene& scene, int clip = kNone, float time = 0);

/// The largest differences of two evaluations. Points: distance over the larger of `size` and the distance from the
/// origin. Joints' 3x3: largest entry over the Frobenius norm. Directions: distance of unit vectors.
struct Difference {
  double joints = 0, axes = 0, vertices = 0, normals = 0, tangents = 0;
  int worst_joint = kNone;  ///< source node of `joints`' maximum
  void merge(const Difference& other);
};
/// Of all joints and parts of `tested`, which `expected` must have, with equal numbers of vertices; what is missing, or
/// is not finite, counts as infinite.
Difference compare(const Evaluated& expected, const Evaluated& tested, double size);

}  // namespace sinew::test
