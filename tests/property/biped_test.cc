// The built-in character at rest: its joints, its mesh as a closed surface, and how the two are bound.
#include "biped/biped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/evaluate.h"
#include "support/files.h"

namespace sinew {
namespace {

const Scene& biped() {
  static const Scene scene = make_biped();
  return scene;
}
const Scene::Primitive& body() { return biped().meshes.at(0).primitives.at(0); }
const std::vector<std::array<std::uint16_t, 4>>& joints() { return body().influences.at(0).joints; }
const std::vector<Vec4>& weights() { return body().influences.at(0).weights; }

/// Name of the joint of a vertex's k-th influence.
const std::string& joint_name(std::size_t vertex, int k) {
  return biped().nodes[biped().skins[0].joints[joints()[vertex][k]]].name;
}
bool starts(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }
/// `left_index_02`: the finger is `left_index`; empty for joints of no finger.
std::string finger_of(const std::string& name) {
  for (const char* finger : {"thumb", "index", "middle", "ring", "pinky"})
    if (name.find(std::string("_") + finger + "_") != std::string::npos) return name.substr(0, name.size() - 3);
  return {};
}
std::string other_side(const std::string& name) {
  if (starts(name, "left_")) return "right_" + name.substr(5);
  if (starts(name, "right_")) return "left_" + name.substr(6);
  return name;
}

using Place = std::array<float, 3>;
Place place(Vec3 p) { return {p.x, p.y, p.z}; }

/// Vertices of one place made one: seams of the texture are no holes.
struct Welded {
  std::vector<int> of;  ///< by vertex
  std::map<Place, int> places;
  Welded() {
    for (Vec3 p : body().positions) of.push_back(places.try_emplace(place(p), int(places.size())).first->second);
  }
};

TEST(Biped, HasTheJointsOfAPerson) {
  const Scene& scene = biped();
  ASSERT_EQ(scene.skins.size(), 1u);
  EXPECT_GE(scene.skins[0].joints.size(), 40u);
  EXPECT_LE(scene.skins[0].joints.size(), 60u);
  std::set<std::string> names;
  for (int node : scene.skins[0].joints)
    EXPECT_TRUE(names.insert(scene.nodes[node].name).second) << scene.nodes[node].name;
  for (const char* name : {"hips", "spine", "chest", "neck", "head"}) EXPECT_TRUE(names.count(name)) << name;
  for (const std::string side : {"left_", "right_"}) {
    for (const char* name : {"shoulder", "upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot", "toes"})
      EXPECT_TRUE(names.count(side + name)) << side << name;
    for (const char* finger : {"thumb_0", "index_0", "middle_0", "ring_0", "pinky_0"})
      for (const char* phalanx : {"1", "2", "3"})
        EXPECT_TRUE(names.count(side + finger + phalanx)) << side << finger << phalanx;
  }
}

TEST(Biped, StandsUprightOnTheGroundFacingZ) {
  const auto [low, high] =
      std::minmax_element(body().positions.begin(), body().positions.end(), [](Vec3 a, Vec3 b) { return a.y < b.y; });
  EXPECT_NEAR(low->y, 0.0f, 0.001f);
  EXPECT_NEAR(high->y, 1.8f, 0.01f);
  const auto model = rest_model_matrices(biped());
  std::map<std::string, Vec3> at;
  for (std::size_t i = 0; i < model.size(); ++i)
    at[biped().nodes[i].name] = {model[i].rows[0][3], model[i].rows[1][3], model[i].rows[2][3]};
  EXPECT_GT(at["left_hand"].x, 0.3f);
  EXPECT_LT(at["right_hand"].x, -0.3f);
  EXPECT_GT(at["left_toes"].z, at["left_foot"].z + 0.05f);
  EXPECT_GT(at["head"].y, at["hips"].y + 0.5f);
}

TEST(Biped, JointsAreMirrorImages) {
  const auto model = rest_model_matrices(biped());
  std::map<std::string, std::size_t> row;
  for (std::size_t i = 0; i < biped().nodes.size(); ++i) row[biped().nodes[i].name] = i;
  for (const auto& [name, i] : row) {
    ASSERT_TRUE(row.count(other_side(name))) << name;
    const Affine &a = model[i], &b = model[row[other_side(name)]];
    // Mirroring at x = 0 on both sides of the matrix turns the signs of what couples x with y, z and the translation.
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c)
        EXPECT_NEAR(a.rows[r][c], (r == 0) == (c == 0) ? b.rows[r][c] : -b.rows[r][c], 1e-6f) << name;
  }
}

TEST(Biped, VertexDataIsWhole) {
  const auto& p = body();
  const std::size_t count = p.positions.size();
  EXPECT_GE(count, 8000u);
  EXPECT_LE(count, 12000u);
  ASSERT_EQ(p.normals.size(), count);
  ASSERT_EQ(p.tangents.size(), count);
  ASSERT_EQ(p.uvs.size(), count);
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3 tangent(p.tangents[v]);
    ASSERT_NEAR(glm::length(p.normals[v]), 1.0f, 1e-5f) << v;
    ASSERT_NEAR(glm::length(tangent), 1.0f, 1e-5f) << v;
    ASSERT_NEAR(glm::dot(tangent, p.normals[v]), 0.0f, 1e-5f) << v;
    ASSERT_EQ(std::fabs(p.tangents[v].w), 1.0f) << v;
    ASSERT_TRUE(p.uvs[v].x >= 0 && p.uvs[v].x <= 1 && p.uvs[v].y >= 0 && p.uvs[v].y <= 1) << v;
  }
}

