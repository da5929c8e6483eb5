#include "render/camera.h"

#include <algorithm>
#include <cmath>

namespace sinew::render {

namespace {

constexpr float kPi = 3.14159265358979f;
constexpr float kTan = 0.267949192f;  // of half the angle of view of the picture's shorter side: 15 degrees

void set_axes(Camera& camera, Vec3 forward) {
  camera.forward = forward;
  // Straight up or down the right-hand side is free: +X, as seen from the front.
  const Vec3 side(-forward.z, 0, forward.x);
  const float length = glm::length(side);
  camera.right = length > 1e-4f ? side / length : Vec3(1, 0, 0);
  camera.up = glm::cross(camera.right, forward);
}

Mat4 rows(Vec4 x, Vec4 y, Vec4 z, Vec4 w) {
  return Mat4(Vec4(x.x, y.x, z.x, w.x), Vec4(x.y, y.y, z.y, w.y), Vec4(x.z, y.z, z.z, w.z), Vec4(x.w, y.w, z.w, w.w));
}

}  // namespace

Framing::Framing(Direction direction, float aspect, float margin) : aspect_(aspect) {
  const float azimuth = direction.azimuth * kPi / 180, elevation = direction.elevation * kPi / 180;
  set_axes(camera_, -Vec3(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                          std::cos(azimuth) * std::cos(elevation)));
  const float shrink = 1 - 2 * margin;
  tan_x_ = kTan * shrink * std::max(aspect, 1.0f);
  tan_y_ = kTan * shrink * std::max(1 / aspect, 1.0f);
  clear();
}

void Framing::clear() {
  bounds_ = {};
  right_ = left_ = top_ = bottom_ = std::numeric_limits<float>::lowest();
}

void Framing::add(Vec3 point) {
  bounds_.add(point);
  const float x = glm::dot(point, camera_.right), y = glm::dot(point, camera_.up), z = glm::dot(point, camera_.forward);
  right_ = std::max(right_, x - tan_x_ * z);
  left_ = std::max(left_, -x - tan_x_ * z);
  top_ = std::max(top_, y - tan_y_ * z);
  bottom_ = std::max(bottom_, -y - tan_y_ * z);
}

void Framing::add(const Framing& other) {
  if (other.bounds_.empty()) return;
  bounds_.add(other.bounds_.low), bounds_.add(other.bounds_.high);
  right_ = std::max(right_, other.right_), left_ = std::max(left_, other.left_);
  top_ = std::max(top_, other.top_), bottom_ = std::max(bottom_, other.bottom_);
}

Camera Framing::camera() const {
  Camera out = camera_;
  const bool empty = bounds_.empty();
  const Vec3 centre = empty ? Vec3(0.0f) : bounds_.centre();
  const float size = empty || !(bounds_.diagonal() > 0) ? 1.0f : bounds_.diagonal();
  // A place (x, y, z) on the camera's axes sees all where x - tan z >= right and so on: the last two coordinates at
  // which that holds for opposite sides meet in one point.
  float x = glm::dot(centre, out.right), y = glm::dot(centre, out.up), z = glm::dot(centre, out.forward) - size / kTan;
  if (!empty) {
    const float z_x = -(right_ + left_) / (2 * tan_x_), z_y = -(top_ + bottom_) / (2 * tan_y_);
    x = (right_ - left_) / 2, y = (top_ - bottom_) / 2;
    z = std::min(z_x, z_y);
    // Never inside, nor so near that flat things fill the picture.
    z = std::min(z, glm::dot(centre, out.forward) - size * 0.6f);
  }
  out.eye = out.right * x + out.up * y + out.forward * z;
  const float to_centre = glm::dot(centre - out.eye, out.forward);
  const float near = std::max(to_centre - size * 1.5f, size * 0.02f), far = to_centre + size * 12;
  const float scale_x = 1 / (kTan * std::max(aspect_, 1.0f)), scale_y = 1 / (kTan * std::max(1 / aspect_, 1.0f));
  out.view_height = 2 / scale_y;
  const auto plane = [&](Vec3 axis, float scale) { return Vec4(axis * scale, -glm::dot(axis, out.eye) * scale); };
  const Vec4 depth = plane(out.forward, 1);
  // Vulkan's clip space: y down, z from 0 to 1.
  out.clip_from_world = rows(plane(out.right, scale_x), plane(out.up, -scale_y),
                             depth * (far / (far - near)) - Vec4(0, 0, 0, far * near / (far - near)), depth);
  return out;
}

Mat4 parallel_view(const Bounds& bounds, Vec3 direction, float beyond) {
  Camera axes;
  set_axes(axes, direction);
  Bounds seen;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p(corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y,
                 corner & 4 ? bounds.high.z : bounds.low.z);
    seen.add(Vec3(glm::dot(p, axes.right), glm::dot(p, axes.up), glm::dot(p, direction)));
  }
  const float pad = std::max(seen.diagonal(), 1e-6f) * 0.03f;
  const Vec3 low = seen.low - pad, high = seen.high + pad;
  const auto plane = [&](Vec3 axis, float from, float to, float first, float last) {
    const float scale = (last - first) / (to - from);
    return Vec4(axis * scale, first - from * scale);
  };
  return rows(plane(axes.right, low.x, high.x, -1, 1), plane(axes.up, low.y, high.y, 1, -1),
              plane(direction, low.z, high.z + beyond, 0, 1), Vec4(0, 0, 0, 1));
}

}  // namespace sinew::render
