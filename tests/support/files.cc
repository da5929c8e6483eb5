#include "support/files.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace fs = std::filesystem;

namespace sinew::test {

std::optional<fs::path> shared_dir() {
  const fs::path path = SINEW_SHARED_DIR;
  std::error_code ignored;
  if (fs::is_directory(path / "assets", ignored) && fs::is_directory(path / "golden", ignored)) return path;
  return std::nullopt;
}

fs::path source_dir() { return SINEW_SOURCE_DIR; }

std::vector<fs::path> gltf_assets() {
  std::vector<fs::path> out;
  const auto shared = shared_dir();
  if (!shared) return out;
  for (const auto& entry : fs::recursive_directory_iterator(*shared / "assets" / "gltf")) {
    const fs::path extension = entry.path().extension();
    if (extension == ".gltf" || extension == ".glb" || extension == ".vrm" || extension == ".vrma") {
      out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string test_name(const fs::path& path) {
  std::string name = path.generic_string();
  if (const auto shared = shared_dir()) {
    const std::string root = (*shared / "").generic_string();
    if (name.starts_with(root)) name.erase(0, root.size());
  }
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

std::vector<std::byte> read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::vector<std::byte> bytes(std::size_t(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!file) throw std::runtime_error("cannot read all of " + path.string());
  return bytes;
}

void write_bytes(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "sinew_test_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

const Finding* find(const Report& report, std::string_view code) {
  const auto found = std::find_if(report.begin(), report.end(), [&](const Finding& f) { return f.code == code; });
  return found == report.end() ? nullptr : &*found;
}

std::string lines(const Report& report) {
  std::string out;
  for (const Finding& f : report) out += std::string(to_string(f.severity)) + " " + f.code + ": " + f.message() + "\n";
  return out;
}

}  // namespace sinew::test
