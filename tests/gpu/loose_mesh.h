// Meshes and palettes of our own making, and what the CPU makes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "gpu/paths.h"

namespace sinew::test {

/// A mesh of any size with normals and tangents, past `write`, which would have mended its weights.
struct LooseMesh {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  Mesh mesh;
  LooseMesh(std::size_t count, std::uint32_t influences, std::uint16_t joint_count);
};

/// Matrices that turn each entry further; `more` tells one palette from another.
std::vector<Affine> turned_palette(std::size_t count, float more = 0, Vec3 scale = Vec3(1));

gpu::SkinnedVertices on_cpu(const Mesh& mesh, std::span<const Affine> palette, NormalMode mode = NormalMode::exact);

/// The largest distance of two vectors at one place; a NaN where there is one. Both must be of one size.
template <class T>
float worst(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) throw std::runtime_error("vertices are missing");
  float out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float d = glm::distance(a[i], b[i]);
    if (std::isnan(d)) return d;
    out = std::max(out, d);
  }
  return out;
}

}  // namespace sinew::test
