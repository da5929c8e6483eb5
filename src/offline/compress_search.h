// How coarse each joint's steps may be: the search of compression.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "offline/compress_trial.h"

namespace sinew::detail {

struct SearchResult {
  PackPlan plan;
  unsigned shift = 0;
  double error = 0;  ///< with all that is promised: at frames and halfway, points and vertices
};

/// The smallest plan found whose points keep within `tolerance` at every frame; nothing if there is none. Tracks too wide
/// for the bits there are become keyframes in `source`.
std::optional<SearchResult> search(ClipSource& source, const Skeleton& skeleton, const ErrorShape& shape,
                                   double tolerance);

}  // namespace sinew::detail
