#include <algorithm>
#include <cmath>

#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

/// Sums farther from 1 than this are worth a word: more than weights stored in bytes need.
constexpr double kSumSlack = 0.01;
/// Vertices without weights that a finding lists by number.
constexpr std::size_t kListed = 16;

struct Influence {
  std::uint16_t joint = 0;
  std::uint32_t place = 0;  // where it was stored: equal weights keep that order
  double weight = 0;
};

std::string vertex_text(const Scene::Primitive& primitive, std::size_t v) {
  const Vec3 p = primitive.positions[v];
  return "vertex " + std::to_string(v) + " at (" + number(p.x) + ", " + number(p.y) + ", " + number(p.z) + ")";
}

/// What moves one vertex: no weights of 0, each joint once, strongest first.
void gather(WriteState& state, const DataPath& where, const Scene::Primitive& primitive, std::size_t v,
            std::vector<Influence>& out) {
  out.clear();
  for (std::size_t s = 0; s < primitive.influences.size(); ++s) {
    const Scene::InfluenceSet& set = primitive.influences[s];
    for (int i = 0; i < 4; ++i) {
      const float weight = set.weights[v][i];
      if (weight > 0) out.push_back({set.joints[v][std::size_t(i)], std::uint32_t(4 * s) + std::uint32_t(i), weight});
      if (weight < 0 && state.tallies.negative.take(-weight)) {
        state.tallies.negative.where = where.text();
        state.tallies.negative.what = vertex_text(primitive, v) + " has weight " + number(weight) + ", taken as 0";
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const Influence& a, const Influence& b) {
    return a.joint != b.joint ? a.joint < b.joint : a.place < b.place;
  });
  std::size_t kept = 0;
  for (const Influence& influence : out) {
    if (kept > 0 && out[kept - 1].joint == influence.joint)
      out[kept - 1].weight += influence.weight;
    else
      out[kept++] = influence;
  }
  out.resize(kept);
  std::sort(out.begin(), out.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.place < b.place;
  });
}

/// Divides by the sum; then the first is 1 minus the sum of the others, so that they sum to 1 to the bit. Rounding may
/// leave the first a hair below the second: those are lowered by one unit in the last place until it is not.
void normalise(std::vector<Influence>& influences, std::vector<float>& weights) {
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  weights.clear();
  for (Influence& influence : influences)
    if (const float weight = float(influence.weight / sum); weight > 0) weights.push_back(weight);
  influences.resize(weights.size());
  while (true) {
    float others = 0;
    for (std::size_t i = 1; i < weights.size(); ++i) others += weights[i];
    weights[0] = 1.0f - others;
    if (weights.size() == 1 || weights[0] >= weights[1]) return;
    const float second = weights[1], lower = std::nextafter(second, 0.0f);
    for (std::size_t i = 1; i < weights.size() && weights[i] == second; ++i) weights[i] = lower;
  }
}

void append(Influences& out, std::vector<Influence> influences, std::vector<float>& weights) {
  if (!influences.empty()) normalise(influences, weights);
  for (std::size_t i = 0; i < influences.size(); ++i) {
    out.joints.push_back(influences[i].joint);
    out.weights.push_back(weights[i]);
  }
  out.most = std::max(out.most, std::uint32_t(influences.size()));
  out.unweighted |= influences.empty();
  out.begins.push_back(std::uint32_t(out.joints.size()));
}

void find_used(Influences& influences) {
  std::vector<bool> used(65536);
  std::uint16_t greatest = 0;
  for (std::size_t v = 0; v + 1 < influences.begins.size(); ++v) {
    for (std::size_t i = influences.begins[v]; i < influences.begins[v + 1]; ++i) {
      const std::uint16_t joint = influences.joints[i];
      used[joint] = true;
      if (joint >= greatest) greatest = joint, influences.user_of_last = std::uint32_t(v);
    }
  }
  for (std::size_t j = 0; j < used.size(); ++j)
    if (used[j]) influences.used.push_back(std::uint16_t(j));
}

void note_weights(WriteState& state, const DataPath& where, const Scene::Primitive& primitive, std::size_t v,
                  const std::vector<Influence>& found, std::string& unweighted, std::size_t& unweighted_count) {
  if (found.empty()) {
    if (state.tallies.zero.take(0)) {
      state.tallies.zero.where = where.text();
      state.tallies.zero.what = vertex_text(primitive, v) + " has no weight and stays with the skin's root";
    }
    if (unweighted_count++ < kListed) unweighted += (unweighted.empty() ? "" : ", ") + std::to_string(v);
    return;
  }
  double sum = 0;
  for (const Influence& influence : found) sum += influence.weight;
  const double off = std::fabs(sum - 1);
  if (off > kSumSlack && state.tallies.sum.take(off)) {
    state.tallies.sum.where = where.text();
    state.tallies.sum.what =
        "the weights of " + vertex_text(primitive, v) + " summed to " + number(sum) + " and were divided by it";
  }
}

void note_dropped(WriteState& state, const DataPath& where, const Scene::Primitive& primitive, std::size_t v,
                  const std::vector<Influence>& found) {
  double sum = 0, dropped = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    sum += found[i].weight;
    if (i >= state.options.influences) dropped += found[i].weight;
  }
  if (!state.tallies.dropped.take(dropped / sum)) return;
  state.tallies.dropped.where = where.text();
  state.tallies.dropped.what = vertex_text(primitive, v) + " lost " + number(dropped / sum) + " of its weight, " +
                               std::to_string(found.size() - state.options.influences) + " of " +
                               std::to_string(found.size()) + " influences";
}

}  // namespace

Fault clean_influences(WriteState& state, const DataPath& where, const Scene::Primitive& primitive,
                       CleanedInfluences& out) {
  const std::size_t count = primitive.positions.size(), most = 4 * primitive.influences.size();
  constexpr std::uint64_t kEach = 2 * (sizeof(std::uint16_t) + sizeof(float));  // all of them, and those kept
  if (Fault f = state.budget.take(where, std::uint64_t(count) * most, kEach, "influences")) return f;
  if (std::uint64_t(count) * most > UINT32_MAX)
    return fault(ErrorCode::too_large, where, "more than 2^32 influences", "split the mesh");
  const std::size_t limit = state.options.influences;
  out.all.begins.push_back(0);
  out.kept.begins.push_back(0);
  std::vector<Influence> found;
  std::vector<float> weights;
  std::string unweighted;
  std::size_t unweighted_count = 0;
  for (std::size_t v = 0; v < count; ++v) {
    gather(state, where, primitive, v, found);
    note_weights(state, where, primitive, v, found, unweighted, unweighted_count);
    append(out.all, found, weights);
    if (limit == 0) continue;
    if (found.size() > limit) {
      note_dropped(state, where, primitive, v, found);
      found.resize(limit);
    }
    append(out.kept, found, weights);
  }
  if (limit == 0 || out.all.most <= limit)
    out.kept = Influences();
  else
    find_used(out.kept);
  find_used(out.all);
  constexpr std::size_t kLongText = 1000;  // a file of many such primitives need not list them all
  if (unweighted_count > 0 && state.tallies.zero.what.size() < kLongText) {
    if (unweighted_count > kListed) unweighted += ", and " + std::to_string(unweighted_count - kListed) + " more";
    state.tallies.zero.what +=
        state.tallies.zero.count > unweighted_count ? "; in " + where.text() + ": " : "; all of this primitive: ";
    state.tallies.zero.what += unweighted;
  }
  return {};
}

}  // namespace sinew::detail
