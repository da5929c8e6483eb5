// Files and containers: what a file is, where its bytes are, what is refused, and what is kept of it.
#include "sinew/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.h"
#include "support/raw_gltf.h"
#include "support/scenes.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using Data = std::vector<std::byte>;

Data data_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const Data& data) { return std::string(reinterpret_cast<const char*>(data.data()), data.size()); }

void append(Data& out, const Data& more) { out.insert(out.end(), more.begin(), more.end()); }

Data word(std::size_t value) {
  Data out;
  for (int b = 0; b < 4; ++b) out.push_back(std::byte(value >> (8 * b) & 255));
  return out;
}

struct Chunk {
  std::string type;
  std::string content;
};

/// A GLB of any chunks; `total` 0: the right length.
Data glb_of(const std::vector<Chunk>& chunks, std::size_t version = 2, std::size_t total = 0) {
  Data body;
  for (const Chunk& chunk : chunks) {
    append(body, word(chunk.content.size()));
    append(body, data_of(chunk.type));
    append(body, data_of(chunk.content));
  }
  Data out = data_of("glTF");
  append(out, word(version));
  append(out, word(total ? total : body.size() + 12));
  append(out, body);
  return out;
}

const std::string kBin("BIN\0", 4);
const std::string kSmallest = "{\"asset\":{\"version\":\"2.0\"}} ";  // padded to a multiple of 4

ErrorCode code_of(const Data& data, const fs::path& directory = {}) {
  const auto scene = import_gltf(data, directory);
  EXPECT_FALSE(scene) << "was accepted";
  if (scene) return ErrorCode::bad_argument;
  EXPECT_FALSE(scene.error().where.empty()) << scene.error().message();
  return scene.error().code;
}

void expect_strip(const Scene& scene) {
  const Scene expected = strip();
  ASSERT_EQ(scene.nodes.size(), expected.nodes.size());
  ASSERT_EQ(scene.meshes.size(), 1u);
  EXPECT_EQ(scene.meshes[0].primitives[0].positions, expected.meshes[0].primitives[0].positions);
  EXPECT_EQ(scene.meshes[0].primitives[0].indices, expected.meshes[0].primitives[0].indices);
  EXPECT_EQ(scene.clips[0].times, expected.clips[0].times);
  EXPECT_EQ(scene.clips[0].tracks[0].values, expected.clips[0].tracks[0].values);
}

TEST(ImportFile, ReadsAllThreeContainersByTheirContent) {
  const RawGltf raw = to_raw(strip());
  TemporaryFolder folder;
  write_bytes(folder.path() / "glb.txt", raw.glb());
  write_bytes(folder.path() / "embedded.vrm", raw.gltf());
  write_bytes(folder.path() / "beside.glb", raw.gltf_beside("buffers/the%20buffer.bin"));
  fs::create_directory(folder.path() / "buffers");
  write_bytes(folder.path() / "buffers" / "the buffer.bin", raw.bin);
  for (const char* name : {"glb.txt", "embedded.vrm", "beside.glb"}) {
    SCOPED_TRACE(name);
    const Scene scene = must(import_file(folder.path() / name));
    expect_strip(scene);
    ASSERT_TRUE(scene.document);
    EXPECT_EQ(scene.document->directory, folder.path());
    ASSERT_EQ(scene.document->buffers.size(), 1u);
    EXPECT_EQ(scene.document->buffers[0], raw.bin);
  }
}

TEST(ImportFile, SaysWhyItCannotBeRead) {
  TemporaryFolder folder;
  EXPECT_EQ(import_file(folder.path() / "none.glb").error().code, ErrorCode::io);
  EXPECT_EQ(import_file(folder.path()).error().code, ErrorCode::io);
}

TEST(ImportFile, NamesWhatIsNotGltf) {
  const auto what = [](std::string_view text) { return import_gltf(data_of(text)).error(); };
  EXPECT_EQ(what("").code, ErrorCode::unrecognized);
  EXPECT_NE(what("Kaydara FBX Binary  \0").what.find("FBX"), std::string::npos);
  EXPECT_NE(what("; FBX 7.4.0 project file").what.find("FBX"), std::string::npos);
  EXPECT_NE(what("HIERARCHY\nROOT Hips").what.find("BVH"), std::string::npos);
  EXPECT_NE(what("<?xml version=\"1.0\"?><COLLADA/>").what.find("XML"), std::string::npos);
  EXPECT_EQ(what("[]").code, ErrorCode::unrecognized);
  EXPECT_EQ(what("{\"name\": \"a package\"}").code, ErrorCode::unrecognized);
  EXPECT_FALSE(what("HIERARCHY").what_to_do.empty());
}

