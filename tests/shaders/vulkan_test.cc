// The exported SPIR-V, GLSL, ESSL 310 and HLSL against the oracle on a Vulkan device; texts are compiled back by glslc.
#include <gtest/gtest.h>

#include "device.h"
#include "exported.h"

namespace sinew::test {
namespace {

const std::string kShaders = SINEW_EXPORTED_SHADERS, kBack = SINEW_COMPILED_BACK;

class DeviceAgreement : public testing::Test {
 protected:
  void compute(const std::string& name, const ModuleKind& kind, Abilities abilities = {}) {
    expect_agreement(name, abilities,
                     [&](const Variant& variant, const Case& data) { return compute_on_device(kind, variant, data); });
  }
  void draw(const std::string& name, const ModuleKind& kind, Abilities abilities = {}) {
    abilities.vertex_stage = true;
    expect_agreement(name, abilities,
                     [&](const Variant& variant, const Case& data) { return draw_on_device(kind, variant, data); });
  }
  void TearDown() override { EXPECT_EQ(device_messages(), std::vector<std::string>{}) << "of the validation layer"; }
};

constexpr Abilities kConstantsRow{.morphs = false, .instances = false, .constants = true, .joints = 1365};

TEST_F(DeviceAgreement, SpirvCompute) { compute("SPIR-V compute", {kShaders + "/spirv"}); }
TEST_F(DeviceAgreement, GlslCompute) { compute("GLSL compute, compiled back", {kBack + "/glsl"}); }
TEST_F(DeviceAgreement, EsslCompute) { compute("ESSL 310 compute, compiled", {kBack + "/essl"}); }
TEST_F(DeviceAgreement, HlslCompute) { compute("HLSL compute, compiled back", {kBack + "/hlsl"}); }
TEST_F(DeviceAgreement, HlslComputeConstants) { compute("HLSL compute, cbuffer", {kBack + "/hlsl"}, kConstantsRow); }
TEST_F(DeviceAgreement, SpirvVertex) { draw("SPIR-V vertex", {kShaders + "/spirv"}); }
// OpenGL counts instances and vertices by other names, which a Vulkan compiler refuses.
TEST_F(DeviceAgreement, GlslVertex) {
  draw("GLSL vertex, compiled back", {kBack + "/glsl"}, {.morphs = false, .instances = false});
}
TEST_F(DeviceAgreement, HlslVertex) { draw("HLSL vertex, compiled back", {kBack + "/hlsl", true}); }
TEST_F(DeviceAgreement, HlslVertexConstants) { draw("HLSL vertex, cbuffer", {kBack + "/hlsl", true}, kConstantsRow); }

}  // namespace
}  // namespace sinew::test
