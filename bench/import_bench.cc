// Import of a 10 MB character against what tinygltf takes to parse the same file, as GLB and with data URIs.
//
// The file is made here: a mesh with influences, and clips with a track for translation, rotation and scale of every
// joint, as most exporters write them. tinygltf copies buffers and decodes no accessor; import goes all the way to a
// Scene.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>

// Compiled here, with the flags of this program; the packaged library was built with others than its header assumes.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_INCLUDE_JSON
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#include <tiny_gltf.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sinew/import.h"

namespace {

namespace fs = std::filesystem;

constexpr int kJoints = 65, kClips = 18, kKeys = 60;
constexpr std::uint32_t kVertices = 90000;  // 10 MB in all

/// JSON text and binary of a file under way.
struct Builder {
  std::string views, accessors, binary;
  int count = 0;

  template <class T>
  int accessor(const std::vector<T>& values, int components, const char* type, int component_type,
               const std::string& more = {}) {
    const std::string comma = count ? "," : "";
    views += comma + "{\"buffer\":0,\"byteLength\":" + std::to_string(values.size() * sizeof(T)) +
             ",\"byteOffset\":" + std::to_string(binary.size()) + "}";
    accessors += comma + "{\"bufferView\":" + std::to_string(count) +
                 ",\"componentType\":" + std::to_string(component_type) +
                 ",\"count\":" + std::to_string(values.size() / std::size_t(components)) + ",\"type\":\"" + type +
                 "\"" + more + "}";
    binary.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    binary.resize((binary.size() + 3) / 4 * 4);
    return count++;
  }
};

std::string mesh_json(Builder& builder) {
  std::vector<float> positions, normals, uvs, weights;
  std::vector<std::uint16_t> joints;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    const float t = float(v) / kVertices, turn = 300 * t;
    positions.insert(positions.end(), {std::cos(turn), 2 * t, std::sin(turn)});
    normals.insert(normals.end(), {std::cos(turn), 0, std::sin(turn)});
    uvs.insert(uvs.end(), {turn - std::floor(turn), t});
    const auto joint = std::uint16_t(t * (kJoints - 2));
    joints.insert(joints.end(), {joint, std::uint16_t(joint + 1), 0, 0});
    weights.insert(weights.end(), {0.75f, 0.25f, 0, 0});
    if (v + 301 < kVertices) indices.insert(indices.end(), {v, v + 1, v + 300, v + 1, v + 301, v + 300});
  }
  constexpr int kFloat = 5126, kShort = 5123, kInt = 5125;
  std::string out =
      "{\"primitives\":[{\"attributes\":{\"POSITION\":" +
      std::to_string(builder.accessor(positions, 3, "VEC3", kFloat, ",\"max\":[1,2,1],\"min\":[-1,0,-1]"));
  out += ",\"NORMAL\":" + std::to_string(builder.accessor(normals, 3, "VEC3", kFloat)) +
         ",\"TEXCOORD_0\":" + std::to_string(builder.accessor(uvs, 2, "VEC2", kFloat));
  out += ",\"JOINTS_0\":" + std::to_string(builder.accessor(joints, 4, "VEC4", kShort)) +
         ",\"WEIGHTS_0\":" + std::to_string(builder.accessor(weights, 4, "VEC4", kFloat));
  return out + "},\"indices\":" + std::to_string(builder.accessor(indices, 1, "SCALAR", kInt)) + "}]}";
}

std::string clip_json(Builder& builder, int clip) {
  constexpr int kFloat = 5126;
  std::vector<float> times, translations, rotations, scales;
  for (int k = 0; k < kKeys; ++k) times.push_back(float(k) / 30);
  const int input = builder.accessor(times, 1, "SCALAR", kFloat, ",\"max\":[1.9666667],\"min\":[0]");
  std::string channels, samplers;
  int sampler = 0;
  for (int joint = 0; joint < kJoints; ++joint) {
    translations.clear(), rotations.clear(), scales.clear();
    for (int k = 0; k < kKeys; ++k) {
      const float a = 0.3f * std::sin(0.1f * float(k) + float(joint + clip));
      translations.insert(translations.end(), {0, 0.03f + 0.001f * a, 0});
      rotations.insert(rotations.end(), {std::sin(a / 2), 0, 0, std::cos(a / 2)});
      scales.insert(scales.end(), {1, 1, 1});
    }
    const int outputs[3] = {builder.accessor(translations, 3, "VEC3", kFloat),
                            builder.accessor(rotations, 4, "VEC4", kFloat),
                            builder.accessor(scales, 3, "VEC3", kFloat)};
    constexpr const char* kPaths[3] = {"translation", "rotation", "scale"};
    for (int path = 0; path < 3; ++path, ++sampler) {
      const std::string comma = sampler ? "," : "";
      channels += comma + "{\"sampler\":" + std::to_string(sampler) + ",\"target\":{\"node\":" + std::to_string(joint) +
                  ",\"path\":\"" + kPaths[path] + "\"}}";
      samplers += comma + "{\"input\":" + std::to_string(input) +
                  ",\"interpolation\":\"LINEAR\",\"output\":" + std::to_string(outputs[path]) + "}";
    }
  }
  return "{\"name\":\"clip" + std::to_string(clip) + "\",\"channels\":[" + channels + "],\"samplers\":[" + samplers +
         "]}";
}

