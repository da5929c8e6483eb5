// The built-in character in motion: clips that loop, feet that stand still, limbs that bend as limbs do, skin that
// holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "biped/biped.h"
#include "support/evaluate.h"
#include "support/files.h"

namespace sinew {
namespace {

using test::DVec3;

/// Samples a second: between the keys of every clip as well as near them.
constexpr double kRate = 190;

struct Frame {
  float time;
  test::Evaluated pose;
  DVec3 joint(int node) const { return test::origin_of(pose.joints.at(node)); }
  const std::vector<DVec3>& vertices() const { return pose.parts[0].positions; }
};

class BipedClip : public ::testing::TestWithParam<std::string> {
 protected:
  struct Stage {
    Scene scene = make_biped();
    test::Loaded loaded = test::must(test::load(scene));
  };
  static const Stage& stage() {
    static const Stage made;
    return made;
  }
  static const Scene& scene() { return stage().scene; }
  static const Scene::Primitive& body() { return scene().meshes[0].primitives[0]; }

  static int node(const std::string& name) {
    for (std::size_t i = 0; i < scene().nodes.size(); ++i)
      if (scene().nodes[i].name == name) return int(i);
    throw std::runtime_error("no joint " + name);
  }
  static int clip_index(const std::string& name) {
    for (std::size_t i = 0; i < scene().clips.size(); ++i)
      if (scene().clips[i].name == name) return int(i);
    throw std::runtime_error("no clip " + name);
  }
  static const Scene::Clip& clip(const std::string& name) { return scene().clips[clip_index(name)]; }
  static Frame frame(const std::string& name, float time) {
    return {time, test::evaluate(stage().loaded.character, clip_index(name), time)};
  }
  static void play(const std::string& name, const std::function<void(const Frame&)>& see) {
    const float end = span_of(clip(name)).last_key;
    const int count = int(end * kRate);
    for (int i = 0; i <= count; ++i) see(frame(name, end * float(i) / float(count)));
  }
  /// The child's Y axis (along the limb) in the parent's frame.
  static DVec3 bend(const Frame& f, int parent, int child) {
    const auto &a = f.pose.joints.at(parent), &b = f.pose.joints.at(child);
    const DVec3 y{b.m[0][1], b.m[1][1], b.m[2][1]};
    DVec3 out{};
    for (int c = 0; c < 3; ++c) out[c] = a.m[0][c] * y[0] + a.m[1][c] * y[1] + a.m[2][c] * y[2];
    return out;
  }
  /// Vertices that a foot and its toes alone move.
  static std::vector<std::size_t> sole(const std::string& side) {
    std::vector<std::size_t> out;
    for (std::size_t v = 0; v < body().positions.size(); ++v) {
      float share = 0;
      for (int k = 0; k < 4; ++k) {
        const int joint = scene().skins[0].joints[body().influences[0].joints[v][k]];
        if (joint == node(side + "foot") || joint == node(side + "toes")) share += body().influences[0].weights[v][k];
      }
      if (share > 0.999f && body().positions[v].y < 0.02f) out.push_back(v);
    }
    return out;
  }
  static double lowest(const Frame& f) {
    double low = 1e9;
    for (const DVec3& p : f.vertices()) low = std::min(low, p[1]);
    return low;
  }
};

TEST_F(BipedClip, AreTheEightExpected) {
  std::map<std::string, float> lengths;
  for (const auto& c : scene().clips) {
    lengths[c.name] = span_of(c).last_key;
    EXPECT_EQ(span_of(c).first_key, 0.0f) << c.name;
    const bool loops = c.name == "idle" || c.name == "walk" || c.name == "run" || c.name == "aim";
    EXPECT_EQ(c.wrap_period, loops ? span_of(c).last_key : 0.0f) << c.name;
  }
  ASSERT_EQ(lengths.size(), 8u);
  const std::map<std::string, std::pair<float, float>> ranges{
      {"idle", {2, 4}},    {"walk", {0.9f, 1.2f}}, {"run", {0.6f, 0.8f}},   {"jump", {1.2f, 2.5f}},
      {"wave", {1.5f, 3}}, {"aim", {1, 4}},        {"punch", {0.4f, 0.4f}}, {"wrist_twist", {1, 3}}};
  for (const auto& [name, range] : ranges) {
    ASSERT_TRUE(lengths.count(name)) << name;
    EXPECT_GE(lengths[name], range.first) << name;
    EXPECT_LE(lengths[name], range.second) << name;
  }
}

TEST_P(BipedClip, KeysAreUnitAndOnOneHemisphere) {
  for (const auto& track : clip(GetParam()).tracks) {
    if (track.path != Path::rotation) continue;
    for (std::size_t k = 0; k + 3 < track.values.size(); k += 4) {
      const float* q = &track.values[k];
      ASSERT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0f, 1e-6f);
      const float* before = k >= 4 ? q - 4 : q;
      ASSERT_GT(q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3], 0.0f)
          << scene().nodes[track.node].name << " key " << k / 4;
    }
  }
}