TEST(Biped, SurfaceIsClosedAndOfOnePiece) {
  const Welded welded;
  const auto& indices = body().indices;
  ASSERT_EQ(indices.size() % 3, 0u);
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t i = 0; i < indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{welded.of[indices[i + k]], welded.of[indices[i + (k + 1) % 3]]}];
  // Each edge has two triangles that run along it in opposite directions: no hole, no fin, one side outside.
  for (const auto& [ends, times] : edges) {
    ASSERT_EQ(times, 1);
    ASSERT_EQ(edges.count({ends.second, ends.first}), 1u);
  }
  std::vector<int> piece(welded.places.size());
  std::iota(piece.begin(), piece.end(), 0);
  const auto root = [&](int v) {
    while (piece[v] != v) v = piece[v] = piece[piece[v]];
    return v;
  };
  for (const auto& [ends, times] : edges) piece[root(ends.first)] = root(ends.second);
  for (std::size_t v = 0; v < piece.size(); ++v) ASSERT_EQ(root(int(v)), root(0));
  // Euler: a surface without handles.
  EXPECT_EQ(int(piece.size()) - int(edges.size() / 2) + int(indices.size() / 3), 2);
}

TEST(Biped, TrianglesLookOutward) {
  const auto& p = body();
  double volume = 0;
  for (std::size_t i = 0; i < p.indices.size(); i += 3) {
    const std::uint32_t* t = &p.indices[i];
    const Vec3 a = p.positions[t[0]], b = p.positions[t[1]], c = p.positions[t[2]],
               twice_area = glm::cross(b - a, c - a);
    volume += glm::dot(a, glm::cross(b, c)) / 6.0;
    ASSERT_GT(glm::length(twice_area), 1e-6f) << "triangle " << i / 3;
    const Vec3 normal = p.normals[t[0]] + p.normals[t[1]] + p.normals[t[2]];
    ASSERT_GT(glm::dot(normal, twice_area), 0.0f) << "triangle " << i / 3;
  }
  // Litres of a slim adult.
  EXPECT_GT(volume, 0.050);
  EXPECT_LT(volume, 0.085);
}

TEST(Biped, TangentsFollowTheTexture) {
  const auto& p = body();
  std::size_t along = 0, triangles = 0;
  for (std::size_t i = 0; i < p.indices.size(); i += 3) {
    const std::uint32_t* t = &p.indices[i];
    const Vec3 e1 = p.positions[t[1]] - p.positions[t[0]], e2 = p.positions[t[2]] - p.positions[t[0]];
    const Vec2 d1 = p.uvs[t[1]] - p.uvs[t[0]], d2 = p.uvs[t[2]] - p.uvs[t[0]];
    const float area = d1.x * d2.y - d2.x * d1.y;
    ASSERT_GT(std::fabs(area), 1e-10f) << "triangle " << i / 3;
    const Vec3 u = (d2.y * e1 - d1.y * e2) / area, v = (d1.x * e2 - d2.x * e1) / area;
    for (int k = 0; k < 3; ++k) {
      const Vec4 tangent = p.tangents[t[k]];
      const Vec3 bitangent = glm::cross(p.normals[t[k]], Vec3(tangent)) * tangent.w;
      along += glm::dot(Vec3(tangent), u) > 0 && glm::dot(bitangent, v) > 0;
      ++triangles;
    }
  }
  // A few corners sit where the texture turns.
  EXPECT_GT(double(along), 0.995 * double(triangles));
}

