#include "sinew/gpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/contract.h"

namespace sinew {
namespace {

constexpr std::size_t kInterleavedInfluences = 4;
constexpr std::uint32_t kFullBytes = 64, kFullOutputBytes = 48, kCompactBytes = 32, kCompactOutputBytes = 20;
constexpr std::uint32_t kBoxBytes = 32;  // of the wide compact format: corner and extent, each padded to 16

constexpr std::size_t kQuad = 4;  // vertices that one thread of a kernel takes
std::uint64_t quads(std::uint64_t vertices) { return (vertices + kQuad - 1) / kQuad * kQuad; }

bool has_matrix(const SkinKernel& kernel) { return kernel.method != SkinMethod::dual_quaternion; }
bool has_dual(const SkinKernel& kernel) { return kernel.method != SkinMethod::linear; }
bool mixes(const SkinKernel& kernel) { return kernel.method == SkinMethod::mixed; }

class Writer {
 public:
  Writer(std::span<std::byte> bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}
  template <class T>
  Writer& put(const T& value) {
    std::memcpy(bytes_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
    return *this;
  }
  template <class T>
  Writer& put_all(std::span<const T> values) {
    if (!values.empty()) std::memcpy(bytes_.data() + at_, values.data(), values.size_bytes());
    at_ += values.size_bytes();
    return *this;
  }
  Writer& skip(std::size_t count) {
    std::memset(bytes_.data() + at_, 0, count);
    at_ += count;
    return *this;
  }

 private:
  std::span<std::byte> bytes_;
  std::uint64_t at_;
};

std::uint16_t unorm16(float value) { return std::uint16_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535.0f)); }
float from_snorm16(std::uint16_t bits) { return std::max(float(std::int16_t(bits)) / 32767.0f, -1.0f); }

/// Direction -> two numbers from -1 to 1 (Cigolle et al. 2014), as skinning.glsl has it.
Vec2 octahedral(Vec3 v) {
  const float sum = std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
  if (!(sum > 0)) return Vec2(0);
  const Vec2 p(v.x / sum, v.y / sum);
  if (v.z >= 0) return p;
  return {std::copysign(1 - std::abs(p.y), p.x), std::copysign(1 - std::abs(p.x), p.y)};
}

Vec3 from_octahedral(Vec2 p) {
  Vec3 v(p.x, p.y, 1 - std::abs(p.x) - std::abs(p.y));
  const float fold = std::max(-v.z, 0.0f);
  v.x -= std::copysign(fold, v.x);
  v.y -= std::copysign(fold, v.y);
  return glm::normalize(v);
}

Vec3 unpacked(std::uint32_t bits) {
  return from_octahedral({from_snorm16(std::uint16_t(bits)), from_snorm16(std::uint16_t(bits >> 16))});
}

/// The nearest of the four codes round a direction, which halves the error of rounding; `low_bit`, where not negative, is
/// what the lowest bit of the second number must be.
std::uint32_t packed_direction(Vec3 direction, int low_bit = -1) {
  const Vec2 p = octahedral(direction);
  const auto floors = [](float value) { return int(std::floor(std::clamp(value, -1.0f, 1.0f) * 32767.0f)); };
  const int x = floors(p.x), y = floors(p.y);
  std::uint32_t best = 0;
  float nearest = std::numeric_limits<float>::max();
  for (int dx = 0; dx < 2; ++dx)
    for (int dy = low_bit < 0 ? 0 : -1; dy < (low_bit < 0 ? 2 : 3); ++dy) {
      const int cx = std::min(x + dx, 32767), cy = std::clamp(y + dy, -32767, 32767);
      if (low_bit >= 0 && (cy & 1) != low_bit) continue;
      const std::uint32_t code = std::uint16_t(cx) | std::uint32_t(std::uint16_t(cy)) << 16;
      // As the reader has it: without the bit.
      const float distance = glm::distance(unpacked(low_bit < 0 ? code : code & 0xfffeffffu), direction);
      if (distance < nearest) nearest = distance, best = code;
    }
  return best;
}
std::uint32_t packed_normal(Vec3 normal) { return packed_direction(normal); }
std::uint32_t packed_tangent(Vec4 tangent) { return packed_direction(Vec3(tangent), tangent.w < 0 ? 1 : 0); }

struct Influences {
  std::uint16_t joints[kInterleavedInfluences];
  float weights[kInterleavedInfluences];
};

/// Four, of which unused ones repeat the first joint with weight 0. But for linear the first is the one whose sign counts:
/// of the greatest weight, and of equal ones the lowest entry.
Influences influences(const Mesh& mesh, std::size_t vertex, SkinMethod method) {
  Influences out{};
  const std::size_t first = vertex * mesh.influence_count;
  for (std::size_t k = 0; k < kInterleavedInfluences; ++k) {
    const bool used = k < mesh.influence_count;
    out.joints[k] = mesh.joints[first + (used ? k : 0)];
    out.weights[k] = used ? mesh.weights[first + k] : 0;
  }
  if (method == SkinMethod::linear) return out;
  std::size_t pivot = 0;
  for (std::size_t k = 1; k < kInterleavedInfluences; ++k)
    if (out.weights[k] > out.weights[pivot] ||
        (out.weights[k] == out.weights[pivot] && out.joints[k] < out.joints[pivot]))
      pivot = k;
  std::swap(out.joints[0], out.joints[pivot]);
  std::swap(out.weights[0], out.weights[pivot]);
  return out;
}

/// Weights in 16 bits with the same sum: rounded down, then one more where the most was cut off.
std::array<std::uint16_t, kInterleavedInfluences> packed_weights(const Influences& from) {
  std::array<double, kInterleavedInfluences> exact;
  std::array<std::uint16_t, kInterleavedInfluences> out;
  double sum = 0;
  long left = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    exact[k] = std::clamp(double(from.weights[k]), 0.0, 1.0) * 65535;
    out[k] = std::uint16_t(exact[k]);
    sum += exact[k];
    left -= out[k];
  }
  left += std::lround(sum);
  for (; left > 0; --left) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < exact.size(); ++k)
      if (exact[k] - out[k] > exact[best] - out[best]) best = k;
    if (out[best] == 65535) break;
    ++out[best];
  }
  return out;
}

