// A character as the renderer takes it: its shapes and materials, and its vertices in the pose that was asked for last.
#pragma once

#include <memory>
#include <vector>

#include "input.h"
#include "render/renderer.h"
#include "sinew/instance.h"

namespace sinew::tool {

class Actor {
 public:
  explicit Actor(Input input);

  const Character& character() const { return *input_->character; }
  const Report& report() const { return input_->report; }
  const std::vector<render::Shape>& shapes() const { return shapes_; }
  const render::Materials& materials() const { return materials_; }
  const Instance& instance() const { return *instance_; }

  /// All stages, for who looks at vertices.
  void pose(const Moment& moment);
  /// The stages up to the palettes, and vertices only where the device does not skin them: for drawing.
  void pose_to_draw(const Moment& moment);
  /// Views of what a pose has filled; colours where `paint` has been called.
  const std::vector<render::Moved>& moved() const { return moved_; }
  /// One colour a vertex of each part, or none.
  void paint(std::vector<std::vector<render::Rgba>> colours);
  /// All vertices of the pose, or its joints where there is no mesh.
  void add_to(render::Framing& framing) const;
  /// From now on `add_to` adds what this joint moves, alone.
  void focus(std::int32_t row) { focus_ = row; }
  bool has_mesh() const;

 private:
  void unweld(render::Shape& shape, const Mesh& mesh);
  void sample(const Moment& moment);
  void update();
  void add_focus(render::Framing& framing) const;
  std::span<const float> channels_of(const Part& part) const;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Instance> instance_;
  std::vector<render::Shape> shapes_;
  render::Materials materials_;
  std::vector<std::vector<render::Rgba>> colours_;
  /// Of parts without normals, whose faces are flat: a vertex for each corner, so that each face has its own normal.
  struct Flat {
    std::vector<std::uint32_t> corners;
    std::vector<Vec3> positions, normals;
  };
  std::vector<Flat> flat_;
  std::vector<render::Moved> moved_;
  std::int32_t focus_ = kNone;
};

/// Bones and joints as triangles over the character: of the skin's joints, or of all where nothing is skinned.
std::vector<render::Corner> skeleton_corners(const Actor& actor);

/// Colours by how much a joint moves each vertex, blue for not at all and red for alone; a negative row: all joints, each
/// in a colour of its own, mixed by weight.
std::vector<std::vector<render::Rgba>> weight_colours(const Character& character, std::int32_t row);
/// The joint of that name, or with that node of the source file.
/// `option`: for the error.
Result<std::int32_t> find_joint(const Character& character, const std::string& text, const char* option);

/// 0 to 1 as a colour from blue by green and yellow to red.
render::Rgba ramp(float share);
/// 1, 2 or 5 times a power of ten, not below `value`: the end of a scale.
float round_scale(float value);

/// Distances between the vertices of two characters with the same meshes, as shares of the first one's size.
class Difference {
 public:
  /// Error: parts or vertices do not match.
  static Result<Difference> create(const Actor& a, const Actor& b);
  /// One a vertex of each part of `a`, both as they are posed now.
  std::vector<std::vector<float>> shares(const Actor& a, const Actor& b) const;

 private:
  std::vector<std::vector<std::uint32_t>> b_from_a_;  // of each part: vertex of b for each vertex of a
};

}  // namespace sinew::tool
