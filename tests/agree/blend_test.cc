// Blending against the same in double precision, written from blend.h's words: every instruction set, random poses,
// weights, masks and additive layers.
#include "sinew/blend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "sinew/simd.h"
#include "support/doubles.h"
#include "support/evaluate.h"
#include "support/files.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::DVec3;
using test::DVec4;

constexpr double kLimit = 1e-6;  ///< over the largest value of the layers at that joint; of unit quaternions as it is
/// Rotations as near as this to a quarter of a turn of 4D from their sum may go either way: rounding decides.
constexpr double kUndecided = 1e-5;

struct Blended {
  DVec3 translation{}, scale{};
  DVec4 rotation{};
  double size = 1;         // of the largest translation or scale that went in
  bool undecided = false;  // a rotation was half a turn from the sum, or nearly
};

double dot4(const DVec4& a, const DVec4& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }
DVec4 unit4(DVec4 q) {
  const double length = std::sqrt(dot4(q, q));
  for (double& x : q) x /= length;
  return q;
}
/// Hamilton product, x y z w.
DVec4 product(const DVec4& a, const DVec4& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

void add(const Transform& t, double weight, Blended& sum) {
  const DVec4 q = test::to_double(t.rotation);
  const double along = dot4(sum.rotation, q), length = std::sqrt(dot4(sum.rotation, sum.rotation));
  sum.undecided |= length > 0 && weight > 0 && std::abs(along) < kUndecided * length;
  for (std::size_t i = 0; i < 4; ++i) sum.rotation[i] += (along < 0 ? -weight : weight) * q[i];
  for (int i = 0; i < 3; ++i) {
    sum.translation[std::size_t(i)] += weight * t.translation[i];
    sum.scale[std::size_t(i)] += weight * t.scale[i];
    sum.size = std::max({sum.size, std::abs(double(t.translation[i])), std::abs(double(t.scale[i]))});
  }
}

void add_difference(const Transform& d, double weight, Blended& joint) {
  const double w = std::abs(weight);
  DVec4 q = test::to_double(d.rotation);
  if (std::signbit(d.rotation.w))
    for (double& x : q) x = -x;
  DVec4 turn{w * q[0], w * q[1], w * q[2], 1 + w * (q[3] - 1)};
  if (weight < 0) turn = {-turn[0], -turn[1], -turn[2], turn[3]};
  joint.rotation = unit4(product(joint.rotation, turn));
  for (int i = 0; i < 3; ++i) {
    const auto a = std::size_t(i);
    joint.translation[a] += weight * d.translation[i];
    const double factor = 1 + w * (double(d.scale[i]) - 1);
    joint.scale[a] = weight < 0 ? joint.scale[a] / factor : joint.scale[a] * factor;
    joint.size = std::max({joint.size, std::abs(joint.translation[a]), std::abs(joint.scale[a])});
  }
}

double mask_of(const JointMask* mask, std::size_t j) { return mask ? mask->joints()[j] : 1; }

Blended oracle(const BlendJob& job, std::size_t j) {
  Blended sum;
  double total = 0;
  for (const BlendLayer& layer : job.layers) {
    const double weight = layer.weight * mask_of(layer.mask, j);
    add(layer.pose->transform(j), weight, sum);
    total += weight;
  }
  if (total == 0) sum = {}, add(job.skeleton->rest_transform(j), total = 1, sum);
  for (double& x : sum.translation) x /= total;
  for (double& x : sum.scale) x /= total;
  sum.rotation = unit4(sum.rotation);
  for (const AdditiveLayer& layer : job.additive)
    add_difference(layer.pose->difference.transform(j), layer.weight * mask_of(layer.mask, j), sum);
  return sum;
}

double difference(const Blended& expected, const Transform& t) {
  double worst = 0;
  const double sign = dot4(expected.rotation, test::to_double(t.rotation)) < 0 ? -1 : 1;
  for (std::size_t i = 0; i < 4; ++i)
    worst = std::max(worst, std::abs(sign * test::to_double(t.rotation)[i] - expected.rotation[i]));
  for (std::size_t i = 0; i < 3; ++i) {
    worst = std::max(worst, std::abs(t.translation[int(i)] - expected.translation[i]) / expected.size);
    worst = std::max(worst, std::abs(t.scale[int(i)] - expected.scale[i]) / expected.size);
  }
  return std::isfinite(worst) ? worst : INFINITY;
}

/// Layers made by chance, and what they point to.
struct Chance {
  explicit Chance(const Skeleton& s, unsigned seed) : skeleton(s), random(seed) {}

  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); }
  bool heads() { return random() % 2 != 0; }
  Pose pose() {
    std::normal_distribution<float> normal;
    const auto vec = [&] { return Vec3(normal(random), normal(random), normal(random)); };
    Pose out(skeleton);
    for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
      const Quat q = normalize(quat_xyzw(normal(random), normal(random), normal(random), normal(random)));
      out.set_transform(j, {vec(), q, {uniform(0.7f, 1.4f), uniform(0.7f, 1.4f), uniform(0.7f, 1.4f)}});
    }
    return out;
  }
  const JointMask* mask() {
    if (heads()) return nullptr;
    JointMask& out = masks.emplace_back(skeleton, 0);
    for (std::size_t j = 0; j < skeleton.joint_count(); ++j)
      if (random() % 3) out.set(j, uniform(0, 1));
    return &out;
  }
  void layers(std::size_t count, bool masked) {
    for (std::size_t i = 0; i < count; ++i)
      means.push_back({poses.emplace_back(pose()), random() % 5 ? uniform(0.01f, 3) : 0, masked ? mask() : nullptr});
  }
  void additive(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Pose a = pose(), b = pose();
      AdditivePose& d = differences.emplace_back(skeleton);
      run(AdditiveJob{.pose = a, .reference = b, .additive = d});
      on_top.push_back({d, uniform(-1, 1), mask()});
    }
  }

  const Skeleton& skeleton;
  std::mt19937 random;
  std::deque<Pose> poses;
  std::deque<JointMask> masks;
  std::deque<AdditivePose> differences;
  std::vector<BlendLayer> means;
  std::vector<AdditiveLayer> on_top;
};