/// Vertices in whole groups of four; the last one is repeated.
template <class T>
void put_quads(Writer writer, std::span<const T> values) {
  writer.put_all(values);
  for (std::size_t i = values.size(); i % kQuad != 0; ++i) writer.put(values.back());
}

/// The influences of a vertex in the order of their joints, unused ones last: vertices of one joint set then have equal
/// lists, which the kernel for four of them looks for.
void put_influences(const Mesh& mesh, std::size_t vertex, Writer& joints, Writer& weights) {
  const std::size_t first = vertex * mesh.influence_count;
  std::uint16_t lowest = mesh.joints[first];
  std::int32_t last = -1;
  std::size_t count = 0;
  for (; count < mesh.influence_count; ++count) {
    std::int32_t next = std::numeric_limits<std::int32_t>::max();
    float weight = 0;
    for (std::size_t k = first; k < first + mesh.influence_count; ++k) {
      const std::int32_t joint = mesh.joints[k];
      if (joint <= last || joint > next || mesh.weights[k] == 0) continue;
      weight = joint == next ? weight + mesh.weights[k] : mesh.weights[k];  // a joint may be named twice
      next = joint;
    }
    if (weight == 0) break;
    last = next;
    if (count == 0) lowest = std::uint16_t(next);
    joints.put(std::uint16_t(next));
    weights.put(weight);
  }
  for (; count < mesh.influence_count; ++count) joints.put(lowest), weights.put(0.0f);
}

