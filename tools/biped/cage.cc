// The cage: a tube of trunk, neck and head, with limbs drawn out of it; an octagon around each limb, a decagon around
// the palm, a square around each finger.
#include <cmath>
#include <numbers>

#include "biped/surface.h"

namespace sinew::biped {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
using Loop = std::vector<int>;

/// A rectangle of the texture; the left half of the body has u >= 0.5, the right half is its mirror image.
struct Chart {
  float u0, u1, v0, v1;
  Vec2 at(float u, float v) const { return {u0 + (u1 - u0) * u, v0 + (v1 - v0) * v}; }
};
const Chart kTrunkChart{0.500f, 0.735f, 0.540f, 0.110f}, kCrownChart{0.500f, 0.560f, 0.095f, 0.025f};
const Chart kLegChart{0.750f, 0.985f, 0.020f, 0.460f}, kFootChart{0.850f, 0.985f, 0.490f, 0.680f};
const Chart kToeChart{0.850f, 0.985f, 0.690f, 0.730f}, kArmChart{0.510f, 0.670f, 0.570f, 0.980f};
const Chart kPalmChart{0.690f, 0.830f, 0.490f, 0.720f}, kFingersChart{0.690f, 0.985f, 0.750f, 0.980f};

class Builder {
 public:
  explicit Builder(const Skeleton& skeleton) : skeleton_(skeleton) {}
  Surface build() {
    trunk();
    leg();
    arm();
    return std::move(out_);
  }

 private:
  static constexpr int kColumns = 7;  ///< vertices from the front's middle to the back's

  int vertex(Vec3 p) {
    out_.positions.push_back(p);
    return int(out_.positions.size()) - 1;
  }
  void face(std::vector<int> vertices, std::vector<Vec2> uvs, Region region) {
    out_.faces.push_back({std::move(vertices), std::move(uvs), region});
  }
  const Frame& frame(int limb) const { return skeleton_.bind[joint(kLeft, limb)]; }

  /// Quads between two closed loops of a limb, `next` farther along it; counterclockwise about the limb.
  void tube(const Loop& from, const Loop& next, const Chart& chart, float v0, float v1, Region region) {
    const int n = int(from.size());
    for (int k = 0; k < n; ++k) {
      const float a = float(k) / float(n), b = float(k + 1) / float(n);
      face({from[k], from[(k + 1) % n], next[(k + 1) % n], next[k]},
           {chart.at(a, v0), chart.at(b, v0), chart.at(b, v1), chart.at(a, v1)}, region);
    }
  }

  void trunk();
  void head(Loop below, int row);
  void crown(const Loop& rim);
  void strip(const Loop& from, const Loop& next, int row, int skip_from, int skip_to, Region region);
  void leg();
  void foot(const Loop& ankle);
  void arm();
  void hand(const Loop& wrist);
  void finger(int number, Loop base, Region region);

