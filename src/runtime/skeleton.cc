#include "sinew/skeleton.h"

#include "sinew/bytes.h"

namespace sinew {

Transform Skeleton::rest_transform(std::size_t joint) const {
  const std::size_t stride = padded(joint_count());
  const auto value = [&](Stream s) { return rest[std::size_t(s) * stride + joint]; };
  return {{value(Stream::tx), value(Stream::ty), value(Stream::tz)},
          quat_xyzw(value(Stream::rx), value(Stream::ry), value(Stream::rz), value(Stream::rw)),
          {value(Stream::sx), value(Stream::sy), value(Stream::sz)}};
}

std::int32_t Skeleton::find(std::string_view name) const {
  for (std::size_t j = 0; j < names.size(); ++j)
    if (names[j] == name) return std::int32_t(j);
  return -1;
}

}  // namespace sinew
