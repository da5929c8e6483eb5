// JointRuns: which neighbouring vertices of a mesh share their joints (bone sets of skinning influences), for work on many vertices at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

/// A mesh's vertices as runs, one after another. Vertices of a shared run are moved by joints of one short list, so that
/// a vector kernel may take up to 16 of them side by side; a run of no joints holds vertices that are not shared, which
/// have their own joints each. Says nothing that `Mesh::joints` and `Mesh::weights` do not. None at all: all unshared.
struct JointRuns {
  std::span<const std::uint32_t> ends;  ///< one past each run's last vertex, ascending; the last is the vertex count
  std::span<const std::uint16_t>
      joints;  ///< a run: J, how many joints (0: not shared), and J palette entries, ascending
  /// Run by run in blocks of 16 vertices, the run's last one being shorter: J - 1 rows, one float a vertex, of the
  /// weights of the second joint, the third, …. The first joint's is 1 minus the others. Ends with kPadding zeros.
  std::span<const float> weights;

  static constexpr std::size_t kMostJoints = 8;  ///< of a shared run
  static constexpr std::size_t kBlock = 16;      ///< vertices
  static constexpr std::size_t kPadding = 16;    ///< floats, which a kernel may read past a short block

  /// The arrays that the runs were made for: with others in their place (vertices in another order), they do not count.
  const std::uint16_t* of_joints = nullptr;
  const float* of_weights = nullptr;
};

}  // namespace sinew
