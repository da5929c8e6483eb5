// Skinning: linear blend skinning (LBS, skeletal subspace deformation, vertex blending) or dual quaternion skinning (DQS) of positions, normals and tangents, morph targets (blend shapes) first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/job.h"
#include "sinew/math.h"
#include "sinew/mesh.h"
#include "sinew/palette.h"

namespace sinew {

/// `count` values of type T, `stride` bytes apart, in memory that the caller owns. Nothing else is touched.
template <class T>
class Strided {
 public:
  Strided() = default;
  Strided(std::span<T> values) : data_(reinterpret_cast<std::byte*>(values.data())), count_(values.size()) {}
  Strided(std::vector<T>& values) : Strided(std::span<T>(values)) {}
  /// `bytes` holds the first value at `offset`; as many as fit count.
  Strided(std::span<std::byte> bytes, std::size_t offset, std::size_t stride)
      : data_(bytes.data() + offset),
        stride_(stride),
        count_(bytes.size() < offset + sizeof(T) || stride < sizeof(T)
                   ? 0
                   : (bytes.size() - offset - sizeof(T)) / stride + 1) {}
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::size_t stride() const { return stride_; }
  std::byte* at(std::size_t i) const { return data_ + i * stride_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t stride_ = sizeof(T), count_ = 0;
};

/// Where skinned vertices go: strided views of the caller's buffers. Empty normals or tangents are not computed.
struct VertexOutput {
  Strided<Vec3> positions;
  Strided<Vec3> normals;
  Strided<Vec4> tangents;
};

/// Skinned vertices in memory of their own.
class Vertices {
 public:
  /// Room for what the mesh has: positions, and normals and tangents where it has them.
  explicit Vertices(const Mesh& mesh);
  std::span<const Vec3> positions() const { return positions_; }
  std::span<const Vec3> normals() const { return normals_; }
  std::span<const Vec4> tangents() const { return tangents_; }
  operator VertexOutput() { return {positions_, normals_, tangents_}; }

 private:
  std::vector<Vec3> positions_, normals_;
  std::vector<Vec4> tangents_;
};

/// How normals go through a matrix: `exact` by the inverse transpose, right under any scale; `fast` by the matrix
/// itself, right for rotations and uniform scale only. Tangents go by the matrix in both, for they lie in the surface.
enum class NormalMode : std::uint8_t { exact, fast };

/// How a vertex's influences make one transform of it.
enum class SkinMethod : std::uint8_t {
  linear,           ///< the weighted sum of matrices: fast, collapses where joints twist far
  dual_quaternion,  ///< stretches linearly, then the blend of rigid transforms: keeps volume, bulges at bends
  mixed,            ///< between the two, by the mesh's `dual_weights`: linear where it has none
};

/// For each vertex: morph targets are added, weighted by the part's channels; then sum over influences of weight *
/// (palette entry * vertex), or as `method` says. Normals and tangents get unit length (a zero one stays zero); a tangent's w is kept.
/// Output is in the runtime's vertex order (`Mesh::source_vertices`), in model space.
struct SkinJob {
  In<Mesh> mesh;
  Required<const Affine> palette;        ///< of the part's skin, from PaletteJob
  VertexOutput output;                   ///< at least `vertex_count()` positions; normals and tangents as many or none
  std::span<const float> channels = {};  ///< the part's morph weights out of the pose; empty: all 0
  NormalMode normal_mode = NormalMode::exact;
  SkinMethod method = SkinMethod::linear;
  const DualPalette* dual = nullptr;  ///< of the part's skin, from the same PaletteJob; needed but for linear
};
void run(const SkinJob& job);

}  // namespace sinew
