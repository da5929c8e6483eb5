// The biped's mesh while it is made: a cage of polygons, subdivided and laid on the field. Left half only; the plane x
// = 0 is its border.
#pragma once

#include <vector>

#include "biped/field.h"
#include "biped/skeleton.h"

namespace sinew::biped {

/// What a face belongs to: decides which joints may move it.
enum class Region { trunk, head, arm, palm, thumb, index, middle, ring, pinky, leg, foot };

struct Surface {
  struct Face {
    std::vector<int> vertices;  ///< counterclockwise seen from outside
    std::vector<Vec2> uvs;      ///< one a corner
    Region region;
  };
  std::vector<Vec3> positions;  ///< x = 0 exactly on the plane of symmetry, else x > 0
  std::vector<Vec3> normals;    ///< unit, of the field; empty before `fit`
  std::vector<Face> faces;

  bool on_plane(int vertex) const { return positions[vertex].x == 0; }
};

/// The coarse cage around the bind pose: rings around trunk and limbs, more of them where it bends.
Surface make_cage(const Skeleton& skeleton);
/// One step of subdivision (Catmull and Clark 1978); every face becomes quads. The mirrored half counts as a neighbour.
Surface subdivided(const Surface& surface);
/// Lays the vertices on the field's surface; `rounds` of evening out their spacing along it.
void fit(Surface& surface, const Field& field, int rounds);
/// Neighbours of each vertex along edges.
std::vector<std::vector<int>> neighbours(const Surface& surface);

}  // namespace sinew::biped