TEST(ImportFile, ChecksTheVersion) {
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"1.0\"}}")), ErrorCode::wrong_version);
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"2.1\"}}")), ErrorCode::wrong_version);
  EXPECT_TRUE(import_gltf(data_of("{\"asset\":{\"version\":\"2.1\"}}")));
  EXPECT_NE(find(must(import_gltf(data_of("{\"nodes\":[{}]}"))).findings, "asset.missing"), nullptr);
}

TEST(ImportJson, BrokenTextIsASyntaxErrorWithItsPlace) {
  const auto error = import_gltf(data_of("{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[}")).error();
  EXPECT_EQ(error.code, ErrorCode::syntax);
  EXPECT_NE(error.what.find("line 2"), std::string::npos) << error.what;
  const std::string deep(100000, '[');
  EXPECT_EQ(code_of(data_of("{\"extras\":" + deep)), ErrorCode::too_large);
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"\xff\"}]}")), ErrorCode::syntax);
}

TEST(ImportJson, WrongTypesNameTheirPlace) {
  const auto error = import_gltf(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{},{\"children\":{}}]}")).error();
  EXPECT_EQ(error.code, ErrorCode::bad_type);
  EXPECT_EQ(error.where, "nodes[1].children");
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0.5}]}")), ErrorCode::bad_value);
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[1,2]}]}")),
            ErrorCode::bad_value);
  EXPECT_EQ(code_of(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[1,2,1e39]}]}")),
            ErrorCode::bad_value);
}

TEST(ImportJson, TheLastOfEqualKeysCounts) {
  const Scene scene =
      must(import_gltf(data_of("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\",\"name\":\"b\"}]}")));
  EXPECT_EQ(scene.nodes[0].name, "b");
}

TEST(ImportGlb, FaultsOfTheContainer) {
  EXPECT_EQ(code_of(glb_of({{"JSON", kSmallest}}, 1)), ErrorCode::wrong_version);
  EXPECT_EQ(code_of(glb_of({{"JSON", kSmallest}}, 2, 1000)), ErrorCode::truncated);
  EXPECT_EQ(code_of(glb_of({{"JSON", kSmallest}}, 2, 30)), ErrorCode::truncated);
  EXPECT_EQ(code_of(glb_of({{kBin, "1234"}, {"JSON", kSmallest}})), ErrorCode::syntax);
  EXPECT_EQ(code_of(glb_of({{"JSON", ""}})), ErrorCode::syntax);
  EXPECT_EQ(code_of(glb_of({})), ErrorCode::truncated);
}

TEST(ImportGlb, WhatIsTooMuchIsToldAndNotRead) {
  Data longer = glb_of({{"JSON", kSmallest}});
  append(longer, data_of("x"));
  EXPECT_NE(find(must(import_gltf(longer)).findings, "glb.extra_data"), nullptr);
  EXPECT_NE(find(must(import_gltf(glb_of({{"JSON", kSmallest}, {kBin, "1234"}, {kBin, "5678"}}))).findings,
                 "glb.misplaced_chunk"),
            nullptr);
  EXPECT_NE(find(must(import_gltf(glb_of({{"JSON", kSmallest + " "}}))).findings, "glb.unpadded_chunk"), nullptr);
  EXPECT_TRUE(must(import_gltf(glb_of({{"JSON", kSmallest}, {kBin, "1234"}, {"MORE", "5678"}}))).findings.empty());
}

TEST(ImportGlb, ByteOrderMarkIsTold) {
  const Scene scene = must(import_gltf(data_of("\xEF\xBB\xBF" + kSmallest)));
  EXPECT_NE(find(scene.findings, "json.byte_order_mark"), nullptr);
}

/// One buffer of 4 bytes at that URI, used by an index accessor, or not.
Data with_uri(const std::string& uri, bool used = true, int length = 4) {
  nlohmann::json document = {{"asset", {{"version", "2.0"}}}, {"buffers", {{{"byteLength", length}, {"uri", uri}}}}};
  if (used) {
    document["bufferViews"] = {{{"buffer", 0}, {"byteLength", 4}}};
    document["accessors"] = {{{"bufferView", 0}, {"componentType", 5126}, {"count", 1}, {"type", "SCALAR"}}};
    document["nodes"] = {nlohmann::json::object()};
    document["animations"] = {{{"samplers", {{{"input", 0}, {"output", 0}}}},
                               {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "scale"}}}}}}}};
  }
  return data_of(document.dump());
}

