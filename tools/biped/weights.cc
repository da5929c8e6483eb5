#include "biped/weights.h"

#include <algorithm>
#include <cmath>

namespace sinew::biped {
namespace {

float smooth(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

/// How far `p` has passed a joint into its child: 0 before, 1 behind; the change takes `before + after` metres.
struct Passage {
  Vec3 place, axis;
  float before, after;
  float at(Vec3 p) const { return smooth(-before, after, glm::dot(p - place, axis)); }
};

class Binder {
 public:
  explicit Binder(const Skeleton& skeleton) : skeleton_(skeleton) {}

  Shares shares(Vec3 p, Region region) const {
    switch (region) {
      case Region::trunk:
        return trunk(p);
      case Region::head:
        return spine(p);
      case Region::arm:
        return arm(p);
      case Region::palm:
        return palm(p);
      case Region::leg:
      case Region::foot:
        return leg(p, hips(p));
      default:
        return finger(p, int(region) - int(Region::thumb));
    }
  }

  /// Rounds of evening out: many where a limb leaves the trunk, few where joints are near one another.
  int rounds(Vec3 p) const {
    constexpr float kFew = 5, kShoulderRounds = 36, kHipRounds = 16;
    const float shoulder = smooth(0.24f, 0.12f, glm::length(p - bind(kUpperArm).position - Vec3(-0.02f, -0.07f, 0)));
    const float hip = smooth(0.24f, 0.12f, glm::length(p - bind(kUpperLeg).position));
    return int(kFew + kShoulderRounds * shoulder + kHipRounds * hip);
  }

 private:
  const Frame& bind(int limb) const { return skeleton_.bind[joint(kLeft, limb)]; }
  static Vec3 along(const Frame& f) { return rotate(f.rotation, {0, 1, 0}); }
  Passage passage(int limb, float before, float after) const {
    // The plane between two limbs halves their angle.
    const Frame &parent = skeleton_.bind[skeleton_.parents[joint(kLeft, limb)]], &own = bind(limb);
    return {own.position, glm::normalize(along(parent) + along(own)), before, after};
  }
  static void hand_over(Shares& s, int from, int to, float part) {
    s[to] += s[from] * part;
    s[from] *= 1 - part;
  }

  Shares spine(Vec3 p) const {
    const struct {
      Vec3 axis;
      float before, after;
    } passages[kSpineCount] = {{},
                               {{0, 1, 0}, 0.075f, 0.065f},
                               {{0, 1, 0}, 0.070f, 0.070f},
                               {{0, 1, 0}, 0.070f, 0.070f},
                               {{0, 0.94f, -0.34f}, 0.040f, 0.040f},
                               {{0, 0.80f, 0.60f}, 0.040f, 0.030f}};
    Shares s{};
    s[kHips] = 1;
    for (int i = kSpine; i < kSpineCount; ++i) {
      const Passage next{skeleton_.bind[i].position, passages[i].axis, passages[i].before, passages[i].after};
      hand_over(s, i - 1, i, next.at(p));
    }
    return s;
  }

  Shares chest(Vec3 p) const {
    Shares s = spine(p);
    // The shoulder girdle slides over the ribs: it takes the upper outer part of the chest.
    const float girdle = smooth(0.03f, 0.15f, p.x) * smooth(1.27f, 1.43f, p.y);
    for (int from : {int(kUpperChest), int(kNeck)}) hand_over(s, from, joint(kLeft, kShoulder), 0.9f * girdle);
    return s;
  }

  /// Pelvis and thighs: the crease runs from the crotch up and outward. Between the thighs all is pelvis, so that
  /// neither leg pulls at the other.
  Shares hips(Vec3 p) const {
    Shares s = chest(p);
    const Passage crease{bind(kUpperLeg).position, glm::normalize(Vec3(0.50f, -0.86f, 0.05f)), 0.055f, 0.085f};
    constexpr float kCrotch = 0.815f;
    const float free = std::max(smooth(0.0f, 0.075f, p.x), smooth(0.0f, 0.10f, kCrotch - p.y));
    hand_over(s, kHips, joint(kLeft, kUpperLeg), crease.at(p) * free);
    return s;
  }

  Shares trunk(Vec3 p) const { return p.y < skeleton_.bind[kChest].position.y ? hips(p) : chest(p); }

  Shares leg(Vec3 p, Shares s) const {
    hand_over(s, joint(kLeft, kUpperLeg), joint(kLeft, kLowerLeg), passage(kLowerLeg, 0.050f, 0.045f).at(p));
    const Passage ankle{bind(kFoot).position, glm::normalize(Vec3(0, -1, 0.30f)), 0.035f, 0.025f};
    hand_over(s, joint(kLeft, kLowerLeg), joint(kLeft, kFoot), ankle.at(p));
    const Passage ball{bind(kToes).position, {0, 0, 1}, 0.034f, 0.004f};
    hand_over(s, joint(kLeft, kFoot), joint(kLeft, kToes), ball.at(p));
    return s;
  }

  Shares arm(Vec3 p) const {
    const Shares base = chest(p);
    const Passage shoulder{bind(kUpperArm).position, along(bind(kUpperArm)), 0.060f, 0.075f};
    const float part = shoulder.at(p);
    Shares s{};
    for (int i = 0; i < kJointCount; ++i) s[i] = base[i] * (1 - part);
    s[joint(kLeft, kUpperArm)] = part;
    hand_over(s, joint(kLeft, kUpperArm), joint(kLeft, kForearm), passage(kForearm, 0.036f, 0.036f).at(p));
    hand_over(s, joint(kLeft, kForearm), joint(kLeft, kHand), passage(kHand, 0.030f, 0.018f).at(p));
    return s;
  }

  Shares palm(Vec3 p) const {
    Shares s = arm(p);
    const int hand = joint(kLeft, kHand);
    // The ball of the thumb goes with the thumb's first joint.
    const Frame &thumb = bind(kThumb), &next = bind(kThumb + 1);
    const float t = glm::dot(p - thumb.position, along(thumb)), length = glm::length(next.position - thumb.position);
    const float aside = glm::length(p - thumb.position - std::clamp(t, 0.0f, length) * along(thumb));
    hand_over(s, hand, joint(kLeft, kThumb), smooth(0.030f, 0.010f, aside) * smooth(-0.012f, 0.022f, t));
    // Knuckles: each finger takes its own stripe.
    float parts[kFingerCount] = {}, sum = 0;
    const Frame& f = bind(kHand);
    const float across = rotate(conjugate(f.rotation), p - f.position).z;
    for (int i = 1; i < kFingerCount; ++i) {
      const Vec3 knuckle = rotate(conjugate(f.rotation), bind(phalanx(i, 0)).position - f.position);
      parts[i] = std::max(0.0f, 1 - std::fabs(across - knuckle.z) / 0.022f);
      sum += parts[i];
    }
    const float from = s[hand];
    for (int i = 1; i < kFingerCount && sum > 0; ++i) {
      const float part = parts[i] / std::max(sum, 1.0f) * passage(phalanx(i, 0), 0.014f, 0.012f).at(p);
      s[joint(kLeft, phalanx(i, 0))] += from * part;
      s[hand] -= from * part;
    }
    return s;
  }

  Shares finger(Vec3 p, int number) const {
    const int first = phalanx(number, 0);
    const bool thumb = number == 0;
    Shares s{};
    s[joint(kLeft, kHand)] = 1;
    hand_over(s, joint(kLeft, kHand), joint(kLeft, first),
              thumb ? passage(first, 0.012f, 0.020f).at(p) : passage(first, 0.014f, 0.012f).at(p));
    const float width = thumb ? 0.011f : 0.008f;
    hand_over(s, joint(kLeft, first), joint(kLeft, first + 1), passage(first + 1, width, width).at(p));
    hand_over(s, joint(kLeft, first + 1), joint(kLeft, first + 2), passage(first + 2, width, width).at(p));
    return s;
  }

  const Skeleton& skeleton_;
};

/// Region bits of the faces around each vertex.
std::vector<unsigned> regions_of(const Surface& surface) {
  std::vector<unsigned> out(surface.positions.size(), 0);
  for (const auto& face : surface.faces)
    for (int v : face.vertices) out[v] |= 1u << int(face.region);
  return out;
}

/// A vertex of a finger follows the hand and that finger only, one of a web the first joints of the two fingers, one of
/// the palm no finger beyond its first joint.
bool allowed(int row, unsigned regions) {
  constexpr unsigned kAllFingers = ((1u << kFingerCount) - 1) << int(Region::thumb);
  const unsigned fingers = regions & kAllFingers;
  const int limb = row < kSpineCount ? -1 : (row - kSpineCount) % kLimbCount;
  if (limb < kThumb || limb >= kUpperLeg) return regions != fingers || limb == kHand;
  const unsigned own = 1u << (int(Region::thumb) + (limb - kThumb) / 3);
  const bool first_joint = (limb - kThumb) % 3 == 0;
  if (fingers == 0) return first_joint;
  return fingers == own || (first_joint && (fingers & own) != 0);
}

void normalise(Shares& s) {
  float sum = 0;
  for (float w : s) sum += w;
  for (float& w : s) w /= sum;
}

}  // namespace

std::vector<Shares> make_shares(const Surface& surface, const Skeleton& skeleton) {
  const Binder binder(skeleton);
  const auto regions = regions_of(surface);
  const auto around = neighbours(surface);
  const std::size_t count = surface.positions.size();
  const auto tidy = [&](std::size_t v, Shares& s) {
    const bool plane = surface.on_plane(int(v));
    for (int i = 0; i < kJointCount; ++i)
      if (!allowed(i, regions[v]) || (!plane && i >= joint(kRight, 0))) s[i] = 0;
    if (plane) {
      const Shares one_side = s;
      for (int i = 0; i < kJointCount; ++i) s[i] = 0.5f * (one_side[i] + one_side[mirrored(i)]);
    }
    normalise(s);
  };
  std::vector<Shares> shares(count);
  for (std::size_t v = 0; v < count; ++v) {
    // Where regions meet, their shares are averaged.
    shares[v] = {};
    for (int r = 0; r <= int(Region::foot); ++r) {
      if ((regions[v] & 1u << r) == 0) continue;
      const Shares part = binder.shares(surface.positions[v], Region(r));
      for (int i = 0; i < kJointCount; ++i) shares[v][i] += part[i];
    }
    tidy(v, shares[v]);
  }
  std::vector<int> rounds(count);
  for (std::size_t v = 0; v < count; ++v) rounds[v] = binder.rounds(surface.positions[v]);
  const int most = *std::max_element(rounds.begin(), rounds.end());
  for (int round = 0; round < most; ++round) {
    std::vector<Shares> next = shares;
    for (std::size_t v = 0; v < count; ++v) {
      if (round >= rounds[v]) continue;
      // A vertex of the plane has its neighbours' mirror images for neighbours too; `tidy` makes it even.
      Shares sum{};
      float times = 0;
      for (int n : around[v]) {
        const float weight = surface.on_plane(int(v)) && !surface.on_plane(n) ? 2.0f : 1.0f;
        for (int i = 0; i < kJointCount; ++i) sum[i] += weight * shares[n][i];
        times += weight;
      }
      for (int i = 0; i < kJointCount; ++i) next[v][i] = 0.5f * (shares[v][i] + sum[i] / times);
      tidy(v, next[v]);
    }
    shares = std::move(next);
  }
  return shares;
}

}  // namespace sinew::biped
