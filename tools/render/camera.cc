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
  constexpr float kLowest = std::numeric_limits<float>::lowest();
  reach_.fill({kLowest, kLowest, kLowest, kLowest});
}

void Framing::add(Vec3 point) {
  bounds_.add(point);
  const float x = glm::dot(point, camera_.right), y = glm::dot(point, camera_.up), z = glm::dot(point, camera_.forward);
  for (int step = 0; step < kSteps; ++step) {
    Reach& reach = reach_[static_cast<std::size_t>(step)];
    const float share = static_cast<float>(step + 1) / kSteps, z_x = tan_x_ * share * z, z_y = tan_y_ * share * z;
    reach.right = std::max(reach.right, x - z_x), reach.left = std::max(reach.left, -x - z_x);
    reach.top = std::max(reach.top, y - z_y), reach.bottom = std::max(reach.bottom, -y - z_y);
  }
}

float Framing::middle(float z, float tangent, float Reach::*high, float Reach::*low) const {
  // The narrowest view that still sees all from there has it in its middle.
  for (int step = 0; step < kSteps - 1; ++step) {
    const Reach& reach = reach_[static_cast<std::size_t>(step)];
    const float share = static_cast<float>(step + 1) / kSteps;
    if (-(reach.*high + reach.*low) / (2 * tangent * share) >= z) return (reach.*high - reach.*low) / 2;
  }
  return (reach_.back().*high - reach_.back().*low) / 2;
}

void Framing::add(const Framing& other) {
  if (other.bounds_.empty()) return;
  bounds_.add(other.bounds_.low), bounds_.add(other.bounds_.high);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    Reach& reach = reach_[i];
    const Reach& more = other.reach_[i];
    reach.right = std::max(reach.right, more.right), reach.left = std::max(reach.left, more.left);
    reach.top = std::max(reach.top, more.top), reach.bottom = std::max(reach.bottom, more.bottom);
  }
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
    const Reach& view = reach_.back();
    z = std::min(-(view.right + view.left) / (2 * tan_x_), -(view.top + view.bottom) / (2 * tan_y_));
    // Never inside, nor so near that flat things fill the picture.
    z = std::min(z, glm::dot(centre, out.forward) - size * 0.6f);
    x = middle(z, tan_x_, &Reach::right, &Reach::left), y = middle(z, tan_y_, &Reach::top, &Reach::bottom);
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
