#include "evaluate.h"

#include <fmt/format.h>

#include <utility>

#include "text.h"

namespace sinew::tool {

Evaluated evaluate(const Character& character, Pose pose) {
  Evaluated out{std::move(pose), std::vector<Affine>(character.skeleton().joint_count()), {}};
  run(ModelJob{character.skeleton(), out.pose, out.model_from_joint});
  for (const Skin& skin : character.skins()) {
    std::vector<Affine> palette(skin.joints.size());
    run(PaletteJob{skin, out.model_from_joint, palette});
    out.palettes.push_back(std::move(palette));
  }
  return out;
}

Evaluated evaluate(const Character& character, const Moment& moment) {
  Pose pose(character.skeleton());
  if (moment.clip) run(SampleJob{*moment.clip, character.skeleton(), moment.time, pose});
  return evaluate(character, std::move(pose));
}

SkinnedPart skin_part(const Character& character, const Part& part, const Evaluated& evaluated) {
  const Mesh& mesh = character.meshes()[part.mesh];
  const std::vector<Affine>& palette = evaluated.palettes[part.skin];
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.normals.size());
  run(SkinJob{mesh, palette, VertexOutput{positions, normals, {}},
              evaluated.pose.channels().subspan(part.first_channel, part.channel_count)});
  SkinnedPart out{std::vector<Vec3>(positions.size()), std::vector<Vec3>(normals.size())};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::uint32_t source = mesh.source_vertices[i];
    out.positions[source] = positions[i];
    if (!normals.empty()) out.normals[source] = normals[i];
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
