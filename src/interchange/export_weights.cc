#include "interchange/export_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace sinew::glb {
namespace {

constexpr float kTolerance = 2e-7f;  // a non-zero weight, as the Khronos validator allows

/// A vertex' weights, set after set.
using Row = std::vector<float>;

/// The sum as the validator takes it: floats, component by component across the sets.
bool sums_to_one(const Row& row) {
  const std::size_t sets = row.size() / 4;
  float sum = 0, tolerance = 0;
  for (std::size_t component = 0; component < 4; ++component) {
    for (std::size_t set = 0; set < sets; ++set) {
      const float weight = row[4 * set + component];
      sum += weight;
      if (weight != 0) tolerance += kTolerance;
    }
  }
  return std::fabs(sum - 1.0f) <= tolerance;
}

void share_floats(Row& row, double sum) {
  for (float& weight : row) weight = float(weight / sum);
  const auto strongest = std::max_element(row.begin(), row.end());
  float others = 0;
  for (auto weight = row.begin(); weight != row.end(); ++weight)
    if (weight != strongest) others += *weight;
  *strongest = 1.0f - others;
}

void share_levels(Row& row, double sum, std::uint32_t levels) {
  std::vector<std::uint32_t> shares(row.size());
  std::vector<double> rest(row.size());
  std::uint32_t given = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double exact = row[i] / sum * levels;
    shares[i] = std::uint32_t(exact);
    rest[i] = exact - shares[i];
    given += shares[i];
  }
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; given < levels; ++i, ++given) ++shares[order[i % order.size()]];
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = float(shares[i]) / float(levels);
}

bool is_exact(const Row& row, std::uint32_t levels) {
  long sum = 0;
  for (float weight : row) sum += std::lround(double(weight) * levels);
  return sum == long(levels);
}

}  // namespace

WeightChange normalize_weights(std::vector<Scene::InfluenceSet>& sets, std::uint32_t levels) {
  WeightChange change;
  if (sets.empty()) return change;
  Row row(4 * sets.size());
  for (std::size_t v = 0; v < sets.front().weights.size(); ++v) {
    bool negative = false;
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = sets[i / 4].weights[v][int(i % 4)];
      if (row[i] < 0) negative = true, row[i] = 0;
      sum += row[i];
    }
    if (!(sum > 0)) {
      ++change.zero;
      continue;
    }
    change.negative += negative;
    if (!negative && (levels ? is_exact(row, levels) : sums_to_one(row))) continue;
    if (change.normalized++ == 0 || std::fabs(sum - 1) > std::fabs(change.worst_sum - 1)) {
      change.worst_sum = sum;
      change.worst_vertex = v;
    }
    if (levels)
      share_levels(row, sum, levels);
    else
      share_floats(row, sum);
    for (std::size_t i = 0; i < row.size(); ++i) sets[i / 4].weights[v][int(i % 4)] = row[i];
  }
  return change;
}

void store_weights(std::byte* at, const Vec4& weights, std::uint32_t levels) {
  for (int i = 0; i < 4; ++i) {
    if (levels == 0) {
      std::memcpy(at + 4 * i, &weights[i], sizeof(float));
      continue;
    }
    const std::uint32_t value = std::uint32_t(std::lround(double(weights[i]) * levels));
    if (levels == 255)
      at[i] = std::byte(value);
    else
      at[2 * i] = std::byte(value), at[2 * i + 1] = std::byte(value >> 8);
  }
}

void report_weights(Report* report, const WeightChange& change, const std::string& where) {
  if (!report) return;
  if (change.negative > 0) {
    add(*report, {Severity::warning, "weights.negative", where, "a vertex had weights below 0, which were set to 0",
                  "mend them where the mesh was made", change.negative});
  }
  if (change.normalized > 0) {
    add(*report, {Severity::info, "weights.sum", where,
                  "weights of vertex " + std::to_string(change.worst_vertex) + " sum to " +
                      std::to_string(change.worst_sum) + " instead of 1 and were divided by their sum",
                  "", change.normalized});
  }
  if (change.zero > 0) {
    add(*report, {Severity::warning, "weights.zero", where, "a vertex has no weight at all and was left so",
                  "bind them to a joint: other programs may draw them at the origin", change.zero});
  }
}

}  // namespace sinew::glb
