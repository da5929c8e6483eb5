// Pipelines: the renderer's shaders with their fixed state.
#pragma once

#include "gpu/context.h"

namespace sinew::render {

inline constexpr VkFormat kColourFormat = VK_FORMAT_R8G8B8A8_SRGB;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

/// Streams of a part's vertices, each a buffer of its own.
enum Stream : std::uint32_t { kPositions, kNormals, kUvs, kColours, kStreamCount };

/// As frame.glsl has it; scalar layout.
struct Frame {
  float clip_from_world[3][16];
  float eye[4], light[4], ground[4], centre[4], background[2][4], pixel[4];
};
static_assert(sizeof(Frame) == 3 * 64 + 7 * 16);

struct Push {
  VkDeviceAddress frame = 0;
  std::uint32_t flags = 0;
  float cutoff = 0;
  float colour[4] = {1, 1, 1, 1};
};
static_assert(sizeof(Push) == 32);
enum Flag : std::uint32_t { kTextured = 1, kColoured = 2, kFlat = 4, kMasked = 8, kUnlit = 16, kOpaque = 32 };
/// Which of `Frame::clip_from_world` a draw goes through.
enum View : std::uint32_t { kCameraView = 0 << 8, kLightView = 1 << 8, kBelowView = 2 << 8 };

struct Pipelines {
  gpu::Handle<VkDescriptorSetLayout> frame_layout, material_layout;
  gpu::Handle<VkPipelineLayout> layout;
  /// Positions alone into a map of depth (one sample), and into the picture's depth.
  gpu::Handle<VkPipeline> map, map_masked, depth, depth_masked;
  /// The main pass: `surface` for what the depth prepass has drawn.
  gpu::Handle<VkPipeline> surface, blended, lines, points, ground, background, wire, overlay;
};
/// `samples`: of the picture. Without `with_lines` there is no `wire`.
Result<Pipelines> make_pipelines(const gpu::Context& context, VkSampleCountFlagBits samples, bool with_lines);

}  // namespace sinew::render