TEST_P(BipedClip, LoopsClose) {
  const auto& c = clip(GetParam());
  if (c.wrap_period == 0) return;
  // The last pose is the first one, moved on by whole steps along Z.
  const Frame first = frame(GetParam(), 0), last = frame(GetParam(), c.wrap_period);
  const DVec3 travel = test::minus(last.joint(node("hips")), first.joint(node("hips")));
  EXPECT_NEAR(travel[0], 0, 1e-6);
  EXPECT_NEAR(travel[1], 0, 1e-6);
  const bool travels = GetParam() == "walk" || GetParam() == "run";
  EXPECT_EQ(travel[2] > 0.5, travels);
  for (std::size_t v = 0; v < first.vertices().size(); ++v) {
    const DVec3 moved = test::minus(last.vertices()[v], first.vertices()[v]);
    ASSERT_LT(test::distance(moved, travel), 2e-6) << v;
  }
}

TEST_P(BipedClip, FeetStayAboveTheGround) {
  play(GetParam(), [&](const Frame& f) { ASSERT_GT(lowest(f), -0.0015) << "at " << f.time << " s"; });
}

TEST_P(BipedClip, FeetDoNotSlide) {
  // A toe joint at its height in the bind pose is down: until it rises again it stays where it is.
  constexpr double kDown = 0.0002, kStill = 0.001, kTouching = 0.001, kSlow = 0.08;
  for (const std::string side : {"left_", "right_"}) {
    const auto under = sole(side);
    ASSERT_GT(under.size(), 50u);
    const double height = test::origin_of(frame("wrist_twist", 0).pose.joints.at(node(side + "toes")))[1];
    bool down = false;
    DVec3 anchor{};
    Frame before{};
    play(GetParam(), [&](const Frame& f) {
      const DVec3 toes = f.joint(node(side + "toes"));
      if (std::fabs(toes[1] - height) < kDown) {
        if (!down) anchor = toes;
        down = true;
        ASSERT_LT(std::hypot(toes[0] - anchor[0], toes[2] - anchor[2]), kStill) << side << "toes at " << f.time << " s";
      } else {
        down = false;
      }
      // Where the skin touches the ground, too, it rolls but does not slip.
      if (!before.pose.parts.empty()) {
        for (std::size_t v : under) {
          const DVec3 &a = before.vertices()[v], &b = f.vertices()[v];
          if (a[1] > kTouching || b[1] > kTouching) continue;
          ASSERT_LT(std::hypot(b[0] - a[0], b[2] - a[2]) / (f.time - before.time), kSlow)
              << side << " vertex " << v << " at " << f.time << " s";
        }
      }
      before = f;
    });
  }
}

TEST_P(BipedClip, KneesAndElbowsBendTheirWay) {
  constexpr double kStraight = -0.02, kMostKnee = -0.82,
                   kMostElbow = -0.87;  // sine of 1 degree; cosines of 145 and 150
  play(GetParam(), [&](const Frame& f) {
    for (const std::string side : {"left_", "right_"}) {
      const DVec3 knee = bend(f, node(side + "upper_leg"), node(side + "lower_leg"));
      const DVec3 elbow = bend(f, node(side + "upper_arm"), node(side + "forearm"));
      ASSERT_GT(knee[2], kStraight) << side << f.time;
      ASSERT_GT(elbow[2], kStraight) << side << f.time;
      ASSERT_GT(knee[1], kMostKnee) << side << f.time;
      ASSERT_GT(elbow[1], kMostElbow) << side << f.time;
      // A hinge: no bend to the side.
      ASSERT_LT(std::fabs(knee[0]), 0.05) << side << f.time;
      ASSERT_LT(std::fabs(elbow[0]), 0.10) << side << f.time;
    }
  });
}

TEST_P(BipedClip, SkinHolds) {
  // No edge is torn, no vertex leaps. The widest stretch is skin that lies in a fold in the bind pose: armpit and
  // groin.
  constexpr double kLongest = 3.3, kFastest = 25;  // times; metres a second
  const auto& p = body();
  Frame before{};
  play(GetParam(), [&](const Frame& f) {
    const auto& at = f.vertices();
    for (std::size_t i = 0; i < p.indices.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = p.indices[i + k], b = p.indices[i + (k + 1) % 3];
        const double rest = glm::length(p.positions[a] - p.positions[b]);
        ASSERT_LT(test::distance(at[a], at[b]), kLongest * rest)
            << "edge " << a << " " << b << " at " << f.time << " s";
      }
    }
    for (std::size_t v = 0; v < at.size() && !before.pose.parts.empty(); ++v) {
      const double way = test::distance(at[v], before.vertices()[v]);
      ASSERT_LT(way, kFastest * (f.time - before.time)) << v << " at " << f.time << " s";
    }
    before = f;
  });
}

