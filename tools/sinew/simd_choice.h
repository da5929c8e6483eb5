// SINEW_TARGET: the instruction set that the environment asks for.
#pragma once

#include <string>
#include <string_view>

#include "sinew/result.h"

namespace sinew::tool {

/// Forces the SIMD target that the environment variable SINEW_TARGET names; unset or empty leaves the best in use. An
/// error (`bad_argument`), and nothing changes, where it is none of this machine's. The library itself never looks at
/// the environment.
Result<void> take_simd_target();

/// The names that may be given here, best first, with `separator` between them.
std::string simd_targets_joined(std::string_view separator);

}  // namespace sinew::tool
