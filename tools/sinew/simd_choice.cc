#include "simd_choice.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sinew/simd.h"
#include "text.h"

namespace sinew::tool {

std::string simd_targets_joined(std::string_view separator) {
  std::string out;
  for (const std::string_view name : simd_targets()) {
    if (!out.empty()) out += separator;
    out += name;
  }
  return out;
}

Result<void> take_simd_target() {
  const char* wanted = std::getenv("SINEW_TARGET");
  if (!wanted || set_simd_target(wanted)) return {};
  return fail(ErrorCode::bad_argument, "SINEW_TARGET",
              fmt::format("there is no SIMD target {} on this machine", in_quotes(wanted)),
              fmt::format("give one of {}, or unset it", simd_targets_joined(", ")));
}

}  // namespace sinew::tool
