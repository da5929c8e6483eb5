#include "sinew/export.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "interchange/export_baked.h"
#include "interchange/export_check.h"
#include "interchange/export_new.h"
#include "interchange/export_patch.h"
#include "interchange/gltf.h"

namespace sinew {
namespace glb {
namespace {

std::optional<Error> check_counts(const Scene& scene, const Scene& base) {
  struct List {
    const char* name;
    std::size_t now, before;
  };
  for (const List& list :
       {List{"nodes", scene.nodes.size(), base.nodes.size()}, List{"meshes", scene.meshes.size(), base.meshes.size()},
        List{"skins", scene.skins.size(), base.skins.size()},
        List{"scenes", scene.scenes.size(), base.scenes.size()}}) {
    if (list.now >= list.before) continue;
    return Error{ErrorCode::inconsistent, list.name,
                 std::to_string(list.now) + " in the scene, but the document that it came from has " +
                     std::to_string(list.before),
                 "keep unused ones, or reset Scene::document to write a new file"};
  }
  return std::nullopt;
}

Result<GlbWriter> patched_document(const Scene& scene, Report* report) {
  ImportOptions options;
  options.memory_limit = std::numeric_limits<std::uint64_t>::max();  // an import of the same data has been let through
  const Result<Scene> base = gltf::read_document(scene.document, options);
  if (!base) return Unexpected(base.error());
  if (auto error = check_counts(scene, *base)) return Unexpected(std::move(*error));
  Result<GlbWriter> writer = GlbWriter::from(scene.document);
  if (!writer) return Unexpected(writer.error());
  const auto extensions = extensions_in_use(writer->root());
  Patch patch{*writer, scene, *base, report};
  patch_nodes(patch);
  patch_skins(patch);
  patch_scenes(patch);
  if (auto error = patch_meshes(patch)) return Unexpected(std::move(*error));
  patch_clips(patch);
  embed_images(*writer, scene.document->directory, report);
  if (patch.replaced) remove_leftovers(*writer, extensions);
  return writer;
}

/// Meshes, nodes and all else of the document have the scene's indices.
Result<GlbWriter> whole_document(const Scene& scene, Report* report) {
  if (auto error = check_scene(scene)) return Unexpected(std::move(*error));
  return scene.document ? patched_document(scene, report) : new_document(scene, report);
}

/// Whether the three belong together.
std::optional<Error> check_pose(const Scene& scene, const Character& character, const Pose& pose) {
  const Skeleton& skeleton = character.skeleton();
  const auto bad = [](const char* where, const char* what) {
    return Error{ErrorCode::bad_argument, where, what,
                 "give the scene, the character made from it, and a pose of its skeleton"};
  };
  if (pose.skeleton_id() != skeleton.id || pose.joint_count() != skeleton.joint_count())
    return bad("pose", "it is of another skeleton than the character's");
  for (std::int32_t node : skeleton.source_nodes)
    if (node != kNone && (node < 0 || std::size_t(node) >= scene.nodes.size()))
      return bad("character", "a joint's node is not in the scene");
  for (const Part& part : character.parts()) {
    if (part.source_node < 0 || std::size_t(part.source_node) >= scene.nodes.size() || part.source_mesh < 0 ||
        std::size_t(part.source_mesh) >= scene.meshes.size() || part.source_primitive < 0 ||
        std::size_t(part.source_primitive) >= scene.meshes[std::size_t(part.source_mesh)].primitives.size())
      return bad("character", "a part's mesh is not in the scene");
    const auto& primitive = scene.meshes[std::size_t(part.source_mesh)].primitives[std::size_t(part.source_primitive)];
    if (primitive.positions.size() != character.meshes()[part.mesh].vertex_count())
      return bad("character", "a part has another number of vertices than in the scene");
  }
  return std::nullopt;
}

bool is_rest(const Skeleton& skeleton, const Pose& pose, std::size_t joint) {
  return pose.transform(joint) == skeleton.rest_transform(joint);
}

/// The scene standing in the pose, without clips. What is at rest keeps the scene's own numbers.
Scene posed(const Scene& scene, const Character& character, const Pose& pose) {
  Scene out = scene;
  const Skeleton& skeleton = character.skeleton();
  for (std::size_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::int32_t node = skeleton.source_nodes[joint];
    if (node != kNone && !is_rest(skeleton, pose, joint)) out.nodes[std::size_t(node)].rest = pose.transform(joint);
  }
  for (const Part& part : character.parts()) {
    const auto now = pose.channels().subspan(part.first_channel, part.channel_count);
    const auto rest = skeleton.rest_channels.subspan(part.first_channel, part.channel_count);
    if (!std::equal(now.begin(), now.end(), rest.begin()))
      out.nodes[std::size_t(part.source_node)].weights.assign(now.begin(), now.end());
  }
  out.clips.clear();
  return out;
}

Result<Bytes> finished(Result<GlbWriter> writer) {
  if (!writer) return Unexpected(writer.error());
  return std::move(*writer).finish();
}

}  // namespace
}  // namespace glb

Result<Bytes> export_glb(const Scene& scene, Report* report) {
  return glb::finished(glb::whole_document(scene, report));
}

Result<Bytes> export_posed_glb(const Scene& scene, const Character& character, const Pose& pose) {
  if (auto error = glb::check_pose(scene, character, pose)) return Unexpected(std::move(*error));
  return glb::finished(glb::whole_document(glb::posed(scene, character, pose), nullptr));
}

Result<Bytes> export_baked_glb(const Scene& scene, const Character& character, const Pose& pose) {
  if (auto error = glb::check_pose(scene, character, pose)) return Unexpected(std::move(*error));
  Result<glb::GlbWriter> writer = glb::whole_document(scene, nullptr);
  if (!writer) return Unexpected(writer.error());
  if (auto error = glb::bake(*writer, scene, character, pose)) return Unexpected(std::move(*error));
  return std::move(*writer).finish();
}

}  // namespace sinew