/// The document without its buffers, and the binary.
std::string document(Builder& builder) {
  constexpr int kFloat = 5126;
  std::vector<float> binds;
  std::string nodes, joints, clips;
  for (int j = 0; j < kJoints; ++j) {
    nodes += "{\"name\":\"joint" + std::to_string(j) + "\",\"translation\":[0,0.03,0]" +
             (j + 1 < kJoints ? ",\"children\":[" + std::to_string(j + 1) + "]" : "") + "},";
    joints += (j ? "," : "") + std::to_string(j);
    binds.insert(binds.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.03f * float(j + 1), 0, 1});
  }
  nodes += "{\"mesh\":0,\"skin\":0}";
  const std::string mesh = mesh_json(builder), skin = "{\"joints\":[" + joints + "],\"inverseBindMatrices\":" +
                                                      std::to_string(builder.accessor(binds, 16, "MAT4", kFloat)) + "}";
  for (int c = 0; c < kClips; ++c) clips += (c ? "," : "") + clip_json(builder, c);
  return "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0," + std::to_string(kJoints) +
         "]}],\"nodes\":[" + nodes + "],\"meshes\":[" + mesh + "],\"skins\":[" + skin + "],\"animations\":[" + clips +
         "],\"bufferViews\":[" + builder.views + "],\"accessors\":[" + builder.accessors +
         "],\"buffers\":[{\"byteLength\":" + std::to_string(builder.binary.size());
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) group = group << 8 | (i + b < bytes.size() ? std::uint8_t(bytes[i + b]) : 0u);
    for (std::size_t d = 0; d < 4; ++d)
      out += i + d <= bytes.size() || d < 2 ? kDigits[group >> (18 - 6 * d) & 63] : '=';
  }
  return out;
}

std::string word(std::size_t value) {
  std::string out;
  for (int b = 0; b < 4; ++b) out += char(value >> (8 * b) & 255);
  return out;
}

void write_file(const fs::path& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

/// The files, in a folder that is removed at the end.
struct Files {
  fs::path folder = fs::temp_directory_path() / ("sinew_import_bench_" + std::to_string(std::uintptr_t(this)));
  fs::path glb = folder / "character.glb", embedded = folder / "character.gltf";
  Files() {
    fs::create_directories(folder);
    Builder builder;
    const std::string text = document(builder);
    std::string chunk = text + "}]}";
    chunk.resize((chunk.size() + 3) / 4 * 4, ' ');
    const std::string chunks =
        word(chunk.size()) + "JSON" + chunk + word(builder.binary.size()) + std::string("BIN\0", 4) + builder.binary;
    write_file(glb, "glTF" + word(2) + word(12 + chunks.size()) + chunks);
    write_file(embedded, text + ",\"uri\":\"data:application/octet-stream;base64," + base64(builder.binary) + "\"}]}");
    std::printf("file: %.1f MB as GLB (%.1f MB of it JSON), %.1f MB with a data URI\n",
                double(fs::file_size(glb)) / 1e6, double(chunk.size()) / 1e6, double(fs::file_size(embedded)) / 1e6);
  }
  ~Files() { fs::remove_all(folder); }
};

void import_of(benchmark::State& state, const fs::path& path) {
  for (auto _ : state) {
    auto scene = sinew::import_file(path);
    if (!scene) return state.SkipWithError(scene.error().message().c_str());
    benchmark::DoNotOptimize(scene);
  }
}

void tinygltf_of(benchmark::State& state, const fs::path& path, bool binary) {
  for (auto _ : state) {
    tinygltf::TinyGLTF loader;
    tinygltf::Model model;
    std::string errors, warnings;
    const bool read = binary ? loader.LoadBinaryFromFile(&model, &errors, &warnings, path.string())
                             : loader.LoadASCIIFromFile(&model, &errors, &warnings, path.string());
    if (!read) return state.SkipWithError(errors.c_str());
    benchmark::DoNotOptimize(model);
  }
}

/// Prints as usual and keeps the medians of processor time.
class Medians : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.aggregate_name == "median") median[run.run_name.function_name] = run.GetAdjustedCPUTime();
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, double> median;
};

void print_ratio(const Medians& medians, const std::string& ours, const std::string& theirs, double allowed) {
  const auto a = medians.median.find(ours), b = medians.median.find(theirs);
  if (a == medians.median.end() || b == medians.median.end()) return;
  std::printf("%s / %s: %.2f (at most %.1f)\n", ours.c_str(), theirs.c_str(), a->second / b->second, allowed);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> defaults = {argv[0], "--benchmark_repetitions=9", "--benchmark_report_aggregates_only=true",
                                       "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments;
  for (std::string& argument : defaults) arguments.push_back(argument.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = int(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  const Files files;
  const auto add = [](const char* name, auto run) {
    benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
  };
  add("import_glb", [&](benchmark::State& state) { import_of(state, files.glb); });
  add("tinygltf_glb", [&](benchmark::State& state) { tinygltf_of(state, files.glb, true); });
  add("import_data_uri", [&](benchmark::State& state) { import_of(state, files.embedded); });
  add("tinygltf_data_uri", [&](benchmark::State& state) { tinygltf_of(state, files.embedded, false); });
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  print_ratio(medians, "import_glb", "tinygltf_glb", 0.8);
  print_ratio(medians, "import_data_uri", "tinygltf_data_uri", 0.3);
  return 0;
}