INSTANTIATE_TEST_SUITE_P(All, BipedClip,
                         ::testing::Values("idle", "walk", "run", "jump", "wave", "aim", "punch", "wrist_twist"),
                         [](const auto& instance) { return instance.param; });

TEST_F(BipedClip, WalkAlwaysTouchesTheGround) {
  play("walk", [&](const Frame& f) { ASSERT_LT(lowest(f), 0.003) << "at " << f.time << " s"; });
}

TEST_F(BipedClip, RunFliesTwiceACycle) {
  int flights = 0;
  bool up = lowest(frame("run", clip("run").wrap_period - 0.001f)) > 0.01;
  play("run", [&](const Frame& f) {
    const bool now = lowest(f) > 0.01;
    flights += now && !up;
    up = now;
  });
  EXPECT_EQ(flights, 2);
}

TEST_F(BipedClip, ArmsSwingAgainstLegs) {
  for (const char* name : {"walk", "run"}) {
    for (const std::string side : {"left_", "right_"}) {
      double together = 0;
      play(name, [&](const Frame& f) {
        const double hips = f.joint(node("hips"))[2];
        together += (f.joint(node(side + "hand"))[2] - hips - 0.1) * (f.joint(node(side + "foot"))[2] - hips);
      });
      EXPECT_LT(together, 0) << name << " " << side;
    }
  }
}

TEST_F(BipedClip, JumpFallsFreely) {
  // Between take-off and landing the hips' height has the second difference of free fall.
  constexpr double kStep = 1.0 / 120, kGravity = 9.81;
  int falling = 0;
  double top = 0;
  const auto height = [&](double t) { return frame("jump", float(t)).joint(node("hips"))[1]; };
  for (int k = 2; k < int(span_of(clip("jump")).last_key / kStep) - 2; ++k) {
    const Frame f = frame("jump", float(k * kStep));
    if (lowest(f) < 0.02) continue;
    const double a = height((k - 1) * kStep), b = height(k * kStep), c = height((k + 1) * kStep);
    EXPECT_NEAR((a - 2 * b + c) / (kStep * kStep), -kGravity, 0.15) << k * kStep;
    top = std::max(top, lowest(f));
    ++falling;
  }
  EXPECT_GT(falling, 20);
  EXPECT_GT(top, 0.15);
}

TEST_F(BipedClip, AimPointsForward) {
  play("aim", [&](const Frame& f) {
    for (const std::string side : {"left_", "right_"}) {
      const auto& hand = f.pose.joints.at(node(side + "hand"));
      ASSERT_GT(hand.m[2][1], 0.9) << side;
      ASSERT_GT(f.joint(node(side + "hand"))[2], 0.4) << side;
    }
  });
}

TEST_F(BipedClip, PunchStrikesFast) {
  double farthest = 0, fastest = 0;
  Frame before{};
  play("punch", [&](const Frame& f) {
    const DVec3 fist = f.joint(node("right_hand"));
    farthest = std::max(farthest, fist[2]);
    if (!before.pose.joints.empty())
      fastest = std::max(fastest, test::distance(fist, before.joint(node("right_hand"))) / (f.time - before.time));
    before = f;
  });
  EXPECT_GT(farthest, 0.6);
  EXPECT_GT(fastest, 5.0);
}

TEST_F(BipedClip, WristTwistTurnsTheHandAboutTheForearm) {
  const auto& c = clip("wrist_twist");
  ASSERT_EQ(c.tracks.size(), 1u);
  EXPECT_EQ(c.tracks[0].node, node("left_hand"));
  const Quat rest = scene().nodes[node("left_hand")].rest.rotation;
  const std::map<float, double> degrees{{0.0f, 0}, {0.25f, 42.5}, {0.5f, 85}, {1.0f, 170}, {1.5f, 85}, {2.0f, 0}};
  for (const auto& [time, expected] : degrees) {
    const Pose pose = test::sample(stage().loaded.character, clip_index("wrist_twist"), time);
    const auto row = stage().loaded.character.skeleton().find("left_hand");
    const Quat turn = pose.transform(std::size_t(row)).rotation * conjugate(rest);
    EXPECT_NEAR(angle(turn) * 180 / 3.14159265358979, expected, 0.02) << time;
    EXPECT_LT(std::hypot(turn.x, turn.z), 1e-5) << time;
  }
}

}  // namespace
}  // namespace sinew
