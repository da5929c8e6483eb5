#include "timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "sinew/bytes.h"

namespace sinew::tool {

namespace {

using Clock = std::chrono::steady_clock;
using Run = std::function<void(std::size_t calls)>;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Seconds a call, the mean of so many.
double timed(const Run& run, std::size_t calls) {
  const Clock::time_point start = Clock::now();
  run(calls);
  return seconds_since(start) / static_cast<double>(calls);
}

/// How many calls take about so long, at least one. They do take so long here: it is the warm-up too.
std::size_t calls_in(double seconds, const Run& run) {
  constexpr std::size_t kMost = std::size_t(1) << 32;  // a clock that stands still must not make this endless
  std::size_t calls = 1;
  while (true) {
    const double all = timed(run, calls) * static_cast<double>(calls);
    if (all >= seconds / 2 || calls >= kMost)
      return static_cast<std::size_t>(std::max(1.0, std::floor(seconds / all * static_cast<double>(calls))));
    calls *= 2;
  }
}

/// Two blocks of memory as large as the largest work needs, one copied to the other.
class Copier {
 public:
  explicit Copier(const std::vector<Work>& works) {
    std::size_t most = 1;
    for (const Work& work : works) most = std::max(most, chunk(work) * work.places);
    from_.resize(most, std::byte{1}), to_.resize(most);
  }
  /// Half the bytes are read and half are written, so that as many bytes move as the work moves.
  Run of(const Work& work) {
    return [this, size = chunk(work), places = work.places, place = std::size_t(0)](std::size_t calls) mutable {
      for (std::size_t i = 0; i < calls; ++i) {
        std::memcpy(to_.data() + place * size, from_.data() + place * size, size);
        keep(to_.data());
        place = place + 1 == places ? 0 : place + 1;
      }
    };
  }

 private:
  static std::size_t chunk(const Work& work) { return static_cast<std::size_t>(work.bytes + 1) / 2; }
  Bytes from_, to_;
};

/// One work or one copy, and what was measured of it.
struct Entry {
  Run run;
  std::size_t calls = 0;
  std::vector<double> measured = {};  // seconds a call, one a round

  void measure() {
    // What ran before has filled the caches with its own data; where there are many calls, one brings this one's back.
    if (calls > 1) run(1);
    measured.push_back(timed(run, calls));
  }
};

}  // namespace

Quartiles quartiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1), below = std::floor(place);
    const std::size_t i = static_cast<std::size_t>(below), next = std::min(i + 1, values.size() - 1);
    return values[i] + (place - below) * (values[next] - values[i]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

Timings time_in_turn(const std::vector<Work>& works, double seconds, const std::function<void()>& before_round) {
  Copier copier(works);
  std::vector<Entry> entries;  // work, its copy if it has one, next work …
  for (const Work& work : works) {
    entries.push_back({work.run});
    if (work.bytes > 0) entries.push_back({copier.of(work)});
  }
  // Finding the number of calls takes up to two shares.
  const double share = seconds / static_cast<double>(entries.size() * (kRounds + 2));
  const Clock::time_point start = Clock::now();
  for (Entry& entry : entries) entry.calls = calls_in(share, entry.run);

  Timings out;
  while (out.rounds < kFewestRounds || seconds_since(start) < seconds) {
    before_round();
    for (Entry& entry : entries) entry.measure();
    ++out.rounds;
  }

  auto entry = entries.begin();
  for (const Work& work : works) {
    const Entry& own = *entry++;
    Timing& timing = out.of.emplace_back();
    timing.calls = own.calls, timing.call = quartiles(own.measured);
    if (work.bytes == 0) continue;
    const Entry& copy = *entry++;
    timing.copy = quartiles(copy.measured);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < out.rounds; ++i) ratios.push_back(own.measured[i] / copy.measured[i]);
    timing.ratio = quartiles(std::move(ratios));
  }
  return out;
}

}  // namespace sinew::tool