TEST(Biped, WeightsAreSortedAndSumToOne) {
  std::set<int> used;
  for (std::size_t v = 0; v < weights().size(); ++v) {
    const Vec4 w = weights()[v];
    ASSERT_EQ(w[0] + (w[1] + w[2] + w[3]), 1.0f) << v;
    for (int k = 0; k < 4; ++k) {
      ASSERT_GE(w[k], 0.0f) << v;
      ASSERT_LE(w[k], w[std::max(k - 1, 0)] + 1e-6f) << v;
      ASSERT_LT(joints()[v][k], biped().skins[0].joints.size()) << v;
      if (w[k] > 0) used.insert(joints()[v][k]);
    }
  }
  EXPECT_EQ(used.size(), biped().skins[0].joints.size()) << "a joint moves nothing";
}

TEST(Biped, InfluencesStayOnTheirLimb) {
  for (std::size_t v = 0; v < weights().size(); ++v) {
    std::set<std::string> fingers, sides;
    bool leg = false, arm = false, beyond_knuckle = false;
    for (int k = 0; k < 4; ++k) {
      if (weights()[v][k] == 0) continue;
      const std::string& name = joint_name(v, k);
      if (!finger_of(name).empty()) {
        fingers.insert(finger_of(name));
        beyond_knuckle |= name.back() != '1';
      }
      if (starts(name, "left_")) sides.insert("left");
      if (starts(name, "right_")) sides.insert("right");
      leg |= name.find("_leg") != std::string::npos || name.find("_foot") != std::string::npos;
      arm |= name.find("arm") != std::string::npos || name.find("_hand") != std::string::npos;
    }
    ASSERT_FALSE(leg && arm) << v;
    // Webs and the palm may follow the first joints of neighbouring fingers; the fingers themselves follow one.
    ASSERT_TRUE(!beyond_knuckle || fingers.size() == 1) << v;
    const float x = body().positions[v].x;
    ASSERT_FALSE(x > 0 && sides.count("right")) << v;
    ASSERT_FALSE(x < 0 && sides.count("left")) << v;
  }
}

TEST(Biped, WeightsAreMirrorImages) {
  std::map<Place, std::map<std::string, float>> bound;
  for (std::size_t v = 0; v < weights().size(); ++v)
    for (int k = 0; k < 4; ++k)
      if (weights()[v][k] > 0) bound[place(body().positions[v])][joint_name(v, k)] = weights()[v][k];
  for (const auto& [at, influences] : bound) {
    const auto mirror = bound.find({at[0] == 0 ? 0 : -at[0], at[1], at[2]});
    ASSERT_NE(mirror, bound.end()) << at[0] << " " << at[1] << " " << at[2];
    ASSERT_EQ(mirror->second.size(), influences.size());
    for (const auto& [name, weight] : influences) {
      const auto other = mirror->second.find(other_side(name));
      ASSERT_NE(other, mirror->second.end()) << name;
      ASSERT_NEAR(other->second, weight, 1e-6f) << name << " at " << at[0] << " " << at[1] << " " << at[2];
    }
  }
}

TEST(Biped, RestIsTheBindPose) {
  const auto loaded = test::must(test::load(biped()));
  const auto rest = test::evaluate(loaded.character);
  ASSERT_EQ(rest.parts.size(), 1u);
  ASSERT_EQ(rest.parts[0].positions.size(), body().positions.size());
  for (std::size_t v = 0; v < body().positions.size(); ++v)
    ASSERT_LT(test::distance(rest.parts[0].positions[v], test::to_double(body().positions[v])), 2e-6) << v;
}

TEST(Biped, NeedsNoRepairs) {
  const auto loaded = test::must(test::load(biped()));
  for (const Finding& finding : loaded.report) EXPECT_EQ(finding.severity, Severity::info) << finding.message();
  EXPECT_TRUE(biped().findings.empty());
}

TEST(Biped, IsAlwaysTheSame) {
  const Scene again = make_biped();
  const auto &p = again.meshes[0].primitives[0], &q = body();
  EXPECT_EQ(p.positions, q.positions);
  EXPECT_EQ(p.normals, q.normals);
  EXPECT_EQ(p.tangents, q.tangents);
  EXPECT_EQ(p.uvs, q.uvs);
  EXPECT_EQ(p.indices, q.indices);
  EXPECT_EQ(p.influences[0].joints, joints());
  EXPECT_EQ(p.influences[0].weights, weights());
  EXPECT_EQ(again.skins[0].inverse_bind_matrices, biped().skins[0].inverse_bind_matrices);
  ASSERT_EQ(again.clips.size(), biped().clips.size());
  for (std::size_t c = 0; c < again.clips.size(); ++c) {
    EXPECT_EQ(again.clips[c].times, biped().clips[c].times);
    ASSERT_EQ(again.clips[c].tracks.size(), biped().clips[c].tracks.size());
    for (std::size_t t = 0; t < again.clips[c].tracks.size(); ++t)
      EXPECT_EQ(again.clips[c].tracks[t].values, biped().clips[c].tracks[t].values);
  }
}

}  // namespace
}  // namespace sinew
