// SINEW_TARGET=scalar|sse4|avx2|avx3|…: the instruction set that a test program runs on.
#pragma once

namespace sinew::test {

/// Forces what the environment variable SINEW_TARGET names; unset or empty: nothing changes. Where this machine has no
/// such target, says which it has and ends the program with status 2. `tests/main.cc` calls it when the program starts
/// and before each test, since tests that try several targets go back to the best one.
void take_simd_target();

}  // namespace sinew::test
