// Directions whose squares leave a float's range: rare, so they are found again one by one, in double precision.
#pragma once

#include <cstddef>

namespace sinew::kernels {

/// Squares of lengths between these have neither vanished nor overflowed, nor lost digits: 2^-100 and 2^100.
inline constexpr float kLeastSquare = 7.8886091e-31f, kMostSquare = 1.2676506e30f;

/// Of up to 16 vertices.
struct Rescue {
  alignas(64) float matrix[12][16];
  alignas(64) float in[3][16];   // directions before the matrix
  alignas(64) float out[3][16];  // in unit length, where `square` is sound
  alignas(64) float square[16];
};

/// Mends `out` of the first `count`: zero stays zero. `exact`: by the inverse transpose.
void run(Rescue& rescue, std::size_t count, bool exact);

}  // namespace sinew::kernels
