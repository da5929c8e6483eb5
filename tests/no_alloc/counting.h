// Counts every allocation of the program while it is asked to: all forms of operator new, and malloc's family where no
// sanitizer has taken that over.
#pragma once

#include <cstddef>

namespace sinew::test {

/// Allocations since the counting began; it ends with the scope. One at a time, on one thread.
class CountAllocations {
 public:
  CountAllocations();
  ~CountAllocations();
  CountAllocations(const CountAllocations&) = delete;
  CountAllocations& operator=(const CountAllocations&) = delete;
  std::size_t count() const;
};

}  // namespace sinew::test
