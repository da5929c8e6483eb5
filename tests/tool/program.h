// Runs the built tool and keeps what it printed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/scene.h"
#include "support/files.h"

namespace sinew::test {

struct Ran {
  int status = -1;  ///< exit status; 128 + N where signal N ended it
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
  /// Lines of `err`.
  std::size_t error_lines() const;
};

/// `sinew ARGUMENTS`, run in `folder`, with the environment that the test has, `LC_ALL` apart.
Ran sinew(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
          const std::string& locale = "C");

/// A folder with a GLB of the scene in it: `NAME.glb`.
std::filesystem::path write_glb(const std::filesystem::path& folder, const std::string& name, const Scene& scene);
/// Names of what lies in a folder, hidden files too, sorted.
std::vector<std::string> files_in(const std::filesystem::path& folder);

}  // namespace sinew::test
