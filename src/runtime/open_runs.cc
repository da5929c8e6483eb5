#include <algorithm>
#include <string>
#include <utility>

#include "runtime/kernels.h"
#include "runtime/open_detail.h"

namespace sinew::detail {
namespace {

/// Walks the three arrays of a mesh's runs side by side; each step proves that there is what it reads.
class RunReader {
 public:
  RunReader(const DataPath& mesh_path, const Mesh& mesh) : path_(mesh_path), mesh_(mesh), runs_(mesh.runs) {}

  Fault read() {
    if (runs_.ends.empty() && runs_.joints.empty() && runs_.weights.empty()) return {};  // nothing is shared
    for (std::size_t run = 0; run < runs_.ends.size(); ++run)
      if (Fault f = read_run(run)) return f;
    if (begin_ != mesh_.vertex_count())
      return at("run_ends", "the runs hold " + std::to_string(begin_) + " of " + std::to_string(mesh_.vertex_count()) +
                                " vertices");
    if (joints_ != runs_.joints.size())
      return at("run_joints",
                std::to_string(joints_) + " of " + std::to_string(runs_.joints.size()) + " elements belong to runs");
    if (runs_.weights.size() != weights_ + JointRuns::kPadding)
      return at("run_weights", std::to_string(runs_.weights.size()) + " elements, the runs have " +
                                   std::to_string(weights_) + ", and " + std::to_string(JointRuns::kPadding) +
                                   " are padding");
    for (std::size_t i = weights_; i < runs_.weights.size(); ++i)
      if (runs_.weights[i] != 0) return at("run_weights", "the padding is not 0");
    return {};
  }

 private:
  Fault at(const char* array, std::string what) const {
    return fault(ErrorCode::inconsistent, DataPath(path_, array), std::move(what));
  }

  Fault read_run(std::size_t run) {
    const std::size_t end = runs_.ends[run];
    const std::string name = "run " + std::to_string(run);
    if (end <= begin_ || end > mesh_.vertex_count())
      return at("run_ends", name + " ends at vertex " + std::to_string(end) + ", it begins at " +
                                std::to_string(begin_) + " of " + std::to_string(mesh_.vertex_count()));
    if (joints_ == runs_.joints.size()) return at("run_joints", name + " has none");
    const std::size_t count = runs_.joints[joints_++];
    if (count > JointRuns::kMostJoints || count > runs_.joints.size() - joints_)
      return at("run_joints", name + " has " + std::to_string(count) + " joints");
    const auto joints = runs_.joints.subspan(joints_, count);
    joints_ += count;
    for (std::size_t j = 0; j < count; ++j)
      if (joints[j] >= mesh_.palette_limit || (j > 0 && joints[j] <= joints[j - 1]))
        return at("run_joints", name + " names palette entry " + std::to_string(joints[j]) +
                                    ": not used by the mesh, or not in ascending order");
    if (count > 0)
      if (Fault f = read_weights(name, joints, end)) return f;
    begin_ = end;
    return {};
  }

  /// Every weight is the one of `weights`: a run may speed a job up, never change what it gives.
  Fault read_weights(const std::string& name, std::span<const std::uint16_t> joints, std::size_t end) {
    const std::size_t rows = joints.size() - 1, k = mesh_.influence_count;
    // Counts of at most 7 a vertex that exists: no product wraps around.
    if (runs_.weights.size() < weights_ || runs_.weights.size() - weights_ < rows * (end - begin_))
      return at("run_weights", name + " is cut off");
    const std::size_t taken = rows * (end - begin_);
    if (runs_.weights.size() - weights_ - taken >= JointRuns::kPadding &&
        kernels::run_agrees(mesh_, begin_, end, joints, runs_.weights.data() + weights_)) {
      weights_ += taken;
      return {};
    }
    for (std::size_t v = begin_; v < end; ++v) {
      const std::size_t in_run = v - begin_, block = in_run - in_run % JointRuns::kBlock;
      const std::size_t length = std::min(JointRuns::kBlock, end - begin_ - block);
      float expected[JointRuns::kMostJoints] = {};
      for (std::size_t i = v * k; i < (v + 1) * k; ++i) {
        if (mesh_.weights[i] == 0) continue;
        std::size_t j = 0;
        while (j < joints.size() && joints[j] != mesh_.joints[i]) ++j;
        if (j == joints.size())
          return at("run_joints",
                    name + " lacks joint " + std::to_string(mesh_.joints[i]) + " of vertex " + std::to_string(v));
        expected[j] += mesh_.weights[i];
      }
      for (std::size_t j = 1; j < joints.size(); ++j) {
        const std::size_t place = weights_ + block * rows + (j - 1) * length + in_run - block;
        if (!(runs_.weights[place] == expected[j]))
          return fault(
              ErrorCode::inconsistent, DataPath(path_, "run_weights", place),
              "it is not the weight of vertex " + std::to_string(v) + " for joint " + std::to_string(joints[j]));
      }
    }
    weights_ += taken;
    return {};
  }

  const DataPath path_;
  const Mesh& mesh_;
  const JointRuns& runs_;
  std::size_t begin_ = 0, joints_ = 0, weights_ = 0;  // read so far
};

}  // namespace

Fault check_runs(CharacterTables& tables) {
  const DataPath root;
  for (std::size_t i = 0; i < tables.meshes.size(); ++i) {
    Mesh& mesh = tables.meshes[i];
    if (Fault f = RunReader(DataPath(root, "meshes", i), mesh).read()) return f;
    mesh.runs.of_joints = mesh.joints.data();
    mesh.runs.of_weights = mesh.weights.data();
  }
  return {};
}

}  // namespace sinew::detail
