// The two forms of what `sinew explain` prints.
#pragma once

#include <string>

#include "json.h"
#include "trace.h"

namespace sinew::tool {

std::string explain_text(const std::string& file, const Character& character, const Part& part, const Moment& moment,
                         const VertexTrace& traced);
Json explain_json(const std::string& file, const Character& character, const Part& part, const Moment& moment,
                  const VertexTrace& traced);

const char* to_string(Path path);

}  // namespace sinew::tool
