// sinew shaders: every combination that there is, what the texts must hold, and what is refused.
#include <gtest/gtest.h>

#include <cstring>

#include "program.h"

namespace sinew::test {
namespace {

using Arguments = std::vector<std::string>;

class Shaders : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  Ran ran(const std::string& target, const std::string& stage, const Arguments& more = {}) {
    Arguments all{"shaders", "--target", target, "--stage", stage};
    all.insert(all.end(), more.begin(), more.end());
    return sinew(folder(), all);
  }
  std::string text(const std::string& target, const std::string& stage, const Arguments& more = {}) {
    const Ran out = ran(target, stage, more);
    EXPECT_EQ(out.status, 0) << out.err;
    EXPECT_EQ(out.err, "");
    return out.out;
  }
  /// Exit status 2, nothing printed, one line with each of the words.
  void refused(const Arguments& arguments, const Arguments& words) {
    Arguments all{"shaders"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran out = sinew(folder(), all);
    EXPECT_EQ(out.status, 2) << out.err;
    EXPECT_EQ(out.out, "");
    EXPECT_EQ(out.error_lines(), 1u) << out.err;
    EXPECT_TRUE(out.err.starts_with("sinew: ")) << out.err;
    for (const std::string& word : words)
      EXPECT_NE(out.err.find(word), std::string::npos) << out.err << " lacks " << word;
  }

 private:
  TemporaryFolder folder_;
};

void expect_holds(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "lacks: " << part;
}

TEST_F(Shaders, EveryCombinationIsThere) {
  const Arguments flag_sets[] = {
      {}, {"--tangents"}, {"--morphs"}, {"--instances"}, {"--tangents", "--morphs", "--instances"}};
  for (const char* target : {"spirv", "glsl", "essl", "msl", "hlsl", "wgsl"})
    for (const char* stage : {"compute", "vertex"})
      for (const char* influences : {"1", "2", "4", "8"})
        for (const Arguments& flags : flag_sets) {
          const bool webgl2 = target == std::string("essl") && stage == std::string("vertex");
          const bool exists = !webgl2 || flags.empty() || flags == Arguments{"--tangents"};
          Arguments more = flags;
          more.insert(more.end(), {"--influences", influences, "--normal-mode", "fast", "--palette", "4x4"});
          const Ran out = ran(target, stage, more);
          EXPECT_EQ(out.status, exists ? 0 : 2) << target << ' ' << stage << ' ' << out.err;
          EXPECT_EQ(out.out.empty(), !exists);
        }
}

TEST_F(Shaders, OtherMethodsAreThere) {
  for (const char* target : {"spirv", "glsl", "essl", "msl", "hlsl", "wgsl"})
    for (const char* stage : {"compute", "vertex"})
      for (const Arguments& flags : {Arguments{}, Arguments{"--tangents", "--morphs"}})
        for (const Arguments& method : {Arguments{"--method", "dqs"},
                                        {"--method", "dqs", "--stretch"},
                                        {"--method", "mixed"},
                                        {"--method", "mixed", "--stretch"}}) {
          const bool webgl2 = target == std::string("essl") && stage == std::string("vertex");
          Arguments more = flags;
          more.insert(more.end(), method.begin(), method.end());
          const Ran out = ran(target, stage, more);
          EXPECT_EQ(out.status, webgl2 && !flags.empty() ? 2 : 0) << target << ' ' << stage << ' ' << out.err;
        }
  EXPECT_EQ(text("glsl", "compute", {"--method", "lbs"}), text("glsl", "compute"));
  expect_holds(text("wgsl", "vertex", {"--method", "mixed"}), {"@location(0) position: vec4<f32>", "skin_between("});
  // 16 KiB are 1024 vec4: 512 joints of two, 204 of five, 128 of eight.
  expect_holds(text("essl", "vertex", {"--method", "dqs"}), {"vec4 vectors[1024];"});
  expect_holds(text("essl", "vertex", {"--method", "mixed"}), {"vec4 vectors[1020];"});
  expect_holds(text("essl", "vertex", {"--method", "mixed", "--stretch"}), {"vec4 vectors[1024];"});
}

TEST_F(Shaders, MetalHasTheStatedBindings) {
  expect_holds(text("msl", "compute"), {"kernel void sinew_skin_compute(", "vertices [[buffer(0)]]",
                                        "skinned [[buffer(1)]]", "palette [[buffer(2)]]", "counts [[buffer(3)]]"});
  expect_holds(text("msl", "vertex"),
               {"vertex ", "[[stage_in]]", "float3 position [[attribute(0)]]", "float3 normal [[attribute(1)]]",
                "float2 uv [[attribute(2)]]", "uint4 joints [[attribute(3)]]", "float4 weights [[attribute(4)]]",
                "uniforms [[buffer(11)]]", "palette [[buffer(12)]]",
                "float4x4 modelViewProjection;\n    float3x3 normalMatrix;\n}"});
}

TEST_F(Shaders, HlslHasSemanticsAndConstants) {
  expect_holds(text("hlsl", "vertex", {"--tangents", "--influences", "8"}),
               {": POSITION;", ": NORMAL;", ": TEXCOORD0;", ": TANGENT;", ": BLENDINDICES;", ": BLENDWEIGHT;",
                ": BLENDINDICES1;", ": BLENDWEIGHT1;", "ByteAddressBuffer palette : register(t12)"});
  for (const char* stage : {"compute", "vertex"}) {
    // 64 KiB are 4096 float4.
    expect_holds(text("hlsl", stage, {"--palette-in", "constants"}),
                 {"cbuffer Palette", "float4 palette_vectors[4095]"});
    expect_holds(text("hlsl", stage, {"--palette-in", "constants", "--palette", "4x4"}),
                 {"float4 palette_vectors[4096]"});
  }
  expect_holds(text("hlsl", "compute"), {"[numthreads(64, 1, 1)]"});
}

TEST_F(Shaders, EsslHasItsVersions) {
  EXPECT_TRUE(text("essl", "compute").starts_with("#version 310 es\nlayout(local_size_x = 64"));
  const std::string vertex = text("essl", "vertex");
  EXPECT_TRUE(vertex.starts_with("#version 300 es\n"));
  expect_holds(vertex, {"uniform Palette\n{\n    vec4 vectors[1023];"});  // 341 joints
  EXPECT_EQ(vertex.find("buffer"), std::string::npos);
  EXPECT_EQ(text("essl", "vertex", {"--palette-in", "constants"}), vertex);
}

TEST_F(Shaders, OthersAreWhatTheySay) {
  EXPECT_TRUE(text("glsl", "compute").starts_with("#version 430\n"));
  EXPECT_TRUE(text("glsl", "vertex").starts_with("#version 430\n"));
  expect_holds(text("wgsl", "compute"), {"@compute @workgroup_size(64)", "@binding(2)", "skin_normal_exact(m, n);"});
  expect_holds(text("wgsl", "vertex"), {"@vertex", "@location(4) weights"});
  for (const char* stage : {"compute", "vertex"}) {
    const std::string module = text("spirv", stage);
    ASSERT_GE(module.size(), 4u);
    EXPECT_EQ(std::memcmp(module.data(), "\x03\x02\x23\x07", 4), 0);
  }
}

TEST_F(Shaders, OptionsChangeTheText) {
  const std::string plain = text("glsl", "compute");
  for (const Arguments& more :
       {Arguments{"--influences", "2"}, Arguments{"--tangents"}, Arguments{"--morphs"}, Arguments{"--instances"},
        Arguments{"--normal-mode", "fast"}, Arguments{"--palette", "4x4"}})
    EXPECT_NE(text("glsl", "compute", more), plain) << more[0];
  EXPECT_EQ(text("glsl", "compute",
                 {"--influences", "4", "--normal-mode", "exact", "--palette", "3x4", "--palette-in", "buffer"}),
            plain);
  EXPECT_EQ(text("glsl", "compute", {"--morphs", "--instances"}), text("glsl", "compute", {"--morphs"}));
}

/// Names like `_65` or `_m0` mean that the translation lost ours.
TEST_F(Shaders, NamesSurvive) {
  for (const char* target : {"glsl", "msl", "hlsl"})
    for (const char* stage : {"compute", "vertex"}) {
      const std::string out = text(target, stage, {"--tangents", "--morphs", "--influences", "8"});
      EXPECT_EQ(out.find("_m0"), std::string::npos) << target;
      expect_holds(out, {"skin_normal_exact", "palette", "morph_deltas", "target_count", "weights"});
    }
}

TEST_F(Shaders, WritesAFile) {
  const Ran out = ran("msl", "compute", {"-o", "skin.metal"});
  EXPECT_EQ(out.status, 0) << out.err;
  const std::vector<std::byte> bytes = read_bytes(folder() / "skin.metal");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), text("msl", "compute"));
  EXPECT_EQ(ran("msl", "compute", {"-o", "missing/skin.metal"}).status, 1);
}

