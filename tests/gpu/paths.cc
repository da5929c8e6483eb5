#include "gpu/paths.h"

#include <cstring>
#include <stdexcept>

#include "support/files.h"

namespace sinew::test {
namespace {

template <class T>
T finished(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

gpu::Buffer buffer_of(std::span<const std::byte> bytes) {
  gpu::Buffer out = finished(device().make_buffer(std::max<std::size_t>(bytes.size(), 16), gpu::Memory::host));
  std::memcpy(out.mapped().data(), bytes.data(), bytes.size());
  return out;
}

vulkan::Region all_of(const gpu::Buffer& buffer) { return {buffer.address(), buffer.size()}; }

/// A mesh and its instances' data in buffers, with the job's description of them.
struct Uploaded {
  MeshLayout layout;
  gpu::Buffer mesh, palettes, channels;
  std::uint32_t palette_stride = 0, channel_stride = 0, instance_count = 0;
  vulkan::SkinSource source() const {
    return {layout, all_of(mesh), all_of(palettes), palette_stride, all_of(channels), channel_stride, instance_count};
  }
};

Uploaded upload(const Mesh& mesh, std::span<const std::vector<Affine>> palettes,
                std::span<const std::vector<float>> channels, const MeshLayoutOptions& options) {
  Uploaded out;
  out.layout = must(layout_mesh(mesh, options));
  std::vector<std::byte> packed(out.layout.size);
  pack_mesh(mesh, out.layout, packed);
  out.mesh = buffer_of(packed);
  out.instance_count = std::uint32_t(palettes.size());
  out.palette_stride = std::uint32_t(palettes[0].size());
  out.channel_stride = std::uint32_t(channels[0].size());
  std::vector<Affine> rows;
  std::vector<Mat4> columns;
  for (const auto& palette : palettes) {
    rows.insert(rows.end(), palette.begin(), palette.end());
    for (const Affine& m : palette) columns.push_back(to_mat4(m));
  }
  out.palettes = buffer_of(options.palette_4x4 ? bytes_of(columns) : bytes_of(rows));
  std::vector<float> weights;
  for (const auto& c : channels) weights.insert(weights.end(), c.begin(), c.end());
  out.channels = buffer_of(bytes_of(weights));
  return out;
}

template <class T>
std::vector<T> slice(const gpu::Buffer& buffer, std::size_t first, std::size_t count) {
  const std::span<T> all = buffer.mapped_as<T>().subspan(first, count);
  return {all.begin(), all.end()};
}

GpuVertices unpack(const MeshLayout& layout, std::span<const std::byte> bytes) {
  GpuVertices out;
  for (std::size_t v = 0; v < layout.vertex_count; ++v) {
    Vec3 position, normal;
    if (layout.kernel.format == VertexFormat::full) {
      std::memcpy(&position, bytes.data() + 48 * v, 12);
      std::memcpy(&normal, bytes.data() + 48 * v + 16, 12);
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

std::vector<GpuVertices> by_compute(const Uploaded& uploaded, const vulkan::DispatchLimits& limits) {
  const gpu::Context& context = device();
  const MeshLayout& layout = uploaded.layout;
  const vulkan::Skinner skinner = finished(vulkan::Skinner::create(
      {context.instance(), context.physical_device(), context.device(), context.instance_proc_addr()},
      std::span(&layout.kernel, 1), limits));
  const auto room = [&](std::uint64_t bytes) {
    gpu::Buffer out =
        finished(context.make_buffer(std::max<std::uint64_t>(bytes * uploaded.instance_count, 16), gpu::Memory::host));
    std::memset(out.mapped().data(), 0xff, out.mapped().size());  // NaN: what is not written shows
    return out;
  };
  const gpu::Buffer positions = room(layout.output_positions), normals = room(layout.output_normals),
                    tangents = room(layout.output_tangents);
  finished(context.submit_and_wait([&](VkCommandBuffer commands) {
    run(vulkan::SkinDispatch{skinner, commands, uploaded.source(), all_of(positions), all_of(normals),
                             all_of(tangents)});
  }));
  std::vector<GpuVertices> out;
  for (std::size_t i = 0; i < uploaded.instance_count; ++i) {
    if (layout.kernel.format != VertexFormat::streams) {
      out.push_back(unpack(layout, positions.mapped().subspan(i * layout.output_positions, layout.output_positions)));
      continue;
    }
    GpuVertices& v = out.emplace_back();
    v.positions = slice<Vec3>(positions, i * layout.output_positions / sizeof(Vec3), layout.vertex_count);
    if (layout.kernel.normals)
      v.normals = slice<Vec3>(normals, i * layout.output_normals / sizeof(Vec3), layout.vertex_count);
    if (layout.kernel.tangents)
      v.tangents = slice<Vec4>(tangents, i * layout.output_tangents / sizeof(Vec4), layout.vertex_count);
  }
  return out;
}

/// A pipeline that draws points through the vertex shader and rasterizes nothing.
struct CapturePipeline {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  explicit CapturePipeline(const SkinKernel& kernel);
  ~CapturePipeline() {
    vkDestroyPipeline(device().device(), pipeline, nullptr);
    vkDestroyPipelineLayout(device().device(), layout, nullptr);
  }
};

CapturePipeline::CapturePipeline(const SkinKernel& kernel) {
  const auto shader = finished(device().make_shader(vulkan::vertex_shader(true)));
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(vulkan::VertexConstants)};
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &range;
  if (vkCreatePipelineLayout(device().device(), &layout_info, nullptr, &layout) != VK_SUCCESS)
    throw std::runtime_error("no pipeline layout");
  const vulkan::Specialization constants = vulkan::specialization(kernel);
  const VkSpecializationInfo info = constants.info();
  const VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              nullptr,
                                              0,
                                              VK_SHADER_STAGE_VERTEX_BIT,
                                              shader,
                                              "main",
                                              &info};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.rasterizerDiscardEnable = VK_TRUE;
  raster.lineWidth = 1;
  const VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  create.stageCount = 1;
  create.pStages = &stage;
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pRasterizationState = &raster;
  create.layout = layout;
  if (vkCreateGraphicsPipelines(device().device(), VK_NULL_HANDLE, 1, &create, nullptr, &pipeline) != VK_SUCCESS)
    throw std::runtime_error("no graphics pipeline");
}

std::vector<GpuVertices> by_vertex(const Uploaded& uploaded) {
  struct Captured {
    float position[3], normal[3], tangent[4], uv[2];
  };
  static_assert(sizeof(Captured) == 48);
  const MeshLayout& layout = uploaded.layout;
  const CapturePipeline pipeline(layout.kernel);
  const vulkan::SkinInput input = vulkan::skin_input(uploaded.source());
  const gpu::Buffer input_buffer = buffer_of(std::as_bytes(std::span(&input, 1)));
  const std::size_t count = std::size_t(layout.vertex_count) * uploaded.instance_count;
  const gpu::Buffer output = finished(device().make_buffer(count * sizeof(Captured), gpu::Memory::host));
  std::memset(output.mapped().data(), 0xff, output.mapped().size());
  finished(device().submit_and_wait([&](VkCommandBuffer commands) {
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea = {{0, 0}, {1, 1}};
    rendering.layerCount = 1;
    const vulkan::VertexConstants constants{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, input_buffer.address()};
    const VkBuffer buffer = output.handle();
    const VkDeviceSize offset = 0, size = output.size();
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
    vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof constants, &constants);
    vkCmdBindTransformFeedbackBuffersEXT(commands, 0, 1, &buffer, &offset, &size);
    vkCmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    vkCmdDraw(commands, layout.vertex_count, uploaded.instance_count, 0, 0);
    vkCmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    vkCmdEndRendering(commands);
  }));
  std::vector<GpuVertices> out;
  for (std::size_t i = 0; i < uploaded.instance_count; ++i) {
    GpuVertices& vertices = out.emplace_back();
    for (const Captured& c : slice<Captured>(output, i * layout.vertex_count, layout.vertex_count)) {
      vertices.positions.emplace_back(c.position[0], c.position[1], c.position[2]);
      if (layout.kernel.normals) vertices.normals.emplace_back(c.normal[0], c.normal[1], c.normal[2]);
      if (layout.kernel.tangents)
        vertices.tangents.emplace_back(c.tangent[0], c.tangent[1], c.tangent[2], c.tangent[3]);
    }
  }
  return out;
}

}  // namespace

const gpu::Context& device() {
  static const gpu::Context context =
      finished(gpu::Context::create({.graphics = true, .transform_feedback = true, .validation = true}));
  return context;
}

std::vector<GpuVertices> skin_on_device(const Mesh& mesh, std::span<const std::vector<Affine>> palettes,
                                        std::span<const std::vector<float>> channels, const GpuPath& path) {
  const Uploaded uploaded = upload(mesh, palettes, channels, path.options);
  return path.stage == SkinStage::compute ? by_compute(uploaded, path.limits) : by_vertex(uploaded);
}

Evaluated evaluate_on_device(const Character& character, const Pose& pose, const GpuPath& path) {
  Instance instance(character);
  instance.pose = pose;
  run(ModelJob{character.skeleton(), pose, instance.model_from_joint});
  Evaluated out;
  for (std::size_t j = 0; j < instance.model_from_joint.size(); ++j)
    out.joints[character.skeleton().source_nodes[j]] = to_double(instance.model_from_joint[j]);
  for (const Part& part : character.parts()) {
    Palette palette(character.skins()[part.skin]);
    run(PaletteJob{character.skins()[part.skin], instance.model_from_joint, palette.matrices()});
    const std::vector<Affine> palettes[] = {{palette.matrices().begin(), palette.matrices().end()}};
    const auto weights = pose.channels().subspan(part.first_channel, part.channel_count);
    const std::vector<float> channels[] = {{weights.begin(), weights.end()}};
    const Mesh& mesh = character.meshes()[part.mesh];
    const GpuVertices skinned = skin_on_device(mesh, palettes, channels, path)[0];
    PlacedVertices& placed =
        out.parts.emplace_back(PlacedVertices{part.source_node, part.source_mesh, part.source_primitive, {}, {}, {}});
    placed.positions.resize(skinned.positions.size());
    placed.normals.resize(skinned.normals.size());
    placed.tangents.resize(skinned.tangents.size());
    for (std::size_t i = 0; i < skinned.positions.size(); ++i) {
      const std::size_t source = mesh.source_vertices[i];
      placed.positions[source] = to_double(skinned.positions[i]);
      if (!skinned.normals.empty()) placed.normals[source] = to_double(skinned.normals[i]);
      if (!skinned.tangents.empty()) placed.tangents[source] = to_double(skinned.tangents[i]);
    }
  }
  return out;
}

}  // namespace sinew::test