TEST(ImportUris, OnlyFilesBelowTheFolderAreRead) {
  TemporaryFolder folder;
  fs::create_directory(folder.path() / "inside");
  write_bytes(folder.path() / "outside.bin", data_of("1234"));
  write_bytes(folder.path() / "inside" / "a.bin", data_of("1234"));
  fs::create_symlink(folder.path() / "outside.bin", folder.path() / "inside" / "link.bin");
  const fs::path inside = folder.path() / "inside";
  for (const std::string uri :
       {"../outside.bin", "%2e%2e/outside.bin", "x/../../outside.bin", "link.bin", "http://example.com/a.bin",
        "file:a.bin", "C:/a.bin", "..\\outside.bin", "a%00.bin", "a%zz.bin", ""}) {
    const auto scene = import_gltf(with_uri(uri), inside);
    ASSERT_FALSE(scene) << uri;
    EXPECT_TRUE(scene.error().code == ErrorCode::bad_value || scene.error().code == ErrorCode::syntax)
        << uri << ": " << scene.error().message();
    EXPECT_EQ(scene.error().where, "buffers[0].uri") << uri;
  }
  EXPECT_EQ(code_of(with_uri((folder.path() / "outside.bin").string()), inside), ErrorCode::bad_value);
  EXPECT_EQ(code_of(with_uri("none.bin"), inside), ErrorCode::io);
  EXPECT_EQ(code_of(with_uri("."), inside), ErrorCode::io);
  EXPECT_EQ(code_of(with_uri("a.bin")), ErrorCode::bad_value) << "no folder";
  EXPECT_EQ(code_of(with_uri("a.bin", true, 5), inside), ErrorCode::truncated);
  // The values are wrong for a scale, but they were read.
  EXPECT_EQ(code_of(with_uri("./x/../a.bin"), inside), ErrorCode::bad_type);
}

TEST(ImportUris, WhatNothingReadsMayBeMissing) {
  const Scene scene = must(import_gltf(with_uri("none.bin", false), "/"));
  const Finding* found = find(scene.findings, "buffer.unread_fault");
  ASSERT_NE(found, nullptr) << lines(scene.findings);
  EXPECT_EQ(found->severity, Severity::warning);
}

Data stored(const std::string& uri, int length) {
  const Scene scene = must(import_gltf(with_uri(uri, false, length)));
  EXPECT_EQ(find(scene.findings, "buffer.unread_fault"), nullptr) << lines(scene.findings);
  return scene.document->buffers.at(0);
}

TEST(ImportUris, DataUris) {
  EXPECT_EQ(text_of(stored("data:application/octet-stream;base64,SGVsbG8=", 5)), "Hello");
  EXPECT_EQ(text_of(stored("data:application/gltf-buffer;base64,SGVsbG8", 5)), "Hello") << "without padding";
  EXPECT_EQ(text_of(stored("data:application/octet-stream;base64,SGVsbA==", 4)), "Hell");
  EXPECT_EQ(text_of(stored("data:application/octet-stream;base64,SGVs", 3)), "Hel");
  EXPECT_EQ(text_of(stored("data:application/octet-stream,a%2Cb", 3)), "a,b");
  EXPECT_EQ(text_of(stored("data:application/octet-stream;base64,+/+/", 3)), "\xfb\xff\xbf");
  for (const char* broken :
       {"data:application/octet-stream;base64,SGVs!G8=", "data:application/octet-stream;base64,SGVsb",
        "data:application/octet-stream;base64,SG=sbG8=", "data:application/octet-stream;base64",
        "data:;base64,SGVsbG8\xC3\xA9"}) {
    EXPECT_EQ(code_of(with_uri(broken)), ErrorCode::syntax) << broken;
  }
  EXPECT_EQ(code_of(with_uri("data:application/octet-stream;base64,SGVs")), ErrorCode::truncated) << "3 bytes of 4";
  EXPECT_NE(find(must(import_gltf(with_uri("data:text/plain;base64,SGVs", false, 3))).findings, "uri.media_type"),
            nullptr);
}

TEST(ImportUris, EscapesInJsonAreRead) {
  const std::string text =
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,\"uri\":\"data:application\\/"
      "octet-stream;base64,SGVs\"}]}";
  EXPECT_EQ(text_of(must(import_gltf(data_of(text))).document->buffers.at(0)), "Hel");
}

