#include "evaluate.h"

#include <fmt/format.h>

#include "text.h"

namespace sinew::tool {

Instance evaluate(const Character& character, const Pose& pose, SkinMethod method) {
  Instance out(character);
  out.pose = pose;
  run(InstanceJob{.character = character, .instance = out, .method = method});
  return out;
}

Pose pose_at(const Character& character, const Moment& moment) {
  Pose pose(character.skeleton());
  if (moment.clip) run(SampleJob{*moment.clip, character.skeleton(), moment.time, pose});
  return pose;
}

Instance evaluate(const Character& character, const Moment& moment, SkinMethod method) {
  return evaluate(character, pose_at(character, moment), method);
}

SkinnedPart skin_part(const Character& character, const Part& part, const Instance& instance) {
  const Mesh& mesh = character.meshes()[part.mesh];
  const Vertices& vertices = instance.vertices[&part - character.parts().data()];
  SkinnedPart out{std::vector<Vec3>(mesh.vertex_count()), std::vector<Vec3>(mesh.normals.size())};
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const std::uint32_t source = mesh.source_vertices[i];
    out.positions[source] = vertices.positions()[i];
    if (!out.normals.empty()) out.normals[source] = vertices.normals()[i];
  }
  return out;
}

std::string_view node_name(const Character& character, const Part& part) {
  return character.skeleton().names[part.joint];
}

std::string describe(const Character& character, const Part& part) {
  return fmt::format("part {} (node {} {}, mesh {}, primitive {})", &part - character.parts().data(), part.source_node,
                     in_quotes(node_name(character, part)), part.source_mesh, part.source_primitive);
}

}  // namespace sinew::tool