  const Skeleton& skeleton_;
  Surface out_;
  Loop leg_loop_;  ///< where the leg begins
  Loop arm_loop_;  ///< the hole that the arm is drawn from
};

constexpr int kTrunkRows = 17;  ///< from the crotch to the crown

/// A row of the trunk: heights of front, side and back; half-width; depth to front and back (z).
struct Row {
  float front, side, back, width, front_z, back_z;
};
const Row kTrunk[] = {
    {0.845f, 0.905f, 0.835f, 0.165f, 0.085f, -0.120f}, {0.930f, 0.955f, 0.925f, 0.165f, 0.100f, -0.130f},
    {1.015f, 1.020f, 1.020f, 0.150f, 0.098f, -0.110f}, {1.110f, 1.110f, 1.115f, 0.133f, 0.096f, -0.095f},
    {1.200f, 1.200f, 1.210f, 0.145f, 0.103f, -0.115f}, {1.275f, 1.270f, 1.285f, 0.160f, 0.110f, -0.130f},
    {1.350f, 1.360f, 1.365f, 0.165f, 0.095f, -0.130f}, {1.420f, 1.468f, 1.440f, 0.160f, 0.060f, -0.115f},
    {1.450f, 1.490f, 1.486f, 0.112f, 0.038f, -0.104f}, {1.482f, 1.525f, 1.535f, 0.060f, 0.022f, -0.082f},
};
const Row kHeadRows[] = {
    {1.565f, 1.572f, 1.585f, 0.056f, 0.045f, -0.070f}, {1.588f, 1.606f, 1.625f, 0.060f, 0.094f, -0.088f},
    {1.619f, 1.635f, 1.660f, 0.070f, 0.098f, -0.104f}, {1.652f, 1.665f, 1.692f, 0.077f, 0.115f, -0.112f},
    {1.690f, 1.698f, 1.722f, 0.078f, 0.095f, -0.112f}, {1.740f, 1.742f, 1.752f, 0.073f, 0.078f, -0.098f},
    {1.785f, 1.784f, 1.783f, 0.045f, 0.040f, -0.066f},
};

/// Half a ring, front to back. `crowd` moves columns to the front, where the face is.
std::vector<Vec3> half_ring(const Row& row, int columns, float crowd = 0) {
  std::vector<Vec3> out;
  for (int j = 0; j < columns; ++j) {
    const float t = float(j) / float(columns - 1), a = kPi * (t - crowd * std::sin(kPi * t)), s = std::sin(a),
                c = std::cos(a);
    const float middle = 0.5f * (row.front_z + row.back_z), depth = 0.5f * (row.front_z - row.back_z);
    const float y = row.side + (c > 0 ? (row.front - row.side) * c : (row.side - row.back) * c);
    const bool border = j == 0 || j == columns - 1;
    out.push_back({border ? 0.0f : row.width * s, y, middle + depth * c});
  }
  return out;
}

/// Quads of half a ring; columns from `skip_from` up to `skip_to` are left open.
void Builder::strip(const Loop& from, const Loop& next, int row, int skip_from, int skip_to, Region region) {
  const float v0 = float(row) / float(kTrunkRows - 1), v1 = float(row + 1) / float(kTrunkRows - 1);
  for (int j = 0; j + 1 < kColumns; ++j) {
    if (j >= skip_from && j < skip_to) continue;
    const float a = float(j) / float(kColumns - 1), b = float(j + 1) / float(kColumns - 1);
    face({from[j], from[j + 1], next[j + 1], next[j]},
         {kTrunkChart.at(a, v0), kTrunkChart.at(b, v0), kTrunkChart.at(b, v1), kTrunkChart.at(a, v1)}, region);
  }
}

void Builder::trunk() {
  constexpr int kRows = int(std::size(kTrunk)), kArmpit = 5, kArmMiddle = 6, kShoulderTop = 7;
  std::vector<Loop> rows;
  for (int r = 0; r < kRows; ++r) {
    Loop loop;
    const auto ring = half_ring(kTrunk[r], kColumns);
    // The middle of the arm's hole has no vertex.
    for (int j = 0; j < kColumns; ++j) loop.push_back(r == kArmMiddle && j == 3 ? -1 : vertex(ring[j]));
    rows.push_back(std::move(loop));
  }
  for (int r = 0; r + 1 < kRows; ++r) {
    const bool hole = r == kArmpit || r == kArmMiddle;
    strip(rows[r], rows[r + 1], r, hole ? 2 : 0, hole ? 4 : 0, Region::trunk);
  }
  const Loop &low = rows[kArmpit], &middle = rows[kArmMiddle], &high = rows[kShoulderTop];
  arm_loop_ = {high[3], high[2], middle[2], low[2], low[3], low[4], middle[4], high[4]};
  leg_loop_ = rows[0];
  leg_loop_.push_back(vertex({0, 0.812f, -0.012f}));
  head(rows.back(), kRows - 1);
}

void Builder::head(Loop below, int row) {
  for (const Row& r : kHeadRows) {
    Loop loop;
    for (Vec3 p : half_ring(r, kColumns, 0.09f)) loop.push_back(vertex(p));
    strip(below, loop, row++, 0, 0, Region::head);
    below = loop;
  }
  crown(below);
}

void Builder::crown(const Loop& rim) {
  const int front = vertex({0, 1.797f, 0.015f}), back = vertex({0, 1.797f, -0.040f});
  const auto uv = [&](int v) {
    const Vec3 p = out_.positions[v];
    return kCrownChart.at(p.x / 0.06f, (p.z + 0.07f) / 0.12f);
  };
  const auto cap = [&](std::vector<int> loop) {
    std::vector<Vec2> uvs;
    for (int v : loop) uvs.push_back(uv(v));
    face(std::move(loop), std::move(uvs), Region::head);
  };
  cap({rim[0], rim[1], rim[2], front});
  cap({front, rim[2], rim[3], rim[4], back});
  cap({back, rim[4], rim[5], rim[6]});
}

void Builder::leg() {
  struct Section {
    float y, radius;
  };
  const Section sections[] = {{0.765f, 0.080f}, {0.660f, 0.070f}, {0.555f, 0.055f}, {0.455f, 0.050f},
                              {0.360f, 0.055f}, {0.235f, 0.040f}, {0.115f, 0.033f}};
  const Vec3 hip = frame(kUpperLeg).position, knee = frame(kLowerLeg).position, ankle = frame(kFoot).position;
  Loop above = leg_loop_;
  constexpr int kSections = int(std::size(sections));
  for (int i = 0; i < kSections; ++i) {
    const auto [y, radius] = sections[i];
    const Vec3 centre = y > knee.y ? glm::mix(knee, hip, (y - knee.y) / (hip.y - knee.y))
                                   : glm::mix(ankle, knee, (y - ankle.y) / (knee.y - ankle.y));
    Loop below;
    for (int k = 0; k < 8; ++k) {
      const float a = kPi / 4 * float(k - 1);
      below.push_back(vertex(centre + radius * Vec3(std::sin(a), 0, std::cos(a))));
    }
    // Counterclockwise about the upward axis: going down, the lower loop comes first.
    tube(below, above, kLegChart, float(i + 1) / kSections, float(i) / kSections, Region::leg);
    above = below;
  }
  foot(above);
}

void Builder::foot(const Loop& ankle) {
  /// A section that swings from the horizontal at the ankle to the vertical at the toes: its top and bottom (y, z), its
  /// half-width.
  struct Section {
    Vec2 top, bottom;
    float width, x;
  };
  const float x = frame(kFoot).position.x, ball = frame(kToes).position.x;
  const Section sections[] = {{{0.082f, 0.032f}, {0.040f, -0.078f}, 0.033f, x},
                              {{0.066f, 0.062f}, {0.000f, -0.040f}, 0.033f, x + 0.003f},
                              {{0.048f, 0.098f}, {0.000f, 0.050f}, 0.042f, ball},
                              {{0.028f, 0.150f}, {0.000f, 0.142f}, 0.042f, ball}};
  Loop above = ankle;
  constexpr int kSections = int(std::size(sections));
  for (int i = 0; i < kSections; ++i) {
    const Section& s = sections[i];
    const Vec2 middle = 0.5f * (s.top + s.bottom), half = 0.5f * (s.top - s.bottom);
    Loop below;
    for (int k = 0; k < 8; ++k) {
      const float a = kPi / 4 * float(k - 1);
      const Vec2 yz = middle + std::cos(a) * half;
      below.push_back(vertex({s.x + s.width * std::sin(a), yz.x, yz.y}));
    }
    tube(below, above, kFootChart, float(i + 1) / kSections, float(i) / kSections, Region::foot);
    above = below;
  }
  const int tip = vertex({ball, 0.010f, kToeZ + 0.025f});
  const auto uv = [&](int v) {
    const Vec3 p = out_.positions[v];
    return kToeChart.at(0.5f + (p.x - ball) / 0.1f, 0.5f + (0.017f - p.y) / 0.05f);
  };
  for (int k = 1; k < 9; k += 2) {
    const int a = above[k % 8], b = above[(k + 1) % 8], c = above[(k + 2) % 8];
    face({tip, c, b, a}, {uv(tip), uv(c), uv(b), uv(a)}, Region::foot);
  }
}

void Builder::arm() {
  struct Section {
    float along, radius;  ///< metres from the shoulder
  };
  const Section sections[] = {{0.065f, 0.052f}, {0.150f, 0.047f}, {0.245f, 0.037f},
                              {0.325f, 0.038f}, {0.425f, 0.035f}, {0.520f, 0.025f}};
  const Frame &upper = frame(kUpperArm), &fore = frame(kForearm);
  const float length = glm::length(fore.position - upper.position);
  Loop before = arm_loop_;
  constexpr int kSections = int(std::size(sections));
  for (int i = 0; i < kSections; ++i) {
    const auto [along, radius] = sections[i];
    const Frame& f = along < length ? upper : fore;
    const Vec3 centre = f.position + rotate(f.rotation, {0, along < length ? along : along - length, 0});
    Loop loop;
    for (int k = 0; k < 8; ++k) {
      const float a = kPi / 4 * float(k);
      loop.push_back(vertex(centre + radius * rotate(f.rotation, {-std::cos(a), 0, std::sin(a)})));
    }
    tube(before, loop, kArmChart, float(i) / kSections, float(i + 1) / kSections, Region::arm);
    before = loop;
  }
  hand(before);
}

void Builder::hand(const Loop& wrist) {
  /// A section of the palm: along the hand, half-width, half-thickness.
  struct Section {
    float along, width, thick;
  };
  const Section sections[] = {
      {0.008f, 0.027f, 0.012f}, {0.053f, 0.036f, 0.011f}, {0.080f, 0.038f, 0.010f}, {0.104f, 0.038f, 0.006f}};
  const Frame& f = frame(kHand);
  std::vector<Loop> palm;
  for (const auto& [along, width, thick] : sections) {
    Loop loop;
    for (int k = 0; k < 10; ++k) {
      // From the little finger over the back of the hand to the thumb, and back through the palm.
      const float across = k < 5 ? -1 + 0.5f * float(k) : 1 - 0.5f * float(k - 5), side = k < 5 ? -1.0f : 1.0f;
      // The knuckles lie aslant; the thumb's hole reaches on to its web.
      const float slant = palm.size() == 3 ? 0.012f * across - 0.004f : palm.size() == 1 ? 0.010f * across : 0.0f;
      loop.push_back(vertex(f.position + rotate(f.rotation, {side * thick, along + slant, width * across})));
    }
    palm.push_back(std::move(loop));
  }
  constexpr float kRows = 4;
  const auto uv = [&](float column, float row) { return kPalmChart.at(column / 10, row / kRows); };
  // Eight to ten: a triangle on each edge of the hand. Wrist 0 is the middle of its back, 2 the thumb's side.
  const Loop& p = palm[0];
  const int w[8] = {wrist[6], wrist[7], wrist[0], wrist[1], wrist[2], wrist[3], wrist[4], wrist[5]};
  for (int k = 0; k < 4; ++k) {
    const float c = float(k);
    face({w[k], w[k + 1], p[k + 1], p[k]}, {uv(c, 0), uv(c + 1, 0), uv(c + 1, 1), uv(c, 1)}, Region::palm);
    const int from = w[k + 4], to = w[(k + 5) % 8];
    face({from, to, p[k + 6], p[k + 5]}, {uv(c + 5, 0), uv(c + 6, 0), uv(c + 6, 1), uv(c + 5, 1)}, Region::palm);
  }
  face({w[4], p[5], p[4]}, {uv(4.5f, 0), uv(5, 1), uv(4, 1)}, Region::palm);
  face({w[0], p[0], p[9]}, {uv(9.5f, 0), uv(10, 1), uv(9, 1)}, Region::palm);
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 10; ++k) {
      if (r == 0 && k == 4) continue;  // the thumb grows here
      const float c = float(k), v = float(r + 1);
      face({palm[r][k], palm[r][(k + 1) % 10], palm[r + 1][(k + 1) % 10], palm[r + 1][k]},
           {uv(c, v), uv(c + 1, v), uv(c + 1, v + 1), uv(c, v + 1)}, Region::palm);
    }
  }
  finger(0, {palm[0][4], palm[0][5], palm[1][5], palm[1][4]}, Region::thumb);
  const Loop& end = palm[3];
  for (int i = 0; i < 4; ++i) {
    finger(i + 1, {end[3 - i], end[4 - i], end[5 + i], end[6 + i]}, Region(int(Region::index) + i));
  }
}

