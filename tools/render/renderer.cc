#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "render/model.h"

namespace sinew::render {

namespace {

using gpu::Image;
using gpu::ImageUse;

constexpr ImageUse kNew{};
constexpr ImageUse kDepthWritten{
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
constexpr ImageUse kColourWritten{VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                  VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                  VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr ImageUse kSampled{VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
constexpr ImageUse kCopied{VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_2_COPY_BIT,
                           VK_ACCESS_2_TRANSFER_READ_BIT};

/// An attachment of an image: cleared or kept, stored.
VkRenderingAttachmentInfo attachment(const Image& image, VkImageLayout layout, bool clear) {
  VkRenderingAttachmentInfo out{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  out.imageView = image.view();
  out.imageLayout = layout;
  out.loadOp = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
  out.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  if (layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL) out.clearValue.depthStencil.depth = 1;
  return out;
}

void begin_rendering(VkCommandBuffer commands, VkExtent2D extent, const VkRenderingAttachmentInfo* colour,
                     const VkRenderingAttachmentInfo& depth) {
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, extent};
  info.layerCount = 1;
  info.colorAttachmentCount = colour ? 1 : 0;
  info.pColorAttachments = colour;
  info.pDepthAttachment = &depth;
  vkCmdBeginRendering(commands, &info);
  const VkViewport viewport{0, 0, float(extent.width), float(extent.height), 0, 1};
  const VkRect2D scissor{{0, 0}, extent};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

void put(float (&out)[4], Vec3 v, float w) { out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = w; }
void put(float (&out)[4], Vec4 v) { put(out, Vec3(v), v.w); }
void put(float (&out)[16], const Mat4& m) { std::memcpy(out, &m[0][0], sizeof(out)); }

/// A step of the grid that people count in: 1, 2 or 5 times a power of ten.
float grid_step(float size) {
  const float power = std::pow(10.0f, std::floor(std::log10(std::max(size, 1e-12f))));
  const float rest = size / power;
  return power * (rest < 2 ? 1.0f : rest < 5 ? 2.0f : 5.0f);
}

Frame frame_of(const Look& look, VkExtent2D extent, std::uint32_t shadow_size) {
  Frame out{};
  const float size = std::max(look.size, 1e-9f), reach = size * 0.12f;
  Bounds bounds = look.bounds;
  if (bounds.empty()) bounds.add(Vec3(0.0f));
  put(out.clip_from_world[0], look.camera.clip_from_world);
  put(out.clip_from_world[1], parallel_view(bounds, -look.to_light, size * 8));
  // From below: depth is the height above the ground, 0 on it and 1 where it darkens nothing any more.
  Bounds low = bounds;
  low.low.y = look.ground_y - reach * 0.2f, low.high.y = look.ground_y + reach;
  put(out.clip_from_world[2], parallel_view(low, Vec3(0, 1, 0), 0));
  put(out.eye, look.camera.eye, 1);
  out.pixel[0] = look.camera.view_height / static_cast<float>(extent.height);
  put(out.light, look.to_light, static_cast<float>(shadow_size) * 0.0025f);
  const float spread = std::max(size, glm::length(Vec3(bounds.high.x - bounds.low.x, 0, bounds.high.z - bounds.low.z)));
  // A little below what stands on it, which may have faces in its very plane.
  put(out.ground, Vec3(look.ground_y - size * 0.0015f, grid_step(size * 0.3f), spread * 0.7f), spread * 3.2f);
  put(out.centre, bounds.centre(), reach);
  put(out.background[0], look.bottom);
  put(out.background[1], look.top);
  return out;
}

/// Colours as files want them: the device's are multiplied with their alpha.
void divide_by_alpha(Picture& picture) {
  const auto linear = [](float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); };
  const auto encoded = [](float c) { return c <= 0.0031308f ? c * 12.92f : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; };
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    const std::uint8_t a = picture.pixels[i + 3];
    if (a == 0 || a == 255) continue;
    for (std::size_t c = i; c < i + 3; ++c) {
      const float value = std::min(linear(picture.pixels[c] / 255.0f) * 255.0f / a, 1.0f);
      picture.pixels[c] = static_cast<std::uint8_t>(std::lround(encoded(value) * 255));
    }
  }
}

}  // namespace

struct Renderer::State {
  const gpu::Context& context;
  Pipelines pipelines;
  Targets targets;
  Model model;
  gpu::Buffer frame;

  void skin(VkCommandBuffer commands) const;
  void push(VkCommandBuffer commands, std::uint32_t flags, Vec4 colour = Vec4(1.0f), float cutoff = 0) const;
  void bind(VkCommandBuffer commands, const DevicePart& part) const;
  void draw_positions(VkCommandBuffer commands, View view, bool map) const;
  void draw_map(VkCommandBuffer commands, const Image& image, View view) const;
  void draw_part(VkCommandBuffer commands, const DevicePart& part, const Moved& moved) const;
  void draw_main(VkCommandBuffer commands, std::span<const Moved> parts, const Look& look,
                 const DevicePart* overlay) const;
  void record(VkCommandBuffer commands, std::span<const Moved> parts, const Look& look,
              const DevicePart* overlay) const;
  Result<DevicePart> make_overlay(std::span<const Corner> corners) const;
};

/// Once a picture, by compute: four passes read the vertices.
void Renderer::State::skin(VkCommandBuffer commands) const {
  if (!model.skinner) return;
  for (const DevicePart& part : model.parts) {
    if (!part.layout) continue;
    const auto all_of = [](const gpu::Buffer& buffer) { return vulkan::Region{buffer.address(), buffer.size()}; };
    run(vulkan::SkinDispatch{*model.skinner, commands, part.source(), all_of(part.streams[kPositions]),
                             all_of(part.streams[kNormals]), all_of(part.tangents)});
  }
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT;
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &info);
}

void Renderer::State::push(VkCommandBuffer commands, std::uint32_t flags, Vec4 colour, float cutoff) const {
  Push values{frame.address(), flags, cutoff};
  put(values.colour, colour);
  vkCmdPushConstants(commands, pipelines.layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                     sizeof(values), &values);
}

void Renderer::State::bind(VkCommandBuffer commands, const DevicePart& part) const {
  VkBuffer buffers[kStreamCount];
  const VkDeviceSize offsets[kStreamCount] = {};
  for (std::uint32_t i = 0; i < kStreamCount; ++i) buffers[i] = part.streams[i];
  vkCmdBindVertexBuffers(commands, 0, kStreamCount, buffers, offsets);
  vkCmdBindIndexBuffer(commands, part.indices, 0, VK_INDEX_TYPE_UINT32);
  const std::size_t texture =
      part.material.texture >= 0 ? static_cast<std::size_t>(part.material.texture) : model.sets.size() - 1;
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.layout, 1, 1, &model.sets[texture], 0,
                          nullptr);
}

/// Depth of all that is opaque, and for a map of all that casts a shadow.
void Renderer::State::draw_positions(VkCommandBuffer commands, View view, bool map) const {
  for (const DevicePart& part : model.parts) {
    if (part.triangles == 0 || (part.material.alpha == AlphaMode::blend && !map)) continue;
    // What is half transparent casts the shadow of its more opaque half.
    const bool masked = part.material.alpha != AlphaMode::opaque;
    vkCmdBindPipeline(
        commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
        map ? (masked ? pipelines.map_masked : pipelines.map) : (masked ? pipelines.depth_masked : pipelines.depth));
    bind(commands, part);
    push(commands, view, part.material.colour, part.material.alpha == AlphaMode::mask ? part.material.cutoff : 0.5f);
    vkCmdDrawIndexed(commands, part.triangles, 1, 0, 0, 0);
  }
}

void Renderer::State::draw_map(VkCommandBuffer commands, const Image& image, View view) const {
  transition(commands, image, kNew, kDepthWritten);
  begin_rendering(commands, image.extent(), nullptr, attachment(image, kDepthWritten.layout, true));
  draw_positions(commands, view, true);
  vkCmdEndRendering(commands);
  transition(commands, image, kDepthWritten, kSampled);
}

void Renderer::State::draw_part(VkCommandBuffer commands, const DevicePart& part, const Moved& moved) const {
  const Material& material = part.material;
  std::uint32_t flags = kCameraView;
  if (material.texture >= 0) flags |= kTextured;
  if (!moved.colours.empty()) flags |= kColoured | kUnlit;  // near to what a legend shows
  if (moved.flat || (moved.normals.empty() && !part.layout)) flags |= kFlat;
  if (material.alpha == AlphaMode::mask) flags |= kMasked;
  if (material.alpha == AlphaMode::opaque) flags |= kOpaque;
  if (material.unlit) flags |= kUnlit;
  const bool blended = material.alpha == AlphaMode::blend;
  bind(commands, part);
  push(commands, flags, material.colour, material.cutoff);
  const auto draw = [&](VkPipeline pipeline, std::uint32_t count, std::uint32_t first) {
    if (count == 0) return;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDrawIndexed(commands, count, 1, first, 0, 0);
  };
  draw(blended ? pipelines.blended : pipelines.surface, part.triangles, 0);
  draw(pipelines.lines, part.lines, part.triangles);
  draw(pipelines.points, part.points, part.triangles + part.lines);
}

void Renderer::State::draw_main(VkCommandBuffer commands, std::span<const Moved> parts, const Look& look,
                                const DevicePart* overlay) const {
  const auto use = [&](VkPipeline pipeline) { vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline); };
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.layout, 0, 1, &targets.set, 0, nullptr);
  push(commands, kCameraView);
  use(pipelines.background);
  vkCmdDraw(commands, 3, 1, 0, 0);
  for (const bool blended : {false, true}) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      if ((model.parts[i].material.alpha == AlphaMode::blend) == blended) draw_part(commands, model.parts[i], parts[i]);
    if (blended || !look.ground) continue;
    push(commands, kCameraView);
    use(pipelines.ground);
    vkCmdDraw(commands, 4, 1, 0, 0);
  }
  if (look.wireframe && pipelines.wire != VK_NULL_HANDLE) {
    use(pipelines.wire);
    for (const DevicePart& part : model.parts) {
      bind(commands, part);
      push(commands, kCameraView, Vec4(0.01f, 0.015f, 0.03f, 0.75f));
      vkCmdDrawIndexed(commands, part.triangles, 1, 0, 0, 0);
    }
  }
  if (!overlay) return;
  // Over all else, and right among itself.
  const VkExtent2D extent = targets.colour.extent();
  VkClearAttachment clear{VK_IMAGE_ASPECT_DEPTH_BIT, 0, {}};
  clear.clearValue.depthStencil.depth = 1;
  const VkClearRect all{{{0, 0}, extent}, 0, 1};
  vkCmdClearAttachments(commands, 1, &clear, 1, &all);
  use(pipelines.overlay);
  bind(commands, *overlay);
  push(commands, kColoured | kOpaque | kUnlit);
  vkCmdDrawIndexed(commands, overlay->triangles, 1, 0, 0, 0);
}

