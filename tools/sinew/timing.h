// Timing: how long code takes on a machine that does other things as well: medians and quartiles of many short rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinew::tool {

/// Says to the compiler that somebody may read, here, all that was written to memory so far, `data` included: without
/// a reader it may leave the work out.
inline void keep(const void* data) { asm volatile("" : : "g"(data) : "memory"); }

/// The value that a quarter, half and three quarters of the measurements are below.
struct Quartiles {
  double lower = 0, median = 0, upper = 0;
};
Quartiles quartiles(std::vector<double> values);

/// What is timed, and the copy that it is compared with.
struct Work {
  std::function<void(std::size_t calls)> run;  ///< does it so many times, and `keep`s what it writes each time
  std::uint64_t bytes = 0;  ///< that a call reads and writes, each once: as many go through a memcpy beside it; 0: none
  std::size_t places =
      1;  ///< calls that follow one another work on so many different places in memory; so does the copy
};

struct Timing {
  std::size_t calls = 0;  ///< a round
  Quartiles call;         ///< seconds a call
  Quartiles copy;         ///< seconds of a memcpy of as many bytes
  Quartiles ratio;        ///< call over copy, of each round's pair: what slows both falls out
};

struct Timings {
  std::size_t rounds = 0;
  std::vector<Timing> of;  ///< one a work
};

/// Times all works in about so many seconds. In each round each is timed once, with its copy, so that a slow spell of
/// the machine meets all of them. First each runs for a while: that warms up caches and clock, and tells how many calls
/// fill its share of a round. There are about kRounds of them, fewer where single calls take long, and never less than
/// kFewestRounds.
inline constexpr std::size_t kRounds = 15, kFewestRounds = 5;
Timings time_in_turn(const std::vector<Work>& works, double seconds, const std::function<void()>& before_round);

}  // namespace sinew::tool
