// What skinning does to limbs: how thin they get, how far they bulge, and how much of a closed mesh's volume is left.
#pragma once

#include <optional>
#include <vector>

#include "sinew/sinew.h"

namespace sinew::tool {

/// The worst of a pose: the joint that it is about, or none where no joint has a ring of vertices.
struct LimbShape {
  double thinnest = 1;              ///< mean distance of what is half way, over that at rest
  std::int32_t thin_joint = kNone;  ///< row
  double bulge = 0;                 ///< farthest that a vertex goes beyond that distance, over the limb's width
  std::int32_t bulge_joint = kNone;
  std::optional<double> volume;  ///< of closed meshes, over that at rest
};

/// Knows a character's rest pose: where its rings are, and how far they lie from the bones. A joint's ring are the vertices
/// that it and its parent in the skin (or a twist joint between them) move together, each by a quarter at least; half way are those that both move about
/// alike. The bones are the one that leads to the joint and its own.
class LimbMeter {
 public:
  explicit LimbMeter(const Character& character);
  /// Of vertices as they are posed and skinned now.
  LimbShape measure(const Instance& instance) const;

 private:
  struct Ring {
    std::size_t part = 0;
    std::uint32_t joint = 0, parent = 0;  // rows
    Vec3 end{0.0f};                       // of the joint's own bone, in its space
    std::vector<std::uint32_t> vertices;  // first those that belong to both joints about alike
    std::vector<float> leanings;          // towards one of the joints, 0 to 1
    std::size_t middle = 0;               // how many of the first are half way
    std::vector<double> distances;        // from the bones at rest
    double width = 0;
  };
  struct Closed {
    std::size_t part;
    std::vector<std::uint32_t> corners;  // of triangles
  };
  void add_rings(std::size_t part, const std::vector<Affine>& model_from_joint);
  static bool finish(Ring& ring, const Instance& rest);
  void add_closed(std::size_t part);
  double volume(const Instance& instance) const;
  static std::vector<double> distances(const Ring& ring, const Instance& instance);

  const Character& character_;
  std::vector<Ring> rings_;
  std::vector<Closed> closed_;
  double rest_volume_ = 0;
};

}  // namespace sinew::tool