void Builder::finger(int number, Loop base, Region region) {
  const float width = 1.0f / kFingerCount;
  const Chart chart{kFingersChart.u0 + (kFingersChart.u1 - kFingersChart.u0) * (float(number) + 0.05f) * width,
                    kFingersChart.u0 + (kFingersChart.u1 - kFingersChart.u0) * (float(number) + 0.95f) * width,
                    kFingersChart.v0, kFingersChart.v1};
  const auto& bind = skeleton_.bind;
  const int first = joint(kLeft, phalanx(number, 0));
  const Vec3 ends[4] = {bind[first].position, bind[first + 1].position, bind[first + 2].position,
                        skeleton_.finger_tips[number]};
  struct Section {
    int part;
    float at;  ///< 0 to 1 along it
  };
  const Section sections[] = {{0, number == 0 ? 0.95f : 0.70f}, {1, number == 0 ? 0.70f : 0.45f}, {2, 1.0f}};
  constexpr int kSections = int(std::size(sections));
  constexpr float kReach = 0.88f;  // of the strip; the rest is the tip
  for (int i = 0; i < kSections; ++i) {
    const auto [part, at] = sections[i];
    const Quat q = bind[first + part].rotation;
    const Vec3 centre = glm::mix(ends[part], ends[part + 1], at);
    const float r = (number == 0 ? 0.0085f : 0.0065f) * (i + 1 == kSections ? 0.8f : 1.0f);
    // The four fingers' loops begin on the little finger's side of the back, the thumb's on the side of the wrist.
    const float begin = number == 0 ? kPi / 4 - 0.55f : -kPi / 4;
    Loop loop;
    for (int k = 0; k < 4; ++k) {
      const float a = begin + kPi / 2 * float(k);
      loop.push_back(vertex(centre + r * rotate(q, {-std::cos(a), 0, std::sin(a)})));
    }
    tube(base, loop, chart, kReach * float(i) / kSections, kReach * float(i + 1) / kSections, region);
    base = loop;
  }
  const Vec2 a = chart.at(0, kReach), b = chart.at(0.25f, kReach), c = chart.at(0.25f, 1), d = chart.at(0, 1);
  face({base[0], base[1], base[2], base[3]}, {a, b, c, d}, region);
}

}  // namespace

Surface make_cage(const Skeleton& skeleton) { return Builder(skeleton).build(); }

}  // namespace sinew::biped
