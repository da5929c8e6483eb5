#include "support/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "support/files.h"

namespace sinew::test {
namespace {

PlacedVertices place(const Part& part, const Mesh& mesh, const Vertices& vertices) {
  PlacedVertices out{part.source_node, part.source_mesh, part.source_primitive, {}, {}, {}};
  const std::size_t count = mesh.vertex_count();
  out.positions.resize(count);
  out.normals.resize(vertices.normals().size());
  out.tangents.resize(vertices.tangents().size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t source = mesh.source_vertices[i];
    out.positions[source] = to_double(vertices.positions()[i]);
    if (!out.normals.empty()) out.normals[source] = to_double(vertices.normals()[i]);
    if (!out.tangents.empty()) out.tangents[source] = to_double(vertices.tangents()[i]);
  }
  return out;
}

/// A maximum that does not lose a NaN, as std::max does.
void raise(double& maximum, double value) {
  if (!(value <= maximum)) maximum = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// Of a point, over the larger of the scene's size and its distance from the origin; where both are 0, as it is.
double share(const DVec3& expected, const DVec3& tested, double size) {
  const double scale = std::max(size, length(expected));
  return distance(expected, tested) / (scale > 0 ? scale : 1);
}

void compare_parts(const PlacedVertices& expected, const PlacedVertices& tested, double size, Difference& out) {
  if (expected.positions.size() != tested.positions.size() || expected.normals.size() != tested.normals.size() ||
      expected.tangents.size() != tested.tangents.size()) {
    out.vertices = std::numeric_limits<double>::infinity();
    return;
  }
  for (std::size_t i = 0; i < expected.positions.size(); ++i) {
    raise(out.vertices, share(expected.positions[i], tested.positions[i], size));
  }
  for (std::size_t i = 0; i < expected.normals.size(); ++i) {
    raise(out.normals, distance(expected.normals[i], tested.normals[i]));
  }
  for (std::size_t i = 0; i < expected.tangents.size(); ++i) {
    const DVec4 &a = expected.tangents[i], &b = tested.tangents[i];
    raise(out.tangents, std::hypot(std::hypot(a[0] - b[0], a[1] - b[1]), std::hypot(a[2] - b[2], a[3] - b[3])));
  }
}

}  // namespace

const PlacedVertices* Evaluated::part(int node, int primitive) const {
  for (const PlacedVertices& p : parts)
    if (p.node == node && p.primitive == primitive) return &p;
  return nullptr;
}

Result<Loaded> load(const Scene& scene, const WriteOptions& options) {
  Report report;
  auto bytes = write(scene, options, &report);
  if (!bytes) return Unexpected(bytes.error());
  auto character = open(std::span<const std::byte>(*bytes));
  if (!character) return Unexpected(character.error());
  return Loaded{std::move(*bytes), std::move(*character), std::move(report)};
}

const Clip* source_clip(const Character& character, int clip) {
  for (const Clip& c : character.clips())
    if (c.source_clip == clip) return &c;
  return nullptr;
}

Pose sample(const Character& character, int clip, float time) {
  Pose pose(character.skeleton());
  if (clip == kNone) return pose;
  const Clip* found = source_clip(character, clip);
  if (!found) throw std::runtime_error("the character has no clip " + std::to_string(clip) + " of its source");
  run(SampleJob{.clip = *found, .skeleton = character.skeleton(), .time = time, .pose = pose});
  return pose;
}

Evaluated evaluate(const Character& character, const Pose& pose) {
  Instance instance(character);
  instance.pose = pose;
  run(InstanceJob{character, instance});
  Evaluated out;
  for (std::size_t j = 0; j < instance.model_from_joint.size(); ++j) {
    out.joints[character.skeleton().source_nodes[j]] = to_double(instance.model_from_joint[j]);
  }
  for (std::size_t i = 0; i < instance.vertices.size(); ++i) {
    const Part& part = character.parts()[i];
    out.parts.push_back(place(part, character.meshes()[part.mesh], instance.vertices[i]));
  }
  return out;
}

Evaluated evaluate(const Character& character, int clip, float time) {
  return evaluate(character, sample(character, clip, time));
}

Evaluated evaluate(const Scene& scene, int clip, float time) {
  const Loaded loaded = must(load(scene));
  return evaluate(loaded.character, clip, time);
}

void Difference::merge(const Difference& other) {
  if (other.joints > joints) worst_joint = other.worst_joint;
  raise(joints, other.joints);
  raise(axes, other.axes);
  raise(vertices, other.vertices);
  raise(normals, other.normals);
  raise(tangents, other.tangents);
}

Difference compare(const Evaluated& expected, const Evaluated& tested, double size) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Difference out;
  for (const auto& [node, matrix] : tested.joints) {
    const auto found = expected.joints.find(node);
    if (found == expected.joints.end()) {
      out.joints = kInfinite, out.worst_joint = node;
      continue;
    }
    const DAffine& wanted = found->second;
    const double before = out.joints;
    raise(out.joints, share(origin_of(wanted), origin_of(matrix), size));
    if (out.joints > before) out.worst_joint = node;
    const double norm = frobenius(wanted);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        const double off = std::fabs(matrix.m[r][c] - wanted.m[r][c]);
        raise(out.axes, norm > 0 ? off / norm : off);
      }
    }
  }
  for (const PlacedVertices& part : tested.parts) {
    const PlacedVertices* wanted = expected.part(part.node, part.primitive);
    if (wanted)
      compare_parts(*wanted, part, size, out);
    else
      out.vertices = kInfinite;
  }
  return out;
}

}  // namespace sinew::test
