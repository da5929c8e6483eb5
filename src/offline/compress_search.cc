#include "offline/compress_search.h"

#include <algorithm>
#include <cmath>

namespace sinew::detail {
namespace {

class Search {
 public:
  Search(const ClipSource& source, const Skeleton& skeleton, const ErrorShape& shape, double tolerance)
      : trial_(source, skeleton, shape, tolerance),
        skeleton_(skeleton),
        tolerance_(tolerance),
        coarseness_(skeleton.joint_count(), kCoarse) {}
  bool run();

  SearchResult best;
  std::vector<std::pair<std::size_t, std::size_t>> unfit;

 private:
  static constexpr double kCoarse = 4, kFine = 1.0 / 256;
  TrialResult attempt();
  bool find_common();
  void refine();
  void choose_shift();

  Trial trial_;
  const Skeleton& skeleton_;
  double tolerance_;
  std::vector<double> coarseness_;
  std::vector<double> best_coarseness_;
  unsigned shift_ = 2;
  std::size_t best_size_ = 0;
};

/// Keeps the plan where it is the smallest so far that holds.
TrialResult Search::attempt() {
  TrialResult out = trial_.run(coarseness_, shift_);
  if (!out.unfit.empty()) unfit = out.unfit;
  if (out.unfit.empty() && out.worst <= tolerance_) {
    const std::size_t size = packed_size(out.plan, shift_);
    if (best_coarseness_.empty() || size < best_size_)
      best = {std::move(out.plan), shift_, 0}, best_size_ = size, best_coarseness_ = coarseness_;
  }
  return out;
}

/// The coarsest that holds with one coarseness for all joints, by halving in octaves.
bool Search::find_common() {
  double low = kFine, high = kCoarse;
  // Tracks that are too wide for the bits there are ask for coarser steps, too.
  const auto may_be_coarser = [&](double coarseness) {
    std::ranges::fill(coarseness_, coarseness);
    const TrialResult out = attempt();
    return !out.unfit.empty() || out.worst <= tolerance_;
  };
  if (may_be_coarser(high)) return !best_coarseness_.empty();
  for (int step = 0; step < 8; ++step) {
    const double middle = std::sqrt(low * high);
    (may_be_coarser(middle) ? low : high) = middle;
  }
  return !best_coarseness_.empty();
}

/// Joints whose worst descendant has room left get coarser, the others finer, again and again.
void Search::refine() {
  constexpr int kRounds = 10;
  coarseness_ = best_coarseness_;
  for (int round = 0; round < kRounds; ++round) {
    const TrialResult out = attempt();
    std::vector<double> worst = out.errors;
    for (std::size_t j = worst.size(); j-- > 0;)
      if (const std::int32_t parent = skeleton_.parents[j]; parent >= 0)
        worst[std::size_t(parent)] = std::max(worst[std::size_t(parent)], worst[j]);
    for (std::size_t j = 0; j < worst.size(); ++j) {
      const double room = tolerance_ / std::max(worst[j], tolerance_ / 16);
      coarseness_[j] = std::min(coarseness_[j] * (room > 1 ? std::sqrt(room) : room * 0.99), 2 * kCoarse);
    }
  }
}

void Search::choose_shift() {
  std::size_t least = best_size_;
  for (unsigned shift = 0; shift <= kGreatestShift; ++shift)
    if (const std::size_t size = packed_size(best.plan, shift); size < least) least = size, shift_ = shift;
}

bool Search::run() {
  if (!find_common()) return false;
  choose_shift();
  refine();
  best.error = trial_.check(best_coarseness_, best.shift);
  return true;
}

}  // namespace

std::optional<SearchResult> search(ClipSource& source, const Skeleton& skeleton, const ErrorShape& shape,
                                   double tolerance) {
  for (;;) {
    Search search(source, skeleton, shape, tolerance);
    if (search.run()) return std::move(search.best);
    if (search.unfit.empty()) return {};
    for (const auto& [section, target] : search.unfit) source.tracks[section][target].form = TrackForm::keyframes;
  }
}

}  // namespace sinew::detail
