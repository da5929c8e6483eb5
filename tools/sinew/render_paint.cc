// What a picture shows beside the surface: weights, and the skeleton.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "render_actor.h"
#include "text.h"

namespace sinew::tool {

namespace {

using render::Corner;
using render::Rgba;

std::uint8_t byte(float share) { return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0f, 1.0f) * 255)); }

/// Colours far apart for neighbours in the list: hues by the golden ratio, in three strengths.
Vec3 joint_colour(std::size_t i) {
  const float hue = std::fmod(static_cast<float>(i) * 0.61803399f, 1.0f) * 6;
  const float value = 0.95f - 0.18f * static_cast<float>(i % 3), saturation = 0.55f + 0.2f * static_cast<float>(i % 2);
  const auto channel = [&](float offset) {
    const float k = std::fmod(hue + offset, 6.0f);
    return value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0f, 1.0f));
  };
  return {channel(5), channel(3), channel(1)};
}

/// Rows that are drawn: what skins use, or where there is none all.
std::vector<bool> drawn_rows(const Skeleton& skeleton) {
  std::vector<bool> rows(skeleton.joint_count());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = has(skeleton.flags[row], JointFlags::skin);
  if (std::none_of(rows.begin(), rows.end(), [](bool b) { return b; })) rows.assign(rows.size(), true);
  return rows;
}

void add_triangle(std::vector<Corner>& out, Vec3 a, Vec3 b, Vec3 c, Rgba colour) {
  const Vec3 n = glm::cross(b - a, c - a);
  const float length = glm::length(n);
  const Vec3 normal = length > 0 ? n / length : Vec3(0, 1, 0);
  for (const Vec3& p : {a, b, c}) out.push_back({p, normal, colour});
}

/// Two pyramids on one square: near `from`, as wide as `width`, and pointed at both ends.
void add_bone(std::vector<Corner>& out, Vec3 from, Vec3 to, float width, Rgba colour) {
  const Vec3 axis = to - from, other = std::abs(axis.y) > 0.9f * glm::length(axis) ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  const Vec3 side = glm::cross(axis, other) / std::max(glm::length(glm::cross(axis, other)), 1e-30f) * width;
  const Vec3 front = glm::cross(side, axis) / std::max(glm::length(axis), 1e-30f), waist = from + axis * 0.15f;
  const Vec3 ring[] = {waist + side, waist + front, waist - side, waist - front};
  for (int i = 0; i < 4; ++i) {
    add_triangle(out, ring[i], ring[(i + 1) % 4], to, colour);
    add_triangle(out, ring[(i + 1) % 4], ring[i], from, colour);
  }
}

void add_joint(std::vector<Corner>& out, Vec3 at, float radius, Rgba colour) {
  const auto side = [&](int sign_x, int sign_y, int sign_z) {
    const Vec3 x(radius * float(sign_x), 0, 0), y(0, radius * float(sign_y), 0), z(0, 0, radius * float(sign_z));
    sign_x* sign_y* sign_z > 0 ? add_triangle(out, at + x, at + y, at + z, colour)
                               : add_triangle(out, at + y, at + x, at + z, colour);
  };
  for (int i = 0; i < 8; ++i) side(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
}

}  // namespace

Rgba ramp(float share) {
  constexpr float kStops[][3] = {{38, 64, 140}, {52, 152, 178}, {112, 192, 100}, {244, 208, 72}, {214, 48, 39}};
  const float place = std::clamp(share, 0.0f, 1.0f) * 4;
  const int i = std::min(static_cast<int>(place), 3);
  const auto channel = [&](int c) {
    return byte((kStops[i][c] + (kStops[i + 1][c] - kStops[i][c]) * (place - static_cast<float>(i))) / 255);
  };
  return {channel(0), channel(1), channel(2), 255};
}

float round_scale(float value) {
  if (!(value > 0)) return 1e-6f;
  const float power = std::pow(10.0f, std::floor(std::log10(value))), rest = value / power;
  return power * (rest <= 1 ? 1.0f : rest <= 2 ? 2.0f : rest <= 5 ? 5.0f : 10.0f);
}

std::vector<std::vector<Rgba>> weight_colours(const Character& character, std::int32_t row) {
  std::vector<std::vector<Rgba>> out;
  for (const Part& part : character.parts()) {
    const Mesh& mesh = character.meshes()[part.mesh];
    const Skin& skin = character.skins()[part.skin];
    std::vector<Rgba> colours;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      float own = 0;
      Vec3 mixed(0.0f);
      for (std::size_t i = v * mesh.influence_count; i < (v + 1) * mesh.influence_count; ++i) {
        const std::uint32_t joint = skin.joints[mesh.joints[i]];
        mixed += joint_colour(joint) * mesh.weights[i];
        if (static_cast<std::int32_t>(joint) == row) own += mesh.weights[i];
      }
      colours.push_back(row < 0 ? Rgba{byte(mixed.x), byte(mixed.y), byte(mixed.z), 255} : ramp(own));
    }
    out.push_back(std::move(colours));
  }
  return out;
}

Result<std::int32_t> find_joint(const Character& character, const std::string& text, const char* option) {
  const Skeleton& skeleton = character.skeleton();
  if (const std::int32_t row = skeleton.find(text); row >= 0) return row;
  std::int32_t node = kNone;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  if (error == std::errc() && end == text.data() + text.size() && node >= 0)
    for (std::size_t row = 0; row < skeleton.joint_count(); ++row)
      if (skeleton.source_nodes[row] == node) return static_cast<std::int32_t>(row);
  return fail(ErrorCode::bad_argument, option, fmt::format("no joint has the name or node {}", in_quotes(text)),
              "sinew inspect lists the joints");
}

std::vector<Corner> skeleton_corners(const Actor& actor) {
  const Skeleton& skeleton = actor.character().skeleton();
  const auto& matrices = actor.instance().model_from_joint;
  const std::vector<bool> drawn = drawn_rows(skeleton);
  const float size = actor.character().size() > 0 ? actor.character().size() : 1.0f;
  constexpr Rgba kBone{250, 190, 60, 255}, kJoint{225, 95, 45, 255};
  std::vector<Corner> out;
  for (std::size_t row = 0; row < drawn.size(); ++row) {
    if (!drawn[row]) continue;
    const Vec3 at = transform_point(matrices[row], Vec3(0.0f));
    add_joint(out, at, size * 0.006f, kJoint);
    // To the nearest ancestor that is drawn: rigs put helpers between joints.
    std::int32_t parent = skeleton.parents[row];
    while (parent >= 0 && !drawn[static_cast<std::size_t>(parent)])
      parent = skeleton.parents[static_cast<std::size_t>(parent)];
    if (parent < 0) continue;
    const Vec3 from = transform_point(matrices[static_cast<std::size_t>(parent)], Vec3(0.0f));
    const float length = glm::length(at - from);
    if (length > size * 1e-4f) add_bone(out, from, at, std::min(length * 0.09f, size * 0.012f), kBone);
  }
  return out;
}

}  // namespace sinew::tool
