#include "runtime/skin_rescue.h"

#include <cmath>

#include "sinew/math.h"

namespace sinew::kernels {
namespace {

using Double3 = glm::vec<3, double>;  // squares of any float neither vanish nor overflow in it

/// Inverse transpose times n, up to a positive factor: the cofactor matrix, turned where the matrix mirrors. Needs no
/// division, so a flattened limb still has the normal of its plane.
Double3 through_cofactors(const Double3 (&row)[3], const Double3& n) {
  const Double3 c0 = glm::cross(row[1], row[2]), c1 = glm::cross(row[2], row[0]), c2 = glm::cross(row[0], row[1]);
  const double side = glm::dot(row[0], c0) < 0 ? -1 : 1;
  return side * Double3(glm::dot(c0, n), glm::dot(c1, n), glm::dot(c2, n));
}

}  // namespace

void run(Rescue& rescue, std::size_t count, bool exact) {
  for (std::size_t i = 0; i < count; ++i) {
    if (rescue.square[i] >= kLeastSquare && rescue.square[i] <= kMostSquare) continue;
    Double3 row[3];
    for (int r = 0; r < 3; ++r)
      row[r] = {rescue.matrix[4 * r][i], rescue.matrix[4 * r + 1][i], rescue.matrix[4 * r + 2][i]};
    const Double3 in(rescue.in[0][i], rescue.in[1][i], rescue.in[2][i]);
    const Double3 v =
        exact ? through_cofactors(row, in) : Double3(glm::dot(row[0], in), glm::dot(row[1], in), glm::dot(row[2], in));
    const double length = std::sqrt(glm::dot(v, v));
    for (int c = 0; c < 3; ++c) rescue.out[c][i] = length > 0 ? float(v[c] / length) : 0.0f;
  }
}

}  // namespace sinew::kernels