void Renderer::State::record(VkCommandBuffer commands, std::span<const Moved> parts, const Look& look,
                             const DevicePart* overlay) const {
  skin(commands);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.layout, 0, 1, &targets.set, 0, nullptr);
  draw_map(commands, targets.shadow, kLightView);
  draw_map(commands, targets.below, kBelowView);
  transition(commands, targets.colour, kNew, kColourWritten);
  transition(commands, targets.resolved, kNew, kColourWritten);
  transition(commands, targets.depth, kNew, kDepthWritten);
  const VkExtent2D extent = targets.colour.extent();
  begin_rendering(commands, extent, nullptr, attachment(targets.depth, kDepthWritten.layout, true));
  draw_positions(commands, kCameraView, false);
  vkCmdEndRendering(commands);
  transition(commands, targets.depth, kDepthWritten, kDepthWritten);

  VkRenderingAttachmentInfo colour = attachment(targets.colour, kColourWritten.layout, true);
  const bool many = targets.colour.options().samples != VK_SAMPLE_COUNT_1_BIT;
  if (many) {
    colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    colour.resolveImageView = targets.resolved.view();
    colour.resolveImageLayout = kColourWritten.layout;
  } else {
    colour.imageView = targets.resolved.view();
  }
  begin_rendering(commands, extent, &colour, attachment(targets.depth, kDepthWritten.layout, false));
  draw_main(commands, parts, look, overlay);
  vkCmdEndRendering(commands);
  transition(commands, targets.resolved, kColourWritten, kCopied);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {extent.width, extent.height, 1};
  vkCmdCopyImageToBuffer(commands, targets.resolved.handle(), kCopied.layout, targets.read_back, 1, &copy);
}

