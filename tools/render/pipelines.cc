#include "render/pipelines.h"

#include <array>

#include "background.frag.spv.h"
#include "background.vert.spv.h"
#include "depth.vert.spv.h"
#include "flat.frag.spv.h"
#include "gpu/pipelines.h"
#include "ground.frag.spv.h"
#include "ground.vert.spv.h"
#include "masked.frag.spv.h"
#include "masked.vert.spv.h"
#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"

namespace sinew::render {

namespace {

using gpu::GraphicsOptions;
using gpu::Handle;

constexpr VkVertexInputBindingDescription kBindings[] = {{kPositions, 12, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kNormals, 12, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kUvs, 8, VK_VERTEX_INPUT_RATE_VERTEX},
                                                         {kColours, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
constexpr VkVertexInputAttributeDescription kAttributes[] = {{0, kPositions, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                             {1, kNormals, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                             {2, kUvs, VK_FORMAT_R32G32_SFLOAT, 0},
                                                             {3, kColours, VK_FORMAT_R8G8B8A8_UNORM, 0}};

Result<Handle<VkDescriptorSetLayout>> set_layout(const gpu::Context& context, std::uint32_t images) {
  std::array<VkDescriptorSetLayoutBinding, 2> bindings{};
  for (std::uint32_t i = 0; i < images; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = images;
  info.pBindings = bindings.data();
  VkDescriptorSetLayout made = VK_NULL_HANDLE;
  const VkResult result = vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &made);
  if (result != VK_SUCCESS) return Unexpected(gpu::error_of(result, "making a descriptor layout"));
  return Handle<VkDescriptorSetLayout>(context.device(), made, vkDestroyDescriptorSetLayout);
}

Result<void> make_layouts(const gpu::Context& context, Pipelines& out) {
  Result<Handle<VkDescriptorSetLayout>> frame = set_layout(context, 2), material = set_layout(context, 1);
  if (!frame || !material) return Unexpected((frame ? material : frame).error());
  out.frame_layout = std::move(*frame);
  out.material_layout = std::move(*material);
  const VkDescriptorSetLayout sets[] = {out.frame_layout, out.material_layout};
  Result<Handle<VkPipelineLayout>> layout =
      gpu::make_pipeline_layout(context, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, sizeof(Push), sets);
  if (!layout) return Unexpected(layout.error());
  out.layout = std::move(*layout);
  return {};
}

}  // namespace

Result<Pipelines> make_pipelines(const gpu::Context& context, VkSampleCountFlagBits samples, bool with_lines) {
  Result<Pipelines> made(Pipelines{});
  Pipelines& out = *made;
  if (const Result<void> good = make_layouts(context, out); !good) return Unexpected(good.error());
  std::vector<std::pair<Handle<VkPipeline>*, GraphicsOptions>> wanted;
  const auto recipe = [&](Handle<VkPipeline>& place, std::span<const std::uint32_t> vertex,
                          std::span<const std::uint32_t> fragment) -> GraphicsOptions& {
    wanted.emplace_back(&place, GraphicsOptions{.layout = out.layout,
                                                .vertex = vertex,
                                                .fragment = fragment,
                                                .bindings = kBindings,
                                                .attributes = kAttributes,
                                                .samples = samples,
                                                .colour = kColourFormat,
                                                .depth = kDepthFormat});
    return wanted.back().second;
  };
  for (const bool masked : {false, true}) {
    const std::span<const std::uint32_t> vertex = masked ? std::span<const std::uint32_t>(shaders::masked_vert)
                                                         : std::span<const std::uint32_t>(shaders::depth_vert),
                                         fragment = masked ? std::span<const std::uint32_t>(shaders::masked_frag)
                                                           : std::span<const std::uint32_t>();
    GraphicsOptions& map = recipe(masked ? out.map_masked : out.map, vertex, fragment);
    map.colour = VK_FORMAT_UNDEFINED;
    map.samples = VK_SAMPLE_COUNT_1_BIT;
    map.slope_bias = 1.5f;
    recipe(masked ? out.depth_masked : out.depth, vertex, fragment).colour = VK_FORMAT_UNDEFINED;
  }
  recipe(out.surface, shaders::mesh_vert, shaders::mesh_frag).depth_write = false;
  GraphicsOptions& blended = recipe(out.blended, shaders::mesh_vert, shaders::mesh_frag);
  blended.blend = true;
  recipe(out.lines, shaders::mesh_vert, shaders::mesh_frag).topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  recipe(out.points, shaders::mesh_vert, shaders::mesh_frag).topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  recipe(out.overlay, shaders::mesh_vert, shaders::mesh_frag).compare = VK_COMPARE_OP_LESS;
  GraphicsOptions& ground = recipe(out.ground, shaders::ground_vert, shaders::ground_frag);
  ground.blend = true, ground.depth_write = false;
  ground.bindings = {}, ground.attributes = {};
  ground.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  GraphicsOptions& background = recipe(out.background, shaders::background_vert, shaders::background_frag);
  background.depth_test = background.depth_write = false;
  background.bindings = {}, background.attributes = {};
  if (with_lines) {
    GraphicsOptions& wire = recipe(out.wire, shaders::depth_vert, shaders::flat_frag);
    wire.polygons = VK_POLYGON_MODE_LINE, wire.blend = true, wire.depth_write = false;
    wire.bias = -2, wire.slope_bias = -1;
  }
  for (auto& [place, how] : wanted) {
    Result<Handle<VkPipeline>> pipeline = gpu::make_graphics_pipeline(context, how);
    if (!pipeline) return Unexpected(pipeline.error());
    *place = std::move(*pipeline);
  }
  return made;
}

}  // namespace sinew::render
