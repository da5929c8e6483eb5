// Runs that do not say what joints and weights say: refused wherever the fault lies, alike on every target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/kernels.h"
#include "sinew/character.h"
#include "sinew/simd.h"
#include "sinew/write.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

/// Points in three clouds of 70, 40 and 10, each of its own `most` joints (8 at most); every second point is moved by
/// the cloud's first joint alone. Beyond 8 there are three points more, of `most` joints each.
Scene clouds(int most) {
  Scene scene;
  std::vector<int> joints;
  for (int j = 0; j < 24; ++j) joints.push_back(test::add_node(scene, "j" + std::to_string(j)));
  std::vector<test::Influences> influences;
  const auto add = [&](int first, int count, int turn) {
    test::Influences& own = influences.emplace_back();
    for (int i = 0; i < count; ++i)
      own.push_back({first + (i + turn) % count, 2 * float(count - i) / float(count * (count + 1))});
  };
  const int shared = std::min(most, 8), sizes[] = {70, 40, 10};
  for (int cloud = 0; cloud < 3; ++cloud)
    for (int v = 0; v < sizes[cloud]; ++v) add(8 * cloud, v % 2 ? 1 : shared, v / 2);
  for (int v = 0; v < 3 && most > 8; ++v) add(3, most, v);
  Scene::Primitive points;
  points.topology = Topology::points;
  points.positions.resize(influences.size());
  points.influences = test::influence_sets(influences);
  test::add_skinned(scene, "points", std::move(points), joints, std::vector<Affine>(joints.size()));
  return scene;
}

/// Goes back to the best target.
struct EveryTarget {
  ~EveryTarget() { set_simd_target({}); }

  /// The error's message, of every target the same; empty: opened.
  static std::string message(const Bytes& bytes) {
    std::string expected;
    const auto targets = simd_targets();
    for (std::size_t t = targets.size(); t-- > 0;) {  // scalar code first
      EXPECT_TRUE(set_simd_target(targets[t]));
      const auto character = open(bytes);
      const std::string found = character ? std::string() : character.error().message();
      if (t + 1 == targets.size()) expected = found;
      EXPECT_EQ(found, expected) << targets[t];
    }
    return expected;
  }
};

class ForgedRuns : public ::testing::TestWithParam<int> {
 protected:
  ForgedRuns()
      : file_(must(write(clouds(GetParam())))), count_(file_.number<std::uint32_t>("meshes[0].influence_count")) {
    const Character character = must(open(file_.bytes));
    const JointRuns& runs = character.meshes()[0].runs;
    vertex_count_ = character.meshes()[0].vertex_count();
    for (std::size_t run = 0, at = 0; run < runs.ends.size(); at += 1 + runs.joints[at], ++run)
      shared_.resize(runs.ends[run], runs.joints[at] > 0);
  }

  std::size_t size(const char* array) const { return file_.arrays().at(std::string("meshes[0].") + array).count; }

  /// Refused alike with `value` in its place, for a reason that begins so; then as it was.
  template <class T>
  void refuse(const std::string& array, std::size_t index, T value, const std::string& where) {
    const T stored = file_.value<T>("meshes[0]." + array, index);
    file_.set("meshes[0]." + array, index, value);
    const std::string message = EveryTarget::message(file_.bytes);
    EXPECT_TRUE(message.starts_with(where)) << array << "[" << index << "] = " << value << ": " << message;
    file_.set("meshes[0]." + array, index, stored);
  }

  ForgedFile file_;
  std::size_t count_, vertex_count_ = 0;
  std::vector<bool> shared_;  // by vertex
  EveryTarget every_target_;
};

TEST_P(ForgedRuns, TheFileHasWholeAndShortBlocks) {
  EXPECT_EQ(count_, std::size_t(GetParam()));
  const Character character = must(open(file_.bytes));
  const JointRuns& runs = character.meshes()[0].runs;
  bool several = false, brief = false;
  for (std::size_t run = 0; run < runs.ends.size(); ++run) {
    const std::size_t length = runs.ends[run] - (run ? runs.ends[run - 1] : 0);
    several |= length > 2 * JointRuns::kBlock;
    brief |= length % JointRuns::kBlock != 0;
  }
  EXPECT_TRUE(several && brief);
  EXPECT_GE(std::count(shared_.begin(), shared_.end(), true), 100);
  EXPECT_EQ(EveryTarget::message(file_.bytes), "");
}

TEST_P(ForgedRuns, AWrongWeightIsNamedWhereverItLies) {
  const std::size_t stored = size("run_weights") - JointRuns::kPadding;
  for (std::size_t i = 0; i < stored; ++i) {
    const std::string where = "meshes[0].run_weights[" + std::to_string(i) + "]";
    const float weight = file_.value<float>("meshes[0].run_weights", i);
    refuse("run_weights", i, weight == 0 ? 1e-30f : std::nextafter(weight, 2.0f), where);
    if (i % 7 == 0) refuse("run_weights", i, std::numeric_limits<float>::quiet_NaN(), where);
  }
  for (std::size_t i = stored; i < size("run_weights"); ++i) refuse("run_weights", i, 1.0f, "meshes[0].run_weights");
}