Result<DevicePart> Renderer::State::make_overlay(std::span<const Corner> corners) const {
  Result<DevicePart> made(DevicePart{});
  const std::size_t count = corners.size();
  std::vector<std::uint32_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = static_cast<std::uint32_t>(i);
  constexpr std::size_t kSizes[kStreamCount] = {12, 12, 8, 4};
  for (std::uint32_t stream = 0; stream < kStreamCount; ++stream) {
    Result<gpu::Buffer> buffer = context.make_buffer(VkDeviceSize(count * kSizes[stream]), gpu::Memory::host);
    if (!buffer) return Unexpected(buffer.error());
    made->streams[stream] = std::move(*buffer);
  }
  for (std::size_t i = 0; i < count; ++i) {
    made->streams[kPositions].mapped_as<Vec3>()[i] = corners[i].position;
    made->streams[kNormals].mapped_as<Vec3>()[i] = corners[i].normal;
    made->streams[kUvs].mapped_as<Vec2>()[i] = Vec2(0.0f);
    made->streams[kColours].mapped_as<Rgba>()[i] = corners[i].colour;
  }
  Result<gpu::Buffer> buffer = context.make_buffer(std::as_bytes(std::span(indices)), gpu::Memory::host);
  if (!buffer) return Unexpected(buffer.error());
  made->indices = std::move(*buffer);
  made->triangles = static_cast<std::uint32_t>(count);
  return made;
}

