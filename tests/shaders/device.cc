#include "device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "gpu/context.h"
#include "support/files.h"
#include "xfb.h"

namespace sinew::test {
namespace {

template <class T>
T done(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
void done(VkResult result) {
  if (result != VK_SUCCESS) throw std::runtime_error(gpu::to_string(result));
}

const gpu::Context& context() {
  static const gpu::Context made =
      done(gpu::Context::create({.graphics = true, .transform_feedback = true, .validation = true}));
  return made;
}

std::vector<std::uint32_t> words_of(const std::string& file) {
  const std::vector<std::byte> bytes = read_bytes(file);
  std::vector<std::uint32_t> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), 4 * out.size());
  return out;
}

/// At least `least` bytes long, as blocks of constants are declared.
template <class T>
gpu::Buffer buffer_of(const std::vector<T>& values, std::size_t least = 16) {
  const std::size_t size = values.size() * sizeof(T);
  gpu::Buffer out = done(context().make_buffer(std::max(size, least), gpu::Memory::host));
  std::memset(out.mapped().data(), 0, out.mapped().size());
  if (size) std::memcpy(out.mapped().data(), values.data(), size);
  return out;
}
gpu::Buffer room(std::size_t size) {
  gpu::Buffer out = done(context().make_buffer(std::max<std::size_t>(size, 16), gpu::Memory::host));
  std::memset(out.mapped().data(), 0xff, out.mapped().size());  // NaN: what is not written shows
  return out;
}

constexpr std::size_t kConstants = 65536;

gpu::Buffer palette_buffer(const Variant& variant, const Case& data) {
  return buffer_of(palette_floats(variant, data), variant.constants ? kConstants : 16);
}

/// A set of buffers by binding, in a layout of its own.
class Bindings {
 public:
  struct Bound {
    const gpu::Buffer* buffer;
    bool uniform = false;
  };
  Bindings(const std::map<std::uint32_t, Bound>& bound, VkShaderStageFlags stage) {
    std::vector<VkDescriptorSetLayoutBinding> places;
    for (const auto& [binding, what] : bound) places.push_back({binding, type(what), 1, stage, nullptr});
    VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set_info.bindingCount = std::uint32_t(places.size());
    set_info.pBindings = places.data();
    const VkDevice device = context().device();
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    done(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout));
    set_layout_ = {device, set_layout, vkDestroyDescriptorSetLayout};
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1;
    layout_info.pSetLayouts = set_layout_.pointer();
    VkPipelineLayout pipeline_layout = VK_NULL_HANDLE;
    done(vkCreatePipelineLayout(device, &layout_info, nullptr, &pipeline_layout));
    layout_ = {device, pipeline_layout, vkDestroyPipelineLayout};
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4}};
    VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 2;
    pool_info.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    done(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool));
    pool_ = {device, pool, vkDestroyDescriptorPool};
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = set_layout_.pointer();
    done(vkAllocateDescriptorSets(device, &allocate, &set_));
    for (const auto& [binding, what] : bound) {
      const VkDescriptorBufferInfo info{what.buffer->handle(), 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set_;
      write.dstBinding = binding;
      write.descriptorCount = 1;
      write.descriptorType = type(what);
      write.pBufferInfo = &info;
      vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    }
  }
  VkPipelineLayout layout() const { return layout_; }
  void bind(VkCommandBuffer commands, VkPipelineBindPoint point) const {
    vkCmdBindDescriptorSets(commands, point, layout_, 0, 1, &set_, 0, nullptr);
  }

 private:
  static VkDescriptorType type(const Bound& what) {
    return what.uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
  gpu::Handle<VkDescriptorSetLayout> set_layout_;
  gpu::Handle<VkPipelineLayout> layout_;
  gpu::Handle<VkDescriptorPool> pool_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module) {
  return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage, module, "main", nullptr};
}