TEST_P(ForgedRuns, AWrongJointOfAVertexIsFound) {
  const std::size_t entries = file_.arrays().at("skins[0].joints").count;
  for (std::size_t i = 0; i < size("joints"); ++i) {
    const auto joint = file_.value<std::uint16_t>("meshes[0].joints", i);
    if (!shared_[i / count_] || file_.value<float>("meshes[0].weights", i) == 0) continue;
    for (const std::size_t step : {std::size_t(1), entries / 2})
      refuse("joints", i, std::uint16_t((joint + step) % entries), "meshes[0].run_");
  }
}

TEST_P(ForgedRuns, AWrongWeightOfAVertexIsFound) {
  for (std::size_t v = 0; v < vertex_count_; ++v) {
    const std::string weights = "meshes[0].weights";
    const std::size_t at = v * count_;
    const float first = file_.value<float>(weights, at), second = count_ > 1 ? file_.value<float>(weights, at + 1) : 0;
    if (!shared_[v] || second == 0) continue;
    file_.set(weights, at + 1, second * 1.001f).set(weights, at, first - second * 0.001f);
    EXPECT_TRUE(EveryTarget::message(file_.bytes).starts_with("meshes[0].run_weights[")) << v;
    file_.set(weights, at + 1, second).set(weights, at, first);
  }
}

TEST_P(ForgedRuns, AWrongEndIsFound) {
  for (std::size_t run = 0; run < size("run_ends"); ++run) {
    const auto end = file_.value<std::uint32_t>("meshes[0].run_ends", run);
    for (const int step : {-17, -16, -1, 1, 16, 17})
      refuse("run_ends", run, std::uint32_t(int(end) + step), "meshes[0].run_");
  }
}

TEST_P(ForgedRuns, AWrongJointOrCountOfARunIsFound) {
  for (std::size_t i = 0; i < size("run_joints"); ++i) {
    const auto stored = file_.value<std::uint16_t>("meshes[0].run_joints", i);
    for (const int step : {-1, 1, 24}) refuse("run_joints", i, std::uint16_t(stored + step), "meshes[0].run_");
  }
}

INSTANTIATE_TEST_SUITE_P(Influences, ForgedRuns, ::testing::Values(1, 2, 3, 4, 5, 8, 9));

/// Slower is not wrong, so no other test would see it.
TEST(OpenKernels, SayYesToWhatIsSound) {
  const EveryTarget every_target;
  for (const int most : {1, 3, 4, 8}) {
    const Bytes bytes = must(write(clouds(most)));
    const Character character = must(open(bytes));
    const Mesh& mesh = character.meshes()[0];
    for (const std::string_view target : simd_targets()) {
      if (target == "scalar") continue;
      ASSERT_TRUE(set_simd_target(target));
      EXPECT_TRUE(kernels::sound_weights(mesh.weights, mesh.influence_count, 1e-5f)) << target << " " << most;
      const float* rows = mesh.runs.weights.data();
      for (std::size_t run = 0, at = 0, begin = 0; run < mesh.runs.ends.size(); ++run) {
        const std::size_t joints = mesh.runs.joints[at], end = mesh.runs.ends[run];
        if (joints > 0) {
          EXPECT_TRUE(kernels::run_agrees(mesh, begin, end, mesh.runs.joints.subspan(at + 1, joints), rows)) << target;
          rows += (end - begin) * (joints - 1);
        }
        at += 1 + joints;
        begin = end;
      }
    }
  }
}

TEST(OpenKernels, FindTheGreatestWhereverItLies) {
  const EveryTarget every_target;
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(set_simd_target(target));
    EXPECT_EQ(kernels::greatest(std::span<const std::uint32_t>()), 0u);
    for (const std::size_t count : {1, 15, 16, 64, 127, 300}) {
      std::vector<std::uint32_t> wide(count, 7);
      std::vector<std::uint16_t> narrow(count, 7);
      for (std::size_t i = 0; i < count; ++i) {
        wide[i] = 0xffffffffu;
        narrow[i] = 0xffff;
        ASSERT_EQ(kernels::greatest(wide), 0xffffffffu) << target << " " << i << " of " << count;
        ASSERT_EQ(kernels::greatest(narrow), 0xffff) << target << " " << i << " of " << count;
        wide[i] = narrow[i] = 7;
      }
      EXPECT_EQ(kernels::greatest(wide), 7u);
      EXPECT_EQ(kernels::greatest(narrow), 7);
    }
  }
}

}  // namespace
}  // namespace sinew
