// Every file of the malformed set: what is right loads and reaches the runtime, what is wrong is refused or told.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "support/evaluate.h"
#include "support/files.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

/// A row of the table in the assets' README.
struct Row {
  std::string file;
  bool right = false;  ///< marked as a control, or without an error of the validator
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.file; }

/// Rows of the section `malformed/`; empty without the shared folder.
std::vector<Row> rows() {
  std::vector<Row> out;
  const auto shared = shared_dir();
  if (!shared) return out;
  std::ifstream table(*shared / "assets" / "README.md");
  bool inside = false;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("## ")) inside = line == "## malformed/";
    if (!inside || !line.starts_with("| `")) continue;
    const std::size_t name_end = line.find('`', 3), covers_end = line.find(" | ", line.find(" | ", name_end) + 3);
    const std::string validator = line.substr(covers_end + 3);
    out.push_back({line.substr(3, name_end - 3),
                   line.find("(*control*)") != std::string::npos || validator.starts_with("no error")});
  }
  return out;
}

std::vector<Row> rows_of(bool gltf) {
  std::vector<Row> out = rows();
  std::erase_if(out,
                [&](const Row& row) { return (row.file.ends_with(".gltf") || row.file.ends_with(".glb")) != gltf; });
  return out;
}

/// Wrong in what is not read alone, so a note is enough: values and bounds that nothing refers to, colours and other
/// attributes, what animates materials, materials themselves.
const std::set<std::string> kOnlyUnread = {
    "validator_accessor_data/invalid_elements_float.gltf",
    "validator_accessor_data/out_of_range_elements_sint16.gltf",
    "validator_accessor_data/out_of_range_elements_sint8.gltf",
    "validator_accessor_data/out_of_range_elements_uint32.gltf",
    "validator_accessor_data/out_of_range_elements_uint8.gltf",
    "validator_mesh/accessor_attribute_uint32.gltf",
    "validator_mesh/accessor_unequal_count.gltf",
    "validator_mesh/invalid_attribute.gltf",
    "validator_mesh/invalid_indexed_attribute.gltf",
    "validator_mesh/position_accessor_no_bounds.gltf",
    "validator_mesh_data/colors_non_clamped.gltf",
    "validator_KHR_animation_pointer/invalid_pointer_syntax.gltf",
    "validator_KHR_animation_pointer/missing_pointer.gltf",
    "assimp_issue_3269/texcoord_crash.gltf",
    "assimp_wrongTypes/badNumber.gltf",
    "minimal_accessor_invalid.gltf",
};

fs::path path_of(const Row& row) { return *shared_dir() / "assets" / "malformed" / row.file; }

std::string row_name(const ::testing::TestParamInfo<Row>& info) {
  std::string out = info.param.file;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

bool one_line(const std::string& text) { return text.find('\n') == std::string::npos; }

class Malformed : public ::testing::TestWithParam<Row> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Malformed);
INSTANTIATE_TEST_SUITE_P(Files, Malformed, ::testing::ValuesIn(rows_of(true)), row_name);

TEST_P(Malformed, LoadsOrIsRefusedWithOneLine) {
  const auto begin = std::chrono::steady_clock::now();
  const auto scene = import_file(path_of(GetParam()));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  constexpr double kSeconds = 2;
  EXPECT_LT(taken.count(), kSeconds);
  if (GetParam().right) {
    ASSERT_TRUE(scene) << scene.error().message();
    const auto loaded = load(*scene);
    ASSERT_TRUE(loaded) << loaded.error().message();
    return;
  }
  if (!scene) {
    EXPECT_FALSE(scene.error().where.empty());
    EXPECT_FALSE(scene.error().what.empty());
    EXPECT_TRUE(one_line(scene.error().message()));
    return;
  }
  ASSERT_FALSE(scene->findings.empty()) << "it is wrong, but nothing is said";
  const bool warned = std::any_of(scene->findings.begin(), scene->findings.end(),
                                  [](const Finding& f) { return f.severity == Severity::warning; });
  EXPECT_TRUE(warned || kOnlyUnread.contains(GetParam().file)) << lines(scene->findings);
  for (const Finding& finding : scene->findings) {
    EXPECT_FALSE(finding.where.empty()) << finding.code;
    EXPECT_FALSE(finding.what.empty()) << finding.code;
    EXPECT_TRUE(one_line(finding.message()));
  }
  // What loads in spite of its faults must be safe further on: made into a character, or refused there.
  const auto loaded = load(*scene);
  if (loaded) evaluate(loaded->character);
}

class MalformedOfOtherFormats : public ::testing::TestWithParam<Row> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MalformedOfOtherFormats);
INSTANTIATE_TEST_SUITE_P(Files, MalformedOfOtherFormats, ::testing::ValuesIn(rows_of(false)), row_name);

TEST_P(MalformedOfOtherFormats, AreNotRecognisedAndSaySo) {
  const auto scene = import_file(path_of(GetParam()));
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().code, ErrorCode::unrecognized) << scene.error().message();
  EXPECT_FALSE(scene.error().what_to_do.empty());
}

TEST(MalformedSet, TableIsThere) {
  if (!shared_dir()) GTEST_SKIP() << kNoShared;
  const auto all = rows();
  EXPECT_GT(all.size(), 100u) << "the README's table was not understood";
  EXPECT_GT(std::count_if(all.begin(), all.end(), [](const Row& row) { return row.right; }), 20);
  for (const std::string& file : kOnlyUnread) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Row& row) { return row.file == file; })) << file;
  }
}

/// Time of the last change of each file below the folder.
std::map<fs::path, fs::file_time_type> snapshot(const fs::path& folder) {
  std::map<fs::path, fs::file_time_type> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) out[entry.path()] = entry.last_write_time();
  return out;
}

/// The most memory that the process had since `forget_peak`, or since it began where the system cannot forget. KiB.
long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

TEST(MalformedSet, NothingIsWrittenAndMemoryStaysSmall) {
  if (!shared_dir()) GTEST_SKIP() << kNoShared;
  forget_peak();  // other tests of this program take more
  const long had = peak_memory();
  ASSERT_GT(had, 0);
  const fs::path folder = *shared_dir() / "assets" / "malformed";
  const auto before = snapshot(folder);
  for (const Row& row : rows()) {
    const auto scene = import_file(path_of(row));
    EXPECT_TRUE(scene || !scene.error().message().empty());
  }
  EXPECT_EQ(snapshot(folder), before);
#if !defined(__SANITIZE_ADDRESS__)
  constexpr long kKibibytes = 512 * 1024;
  EXPECT_LT(peak_memory() - had, kKibibytes);
#endif
}

}  // namespace
}  // namespace sinew::test
