// Places of files that tests read, a folder to write to, and `must`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/result.h"

namespace sinew::test {

/// The folder with assets and golden numbers, where this checkout has one.
std::optional<std::filesystem::path> shared_dir();
/// The root of the checkout.
std::filesystem::path source_dir();
/// Every .gltf, .glb, .vrm and .vrma under assets/gltf, sorted; empty without the shared folder.
std::vector<std::filesystem::path> gltf_assets();
/// `path` below the shared folder as a name of letters, digits and underscores, for parameterised tests.
std::string test_name(const std::filesystem::path& path);

/// What a skipped test says.
inline constexpr const char* kNoShared =
    "the shared folder with assets and golden numbers is absent (SINEW_SHARED_DIR)";

std::vector<std::byte> read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// A folder of its own, removed with what is in it at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The value, or an exception that GoogleTest reports as the test's failure with the error's line.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error("unexpected error: " + result.error().message());
  return std::move(*result);
}

/// The finding of that code, or null.
const Finding* find(const Report& report, std::string_view code);
/// All findings, one a line, for messages of failing tests.
std::string lines(const Report& report);

}  // namespace sinew::test