struct Tally {
  double worst = 0;
  std::size_t joints = 0, undecided = 0;
};

void compare(const BlendJob& job, Tally& tally) {
  run(job);
  const Pose first = *job.pose;
  run(job);
  for (std::size_t s = 0; s < kStreams; ++s)
    ASSERT_TRUE(std::ranges::equal(first.stream(Stream(s)), job.pose->stream(Stream(s)))) << "not the same bits twice";
  for (std::size_t j = 0; j < first.joint_count(); ++j) {
    const Blended expected = oracle(job, j);
    ++tally.joints;
    expected.undecided ? void(++tally.undecided)
                       : void(tally.worst = std::max(tally.worst, difference(expected, first.transform(j))));
  }
}

TEST(BlendAgreement, EveryInstructionSetWithTheOracle) {
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(set_simd_target(target));
    Tally plain, masked, additive;
    for (unsigned seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const test::Loaded loaded = test::must(test::load(test::chain(3 + int(seed * 7 % 61))));
      const Skeleton& skeleton = loaded.character.skeleton();
      Pose out(skeleton);
      for (Tally* tally : {&plain, &masked, &additive}) {
        Chance chance(skeleton, seed);
        chance.layers(1 + seed % 9, tally != &plain);
        if (tally == &additive) chance.additive(1 + seed % 3);
        compare({.skeleton = skeleton, .layers = chance.means, .pose = out, .additive = chance.on_top}, *tally);
      }
    }
    std::printf("agree blend %-7s %zu joints a kind: plain %.1e  masked %.1e  additive %.1e\n",
                std::string(target).c_str(), plain.joints, plain.worst, masked.worst, additive.worst);
    for (const Tally& tally : {plain, masked, additive}) {
      EXPECT_LE(tally.worst, kLimit) << target;
      EXPECT_LE(tally.undecided, tally.joints / 1000) << target;
    }
  }
  set_simd_target("");
}

/// The comparison itself must see a wrong blend.
TEST(BlendAgreement, ANudgeOfOneLayerIsSeen) {
  const test::Loaded loaded = test::must(test::load(test::chain(20)));
  const Skeleton& skeleton = loaded.character.skeleton();
  Chance chance(skeleton, 1);
  chance.layers(3, true);
  Pose out(skeleton);
  const BlendJob job{.skeleton = skeleton, .layers = chance.means, .pose = out};
  std::vector<BlendLayer> nudged = chance.means;
  nudged[0].weight += 1e-3f;
  run(BlendJob{.skeleton = skeleton, .layers = nudged, .pose = out});
  double worst = 0;
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j)
    worst = std::max(worst, difference(oracle(job, j), out.transform(j)));
  EXPECT_GT(worst, 10 * kLimit);
}

}  // namespace
}  // namespace sinew
