#include "render_actor.h"

#include <algorithm>
#include <cmath>

#include "sinew/sinew.h"

namespace sinew::tool {

namespace {

/// Strips, fans and loops as lists; a part without indices takes its vertices in order.
render::Shape shape_of(const Mesh& mesh, const Part& part) {
  render::Shape out;
  out.vertex_count = mesh.vertex_count();
  out.mesh = &mesh;
  out.uvs.assign(mesh.uvs.begin(), mesh.uvs.end());
  out.material = part.material;
  std::vector<std::uint32_t> order(mesh.indices.begin(), mesh.indices.end());
  if (order.empty()) {
    // In the source's order, which is the one that topology speaks of.
    order.resize(mesh.vertex_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[mesh.source_vertices[i]] = i;
  }
  const std::size_t n = order.size();
  const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
    out.triangles.insert(out.triangles.end(), {order[a], order[b], order[c]});
  };
  const auto line = [&](std::size_t a, std::size_t b) { out.lines.insert(out.lines.end(), {order[a], order[b]}); };
  switch (mesh.topology) {
    case Topology::points:
      out.points = order;
      break;
    case Topology::lines:
      for (std::size_t i = 0; i + 1 < n; i += 2) line(i, i + 1);
      break;
    case Topology::line_loop:
      if (n > 2) line(n - 1, 0);
      [[fallthrough]];
    case Topology::line_strip:
      for (std::size_t i = 0; i + 1 < n; ++i) line(i, i + 1);
      break;
    case Topology::triangles:
      for (std::size_t i = 0; i + 2 < n; i += 3) triangle(i, i + 1, i + 2);
      break;
    case Topology::triangle_strip:
      for (std::size_t i = 0; i + 2 < n; ++i) triangle(i + i % 2, i + 1 - i % 2, i + 2);
      break;
    case Topology::triangle_fan:
      for (std::size_t i = 1; i + 1 < n; ++i) triangle(0, i, i + 1);
      break;
  }
  return out;
}

}  // namespace

Actor::Actor(Input input) : input_(std::make_unique<Input>(std::move(input))) {
  const Character& character = *input_->character;
  instance_ = std::make_unique<Instance>(character);
  for (const Part& part : character.parts()) {
    const Mesh& mesh = character.meshes()[part.mesh];
    shapes_.push_back(shape_of(mesh, part));
    unweld(shapes_.back(), mesh);
    if (input_->method != SkinMethod::linear) shapes_.back().mesh = nullptr;  // skinned on the CPU
  }
  if (input_->scene) materials_ = render::read_materials(*input_->scene);
  colours_.resize(shapes_.size());
  pose({});
}

void Actor::unweld(render::Shape& shape, const Mesh& mesh) {
  Flat& flat = flat_.emplace_back();
  if (!mesh.normals.empty() || shape.triangles.empty()) return;
  shape.mesh = nullptr;
  flat.corners = shape.triangles;
  shape.vertex_count = flat.corners.size();
  for (std::uint32_t i = 0; i < shape.triangles.size(); ++i) shape.triangles[i] = i;
  shape.uvs.clear();
  for (const std::uint32_t v : flat.corners)
    if (!mesh.uvs.empty()) shape.uvs.push_back(mesh.uvs[v]);
}

void Actor::sample(const Moment& moment) {
  if (moment.clip)
    run(SampleJob{*moment.clip, character().skeleton(), moment.time, instance_->pose});
  else
    instance_->pose.set_rest(character().skeleton());
}

void Actor::pose(const Moment& moment) {
  sample(moment);
  run(InstanceJob{.character = character(), .instance = *instance_, .method = input_->method});
  update();
}

void Actor::pose_to_draw(const Moment& moment) {
  if (input_->method != SkinMethod::linear) return pose(moment);
  sample(moment);
  run(ModelJob{character().skeleton(), instance_->pose, instance_->model_from_joint});
  for (std::size_t i = 0; i < character().skins().size(); ++i)
    run(PaletteJob{character().skins()[i], instance_->model_from_joint, instance_->palettes[i].matrices()});
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Part& part = character().parts()[i];
    if (!shapes_[i].mesh)
      run(SkinJob{character().meshes()[part.mesh], instance_->palettes[part.skin].matrices(), instance_->vertices[i],
                  channels_of(part)});
  }
  update();
}

std::span<const float> Actor::channels_of(const Part& part) const {
  return std::as_const(instance_->pose).channels().subspan(part.first_channel, part.channel_count);
}

