// GLB files taken apart, and comparison of scenes: for tests of export.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/scene.h"
#include "support/evaluate.h"

namespace sinew::test {

struct GlbFile {
  nlohmann::json json;
  std::vector<std::byte> bin;
  /// The bytes of a buffer view of buffer 0.
  std::vector<std::byte> view(int index) const;
};
/// Throws where the container or the JSON is broken.
GlbFile read_glb(std::span<const std::byte> bytes);

/// The first place where two scenes differ, or empty. Materials and what was read from are not looked at. `weights`:
/// skin weights may differ by as much (they are normalised when written).
std::string difference(const Scene& expected, const Scene& scene, float weights = 0);

/// Where a baked scene is not what it should be, or empty: plain meshes without transforms, equal to the skinned
/// vertices to 1e-6 of the size, normals of unit length.
std::string baked_difference(const Scene& baked, const Evaluated& expected, double size);

}  // namespace sinew::test
