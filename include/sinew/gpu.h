// GPU skinning without an API: vertex formats, meshes and palettes packed for the device, and whether to skin in the vertex or the compute stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sinew/bytes.h"
#include "sinew/job.h"
#include "sinew/mesh.h"
#include "sinew/result.h"
#include "sinew/skin.h"

namespace sinew {

/// How a mesh lies in device memory, in and out of the kernel.
enum class VertexFormat : std::uint8_t {
  /// Arrays apart. In: positions and normals 12 bytes a vertex, tangents 16, any number of influences of 2 + 4 bytes.
  /// Out: three buffers, of 12, 12 and 16 bytes a vertex.
  streams,
  /// In 64 bytes: position at 0, normal 16, uv 32, four 16-bit joints 40, four weights 48. Out 48 bytes: position at 0,
  /// normal 16, uv 32. Up to 4 influences; no tangents.
  full,
  /// In 32 bytes, in two arrays of 16: position and normal; tangent, joints and weights. Out 20 bytes: position at 0,
  /// then normal and tangent. Directions are octahedral in two signed 16-bit numbers (Cigolle et al. 2014), the lowest
  /// bit of the tangent's second one set where the handedness is -1. Weights have 16 bits; positions too where the mesh
  /// uses over 256 palette entries or its method is mixed. Within 1e-4 of the model's size. Up to 4 influences; no uv.
  compact,
};
const char* to_string(VertexFormat format);

/// What a kernel is specialised for.
struct SkinKernel {
  VertexFormat format = VertexFormat::streams;
  bool wide_joints = false;  ///< compact: 16-bit joints and positions, and room for the share of mixed
  std::uint32_t influences = 4;
  bool normals = true, tangents = false, morphs = false;
  NormalMode normal_mode = NormalMode::exact;
  bool palette_4x4 = false;  ///< palettes of 64-byte column-major matrices instead of 48-byte `Affine`s
  SkinMethod method = SkinMethod::linear;
  bool stretch = false;  ///< palettes hold the stretches of a DualPalette; not with linear
  friend bool operator==(const SkinKernel&, const SkinKernel&) = default;
};

struct MeshLayoutOptions {
  VertexFormat format = VertexFormat::streams;
  bool directions = true;  ///< false: positions only, for depth passes and distant crowds; not with `full`
  NormalMode normal_mode = NormalMode::exact;
  bool palette_4x4 = false;                ///< linear only
  SkinMethod method = SkinMethod::linear;  ///< `mixed` of a mesh without `dual_weights` is laid out as linear
  /// Not linear: some pose of the mesh may have a `DualPalette::stretch`. False: none ever has, which reads less.
  bool stretch = true;
};

/// Where a mesh's arrays lie in its packed bytes, each at a multiple of 16. Full has all at `positions`, compact its two
/// halves there and at `joints`.
struct MeshLayout {
  SkinKernel kernel;
  std::uint32_t vertex_count = 0, target_count = 0;
  std::uint32_t palette_limit = 0;  ///< entries that a palette must have
  std::uint64_t positions = 0, normals = 0, tangents = 0, joints = 0, weights = 0;
  std::uint64_t target_positions = 0, target_normals = 0, target_tangents = 0;
  std::uint64_t size = 0;  ///< bytes of all
  /// Bytes of one instance's output: positions, or whole vertices of an interleaved format; the others for streams.
  /// Each has room for a number of vertices that is rounded up to 4; what is in that room is not defined.
  std::uint64_t output_positions = 0, output_normals = 0, output_tangents = 0;
};
/// Errors: `unsupported`, naming what the format cannot hold (over 4 influences; compact over 65,536 palette entries), or
/// `palette_4x4` with another method than linear.
Result<MeshLayout> layout_mesh(const Mesh& mesh, const MeshLayoutOptions& options = {});
/// Fills `bytes` (at least `layout.size`) for the caller to copy to the device. Vertices keep the mesh's order.
void pack_mesh(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes);

/// Bytes of one palette entry as a kernel reads it, a multiple of 16: of linear a matrix (48, or 64 of palette_4x4), of
/// dual_quaternion a DualQuaternion (32), of mixed both (80), and with `stretch` 48 more.
std::size_t palette_entry_bytes(const SkinKernel& kernel);
/// One instance's palette, as PaletteJob fills it, in those bytes: entry after entry the matrix, the dual quaternion and
/// the stretch, each where the kernel reads it. What it does not read may be empty; an empty `stretch` counts as identities,
/// another one is a contract error without `kernel.stretch`. Signs of `rigid` change nothing.
void pack_palette(const SkinKernel& kernel, std::span<const Affine> matrices, std::span<const DualQuaternion> rigid,
                  std::span<const Affine> stretch, std::span<std::byte> bytes);

/// One vertex of a compact output buffer (20 bytes), read back.
struct CompactVertex {
  Vec3 position, normal;
  Vec4 tangent;
};
CompactVertex read_compact(std::span<const std::byte, 20> bytes);

enum class SkinStage : std::uint8_t { vertex, compute };

struct StageQuestion {
  In<MeshLayout> layout;       ///< what compute would write; `layout_mesh` alone packs nothing
  std::uint32_t passes = 1;    ///< that draw the mesh in a frame: depth, shadow maps, main …
  bool other_readers = false;  ///< ray tracing, collision, cloth … need real vertices
  std::uint64_t instance_count = 1;
  /// From how many passes on compute is faster, as bench/gpu_passes_bench.cc measures it on the device at hand.
  std::uint32_t crossing = 3;
};
struct StageChoice {
  SkinStage stage = SkinStage::vertex;
  std::uint64_t buffer_bytes = 0;  ///< of all outputs of all instances together; 0 for the vertex stage
  std::string reason;
};
/// Compute where anything but a pass reads the vertices, or from `crossing` passes on; else the vertex stage, which needs
/// no buffer and no barrier.
StageChoice choose_stage(const StageQuestion& question);

}  // namespace sinew
