// How vertices are skinned: --method, and --dual, which joints mixed skinning takes dual quaternions for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input.h"
#include "sinew/skin.h"

namespace sinew::tool {

/// --dual, for verbs that make or play a file with mixed skinning.
void add_dual_option(CLI::App& verb, InputOptions& options);
/// --method and --dual.
void add_method_options(CLI::App& verb, InputOptions& options);

/// As --method has it: `dqs`.
const char* to_string(SkinMethod method);
/// `dual quaternions`.
const char* describe(SkinMethod method);
Result<SkinMethod> read_method(const std::string& text);

/// Nodes of joints by the patterns of --dual; without one those that twist. Error: a pattern that fits no joint of a skin.
Result<std::vector<std::int32_t>> dual_nodes(const Character& character, const InputOptions& options);

}  // namespace sinew::tool
