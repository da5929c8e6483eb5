// Skinning at rest in plain code: the size of a character, and what dropped influences change.
#pragma once

#include <span>

#include "offline/write_detail.h"

namespace sinew::detail {

class RestBox {
 public:
  void add(Vec3 p);
  bool empty() const { return !any_; }
  /// Length of the diagonal.
  double diagonal() const;

 private:
  Vec3 low_{0}, high_{0};
  bool any_ = false;
};

/// A part at rest, as the writer sees it: vertices in the source's order.
struct RestPart {
  const Scene::Primitive& primitive;
  std::span<const float> channels;  ///< one a morph target
  std::span<const Affine> palette;  ///< by joint of the source skin; for an unskinned part, one
  const Affine& root;               ///< what vertices without influences follow
};

/// The vertex with its morph targets, moved by these influences; null: by the palette's only entry.
Vec3 rest_position(const RestPart& part, const Influences* influences, std::size_t vertex);

}  // namespace sinew::detail
