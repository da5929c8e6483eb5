// `main` of every Google Benchmark program, and SINEW_TARGET: the instruction set of a comparison, or of a machine that
// lacks the best one and does not say so (callgrind's).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sinew/simd.h"

int main(int argc, char** argv) {
  const char* const target = std::getenv("SINEW_TARGET");
  if (target && !sinew::set_simd_target(target)) {
    std::fprintf(stderr, "SINEW_TARGET: this machine has no SIMD target \"%s\"\n", target);
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("simd_target", std::string(sinew::simd_target()));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
