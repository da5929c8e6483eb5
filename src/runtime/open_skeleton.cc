#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "runtime/file_format.h"
#include "runtime/open_detail.h"

namespace sinew::detail {
namespace {

/// Depth-first order: the open ancestors of a row form a stack, each ends no later than the one below it, and a row's
/// parent is the innermost that has not ended.
Fault check_order(const DataPath& skeleton, const Skeleton& s) {
  const std::size_t count = s.joint_count();
  std::vector<std::uint32_t> ancestors;
  for (std::size_t j = 0; j < count; ++j) {
    while (!ancestors.empty() && s.subtree_ends[ancestors.back()] <= j) ancestors.pop_back();
    const std::int32_t parent = ancestors.empty() ? -1 : std::int32_t(ancestors.back());
    const std::size_t limit = ancestors.empty() ? count : s.subtree_ends[ancestors.back()];
    if (s.parents[j] != parent) {
      return fault(ErrorCode::inconsistent, DataPath(skeleton, "parents", j),
                   "parent " + std::to_string(s.parents[j]) + " where depth-first order and the subtrees' ends give " +
                       std::to_string(parent));
    }
    if (s.subtree_ends[j] <= j || s.subtree_ends[j] > limit) {
      return fault(
          ErrorCode::out_of_range, DataPath(skeleton, "subtree_ends", j),
          std::to_string(s.subtree_ends[j]) + " is not in " + std::to_string(j + 1) + " to " + std::to_string(limit));
    }
    ancestors.push_back(std::uint32_t(j));
  }
  return {};
}

Fault check_rest(const DataPath& skeleton, const Skeleton& s) {
  const std::size_t count = s.joint_count(), stride = padded(count);
  const DataPath where(skeleton, "rest");
  if (Fault f = check_count(where, s.rest.size(), kStreams * stride, "ten streams of the joints rounded up to 16"))
    return f;
  if (Fault f = check_finite(where, s.rest)) return f;
  for (std::size_t j = 0; j < count; ++j) {
    const Quat q = s.rest_transform(j).rotation;
    const float length = std::sqrt(dot(q, q));
    if (!(std::fabs(length - 1) <= kUnitTolerance)) {
      return fault(ErrorCode::bad_value, where,
                   "the rotation of joint " + std::to_string(j) + " has length " + number(length) + ", not 1");
    }
  }
  for (std::size_t stream = 0; stream < kStreams; ++stream)
    for (std::size_t j = count; j < stride; ++j)
      if (s.rest[stream * stride + j] != kIdentityStreams[stream])
        return fault(ErrorCode::bad_value, where,
                     "padding " + std::to_string(j) + " of stream " + std::to_string(stream) + " is not the identity");
  return check_finite(DataPath(skeleton, "rest_channels"), s.rest_channels);
}

Fault check_rows(const DataPath& skeleton, const Skeleton& s) {
  constexpr auto kKnownFlags = std::uint8_t(JointFlags::skin) | std::uint8_t(JointFlags::mesh) |
                               std::uint8_t(JointFlags::animated) | std::uint8_t(JointFlags::helper);
  for (std::size_t j = 0; j < s.joint_count(); ++j) {
    if (std::uint8_t(s.flags[j]) & ~kKnownFlags)
      return fault(ErrorCode::bad_value, DataPath(skeleton, "flags", j),
                   std::to_string(unsigned(s.flags[j])) + " has unknown flags");
    if (s.source_nodes[j] < kNone)
      return fault(ErrorCode::out_of_range, DataPath(skeleton, "source_nodes", j),
                   std::to_string(s.source_nodes[j]) + " is below -1");
  }
  return {};
}

/// Where the rows fall into two parts that do not wait for each other: a row's subtree and what follows it depend on
/// its parent and on rows before that alone, not on those between. The row that makes the shorter part longest, or 0.
std::uint32_t find_second_walk(std::span<const std::int32_t> parents) {
  std::size_t best = 0, most = 0;
  for (std::size_t j = 0; j < parents.size(); ++j) {
    const std::size_t between = j - std::size_t(parents[j] + 1), shorter = std::min(between, parents.size() - j);
    if (shorter > most) best = j, most = shorter;
  }
  return std::uint32_t(best);
}

/// For each skin's entries: nearest ancestors, and an order. Where a joint is listed twice, its first entry stands for it.
void find_parents(CharacterTables& tables) {
  const Skeleton& skeleton = tables.skeleton;
  std::size_t total = 0;
  for (const Skin& skin : tables.skins) total += skin.joints.size();
  tables.skin_parents.resize(total), tables.skin_parents_first.resize(total);
  std::size_t first = 0;
  std::vector<std::uint32_t> above;  // entries whose subtrees the joint in hand may lie in, the innermost last
  for (Skin& skin : tables.skins) {
    const std::size_t count = skin.joints.size();
    const std::span<std::int32_t> parents = std::span(tables.skin_parents).subspan(first, count);
    const std::span<std::uint32_t> order = std::span(tables.skin_parents_first).subspan(first, count);
    first += count;
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return skin.joints[i]; });
    above.clear();
    for (const std::uint32_t i : order) {
      const std::uint32_t joint = skin.joints[i];
      while (!above.empty() && skeleton.subtree_ends[skin.joints[above.back()]] <= joint) above.pop_back();
      const bool again = !above.empty() && skin.joints[above.back()] == joint;
      parents[i] = above.empty() ? kNone : again ? parents[above.back()] : std::int32_t(above.back());
      if (!again) above.push_back(i);
    }
    skin.parents = parents, skin.parents_first = order;
  }
}

}  // namespace

