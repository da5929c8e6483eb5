// Contract checks: what a wrong program meets. O(1) a call, on in every build.
#pragma once

#include "sinew/job.h"

namespace sinew::detail {

/// Formats the message and calls the handler. Returns if the handler does.
#if defined(__GNUC__)
[[gnu::format(printf, 1, 2)]]
#endif
void contract_failed(const char* format, ...);

}  // namespace sinew::detail

/// In a function that returns void: leaves it where the condition does not hold and the handler returned.
#define SINEW_CONTRACT(condition, ...)               \
  do {                                               \
    if (!(condition)) [[unlikely]] {                 \
      ::sinew::detail::contract_failed(__VA_ARGS__); \
      return;                                        \
    }                                                \
  } while (false)
