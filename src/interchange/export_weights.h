// Skin weights (influences) made to sum to 1 before they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// What was wrong with a primitive's weights.
struct WeightChange {
  std::size_t normalized = 0;  ///< vertices whose weights were divided by their sum
  std::size_t zero = 0;        ///< vertices without any weight; left as they are
  std::size_t negative = 0;    ///< vertices with a weight below 0, which counts as 0
  std::size_t worst_vertex = 0;
  double worst_sum = 1;
  bool any() const { return normalized > 0; }
};

/// Weights of a vertex sum to 1 over all sets together. `levels`: 0 for floats, where the strongest becomes 1 minus the
/// others; 255 or 65535 for normalized integers, which are shared out by largest remainder so that the integers sum to
/// `levels`. Vertices that are within the format's tolerance (2e-7 a weight) are not touched.
WeightChange normalize_weights(std::vector<Scene::InfluenceSet>& sets, std::uint32_t levels);

/// One vertex' four weights as an accessor stores them: floats, or with levels bytes or shorts.
void store_weights(std::byte* at, const Vec4& weights, std::uint32_t levels);
inline std::size_t weight_size(std::uint32_t levels) { return levels == 0 ? 4 : levels == 255 ? 1 : 2; }

/// Adds `weights.sum`, `weights.negative` and `weights.zero` to the report.
void report_weights(Report* report, const WeightChange& change, const std::string& where);

}  // namespace sinew::glb