void pack_streams(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes) {
  const std::size_t count = mesh.vertex_count();
  put_quads(Writer(bytes, layout.positions), mesh.positions);
  if (layout.kernel.normals) put_quads(Writer(bytes, layout.normals), mesh.normals);
  if (layout.kernel.tangents) put_quads(Writer(bytes, layout.tangents), mesh.tangents);
  Writer joints(bytes, layout.joints), weights(bytes, layout.weights);
  for (std::size_t v = 0; v < quads(count); ++v) put_influences(mesh, std::min(v, count - 1), joints, weights);
  if (mixes(layout.kernel)) put_quads(weights, mesh.dual_weights);
}

void pack_full(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes) {
  Writer writer(bytes, layout.positions);
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Influences of = influences(mesh, i, layout.kernel.method);
    writer.put(mesh.positions[i]).put(mixes(layout.kernel) ? mesh.dual_weights[i] : 0.0f);
    writer.put(mesh.normals.empty() ? Vec3(0) : mesh.normals[i]).skip(4);
    writer.put(mesh.uvs.empty() ? Vec2(0) : mesh.uvs[i]).put(of.joints).put(of.weights);
  }
}

/// Two halves of 16 bytes a vertex, in arrays apart: a group's threads then read whole lines.
void pack_compact(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes) {
  Writer vertices(bytes, layout.positions), joints(bytes, layout.joints);
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Influences of = influences(mesh, i, layout.kernel.method);
    vertices.put(mesh.positions[i]).put(packed_normal(mesh.normals.empty() ? Vec3(0) : mesh.normals[i]));
    joints.put(packed_tangent(mesh.tangents.empty() ? Vec4(0) : mesh.tangents[i]));
    for (const std::uint16_t joint : of.joints) joints.put(std::uint8_t(joint));
    joints.put(packed_weights(of));
  }
}

void pack_compact_wide(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes) {
  Vec3 low(std::numeric_limits<float>::max()), high(-low);
  for (const Vec3& p : mesh.positions) low = glm::min(low, p), high = glm::max(high, p);
  const Vec3 extent = high - low;
  Writer vertices(bytes, layout.positions), joints(bytes, layout.joints);
  vertices.put(low).skip(4).put(extent).skip(4);
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const Influences of = influences(mesh, i, layout.kernel.method);
    for (int axis = 0; axis < 3; ++axis)
      vertices.put(extent[axis] > 0 ? unorm16((mesh.positions[i][axis] - low[axis]) / extent[axis]) : std::uint16_t(0));
    vertices.put(mixes(layout.kernel) ? unorm16(mesh.dual_weights[i]) : std::uint16_t(0));
    vertices.put(packed_normal(mesh.normals.empty() ? Vec3(0) : mesh.normals[i]));
    vertices.put(packed_tangent(mesh.tangents.empty() ? Vec4(0) : mesh.tangents[i]));
    joints.put(of.joints).put(packed_weights(of));
  }
}

/// Room for `count` bytes at the next multiple of 16.
std::uint64_t place(MeshLayout& layout, std::uint64_t count) {
  const std::uint64_t at = (layout.size + 15) / 16 * 16;
  layout.size = at + count;
  return at;
}

/// Targets without normals or tangents of their own count as zeros: a kernel reads all or none.
void put_targets(Writer writer, std::span<const Vec3> values, std::size_t count) {
  if (values.empty())
    writer.skip(count * sizeof(Vec3));
  else
    writer.put_all(values);
}

std::uint64_t output_vertex_bytes(VertexFormat format) {
  switch (format) {
    case VertexFormat::streams:
      return sizeof(Vec3);
    case VertexFormat::full:
      return kFullOutputBytes;
    case VertexFormat::compact:
      return kCompactOutputBytes;
  }
  return 0;
}

}  // namespace

const char* to_string(VertexFormat format) {
  constexpr const char* kNames[] = {"streams", "full", "compact"};
  return kNames[std::size_t(format)];
}