Fault read_skeleton(const schema::Skeleton* in, Arrays& arrays, CharacterTables& tables) {
  const DataPath root, where(root, "skeleton");
  if (!in) return fault(ErrorCode::inconsistent, where, "the directory has none");
  Skeleton& s = tables.skeleton;
  s.id = in->id();
  if (s.id == 0) return fault(ErrorCode::bad_value, DataPath(where, "id"), "it is 0");
  if (Fault f = arrays.view(in->parents(), DataPath(where, "parents"), s.parents)) return f;
  if (Fault f = arrays.view(in->subtree_ends(), DataPath(where, "subtree_ends"), s.subtree_ends)) return f;
  if (Fault f = arrays.view(in->flags(), DataPath(where, "flags"), s.flags)) return f;
  if (Fault f = arrays.view(in->source_nodes(), DataPath(where, "source_nodes"), s.source_nodes)) return f;
  if (Fault f = arrays.view(in->rest(), DataPath(where, "rest"), s.rest)) return f;
  if (Fault f = arrays.view(in->rest_channels(), DataPath(where, "rest_channels"), s.rest_channels)) return f;
  const std::size_t count = s.joint_count(), name_count = in->names() ? in->names()->size() : 0;
  constexpr const char* kOneEach = "one a joint";
  if (Fault f = check_count(DataPath(where, "subtree_ends"), s.subtree_ends.size(), count, kOneEach)) return f;
  if (Fault f = check_count(DataPath(where, "flags"), s.flags.size(), count, kOneEach)) return f;
  if (Fault f = check_count(DataPath(where, "source_nodes"), s.source_nodes.size(), count, kOneEach)) return f;
  if (Fault f = check_count(DataPath(where, "names"), name_count, count, kOneEach)) return f;
  tables.names.reserve(count);
  for (std::size_t j = 0; j < count; ++j) tables.names.push_back(text(in->names()->Get(flatbuffers::uoffset_t(j))));
  s.names = tables.names;
  if (Fault f = check_order(where, s)) return f;
  s.second_walk = find_second_walk(s.parents);
  if (Fault f = check_rows(where, s)) return f;
  return check_rest(where, s);
}

Fault read_skins(const schema::Character& in, Arrays& arrays, CharacterTables& tables) {
  const DataPath root;
  const std::size_t count = in.skins() ? in.skins()->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const DataPath where(root, "skins", i);
    const schema::Skin& table = *in.skins()->Get(flatbuffers::uoffset_t(i));
    Skin& skin = tables.skins.emplace_back();
    skin.name = text(table.name());
    skin.source_skin = table.source_skin();
    if (skin.source_skin < kNone)
      return fault(ErrorCode::out_of_range, DataPath(where, "source_skin"), "it is below -1");
    const DataPath joints(where, "joints"), matrices(where, "inverse_bind_matrices");
    if (Fault f = arrays.view(table.joints(), joints, skin.joints)) return f;
    if (Fault f = arrays.view(table.inverse_bind_matrices(), matrices, skin.inverse_bind_matrices)) return f;
    if (skin.joints.empty()) return fault(ErrorCode::bad_value, joints, "it is empty");
    if (Fault f = check_below(joints, skin.joints, tables.skeleton.joint_count(), "joints", skin.joint_limit)) return f;
    if (Fault f =
            check_count(matrices, skin.inverse_bind_matrices.size(), skin.joints.size(), "one a joint of the skin"))
      return f;
    for (std::size_t k = 0; k < skin.joints.size(); ++k)
      if (!is_finite(skin.inverse_bind_matrices[k]))
        return fault(ErrorCode::bad_value, DataPath(where, "inverse_bind_matrices", k), "it is not finite");
  }
  find_parents(tables);
  return {};
}

}  // namespace sinew::detail