TEST_F(Shaders, MisuseSaysWhatToDo) {
  refused({}, {"--target", "shaders --help"});
  refused({"--target", "msl"}, {"--stage", "shaders --help"});
  refused({"--target", "metal", "--stage", "vertex"}, {"metal", "msl", "shaders --help"});
  refused({"--target", "msl", "--stage", "pixel"}, {"pixel", "compute"});
  refused({"--target", "msl", "--stage", "vertex", "--influences", "3"}, {"--influences", "8"});
  refused({"--target", "msl", "--stage", "vertex", "--normal-mode", "good"}, {"--normal-mode", "exact"});
  refused({"--target", "msl", "--stage", "vertex", "--palette", "4x3"}, {"--palette", "3x4"});
  refused({"--target", "msl", "--stage", "vertex", "--method", "dual"}, {"--method", "dqs"});
  refused({"--target", "msl", "--stage", "vertex", "--stretch"}, {"--stretch", "--method dqs"});
  refused({"--target", "msl", "--stage", "vertex", "--method", "dqs", "--palette", "4x4"}, {"--palette", "lbs"});
  refused({"--target", "msl", "--stage", "vertex", "--method", "mixed", "--normal-mode", "fast"},
          {"--normal-mode", "lbs"});
  refused({"--target", "msl", "--stage", "vertex", "skin.metal"}, {"skin.metal", "shaders --help"});
  refused({"--target", "essl", "--stage", "vertex", "--morphs"}, {"--morphs", "ESSL 300", "--stage compute"});
  refused({"--target", "essl", "--stage", "vertex", "--instances"}, {"--instances", "ESSL 300"});
  refused({"--target", "essl", "--stage", "vertex", "--palette-in", "buffer"},
          {"storage buffers", "--palette-in constants"});
  refused({"--target", "msl", "--stage", "compute", "--palette-in", "constants"}, {"hlsl", "--palette-in buffer"});
  refused({"--target", "hlsl", "--stage", "compute", "--palette-in", "constants", "--instances"},
          {"--palette-in buffer"});
}

}  // namespace
}  // namespace sinew::test