TEST(ImportDocument, KeepsAllButTheDataOfBuffers) {
  const std::string image = "data:image/png;base64,iVBORw0KGgo=";
  RawGltf raw = to_raw(strip());
  raw.json["images"] = {{{"uri", image}}};
  raw.json["extras"] = {{"uri", "data:,kept"}, {"quote", "a \"uri\": \"data:x\" in text"}};
  const Scene scene = must(import_gltf(raw.gltf()));
  const auto kept = nlohmann::json::parse(scene.document->json);
  EXPECT_EQ(kept["buffers"][0]["uri"], "");
  EXPECT_EQ(kept["images"][0]["uri"], image);
  EXPECT_EQ(kept["extras"], raw.json["extras"]);
  EXPECT_EQ(kept["accessors"], raw.json["accessors"]);
  EXPECT_EQ(scene.document->buffers.at(0), raw.bin);
  EXPECT_LT(scene.document->json.size(), raw.gltf().size() - raw.bin.size());
}

TEST(ImportMemory, TheLimitNamesTheAccessorAndItsCount) {
  RawGltf raw = to_raw(strip());
  raw.json["accessors"].push_back({{"componentType", 5126}, {"count", 4000000000u}, {"type", "VEC3"}});
  raw.json["meshes"][0]["primitives"][0]["attributes"] = {{"POSITION", raw.json["accessors"].size() - 1}};
  const auto refused = import_gltf(raw.glb());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
  EXPECT_EQ(refused.error().where, "accessors[" + std::to_string(raw.json["accessors"].size() - 1) + "]");
  EXPECT_NE(refused.error().what.find("4000000000"), std::string::npos) << refused.error().what;

  ImportOptions small;
  small.memory_limit = 100;
  EXPECT_EQ(import_gltf(to_raw(strip()).glb(), {}, small).error().code, ErrorCode::too_large);
  small.memory_limit = 1 << 20;
  EXPECT_TRUE(import_gltf(to_raw(strip()).glb(), {}, small));
}

TEST(ImportMemory, SharedDataIsCountedEachTimeItIsTaken) {
  RawGltf raw = to_raw(strip());
  const int big = raw.accessor(std::vector<float>(3 << 16), "VEC3");
  raw.json["meshes"][0]["primitives"] = nlohmann::json::array();
  for (int i = 0; i < 1000; ++i) raw.json["meshes"][0]["primitives"].push_back({{"attributes", {{"POSITION", big}}}});
  EXPECT_EQ(code_of(raw.glb()), ErrorCode::too_large);
}

TEST(ImportOptionsTest, TrimMovesTheFirstKeyToZero) {
  Scene late = strip();
  late.clips[0].times[0] = {1.5f, 2.5f};
  ImportOptions options;
  options.trim_clips = true;
  EXPECT_EQ(import_raw(to_raw(late), options).clips[0].times[0], (std::vector<float>{0, 1}));
  EXPECT_EQ(import_raw(to_raw(late)).clips[0].times[0], late.clips[0].times[0]);
}

TEST(ImportExtensions, RequiredOnesAreKnownHarmlessOrRefused) {
  const auto with = [](const char* name) {
    RawGltf raw = to_raw(strip());
    raw.json["extensionsUsed"] = raw.json["extensionsRequired"] = {name};
    return import_gltf(raw.glb());
  };
  for (const char* harmless :
       {"KHR_materials_unlit", "KHR_texture_basisu", "EXT_texture_webp", "KHR_lights_punctual", "VRM", "VRMC_vrm",
        "KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_draco_mesh_compression"})
    EXPECT_TRUE(with(harmless)) << harmless;
  const auto unknown = with("ACME_squeezed_vertices");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::unsupported);
  EXPECT_NE(unknown.error().what.find("ACME_squeezed_vertices"), std::string::npos);
}

TEST(ImportAssets, AllLoadAndKeepTheirDocument) {
  if (!shared_dir()) GTEST_SKIP() << kNoShared;
  const auto assets = gltf_assets();
  EXPECT_GE(assets.size(), 67u);
  for (const fs::path& path : assets) {
    const auto scene = import_file(path);
    ASSERT_TRUE(scene) << path << ": " << scene.error().message();
    ASSERT_TRUE(scene->document) << path;
    EXPECT_TRUE(nlohmann::json::accept(scene->document->json)) << path;
    const auto from_memory = import_gltf(read_bytes(path), path.parent_path());
    ASSERT_TRUE(from_memory) << path;
    EXPECT_EQ(from_memory->document->json, scene->document->json) << path;
    EXPECT_EQ(from_memory->document->buffers, scene->document->buffers) << path;
  }
}

}  // namespace
}  // namespace sinew::test
