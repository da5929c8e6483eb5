#include "device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "gpu/capture.h"
#include "gpu/paths.h"
#include "support/files.h"
#include "xfb.h"

namespace sinew::test {
namespace {

void done(VkResult result) {
  if (result != VK_SUCCESS) throw std::runtime_error(gpu::to_string(result));
}
void done(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message());
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
  gpu::Buffer out = must(device().make_buffer(std::max(size, least), gpu::Memory::host));
  std::memset(out.mapped().data(), 0, out.mapped().size());
  if (size) std::memcpy(out.mapped().data(), values.data(), size);
  return out;
}
gpu::Buffer room(std::size_t size) {
  gpu::Buffer out = must(device().make_buffer(std::max<std::size_t>(size, 16), gpu::Memory::host));
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
    const VkDevice made_on = device().device();
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    done(vkCreateDescriptorSetLayout(made_on, &set_info, nullptr, &set_layout));
    set_layout_ = {made_on, set_layout, vkDestroyDescriptorSetLayout};
    layout_ = must(gpu::make_pipeline_layout(device(), stage, 0, std::span(set_layout_.pointer(), 1)));
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4}};
    VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = 2;
    pool_info.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    done(vkCreateDescriptorPool(made_on, &pool_info, nullptr, &pool));
    pool_ = {made_on, pool, vkDestroyDescriptorPool};
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = set_layout_.pointer();
    done(vkAllocateDescriptorSets(made_on, &allocate, &set_));
    for (const auto& [binding, what] : bound) {
      const VkDescriptorBufferInfo info{what.buffer->handle(), 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set_;
      write.dstBinding = binding;
      write.descriptorCount = 1;
      write.descriptorType = type(what);
      write.pBufferInfo = &info;
      vkUpdateDescriptorSets(made_on, 1, &write, 0, nullptr);
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

/// Attributes out of the 64-byte vertex (buffer 0), tangents (1) and further influences (2).
struct VertexInput {
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkVertexInputBindingDescription> bindings;
  VertexInput(const Variant& variant, bool packed_locations) {
    constexpr VkFormat kFloat3 = VK_FORMAT_R32G32B32_SFLOAT, kFloat4 = VK_FORMAT_R32G32B32A32_SFLOAT,
                       kJoints = VK_FORMAT_R16G16B16A16_UINT;
    attributes = {{0, 0, variant.method == SkinMethod::mixed ? kFloat4 : kFloat3, 0},
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
  const auto words = words_of(kind.folder + "/" + variant.name() + ".spv");
  const auto pipeline = must(gpu::make_compute_pipeline(device(), words, bindings.layout()));
  done(device().submit_and_wait([&](VkCommandBuffer commands) {
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
  const VertexInput input(variant, kind.packed_locations);
  const auto pipeline = must(gpu::make_capture_pipeline(device(), {.layout = bindings.layout(),
                                                                   .vertex = words,
                                                                   .bindings = input.bindings,
                                                                   .attributes = input.attributes,
                                                                   .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST}));
  done(device().submit_and_wait([&](VkCommandBuffer commands) {
    gpu::capture(commands, pipeline, captured, data.vertex_count(), data.instances, [&] {
      const VkBuffer inputs[] = {vertices, tangents, more};
      const VkDeviceSize zeros[3] = {};
      bindings.bind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS);
      vkCmdBindVertexBuffers(commands, 0, 3, inputs, zeros);
    });
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

std::vector<std::string> device_messages() { return device().messages(); }

}  // namespace sinew::test
