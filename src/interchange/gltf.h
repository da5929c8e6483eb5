// The steps that make a Scene from a glTF document, in the order in which they run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interchange/data.h"
#include "interchange/reader.h"
#include "sinew/import.h"
#include "sinew/scene.h"

namespace sinew::gltf {

/// An inverse bind matrix whose last row is not 0, 0, 0, 1: an error where a vertex follows its joint.
struct BadBind {
  std::size_t skin = 0, joint = 0;
  float row[4] = {};
};

/// What the steps work on. Each step records an error in the reader and returns false where it fails.
struct Import {
  Reader& reader;
  Json root;
  Data& data;
  Scene& scene;
  Json accessors, buffer_views, materials, meshes, skins;  ///< lists of the root, looked up once
  bool quantization = false;                               ///< KHR_mesh_quantization is declared
  std::vector<std::int32_t> skin_joints;  ///< of each mesh: joints of the smallest skin that it is shown with, or kNone
  std::vector<BadBind> bad_binds;

  Import(Reader& r, Json document, Data& d, Scene& s)
      : reader(r),
        root(document),
        data(d),
        scene(s),
        accessors(r.array(document, "accessors")),
        buffer_views(r.array(document, "bufferViews")),
        materials(r.array(document, "materials")),
        meshes(r.array(document, "meshes")),
        skins(r.array(document, "skins")) {}
};

bool check_asset(Import& task);
/// Types in what is not read here and passes through: materials, textures, images.
void check_document(Import& task);
bool check_extensions(Import& task);
bool read_nodes(Import& task);
bool read_scenes(Import& task);
bool read_skins(Import& task);
bool read_meshes(Import& task);
bool read_animations(Import& task);
/// What nodes, meshes and skins say together: morph weights, skins without influences, ignored mesh-node transforms.
bool check_mesh_nodes(Import& task);
/// `bad_binds` of joints that vertices follow.
bool check_bad_binds(Import& task);
/// JOINTS_n and WEIGHTS_n of a primitive: joint numbers in range, sums, vertices without weight.
bool check_influences(Import& task, std::size_t mesh, std::size_t primitive);
/// Rotations of a track: length (an error where it is 0), and signs of neighbours. `tolerance`: of the length.
/// `channel` is where the track came from.
bool check_rotation_keys(Import& task, Json channel, std::size_t clip, std::size_t track, float tolerance);
/// A linear track whose values jump between long holds.
void note_held_keys(Import& task, Json channel, std::size_t clip, std::size_t track);

/// Vertex data of a primitive that is stored as a Draco stream.
class DracoMesh {
 public:
  DracoMesh();
  ~DracoMesh();
  /// Decodes the stream of `extension` (KHR_draco_mesh_compression of a primitive).
  bool decode(Import& task, Json extension);
  bool has(std::string_view semantic) const;
  /// The values of an attribute, as stored; `normalized` is the accessor's. False: an error is recorded.
  bool elements(Import& task, std::string_view semantic, bool normalized, Elements& out);
  std::uint64_t vertex_count() const;
  std::vector<std::uint32_t> indices() const;

 private:
  struct Decoded;
  std::unique_ptr<Decoded> decoded_;
};

/// Makes the scene again from a document that an import has kept, as the file gave it.
Result<Scene> read_document(const std::shared_ptr<const Scene::Document>& document, const ImportOptions& options = {});

}  // namespace sinew::gltf
