#include "biped/field.h"

#include <algorithm>
#include <cmath>

namespace sinew::biped {
namespace {

/// Smooth minimum with a cubic fillet: equal to the smaller one where the two differ by more than `k`.
float melt(float a, float b, float k) {
  const float h = std::max(k - std::fabs(a - b), 0.0f) / std::max(k, 1e-6f);
  return std::min(a, b) - h * h * h * k * (1.0f / 6.0f);
}

/// Rounds the crease that a mirrored field has on the plane of symmetry.
float rounded_abs(float x) {
  constexpr float kRound = 0.006f;
  return std::sqrt(x * x + kRound * kRound);
}

/// Hermite curve from `v1` to `v2` over a stretch of length `h`, slopes `m1` and `m2` at its ends.
float hermite(float v1, float v2, float m1, float m2, float h, float t) {
  const float t2 = t * t, t3 = t2 * t;
  return v1 + (3 * t2 - 2 * t3) * (v2 - v1) + h * ((t3 - 2 * t2 + t) * m1 + (t3 - t2) * m2);
}

void apply(const Field::Piece& piece, Vec3 p, float& value) {
  const float reach = glm::length(p - piece.loft.centre()) - piece.loft.radius();
  if (piece.carve) {
    if (reach > piece.melt - value) return;
    value = -melt(-value, piece.loft.distance(p), piece.melt);
  } else {
    if (reach > value + piece.melt) return;
    value = melt(value, piece.loft.distance(p), piece.melt);
  }
}

}  // namespace

Loft::Loft(Vec3 begin, Vec3 end, Vec3 x_hint, std::vector<Station> stations, float cap)
    : begin_(begin), length_(glm::length(end - begin)), cap_(cap), stations_(std::move(stations)) {
  y_ = (end - begin) / length_;
  x_ = glm::normalize(x_hint - glm::dot(x_hint, y_) * y_);
  z_ = glm::cross(x_, y_);
  centre_ = 0.5f * (begin + end);
  for (const Station& s : stations_) {
    const float side = std::max(s.across, s.deep) + std::hypot(s.shift_x, s.shift_z);
    radius_ = std::max(radius_, std::hypot(0.5f * length_ + cap, side));
  }
}

Loft::Loft(Vec3 centre, Vec3 radii, Quat rotation)
    : begin_(centre),
      x_(rotate(rotation, {1, 0, 0})),
      y_(rotate(rotation, {0, 1, 0})),
      z_(rotate(rotation, {0, 0, 1})),
      centre_(centre),
      length_(0),
      cap_(radii.y),
      radius_(std::max({radii.x, radii.y, radii.z})),
      stations_{{0, radii.x, radii.z}} {}

Station Loft::station(float at) const {
  std::size_t i = 0;
  const std::size_t last = stations_.size() - 1;
  while (i < last && stations_[i + 1].at <= at) ++i;
  if (i == last) return stations_[last];
  const Station &s1 = stations_[i], &s2 = stations_[i + 1], &s0 = stations_[i == 0 ? 0 : i - 1],
                &s3 = stations_[std::min(i + 2, last)];
  const float h = s2.at - s1.at, t = std::clamp((at - s1.at) / h, 0.0f, 1.0f);
  const auto mix = [&](float Station::*m) {
    const float slope1 = i == 0 ? (s2.*m - s1.*m) / h : (s2.*m - s0.*m) / (s2.at - s0.at);
    const float slope2 = i + 1 == last ? (s2.*m - s1.*m) / h : (s3.*m - s1.*m) / (s3.at - s1.at);
    return hermite(s1.*m, s2.*m, slope1, slope2, h, t);
  };
  return {at, mix(&Station::across), mix(&Station::deep), mix(&Station::shift_x), mix(&Station::shift_z)};
}

float Loft::distance(Vec3 p) const {
  const Vec3 d = p - begin_;
  const float along = glm::dot(d, y_), inside = std::clamp(along, 0.0f, length_);
  const Station s = length_ > 0 ? station(inside / length_) : stations_.front();
  const Vec3 q{glm::dot(d, x_) - s.shift_x, along - inside, glm::dot(d, z_) - s.shift_z};
  const Vec3 radii{s.across, cap_, s.deep};
  // First-order distance to an ellipsoid: its implicit value over its slope.
  const Vec3 u = q / radii, v = u / radii;
  const float value = glm::length(u), slope = glm::length(v);
  if (slope < 1e-6f) return -std::min(s.across, s.deep);
  return value * (value - 1) / slope;
}

void Field::add_branch(std::vector<Piece> pieces, float melt_width) {
  Branch branch{std::move(pieces), melt_width, Vec3(0), 0};
  for (const Piece& piece : branch.pieces) branch.centre += piece.loft.centre() / float(branch.pieces.size());
  for (const Piece& piece : branch.pieces)
    branch.radius = std::max(branch.radius, glm::length(piece.loft.centre() - branch.centre) + piece.loft.radius());
  branches_.push_back(std::move(branch));
}

float Field::value(Vec3 p) const {
  p.x = rounded_abs(p.x);
  float trunk = 1;  // metres; far away
  for (const Piece& piece : trunk_) apply(piece, p, trunk);
  float out = trunk;
  for (const Branch& branch : branches_) {
    if (glm::length(p - branch.centre) - branch.radius > trunk + branch.melt) continue;
    float own = 1;
    for (const Piece& piece : branch.pieces) apply(piece, p, own);
    out = std::min(out, melt(trunk, own, branch.melt));
  }
  return sole_melt_ > 0 ? -melt(-out, p.y, sole_melt_) : out;
}

Vec3 Field::gradient(Vec3 p) const {
  // The corners of a tetrahedron: four samples give the slope without favouring an axis.
  constexpr float kStep = 4e-4f;
  const Vec3 corners[4] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
  Vec3 sum(0);
  for (const Vec3& c : corners) sum += c * value(p + kStep * c);
  return sum / (4 * kStep);
}

Vec3 Field::onto_surface(Vec3 p, int steps) const {
  // A step is bounded, so that a flat spot of the field throws no point away.
  constexpr float kLongest = 0.02f;
  for (int i = 0; i < steps; ++i) {
    const Vec3 slope = gradient(p);
    const float square = std::max(glm::dot(slope, slope), 0.04f);
    Vec3 move = slope * (-value(p) / square);
    const float length = glm::length(move);
    if (length > kLongest) move *= kLongest / length;
    p += move;
    if (length < 1e-6f) break;
  }
  return p;
}

}  // namespace sinew::biped
