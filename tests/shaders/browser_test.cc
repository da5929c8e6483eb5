// The exported ESSL 300 in WebGL2 and WGSL in WebGPU against the oracle, in headless Chromium; skipped where there is none.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "exported.h"
#include "support/files.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;

/// jobs.json and data.bin, as browser/page.html reads them.
struct Jobs {
  Json list = Json::array();
  std::vector<std::byte> data;
  template <class T>
  Json add(const std::vector<T>& values) {
    const std::size_t at = data.size(), size = values.size() * sizeof(T);
    data.resize((at + size + 15) / 16 * 16);
    if (size) std::memcpy(data.data() + at, values.data(), size);
    return {at, size};
  }
  void add(const Run& run, const std::string& target) {
    const Case& c = *run.data;
    const Json buffers = {{"vertices", add(c.vertices)},           {"more", add(c.more)},
                          {"tangents", add(c.tangent_stream)},     {"deltas", add(c.deltas)},
                          {"morph_weights", add(c.morph_weights)}, {"palette", add(palette_floats(run.variant, c))},
                          {"counts", add(compute_counts(c))},      {"uniforms", add(vertex_uniforms(c))}};
    list.push_back({{"shader", target + "/" + run.variant.name() + "." + target},
                    {"stage", run.variant.vertex_stage ? "vertex" : "compute"},
                    {"vertex_count", c.vertex_count()},
                    {"instances", c.instances},
                    {"influences", c.influences},
                    {"tangents", c.tangents},
                    {"morphs", run.variant.morphs},
                    {"mixed", run.variant.method == SkinMethod::mixed},
                    {"buffers", buffers}});
  }
};

struct Ended {
  int status = -1;
  std::string said;
};
Ended run_browser(const std::string& kind, const std::filesystem::path& job) {
  const std::string command = std::string("exec '" SINEW_PYTHON "' -B '" SINEW_BROWSER "/browser.py' ") + kind + " '" +
                              job.string() + "' '" SINEW_EXPORTED_SHADERS "' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + command);
  Ended out;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) out.said.append(buffer, count);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

template <class T>
std::vector<T> taken(std::span<const std::byte>& bytes, std::size_t count) {
  if (bytes.size() < count * sizeof(T)) throw std::runtime_error("the browser sent too little");
  std::vector<T> out(count);
  std::memcpy(static_cast<void*>(out.data()), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
  return out;
}

/// All runs by one start of the browser.
void expect_browser_agreement(const std::string& name, const std::string& kind, const std::string& target,
                              const Abilities& abilities) {
  const std::vector<Run> all = runs(abilities);
  Jobs jobs;
  for (const Run& run : all) jobs.add(run, target);
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "jobs.json") << jobs.list;
  write_bytes(folder.path() / "data.bin", jobs.data);
  const Ended ended = run_browser(kind, folder.path());
  if (ended.status == 77) GTEST_SKIP() << ended.said;
  ASSERT_EQ(ended.status, 0) << ended.said;
  const std::vector<std::byte> result = read_bytes(folder.path() / "result.bin");
  std::span<const std::byte> rest(result);
  std::vector<Skinned> results;
  for (const Run& run : all) {
    const std::size_t total = std::size_t(run.data->vertex_count()) * run.data->instances;
    Skinned& skinned = results.emplace_back(Skinned{taken<PackedSkinned>(rest, total), {}});
    if (run.data->tangents) skinned.tangents = taken<Vec4>(rest, total);
    if (run.variant.vertex_stage) undo_view(skinned);
  }
  EXPECT_TRUE(rest.empty());
  judge(name, all, results);
}

TEST(BrowserAgreement, WebGl2) {
  expect_browser_agreement(
      "ESSL 300 vertex in WebGL2", "webgl", "essl",
      {.vertex_stage = true, .morphs = false, .instances = false, .constants = true, .joints = 341});
}
TEST(BrowserAgreement, WebGpuCompute) { expect_browser_agreement("WGSL compute in WebGPU", "webgpu", "wgsl", {}); }
TEST(BrowserAgreement, WebGpuVertex) {
  expect_browser_agreement("WGSL vertex in WebGPU", "webgpu", "wgsl", {.vertex_stage = true});
}

}  // namespace
}  // namespace sinew::test
