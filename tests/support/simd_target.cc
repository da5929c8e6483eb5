#include "support/simd_target.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sinew/simd.h"

namespace sinew::test {

void take_simd_target() {
  const char* wanted = std::getenv("SINEW_TARGET");
  if (!wanted || set_simd_target(wanted)) return;
  std::string known;
  for (const std::string_view name : simd_targets()) known += (known.empty() ? "" : ", ") + std::string(name);
  std::fprintf(stderr, "SINEW_TARGET: there is no SIMD target \"%s\" on this machine (give one of %s, or unset it)\n",
               wanted, known.c_str());
  std::exit(2);
}

}  // namespace sinew::test
