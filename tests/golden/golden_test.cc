// Numbers from other programs: every glTF file of the golden folder, by the rules of its tools/compare_golden.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kTolerance = 1e-4;  ///< of the model's size
constexpr double kNormalTolerance = 1e-3;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<fs::path> golden_files() {
  std::vector<fs::path> out;
  const auto shared = test::shared_dir();
  if (!shared) return out;
  for (const auto& entry : fs::recursive_directory_iterator(*shared / "golden" / "gltf"))
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// The worst of one case, and why where something is missing.
struct Errors {
  double positions = 0, joints = 0, normals = 0;
  std::size_t compared = 0;
  std::string reasons, alternative;
  double worst() const { return std::max(positions, joints); }
  void bad(double& kind, const std::string& reason) {
    kind = kInfinite;
    reasons += "; " + reason;
  }
};

test::DVec3 triple(const json& numbers, std::size_t i) {
  return {numbers.at(3 * i).get<double>(), numbers.at(3 * i + 1).get<double>(), numbers.at(3 * i + 2).get<double>()};
}

bool finite(const test::DVec3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

double nearest(const std::vector<test::DVec3>& points, const test::DVec3& p) {
  double best = kInfinite;
  for (const test::DVec3& q : points) best = std::min(best, test::distance(p, q));
  return best;
}

void compare_normals(const json& wanted, const json& entry, const test::PlacedVertices& part, Errors& out,
                     const std::string& label) {
  if (part.normals.size() != part.positions.size()) return out.bad(out.normals, label + ": no normals");
  for (std::size_t k = 0; k < entry["indices"].size(); ++k) {
    const test::DVec3 n = triple(wanted, k);
    if (n == test::DVec3{}) continue;
    const test::DVec3& q = part.normals[entry["indices"][k].get<std::size_t>()];
    out.normals = std::max(out.normals, finite(q) ? test::distance(n, q) : kInfinite);
  }
}

void compare_primitive(const json& golden, const json& entry, const json& expected, const test::Evaluated& product,
                       Errors& out) {
  const double size = golden["size"];
  const std::string label = "node " + entry["node"].dump() + " primitive " + entry["primitive"].dump();
  const test::PlacedVertices* part = product.part(entry["node"], entry["primitive"]);
  if (!part) return out.bad(out.positions, label + ": missing");
  if (entry.value("match", "") == "nearest") {
    for (const test::DVec3& p : part->positions)
      if (!finite(p)) return out.bad(out.positions, label + ": not finite");
    for (std::size_t k = 0; 3 * k + 2 < expected.size(); ++k, ++out.compared) {
      out.positions = std::max(out.positions, nearest(part->positions, triple(expected, k)) / size);
    }
    return;
  }
  if (part->positions.size() != entry["vertex_count"].get<std::size_t>()) {
    return out.bad(out.positions, label + ": " + std::to_string(part->positions.size()) + " vertices instead of " +
                                      entry["vertex_count"].dump());
  }
  for (std::size_t k = 0; k < entry["indices"].size(); ++k, ++out.compared) {
    const test::DVec3& p = part->positions[entry["indices"][k].get<std::size_t>()];
    if (!finite(p)) return out.bad(out.positions, label + ": not finite");
    out.positions = std::max(out.positions, test::distance(triple(expected, k), p) / size);
  }
}

/// Position over the model's size, and the largest entry of the 3x3 over its Frobenius norm. `wanted`: column-major
/// 4x4.
void compare_joint(const json& wanted, const test::DAffine& product, double size, Errors& out) {
  double square = 0, axes = 0;
  test::DVec3 place{};
  for (std::size_t i = 0; i < 16; ++i)
    if (!wanted.at(i).is_number() || !std::isfinite(wanted[i].get<double>())) return;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      const double value = wanted[std::size_t(4 * c + r)], off = product.m[r][c] - value;
      if (!std::isfinite(off)) return out.bad(out.joints, "a joint is not finite");
      if (c == 3) {
        place[std::size_t(r)] = off;
        continue;
      }
      square += value * value;
      axes = std::max(axes, std::fabs(off));
    }
  }
  ++out.compared;
  out.joints = std::max(out.joints, test::length(place) / size);
  if (const double norm = std::sqrt(square); norm > 1e-12) out.joints = std::max(out.joints, axes / norm);
}