Result<MeshLayout> layout_mesh(const Mesh& mesh, const MeshLayoutOptions& options) {
  const bool streams = options.format == VertexFormat::streams, compact = options.format == VertexFormat::compact;
  if (!streams && mesh.influence_count > kInterleavedInfluences)
    return fail(ErrorCode::unsupported, "influences",
                "the mesh has " + std::to_string(mesh.influence_count) + " influences a vertex, the format '" +
                    to_string(options.format) + "' holds 4",
                "use streams, or write the mesh with 4 influences");
  if (compact && mesh.palette_limit > 65536)
    return fail(
        ErrorCode::unsupported, "joints",
        "the mesh uses " + std::to_string(mesh.palette_limit) + " palette entries, compact vertices index 65,536",
        "split the mesh, or use streams");
  if (options.palette_4x4 && options.method != SkinMethod::linear)
    return fail(ErrorCode::unsupported, "palette_4x4", "palettes of 4x4 matrices are for linear skinning only",
                "leave palette_4x4 out: pack_palette makes the entries");
  MeshLayout out;
  const std::uint64_t count = mesh.vertex_count(), padded = quads(count),
                      deltas = count * mesh.target_count * sizeof(Vec3);
  out.vertex_count = std::uint32_t(count);
  out.target_count = mesh.target_count;
  out.palette_limit = mesh.palette_limit;
  SkinKernel& kernel = out.kernel;
  kernel.format = options.format;
  kernel.method =
      options.method == SkinMethod::mixed && mesh.dual_weights.empty() ? SkinMethod::linear : options.method;
  kernel.stretch = options.stretch && has_dual(kernel);
  kernel.wide_joints = compact && (mesh.palette_limit > 256 || mixes(kernel));
  kernel.influences = streams ? mesh.influence_count : kInterleavedInfluences;
  const bool directions = options.directions || options.format == VertexFormat::full;
  kernel.normals = directions && !mesh.normals.empty();
  kernel.tangents = directions && !mesh.tangents.empty() && options.format != VertexFormat::full;
  kernel.morphs = mesh.target_count > 0;
  kernel.normal_mode = options.normal_mode;
  kernel.palette_4x4 = options.palette_4x4;
  if (streams) {
    out.positions = place(out, padded * sizeof(Vec3));
    if (kernel.normals) out.normals = place(out, padded * sizeof(Vec3));
    if (kernel.tangents) out.tangents = place(out, padded * sizeof(Vec4));
    out.joints = place(out, padded * kernel.influences * sizeof(std::uint16_t));
    // Behind the weights of all vertices the shares of mixed.
    out.weights = place(out, padded * (kernel.influences + (mixes(kernel) ? 1 : 0)) * sizeof(float));
    if (kernel.normals) out.output_normals = padded * sizeof(Vec3);
    if (kernel.tangents) out.output_tangents = padded * sizeof(Vec4);
  } else {
    out.positions =
        place(out, count * (compact ? kCompactBytes / 2 : kFullBytes) + (kernel.wide_joints ? kBoxBytes : 0));
    if (compact) out.joints = place(out, count * kCompactBytes / 2);
  }
  out.output_positions = padded * output_vertex_bytes(options.format);
  if (kernel.morphs) {
    out.target_positions = place(out, deltas);
    if (kernel.normals) out.target_normals = place(out, deltas);
    if (kernel.tangents) out.target_tangents = place(out, deltas);
  }
  return out;
}

