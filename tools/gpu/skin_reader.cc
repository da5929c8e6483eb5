#include "gpu/skin_reader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "gpu/capture.h"

namespace sinew::gpu {

struct SkinReader::Uploaded {
  MeshLayout layout;
  Buffer mesh, palettes, channels;
  std::uint32_t palette_stride = 0, channel_stride = 0, instance_count = 0;
  vulkan::SkinSource source() const;
};

namespace {

constexpr VkDeviceSize kLeastRoom = 16;  // an empty region has an address too

vulkan::Region region_of(const Buffer& buffer) { return {buffer.address(), buffer.size()}; }

Result<Buffer> host_copy(const Context& context, std::span<const std::byte> bytes) {
  Result<Buffer> out = context.make_buffer(std::max<VkDeviceSize>(bytes.size(), kLeastRoom), Memory::host);
  if (out && !bytes.empty()) std::memcpy(out->mapped().data(), bytes.data(), bytes.size());
  return out;
}

/// Room for results, all of it NaN: what the device does not write shows.
Result<Buffer> host_room(const Context& context, VkDeviceSize size) {
  Result<Buffer> out = context.make_buffer(std::max(size, kLeastRoom), Memory::host);
  if (out) std::memset(out->mapped().data(), 0xff, out->mapped().size());
  return out;
}

template <class T>
std::vector<T> values_of(const Buffer& buffer, std::size_t first_byte, std::size_t count) {
  const std::span<T> all = buffer.mapped_as<T>().subspan(first_byte / sizeof(T), count);
  return {all.begin(), all.end()};
}

/// Vertices of an interleaved format.
SkinnedVertices taken_apart(const MeshLayout& layout, std::span<const std::byte> bytes) {
  SkinnedVertices out;
  for (std::size_t v = 0; v < layout.vertex_count; ++v) {
    Vec3 position, normal;
    if (layout.kernel.format == VertexFormat::full) {
      std::memcpy(&position, bytes.data() + 48 * v, sizeof(position));
      std::memcpy(&normal, bytes.data() + 48 * v + 16, sizeof(normal));
      out.positions.push_back(position);
      if (layout.kernel.normals) out.normals.push_back(normal);
    } else {
      const CompactVertex vertex = read_compact(bytes.subspan(20 * v).first<20>());
      out.positions.push_back(vertex.position);
      if (layout.kernel.normals) out.normals.push_back(vertex.normal);
      if (layout.kernel.tangents) out.tangents.push_back(vertex.tangent);
    }
  }
  return out;
}

/// As vertex_shader(true) puts them out.
struct CapturedVertex {
  float position[3], normal[3], tangent[4], uv[2];
};
static_assert(sizeof(CapturedVertex) == 48);

SkinnedVertices taken_apart(const SkinKernel& kernel, std::span<const CapturedVertex> captured) {
  SkinnedVertices out;
  for (const CapturedVertex& c : captured) {
    out.positions.emplace_back(c.position[0], c.position[1], c.position[2]);
    if (kernel.normals) out.normals.emplace_back(c.normal[0], c.normal[1], c.normal[2]);
    if (kernel.tangents) out.tangents.emplace_back(c.tangent[0], c.tangent[1], c.tangent[2], c.tangent[3]);
  }
  return out;
}

VkDeviceSize most_captured(const Context& context) {
  VkPhysicalDeviceTransformFeedbackPropertiesEXT feedback{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &feedback};
  vkGetPhysicalDeviceProperties2(context.physical_device(), &properties);
  return feedback.maxTransformFeedbackBufferSize;
}

}  // namespace

vulkan::SkinSource SkinReader::Uploaded::source() const {
  return {layout,         region_of(mesh), region_of(palettes), palette_stride, region_of(channels),
          channel_stride, instance_count};
}

Result<SkinReader::Uploaded> SkinReader::upload(const Mesh& mesh, std::span<const SkinnedInstance> instances) const {
  const Result<MeshLayout> layout = layout_mesh(mesh, path_.layout);
  if (!layout) return Unexpected(layout.error());
  std::vector<std::byte> packed(layout->size);
  pack_mesh(mesh, *layout, packed);
  const std::size_t entries = instances[0].palette.size(), each = entries * palette_entry_bytes(layout->kernel);
  std::vector<std::byte> palettes(each * instances.size());
  std::vector<float> weights;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const SkinnedInstance& instance = instances[i];
    pack_palette(layout->kernel, instance.palette, instance.rigid, instance.stretch,
                 std::span(palettes).subspan(i * each, each));
    weights.insert(weights.end(), instance.channels.begin(), instance.channels.end());
  }
  Result<Uploaded> out(Uploaded{*layout, {}, {}, {}, 0, 0, static_cast<std::uint32_t>(instances.size())});
  out->palette_stride = static_cast<std::uint32_t>(entries);
  out->channel_stride = static_cast<std::uint32_t>(instances[0].channels.size());
  const std::pair<Buffer*, std::span<const std::byte>> copies[] = {
      {&out->mesh, packed}, {&out->palettes, palettes}, {&out->channels, std::as_bytes(std::span(weights))}};
  for (const auto& [place, bytes] : copies) {
    Result<Buffer> copy = host_copy(context_, bytes);
    if (!copy) return Unexpected(copy.error());
    *place = std::move(*copy);
  }
  return out;
}

