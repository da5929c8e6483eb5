#include "offline/joint_runs.h"

#include <algorithm>
#include <array>

#include "sinew/joint_runs.h"

namespace sinew::detail {
namespace {

constexpr std::size_t kMost = JointRuns::kMostJoints, kBlock = JointRuns::kBlock;

/// A short list of joints, ascending; `size` kMost + 1: too many to share.
struct JointSet {
  std::array<std::uint16_t, kMost> joints = {};
  std::size_t size = 0;
  bool shareable() const { return size <= kMost; }
  std::span<const std::uint16_t> list() const { return {joints.data(), size}; }

  void add(std::uint16_t joint) {
    if (!shareable()) return;
    const auto end = joints.begin() + std::ptrdiff_t(size), place = std::lower_bound(joints.begin(), end, joint);
    if (place != end && *place == joint) return;
    if (size++ == kMost) return;
    std::move_backward(place, end, end + 1);
    *place = joint;
  }
  void add(const JointSet& other) {
    if (!other.shareable()) size = kMost + 1;
    for (std::size_t i = 0; i < other.size && shareable(); ++i) add(other.joints[i]);
  }
  friend bool operator==(const JointSet& a, const JointSet& b) { return std::ranges::equal(a.list(), b.list()); }
};

/// Neighbours of one joint set, and the cheapest way to have everything up to their end skinned.
struct SetGroup {
  JointSet set;
  std::size_t end = 0;     // vertices
  std::uint64_t cost = 0;  // of all vertices up to here
  std::size_t first = 0;   // group that the run which ends here begins with
  bool shared = false;
};

/// About the cycles that SkinJob takes with 16 lanes: a run is set up, its matrices are blended for a block at once.
std::uint64_t shared_cost(std::size_t vertices, std::size_t joints) {
  return 30 + (vertices + kBlock - 1) / kBlock * (40 + 6 * joints);
}
std::uint64_t unshared_cost(std::size_t vertices) { return 10 * vertices; }

std::vector<SetGroup> groups_of(std::size_t k, std::span<const std::uint16_t> joints, std::span<const float> weights) {
  std::vector<SetGroup> out;
  for (std::size_t v = 0; v * k < joints.size(); ++v) {
    JointSet set;
    for (std::size_t i = v * k; i < (v + 1) * k; ++i)
      if (weights[i] > 0) set.add(joints[i]);
    // Equal sets are grouped, and so are all sets too large to share.
    if (out.empty() || out.back().set.size != set.size || (set.shareable() && !(out.back().set == set)))
      out.push_back({.set = set});
    out.back().end = v + 1;
  }
  return out;
}

/// Least cost from the left: each group ends a run of its own, or one that began a few groups before.
void choose_runs(std::vector<SetGroup>& groups) {
  constexpr std::size_t kReach = 32;  // groups; bounds the time
  for (std::size_t last = 0; last < groups.size(); ++last) {
    SetGroup& group = groups[last];
    const auto begin = [&](std::size_t g) { return g == 0 ? 0 : groups[g - 1].end; };
    const auto before = [&](std::size_t g) { return g == 0 ? 0 : groups[g - 1].cost; };
    group.first = last;
    group.cost = before(last) + unshared_cost(group.end - begin(last));
    JointSet together;
    for (std::size_t first = last + 1; first-- > 0 && last - first < kReach;) {
      together.add(groups[first].set);
      if (!together.shareable()) break;
      const std::uint64_t cost = before(first) + shared_cost(group.end - begin(first), together.size);
      if (cost >= group.cost) continue;
      group.cost = cost;
      group.first = first;
      group.shared = true;
    }
  }
}

}  // namespace

RunArrays joint_runs(std::size_t k, std::span<const std::uint16_t> joints, std::span<const float> weights) {
  std::vector<SetGroup> groups = groups_of(k, joints, weights);
  choose_runs(groups);
  std::vector<std::size_t> lasts;  // group that each run ends with, from the right
  for (std::size_t end = groups.size(); end > 0; end = groups[end - 1].first) lasts.push_back(end - 1);
  RunArrays out;
  std::size_t begin = 0;
  for (std::size_t run = lasts.size(); run-- > 0;) {
    const SetGroup& last = groups[lasts[run]];
    const std::size_t end = last.end;
    JointSet set;
    for (std::size_t g = last.first; last.shared && g <= lasts[run]; ++g) set.add(groups[g].set);
    const bool goes_on = !last.shared && !out.ends.empty() && lasts.size() > run + 1 && !groups[lasts[run + 1]].shared;
    if (goes_on) {
      out.ends.back() = std::uint32_t(end);
    } else {
      out.ends.push_back(std::uint32_t(end));
      out.joints.push_back(std::uint16_t(set.size));
      out.joints.insert(out.joints.end(), set.joints.begin(), set.joints.begin() + std::ptrdiff_t(set.size));
    }
    for (std::size_t block = begin; block < end; block += kBlock) {
      for (std::size_t j = 1; j < set.size; ++j) {
        for (std::size_t v = block; v < std::min(end, block + kBlock); ++v) {
          const auto own = joints.subspan(v * k, k);
          const auto place = std::find(own.begin(), own.end(), set.joints[j]);
          out.weights.push_back(place == own.end() ? 0.0f : weights[v * k + std::size_t(place - own.begin())]);
        }
      }
    }
    begin = end;
  }
  out.weights.resize(out.weights.size() + JointRuns::kPadding);
  return out;
}

}  // namespace sinew::detail
