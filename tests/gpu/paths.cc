#include "gpu/paths.h"

#include <map>
#include <tuple>

#include "support/files.h"

namespace sinew::test {
namespace {

auto key_of(const gpu::SkinPath& path) {
  const MeshLayoutOptions& layout = path.layout;
  const vulkan::DispatchLimits& limits = path.limits;
  return std::tuple(path.stage, layout.format, layout.directions, layout.normal_mode, layout.palette_4x4, layout.method,
                    layout.stretch, limits.groups_x, limits.groups_y, limits.elements);
}

/// One a path, kept with its pipelines: on a CPU's driver they take longer to make than to use.
gpu::SkinReader& reader_of(const gpu::SkinPath& path) {
  const gpu::Context& context = device();  // before the readers: destroyed after them
  static std::map<decltype(key_of(path)), gpu::SkinReader> readers;
  return readers.try_emplace(key_of(path), context, path).first->second;
}

}  // namespace

const gpu::Context& device() {
  static const gpu::Context context =
      must(gpu::Context::create({.graphics = true, .transform_feedback = true, .validation = true}));
  return context;
}

std::vector<gpu::SkinnedVertices> skin_on_device(const Mesh& mesh, std::span<const std::vector<Affine>> palettes,
                                                 std::span<const std::vector<float>> channels,
                                                 const gpu::SkinPath& path) {
  std::vector<gpu::SkinnedInstance> instances;
  for (std::size_t i = 0; i < palettes.size(); ++i) instances.push_back({palettes[i], channels[i], {}, {}});
  return skin_on_device(mesh, instances, path);
}

std::vector<gpu::SkinnedVertices> skin_on_device(const Mesh& mesh, std::span<const gpu::SkinnedInstance> instances,
                                                 const gpu::SkinPath& path) {
  return must(reader_of(path).skin(mesh, instances));
}

Evaluated evaluate_on_device(const Character& character, const Pose& pose, const gpu::SkinPath& path) {
  Instance instance(character);
  instance.pose = pose;
  run(ModelJob{character.skeleton(), pose, instance.model_from_joint});
  gpu::SkinReader& reader = reader_of(path);
  Evaluated out;
  for (std::size_t j = 0; j < instance.model_from_joint.size(); ++j)
    out.joints[character.skeleton().source_nodes[j]] = to_double(instance.model_from_joint[j]);
  for (const Part& part : character.parts()) {
    Palette palette(character.skins()[part.skin]);
    run(PaletteJob{character.skins()[part.skin], instance.model_from_joint, palette.matrices()});
    const gpu::SkinnedInstance one{palette.matrices(), pose.channels().subspan(part.first_channel, part.channel_count)};
    const Mesh& mesh = character.meshes()[part.mesh];
    const gpu::SkinnedVertices skinned = must(reader.skin(mesh, std::span(&one, 1)))[0];
    PlacedVertices& placed =
        out.parts.emplace_back(PlacedVertices{part.source_node, part.source_mesh, part.source_primitive, {}, {}, {}});
    placed.positions.resize(skinned.positions.size());
    placed.normals.resize(skinned.normals.size());
    placed.tangents.resize(skinned.tangents.size());
    for (std::size_t i = 0; i < skinned.positions.size(); ++i) {
      const std::size_t source = mesh.source_vertices[i];
      placed.positions[source] = to_double(skinned.positions[i]);
      if (!skinned.normals.empty()) placed.normals[source] = to_double(skinned.normals[i]);
      if (!skinned.tangents.empty()) placed.tangents[source] = to_double(skinned.tangents[i]);
    }
  }
  return out;
}

}  // namespace sinew::test
