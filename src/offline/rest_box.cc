#include "offline/rest_box.h"

#include <cmath>

namespace sinew::detail {

void RestBox::add(Vec3 p) {
  for (int i = 0; i < 3; ++i) {
    if (!any_ || p[i] < low_[i]) low_[i] = p[i];
    if (!any_ || p[i] > high_[i]) high_[i] = p[i];
  }
  any_ = true;
}

double RestBox::diagonal() const {
  return std::hypot(double(high_.x) - low_.x, double(high_.y) - low_.y, double(high_.z) - low_.z);
}

Vec3 rest_position(const RestPart& part, const Influences* influences, std::size_t vertex) {
  Vec3 p = part.primitive.positions[vertex];
  for (std::size_t t = 0; t < part.channels.size(); ++t) {
    const auto& differences = part.primitive.targets[t].positions;
    if (part.channels[t] != 0 && !differences.empty()) p += part.channels[t] * differences[vertex];
  }
  if (!influences) return transform_point(part.palette[0], p);
  const std::size_t begin = influences->begins[vertex], end = influences->begins[vertex + 1];
  if (begin == end) return transform_point(part.root, p);
  Vec3 sum(0);
  for (std::size_t i = begin; i < end; ++i)
    sum += influences->weights[i] * transform_point(part.palette[influences->joints[i]], p);
  return sum;
}

}  // namespace sinew::detail