/// The case itself, or one of its alternatives.
Errors compare_reading(const json& golden, const json& the_case, const json* alternative,
                       const test::Evaluated& product) {
  Errors out;
  if (alternative) out.alternative = (*alternative)["name"];
  const auto of = [&](const char* key) -> const json& {
    return alternative && alternative->contains(key) ? (*alternative)[key] : the_case[key];
  };
  const json open = the_case.value("normals_open", json::array());
  for (std::size_t i = 0; i < golden["primitives"].size(); ++i) {
    const json& entry = golden["primitives"][i];
    compare_primitive(golden, entry, of("positions")[i], product, out);
    const json& normals = the_case["normals"][i];
    const bool is_open = std::find(open.begin(), open.end(), i) != open.end();
    const test::PlacedVertices* part = product.part(entry["node"], entry["primitive"]);
    if (alternative || is_open || normals.empty() || !part || entry.value("match", "") == "nearest") continue;
    if (part->positions.size() != entry["vertex_count"].get<std::size_t>()) continue;
    compare_normals(normals, entry, *part, out, "node " + entry["node"].dump());
  }
  const bool must = golden["joints_are"] == "skin joints" || golden["primitives"].empty();
  for (std::size_t i = 0; i < golden["joint_nodes"].size(); ++i) {
    const json& entry = golden["joint_nodes"][i];
    const auto found = product.joints.find(entry["node"].get<int>());
    if (found != product.joints.end())
      compare_joint(of("joints")[i], found->second, golden["size"], out);
    else if (must)
      out.bad(out.joints, "joint " + entry["node"].dump() + " missing");
  }
  return out;
}

bool wants_anything(const json& golden) {
  for (const json& p : golden["primitives"])
    if (!p["indices"].empty()) return true;
  return !golden["joint_nodes"].empty();
}

Errors compare_case(const json& golden, const json& the_case, const test::Evaluated& product) {
  Errors best = compare_reading(golden, the_case, nullptr, product);
  if (best.compared == 0 && best.reasons.empty() && wants_anything(golden))
    best.bad(best.positions, "nothing to compare");
  for (const json& alternative : the_case.value("alternatives", json::array())) {
    Errors other = compare_reading(golden, the_case, &alternative, product);
    if (other.worst() < best.worst()) {
      other.normals = best.normals;  // recorded for the first reading only
      best = std::move(other);
    }
  }
  return best;
}

std::string title(const json& the_case) {
  if (the_case["clip_index"].is_null()) return "rest pose";
  return "clip " + the_case["clip_index"].dump() + " at " + the_case["time"].dump() + " s";
}

class Golden : public ::testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Golden);

TEST_P(Golden, WithinTolerance) {
  std::ifstream stream(GetParam());
  const json golden = json::parse(stream);
  ASSERT_EQ(golden["format"], "skin-golden-1");
  const fs::path asset = *test::shared_dir() / "assets" / fs::path(golden["asset"].get<std::string>());
  const auto scene = import_file(asset);
  ASSERT_TRUE(scene) << scene.error().message();
  const auto loaded = test::load(*scene);
  ASSERT_TRUE(loaded) << loaded.error().message();
  Errors worst;
  std::string used;
  for (const json& the_case : golden["cases"]) {
    const int clip = the_case["clip_index"].is_null() ? kNone : the_case["clip_index"].get<int>();
    const test::Evaluated product = test::evaluate(loaded->character, clip, the_case["time"].get<float>());
    const Errors errors = compare_case(golden, the_case, product);
    const double limit = std::max({kTolerance, the_case.value("tolerance", 0.0), golden.value("tolerance", 0.0)});
    EXPECT_LE(errors.worst(), limit) << title(the_case) << errors.reasons;
    EXPECT_LE(errors.normals, kNormalTolerance) << title(the_case) << errors.reasons;
    worst.positions = std::max(worst.positions, errors.positions);
    worst.joints = std::max(worst.joints, errors.joints);
    worst.normals = std::max(worst.normals, errors.normals);
    if (!errors.alternative.empty()) used = " [" + errors.alternative + "]";
  }
  std::printf("golden %-58s %2zu cases  vertices %.1e  joints %.1e  normals %.1e%s\n",
              golden["asset"].get<std::string>().c_str(), golden["cases"].size(), worst.positions, worst.joints,
              worst.normals, used.c_str());
  RecordProperty("cases", int(golden["cases"].size()));
}