Result<const vulkan::Skinner*> SkinReader::skinner(const SkinKernel& kernel) {
  for (const auto& [known, skinner] : skinners_)
    if (known == kernel) return &skinner;
  Result<vulkan::Skinner> made = vulkan::Skinner::create(
      {context_.instance(), context_.physical_device(), context_.device(), context_.instance_proc_addr()},
      std::span(&kernel, 1), path_.limits);
  if (!made) return Unexpected(made.error());
  return &skinners_.emplace_back(kernel, std::move(*made)).second;
}

Result<const PushPipeline*> SkinReader::capture_of(const SkinKernel& kernel) {
  for (const auto& [known, made] : captures_)
    if (known == kernel) return &made;
  Result<Handle<VkPipelineLayout>> layout =
      make_pipeline_layout(context_, VK_SHADER_STAGE_VERTEX_BIT, sizeof(vulkan::VertexConstants));
  if (!layout) return Unexpected(layout.error());
  const vulkan::Specialization constants = vulkan::specialization(kernel);
  const VkSpecializationInfo specialization = constants.info();
  Result<Handle<VkPipeline>> pipeline = make_capture_pipeline(context_, {.layout = *layout,
                                                                         .vertex = vulkan::vertex_shader(true),
                                                                         .vertex_constants = &specialization,
                                                                         .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
  if (!pipeline) return Unexpected(pipeline.error());
  return &captures_.emplace_back(kernel, PushPipeline{std::move(*layout), std::move(*pipeline)}).second;
}

Result<std::vector<SkinnedVertices>> SkinReader::by_compute(const Uploaded& uploaded) {
  const MeshLayout& layout = uploaded.layout;
  const Result<const vulkan::Skinner*> kernel = skinner(layout.kernel);
  if (!kernel) return Unexpected(kernel.error());
  Buffer positions, normals, tangents;
  const std::pair<Buffer*, std::uint64_t> rooms[] = {
      {&positions, layout.output_positions}, {&normals, layout.output_normals}, {&tangents, layout.output_tangents}};
  for (const auto& [place, size] : rooms) {
    Result<Buffer> room = host_room(context_, size * uploaded.instance_count);
    if (!room) return Unexpected(room.error());
    *place = std::move(*room);
  }
  const Result<void> done = context_.submit_and_wait([&](VkCommandBuffer commands) {
    run(vulkan::SkinDispatch{**kernel, commands, uploaded.source(), region_of(positions), region_of(normals),
                             region_of(tangents)});
  });
  if (!done) return Unexpected(done.error());
  std::vector<SkinnedVertices> out;
  for (std::size_t i = 0; i < uploaded.instance_count; ++i) {
    const std::size_t first = i * layout.output_positions;
    if (layout.kernel.format != VertexFormat::streams) {
      out.push_back(taken_apart(layout, positions.mapped().subspan(first, layout.output_positions)));
      continue;
    }
    SkinnedVertices& v = out.emplace_back();
    v.positions = values_of<Vec3>(positions, first, layout.vertex_count);
    if (layout.kernel.normals) v.normals = values_of<Vec3>(normals, i * layout.output_normals, layout.vertex_count);
    if (layout.kernel.tangents) v.tangents = values_of<Vec4>(tangents, i * layout.output_tangents, layout.vertex_count);
  }
  return out;
}

Result<std::vector<SkinnedVertices>> SkinReader::by_vertex(const Uploaded& uploaded) {
  const MeshLayout& layout = uploaded.layout;
  const Result<const PushPipeline*> capturing = capture_of(layout.kernel);
  if (!capturing) return Unexpected(capturing.error());
  const vulkan::SkinInput input = vulkan::skin_input(uploaded.source());
  const Result<Buffer> input_buffer = host_copy(context_, std::as_bytes(std::span(&input, 1)));
  if (!input_buffer) return Unexpected(input_buffer.error());
  const std::size_t each = std::size_t(layout.vertex_count) * sizeof(CapturedVertex);
  if (each * uploaded.instance_count > most_captured(context_))
    return fail(ErrorCode::too_large, "Vulkan",
                std::string(context_.properties().deviceName) + " gives back at most " +
                    std::to_string(most_captured(context_) / sizeof(CapturedVertex)) + " vertices, the mesh has " +
                    std::to_string(each * uploaded.instance_count / sizeof(CapturedVertex)),
                "skin in a compute shader");
  const Result<Buffer> output = host_room(context_, each * uploaded.instance_count);
  if (!output) return Unexpected(output.error());
  const Result<void> done = context_.submit_and_wait([&](VkCommandBuffer commands) {
    const vulkan::VertexConstants constants{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, input_buffer->address()};
    capture(commands, (*capturing)->pipeline, *output, layout.vertex_count, uploaded.instance_count, [&] {
      vkCmdPushConstants(commands, (*capturing)->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(constants), &constants);
    });
  });
  if (!done) return Unexpected(done.error());
  std::vector<SkinnedVertices> out;
  for (std::size_t i = 0; i < uploaded.instance_count; ++i)
    out.push_back(taken_apart(layout.kernel, values_of<CapturedVertex>(*output, i * each, layout.vertex_count)));
  return out;
}

Result<std::vector<SkinnedVertices>> SkinReader::skin(const Mesh& mesh, std::span<const SkinnedInstance> instances) {
  if (instances.empty() || mesh.vertex_count() == 0) return std::vector<SkinnedVertices>(instances.size());
  const Result<Uploaded> uploaded = upload(mesh, instances);
  if (!uploaded) return Unexpected(uploaded.error());
  return path_.stage == SkinStage::compute ? by_compute(*uploaded) : by_vertex(*uploaded);
}

}  // namespace sinew::gpu
