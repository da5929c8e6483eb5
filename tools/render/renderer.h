// Renderer: a character's pose into a picture, without a window: skinning, shadow map, depth prepass, main pass.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpu/context.h"
#include "render/camera.h"
#include "render/materials.h"
#include "render/picture.h"
#include "sinew/math.h"
#include "sinew/mesh.h"

namespace sinew::render {

/// What of a part does not move.
struct Shape {
  std::size_t vertex_count = 0;
  const Mesh* mesh = nullptr;  ///< skinned on the device; null: each `Moved` has skinned vertices
  std::vector<Vec2> uvs;       ///< empty, or one a vertex
  std::vector<std::uint32_t> triangles, lines, points;  ///< lists of vertices
  std::int32_t material = -1;
};

/// What of a part is new in each picture: skinned vertices, or for a shape with a mesh what skins it.
struct Moved {
  std::span<const Vec3> positions;
  std::span<const Vec3> normals;  ///< of any length; empty: the faces'
  std::span<const Affine> palette;
  std::span<const float> morph_weights;  ///< one a target of the mesh
  std::span<const Rgba> colours;         ///< empty: the material's
  bool flat = false;                     ///< normals are those of faces
};

/// A triangle's corner of what is drawn over the character: the skeleton.
struct Corner {
  Vec3 position, normal;
  Rgba colour;
};

struct Look {
  Camera camera;
  Bounds bounds;   ///< of all that is shown: the light is made to reach it
  float size = 1;  ///< of the character, for what is drawn in its measure
  float ground_y = 0;
  bool ground = true;
  Vec3 to_light{0, 1, 0};        ///< of length 1
  Vec4 bottom{0.0f}, top{0.0f};  ///< background, linear, alpha multiplied in
  bool wireframe = false;
  std::span<const Corner> overlay;
};

class Renderer {
 public:
  /// Pictures of that size. The context must have graphics, and outlive the renderer.
  static Result<Renderer> create(const gpu::Context& context, std::uint32_t width, std::uint32_t height);
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// What is drawn from now on; meshes must outlive it. Vertex numbers in the shapes must be below their `vertex_count`.
  Result<void> load(std::span<const Shape> shapes, const Materials& materials);
  /// One `Moved` a shape.
  Result<Picture> draw(std::span<const Moved> parts, const Look& look);

 private:
  struct State;
  explicit Renderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew::render