INSTANTIATE_TEST_SUITE_P(Gltf, Golden, ::testing::ValuesIn(golden_files()),
                         [](const auto& test) { return test::test_name(test.param.stem()); });

TEST(GoldenFolder, IsThereAndHoldsCases) {
  const std::vector<fs::path> files = golden_files();
  if (files.empty()) GTEST_SKIP() << test::kNoShared;
  std::size_t cases = 0;
  for (const fs::path& path : files) {
    std::ifstream stream(path);
    cases += json::parse(stream)["cases"].size();
  }
  // As the folder's README says: fewer would mean that files are lost on the way to the test.
  EXPECT_EQ(files.size(), 67u);
  EXPECT_EQ(cases, 443u);
}

// The comparison itself must be able to fail.
TEST(GoldenRules, AWrongVertexAMissingPartAndAMissingJointAreFound) {
  const json golden = {{"size", 2.0},
                       {"joints_are", "skin joints"},
                       {"primitives", {{{"node", 1}, {"primitive", 0}, {"vertex_count", 2}, {"indices", {0, 1}}}}},
                       {"joint_nodes", {{{"node", 0}, {"name", "a"}}}}};
  const json the_case = {{"clip_index", nullptr},
                         {"positions", {{0, 0, 0, 1, 0, 0}}},
                         {"normals", {{0, 0, 1, 0, 0, 1}}},
                         {"joints", {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1}}}};
  test::Evaluated right;
  right.joints[0].m[0][3] = 5;
  right.parts.push_back({1, 0, 0, {{0, 0, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 0, 1}}, {}});
  EXPECT_EQ(compare_case(golden, the_case, right).worst(), 0);
  EXPECT_EQ(compare_case(golden, the_case, right).normals, 0);
  test::Evaluated wrong = right;
  wrong.parts[0].positions[1][1] = 0.5;
  EXPECT_DOUBLE_EQ(compare_case(golden, the_case, wrong).positions, 0.25);
  wrong = right;
  wrong.parts[0].positions.emplace_back();
  EXPECT_EQ(compare_case(golden, the_case, wrong).positions, kInfinite);
  wrong.parts.clear();
  EXPECT_EQ(compare_case(golden, the_case, wrong).positions, kInfinite);
  wrong = right;
  wrong.parts[0].positions[0][2] = std::nan("");
  EXPECT_EQ(compare_case(golden, the_case, wrong).positions, kInfinite);
  wrong = right;
  wrong.joints.clear();
  EXPECT_EQ(compare_case(golden, the_case, wrong).joints, kInfinite);
  wrong.joints[0] = right.joints.at(0);
  wrong.joints[0].m[0][3] += 0.2;
  EXPECT_NEAR(compare_case(golden, the_case, wrong).joints, 0.1, 1e-12);
  wrong.joints[0] = right.joints.at(0);
  wrong.joints[0].m[1][0] = 0.5;
  EXPECT_NEAR(compare_case(golden, the_case, wrong).joints, 0.5 / std::sqrt(3.0), 1e-12);
  wrong = right;
  wrong.parts[0].normals[0] = {0, 1, 0};
  EXPECT_NEAR(compare_case(golden, the_case, wrong).normals, std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace sinew