void pack_mesh(const Mesh& mesh, const MeshLayout& layout, std::span<std::byte> bytes) {
  SINEW_CONTRACT(layout.vertex_count == mesh.vertex_count() && layout.target_count == mesh.target_count &&
                     layout.palette_limit == mesh.palette_limit,
                 "pack_mesh: the layout is of another mesh (%u vertices, this one has %zu)", layout.vertex_count,
                 mesh.vertex_count());
  SINEW_CONTRACT(!mixes(layout.kernel) || mesh.dual_weights.size() == mesh.vertex_count(),
                 "pack_mesh: the layout is of a mesh with dual_weights, this one has %zu", mesh.dual_weights.size());
  SINEW_CONTRACT(bytes.size() >= layout.size, "pack_mesh.bytes: %zu of %llu bytes", bytes.size(),
                 static_cast<unsigned long long>(layout.size));
  const SkinKernel& kernel = layout.kernel;
  switch (kernel.format) {
    case VertexFormat::streams:
      pack_streams(mesh, layout, bytes);
      break;
    case VertexFormat::full:
      pack_full(mesh, layout, bytes);
      break;
    case VertexFormat::compact:
      (kernel.wide_joints ? pack_compact_wide : pack_compact)(mesh, layout, bytes);
      break;
  }
  if (!kernel.morphs) return;
  const std::size_t deltas = mesh.vertex_count() * mesh.target_count;
  put_targets(Writer(bytes, layout.target_positions), mesh.target_positions, deltas);
  if (kernel.normals) put_targets(Writer(bytes, layout.target_normals), mesh.target_normals, deltas);
  if (kernel.tangents) put_targets(Writer(bytes, layout.target_tangents), mesh.target_tangents, deltas);
}

std::size_t palette_entry_bytes(const SkinKernel& kernel) {
  if (kernel.palette_4x4) return sizeof(Mat4);
  return (has_matrix(kernel) ? sizeof(Affine) : 0) + (has_dual(kernel) ? sizeof(DualQuaternion) : 0) +
         (kernel.stretch ? sizeof(Affine) : 0);
}

void pack_palette(const SkinKernel& kernel, std::span<const Affine> matrices, std::span<const DualQuaternion> rigid,
                  std::span<const Affine> stretch, std::span<std::byte> bytes) {
  const std::size_t count = has_matrix(kernel) ? matrices.size() : rigid.size();
  SINEW_CONTRACT(!has_dual(kernel) || rigid.size() == count, "pack_palette.rigid: %zu entries, there are %zu matrices",
                 rigid.size(), count);
  SINEW_CONTRACT(!has_dual(kernel) || stretch.empty() || (kernel.stretch && stretch.size() == count),
                 "pack_palette.stretch: %zu entries, the kernel reads %zu", stretch.size(),
                 kernel.stretch ? count : std::size_t(0));
  SINEW_CONTRACT(bytes.size() >= count * palette_entry_bytes(kernel), "pack_palette.bytes: %zu of %zu bytes",
                 bytes.size(), count * palette_entry_bytes(kernel));
  Writer writer(bytes, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (kernel.palette_4x4)
      writer.put(to_mat4(matrices[i]));
    else if (has_matrix(kernel))
      writer.put(matrices[i]);
    if (has_dual(kernel)) writer.put(rigid[i]);
    if (kernel.stretch) writer.put(stretch.empty() ? Affine{} : stretch[i]);
  }
}

CompactVertex read_compact(std::span<const std::byte, kCompactOutputBytes> bytes) {
  CompactVertex out;
  std::uint32_t normal, tangent;
  std::memcpy(&out.position, bytes.data(), 12);
  std::memcpy(&normal, bytes.data() + 12, 4);
  std::memcpy(&tangent, bytes.data() + 16, 4);
  out.normal = unpacked(normal);
  out.tangent = Vec4(unpacked(tangent & 0xfffeffffu), (tangent & 0x10000u) != 0 ? -1 : 1);
  return out;
}

StageChoice choose_stage(const StageQuestion& question) {
  if (!question.other_readers && question.passes < question.crossing)
    return {SkinStage::vertex, 0,
            std::to_string(question.passes) + (question.passes == 1 ? " pass" : " passes") + ", fewer than the " +
                std::to_string(question.crossing) +
                " from which skinning once into a buffer pays, and nothing else reads the vertices"};
  const MeshLayout& layout = *question.layout;
  const std::uint64_t bytes = layout.output_positions + layout.output_normals + layout.output_tangents;
  return {SkinStage::compute, bytes * question.instance_count,
          question.other_readers ? "more than the passes reads the skinned vertices, so they must stand in a buffer"
                                 : std::to_string(question.passes) + " passes, from " +
                                       std::to_string(question.crossing) + " on skinning once into a buffer pays"};
}

}  // namespace sinew
