// The biped's shape as an implicit surface: a signed field that is negative inside.
#pragma once

#include <vector>

#include "biped/skeleton.h"

namespace sinew::biped {

/// A cross-section of a `Loft`: an ellipse of half-widths `across` and `deep`, its centre moved off the axis.
struct Station {
  float at;            ///< 0 at the loft's begin, 1 at its end
  float across, deep;  ///< metres, along the loft's X and Z
  float shift_x = 0, shift_z = 0;
};

/// A body along a straight axis whose elliptic cross-sections follow stations, with rounded ends: limbs, trunk and
/// muscles are all lofts. Begin = end gives an ellipsoid.
class Loft {
 public:
  /// Y runs from `begin` to `end`; `x_hint` turns the ellipses. `cap`: height of the rounded ends, metres.
  Loft(Vec3 begin, Vec3 end, Vec3 x_hint, std::vector<Station> stations, float cap);
  /// An ellipsoid of half-axes `radii` in a turned frame.
  Loft(Vec3 centre, Vec3 radii, Quat rotation = {});

  /// About the distance to the surface, metres; exact for circles, a lower bound for flat ellipses.
  float distance(Vec3 p) const;
  /// No point of the loft is farther than `radius` from `centre`.
  Vec3 centre() const { return centre_; }
  float radius() const { return radius_; }

 private:
  Station station(float at) const;

  Vec3 begin_, x_, y_, z_, centre_{0.0f};
  float length_, cap_, radius_ = 0;
  std::vector<Station> stations_;
};

/// Lofts melted together one after the other. What only touches (fingers) sits in branches: each melts into the trunk,
/// but not into the next branch.
class Field {
 public:
  struct Piece {
    Loft loft;
    float melt;          ///< metres within which it rounds into what is there already
    bool carve = false;  ///< taken away instead of added
  };

  void add(Loft loft, float melt) { trunk_.push_back({std::move(loft), melt}); }
  void carve(Loft loft, float melt) { trunk_.push_back({std::move(loft), melt, true}); }
  void add_branch(std::vector<Piece> pieces, float melt);
  /// Cuts everything at y = 0, with an edge rounded over `melt` metres: a flat sole.
  void stand_on_ground(float melt) { sole_melt_ = melt; }

  /// The left half is described; x is mirrored, rounded at the plane so that the two halves meet smoothly.
  float value(Vec3 p) const;
  Vec3 gradient(Vec3 p) const;
  /// `p` moved to the surface along the gradient.
  Vec3 onto_surface(Vec3 p, int steps) const;

 private:
  struct Branch {
    std::vector<Piece> pieces;
    float melt;
    Vec3 centre;
    float radius;
  };
  std::vector<Piece> trunk_;
  std::vector<Branch> branches_;
  float sole_melt_ = 0;
};

/// The anatomy: the body of the left half around the bind pose.
Field make_body(const Skeleton& skeleton);

}  // namespace sinew::biped