Renderer::Renderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Renderer> Renderer::create(const gpu::Context& context, std::uint32_t width, std::uint32_t height) {
  const VkPhysicalDeviceLimits& limits = context.properties().limits;
  const bool many = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts & VK_SAMPLE_COUNT_4_BIT;
  const VkSampleCountFlagBits samples = many ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
  Result<Pipelines> pipelines = make_pipelines(context, samples, context.features().lines);
  if (!pipelines) return Unexpected(pipelines.error());
  Result<Targets> targets = make_targets(context, pipelines->frame_layout, width, height, samples);
  if (!targets) return Unexpected(targets.error());
  Result<gpu::Buffer> frame = context.make_buffer(VkDeviceSize(sizeof(Frame)), gpu::Memory::host);
  if (!frame) return Unexpected(frame.error());
  return Renderer(std::unique_ptr<State>(
      new State{context, std::move(*pipelines), std::move(*targets), Model{}, std::move(*frame)}));
}

Result<void> Renderer::load(std::span<const Shape> shapes, const Materials& materials) {
  Result<Model> model = make_model(state_->context, state_->pipelines.material_layout, shapes, materials);
  if (!model) return Unexpected(model.error());
  state_->model = std::move(*model);
  return {};
}

Result<Picture> Renderer::draw(std::span<const Moved> parts, const Look& look) {
  State& state = *state_;
  if (look.wireframe && state.pipelines.wire == VK_NULL_HANDLE)
    return fail(ErrorCode::unsupported, "Vulkan", "the device cannot draw triangles as lines", "leave out --wireframe");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    DevicePart& part = state.model.parts[i];
    const auto copy = [&](auto from, Stream stream) {
      if (!from.empty()) std::memcpy(part.streams[stream].mapped().data(), from.data(), from.size_bytes());
    };
    copy(parts[i].colours, kColours);
    if (part.layout) {
      const std::span<Affine> palette = part.palette.mapped_as<Affine>();
      std::copy_n(parts[i].palette.begin(), std::min(palette.size(), parts[i].palette.size()), palette.begin());
      std::copy_n(parts[i].morph_weights.begin(),
                  std::min<std::size_t>(part.layout->target_count, parts[i].morph_weights.size()),
                  part.channels.mapped_as<float>().begin());
      continue;
    }
    copy(parts[i].positions, kPositions);
    copy(parts[i].normals, kNormals);
  }
  state.frame.mapped_as<Frame>()[0] =
      frame_of(look, state.targets.colour.extent(), state.targets.shadow.extent().width);
  std::optional<DevicePart> overlay;
  if (!look.overlay.empty()) {
    Result<DevicePart> made = state.make_overlay(look.overlay);
    if (!made) return Unexpected(made.error());
    overlay = std::move(*made);
  }
  const Result<void> done = state.context.submit_and_wait(
      [&](VkCommandBuffer commands) { state.record(commands, parts, look, overlay ? &*overlay : nullptr); });
  if (!done) return Unexpected(done.error());
  const VkExtent2D extent = state.targets.resolved.extent();
  Picture picture(extent.width, extent.height);
  std::memcpy(picture.pixels.data(), state.targets.read_back.mapped().data(), picture.pixels.size());
  if (look.bottom.w < 1 || look.top.w < 1) divide_by_alpha(picture);
  return picture;
}

}  // namespace sinew::render