gpu::Handle<VkPipeline> compute_pipeline(VkShaderModule module, VkPipelineLayout layout) {
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  done(vkCreateComputePipelines(context().device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return {context().device(), pipeline, vkDestroyPipeline};
}

/// Attributes out of the 64-byte vertex (buffer 0), tangents (1) and further influences (2).
struct VertexInput {
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkVertexInputBindingDescription> bindings;
  VertexInput(const Variant& variant, bool packed_locations) {
    constexpr VkFormat kFloat3 = VK_FORMAT_R32G32B32_SFLOAT, kFloat4 = VK_FORMAT_R32G32B32A32_SFLOAT,
                       kJoints = VK_FORMAT_R16G16B16A16_UINT;
    attributes = {{0, 0, kFloat3, 0},
                  {1, 0, kFloat3, 16},
                  {2, 0, VK_FORMAT_R32G32_SFLOAT, 32},
                  {3, 0, kJoints, 40},
                  {4, 0, kFloat4, 48}};
    bindings = {{0, 64, VK_VERTEX_INPUT_RATE_VERTEX}};
    if (variant.tangents) {
      attributes.push_back({5, 1, kFloat4, 0});
      bindings.push_back({1, 16, VK_VERTEX_INPUT_RATE_VERTEX});
    }
    if (variant.influences > 4) {
      attributes.insert(attributes.end(), {{6, 2, kJoints, 0}, {7, 2, kFloat4, 8}});
      bindings.push_back({2, 24, VK_VERTEX_INPUT_RATE_VERTEX});
    }
    for (std::size_t i = 0; i < attributes.size() && packed_locations; ++i) attributes[i].location = std::uint32_t(i);
  }
};

gpu::Handle<VkPipeline> capture_pipeline(VkShaderModule module, VkPipelineLayout layout, const VertexInput& vertices) {
  const VkPipelineShaderStageCreateInfo stage = stage_of(VK_SHADER_STAGE_VERTEX_BIT, module);
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = std::uint32_t(vertices.bindings.size());
  input.pVertexBindingDescriptions = vertices.bindings.data();
  input.vertexAttributeDescriptionCount = std::uint32_t(vertices.attributes.size());
  input.pVertexAttributeDescriptions = vertices.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.rasterizerDiscardEnable = VK_TRUE;
  raster.lineWidth = 1;
  const VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  info.stageCount = 1;
  info.pStages = &stage;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pRasterizationState = &raster;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  done(vkCreateGraphicsPipelines(context().device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return {context().device(), pipeline, vkDestroyPipeline};
}

/// One more vertex, all zeros.
void pad(Case& data) {
  const std::size_t floats = data.tangents ? 9 : 6, count = data.vertices.size();
  data.vertices.emplace_back();
  data.more.emplace_back();
  if (data.tangents) data.tangent_stream.emplace_back(0.0f);
  for (std::size_t target = data.target_count; target > 0; --target)
    data.deltas.insert(data.deltas.begin() + std::ptrdiff_t(target * count * floats), floats, 0.0f);
}

template <class T>
std::vector<T> read(const gpu::Buffer& buffer, std::size_t count) {
  const std::span<T> all = buffer.mapped_as<T>();
  return {all.begin(), all.begin() + std::ptrdiff_t(count)};
}

}  // namespace

Skinned compute_on_device(const ModuleKind& kind, const Variant& variant, const Case& data) {
  const std::size_t total = std::size_t(data.vertex_count()) * data.instances;
  const gpu::Buffer vertices = buffer_of(data.vertices), palette = palette_buffer(variant, data),
                    counts = buffer_of(compute_counts(data)), more = buffer_of(data.more),
                    tangents = buffer_of(data.tangent_stream), deltas = buffer_of(data.deltas),
                    weights = buffer_of(data.morph_weights);
  const gpu::Buffer skinned = room((total + 1) * sizeof(PackedSkinned)), skinned_tangents = room(total * sizeof(Vec4));
  const Bindings bindings({{0, {&vertices}},
                           {1, {&skinned}},
                           {2, {&palette, variant.constants}},
                           {3, {&counts, true}},
                           {4, {&more}},
                           {5, {&tangents}},
                           {6, {&skinned_tangents}},
                           {7, {&deltas}},
                           {8, {&weights}}},
                          VK_SHADER_STAGE_COMPUTE_BIT);
  const auto module = done(context().make_shader(words_of(kind.folder + "/" + variant.name() + ".spv")));
  const auto pipeline = compute_pipeline(module, bindings.layout());
  done(context().submit_and_wait([&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    bindings.bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE);
    vkCmdDispatch(commands, (data.vertex_count() + 63) / 64, data.instances, 1);
  }));
  if (!std::isnan(skinned.mapped_as<PackedSkinned>()[total].position.x))
    throw std::runtime_error("a thread past the vertex count wrote");
  Skinned out{read<PackedSkinned>(skinned, total), {}};
  if (data.tangents) out.tangents = read<Vec4>(skinned_tangents, total);
  return out;
}

// Lines, for points would need a size: an odd last vertex gets a second one, which is captured and not looked at.
Skinned draw_on_device(const ModuleKind& kind, const Variant& variant, const Case& given) {
  Case data = given;
  if (data.vertex_count() % 2) pad(data);
  const std::size_t total = std::size_t(data.vertex_count()) * data.instances;
  const gpu::Buffer vertices = buffer_of(data.vertices), palette = palette_buffer(variant, data),
                    uniforms = buffer_of(vertex_uniforms(data)), more = buffer_of(data.more),
                    tangents = buffer_of(data.tangent_stream), deltas = buffer_of(data.deltas),
                    weights = buffer_of(data.morph_weights), captured = room(total * kXfbStride);
  const Bindings bindings(
      {{11, {&uniforms, true}}, {12, {&palette, variant.constants}}, {13, {&deltas}}, {14, {&weights}}},
      VK_SHADER_STAGE_VERTEX_BIT);
  const auto words = with_transform_feedback(words_of(kind.folder + "/" + variant.name() + ".spv"));
  const auto module = done(context().make_shader(words));
  const auto pipeline = capture_pipeline(module, bindings.layout(), VertexInput(variant, kind.packed_locations));
  done(context().submit_and_wait([&](VkCommandBuffer commands) {
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea = {{0, 0}, {1, 1}};
    rendering.layerCount = 1;
    const VkBuffer inputs[] = {vertices, tangents, more}, output = captured;
    const VkDeviceSize zeros[3] = {}, size = captured.size();
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    bindings.bind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS);
    vkCmdBindVertexBuffers(commands, 0, 3, inputs, zeros);
    vkCmdBindTransformFeedbackBuffersEXT(commands, 0, 1, &output, zeros, &size);
    vkCmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    vkCmdDraw(commands, data.vertex_count(), data.instances, 0, 0);
    vkCmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    vkCmdEndRendering(commands);
  }));
  Skinned out;
  const std::vector<float> floats = read<float>(captured, total * kXfbStride / 4);
  for (std::size_t i = 0; i < total; ++i) {
    if (i % data.vertex_count() >= given.vertex_count()) continue;
    const float* f = &floats[i * kXfbStride / 4];
    out.vertices.push_back({Vec4(f[0], f[1], f[2], f[3]), Vec4(f[4], f[5], f[6], 0), Vec2(f[7], f[8])});
    if (data.tangents) out.tangents.emplace_back(f[9], f[10], f[11], f[12]);
  }
  undo_view(out);
  return out;
}

std::vector<std::string> device_messages() { return context().messages(); }

}  // namespace sinew::test
