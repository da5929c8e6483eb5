// Materials: base colour and its texture, out of the glTF document that a scene keeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/picture.h"
#include "sinew/math.h"
#include "sinew/scene.h"

namespace sinew::render {

enum class AlphaMode { opaque, mask, blend };

struct Material {
  Vec4 colour{1.0f};          ///< linear, multiplied with the texture
  std::int32_t texture = -1;  ///< of Materials::textures
  AlphaMode alpha = AlphaMode::opaque;
  float cutoff = 0.5f;
  bool unlit = false;
  float uv[2][3] = {{1, 0, 0}, {0, 1, 0}};  ///< rows; applied to texture coordinates (KHR_texture_transform)
};

struct Texture {
  Picture picture;
  bool repeat_u = true, repeat_v = true, nearest = false;
};

struct Materials {
  std::vector<Material> materials;  ///< as the file numbers them
  std::vector<Texture> textures;
  Report report;            ///< images that cannot be read: their materials show the colour alone
  bool faces_back = false;  ///< the front is -Z, as VRM 0 has it; glTF's is +Z
};

/// Empty for a scene made in code.
Materials read_materials(const Scene& scene);

}  // namespace sinew::render