void Actor::update() {
  moved_.clear();
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const Vertices& skinned = instance_->vertices[i];
    const Part& part = character().parts()[i];
    Flat& flat = flat_[i];
    flat.positions.clear(), flat.normals.clear();
    for (std::size_t c = 0; c + 2 < flat.corners.size(); c += 3) {
      Vec3 p[3];
      for (std::size_t k = 0; k < 3; ++k) flat.positions.push_back(p[k] = skinned.positions()[flat.corners[c + k]]);
      flat.normals.insert(flat.normals.end(), 3, glm::cross(p[1] - p[0], p[2] - p[0]));
    }
    render::Moved& moved = moved_.emplace_back();
    moved.flat = !flat.corners.empty();
    moved.positions = moved.flat ? std::span<const Vec3>(flat.positions) : skinned.positions();
    moved.normals = moved.flat ? std::span<const Vec3>(flat.normals) : skinned.normals();
    moved.colours = colours_[i];
    moved.palette = instance_->palettes[part.skin].matrices();
    moved.morph_weights = channels_of(part);
  }
}

void Actor::paint(std::vector<std::vector<render::Rgba>> colours) {
  colours_ = std::move(colours);
  colours_.resize(shapes_.size());
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    if (!colours_[i].empty() && !flat_[i].corners.empty()) {
      std::vector<render::Rgba> of_corners;
      for (const std::uint32_t v : flat_[i].corners) of_corners.push_back(colours_[i][v]);
      colours_[i] = std::move(of_corners);
    }
    moved_[i].colours = colours_[i];
  }
}

void Actor::add_to(render::Framing& framing) const {
  if (focus_ != kNone) return add_focus(framing);
  // Vertices that no face uses may lie anywhere.
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    for (const auto* list : {&shapes_[i].triangles, &shapes_[i].lines, &shapes_[i].points})
      for (const std::uint32_t v : *list) framing.add(moved_[i].positions[v]);
  if (has_mesh()) return;
  for (const Affine& m : instance_->model_from_joint) framing.add(transform_point(m, Vec3(0.0f)));
}

void Actor::add_focus(render::Framing& framing) const {
  constexpr float kLeast = 0.1f;  // weight of the joint in a vertex
  framing.add(transform_point(instance_->model_from_joint[static_cast<std::size_t>(focus_)], Vec3(0.0f)));
  for (std::size_t i = 0; i < character().parts().size(); ++i) {
    const Part& part = character().parts()[i];
    const Mesh& mesh = character().meshes()[part.mesh];
    for (std::size_t at = 0; at < mesh.joints.size(); ++at)
      if (mesh.weights[at] >= kLeast &&
          character().skins()[part.skin].joints[mesh.joints[at]] == static_cast<std::uint32_t>(focus_))
        framing.add(instance_->vertices[i].positions()[at / mesh.influence_count]);
  }
}

bool Actor::has_mesh() const {
  return std::any_of(shapes_.begin(), shapes_.end(), [](const render::Shape& shape) {
    return !shape.triangles.empty() || !shape.lines.empty() || !shape.points.empty();
  });
}

Result<Difference> Difference::create(const Actor& a, const Actor& b) {
  const auto a_parts = a.character().parts(), b_parts = b.character().parts();
  if (a_parts.size() != b_parts.size())
    return fail(
        ErrorCode::inconsistent, "",
        "has " + std::to_string(b_parts.size()) + " parts, and the first file has " + std::to_string(a_parts.size()),
        "a heat map needs two files of one character; leave out --heat");
  Result<Difference> made(Difference{});
  for (std::size_t i = 0; i < a_parts.size(); ++i) {
    const Mesh &from = a.character().meshes()[a_parts[i].mesh], &to = b.character().meshes()[b_parts[i].mesh];
    if (from.vertex_count() != to.vertex_count())
      return fail(ErrorCode::inconsistent, "part " + std::to_string(i),
                  "has " + std::to_string(to.vertex_count()) + " vertices, and that of the first file has " +
                      std::to_string(from.vertex_count()),
                  "a heat map needs two files of one character; leave out --heat");
    std::vector<std::uint32_t> b_from_source(to.vertex_count()), map(from.vertex_count());
    for (std::uint32_t v = 0; v < map.size(); ++v) b_from_source[to.source_vertices[v]] = v;
    for (std::uint32_t v = 0; v < map.size(); ++v) map[v] = b_from_source[from.source_vertices[v]];
    made->b_from_a_.push_back(std::move(map));
  }
  return made;
}

std::vector<std::vector<float>> Difference::shares(const Actor& a, const Actor& b) const {
  std::vector<std::vector<float>> out(b_from_a_.size());
  const float size = a.character().size() > 0 ? a.character().size() : 1.0f;
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t v = 0; v < b_from_a_[i].size(); ++v)
      out[i].push_back(
          glm::length(a.instance().vertices[i].positions()[v] - b.instance().vertices[i].positions()[b_from_a_[i][v]]) /
          size);
  return out;
}

}  // namespace sinew::tool
