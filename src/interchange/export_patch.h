// A document changed where the Scene says otherwise, and nowhere else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interchange/export_weights.h"
#include "interchange/glb_writer.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// What the parts of a patch share.
struct Patch {
  GlbWriter& writer;
  const Scene& scene;
  const Scene& base;  ///< what the document itself says
  Report* report = nullptr;
  bool replaced = false;  ///< something is no longer referred to, so its data can go

  Json* entry(const char* list, std::size_t index) { return element(find(&writer.root(), list), std::int64_t(index)); }
  void note(Severity severity, const char* code, const std::string& where, const std::string& what,
            const std::string& what_to_do = {}) {
    if (report) sinew::add(*report, {severity, code, where, what, what_to_do});
  }
};

void patch_nodes(Patch& patch);
void patch_skins(Patch& patch);
void patch_scenes(Patch& patch);
std::optional<Error> patch_meshes(Patch& patch);
/// Animations in the order of the scene's clips. Those that equal one of the document are kept as they are; channels
/// that sinew does not model (other extensions' targets) stay with their animation.
void patch_clips(Patch& patch);

/// Weights of primitives that are stored in the document, normalised where they are.
class WeightPatch {
 public:
  explicit WeightPatch(Patch& patch);
  ~WeightPatch();
  /// True where the stored weights were rewritten, or needed nothing. False: they must be written as new arrays.
  bool normalize_stored(Json& primitive, std::vector<Scene::InfluenceSet>& sets, const std::string& where);
  /// Levels of the weights of a primitive: 0 for floats, and where its sets differ in type.
  std::uint32_t stored_levels(const Json& primitive) const;

 private:
  using Accessors = std::vector<std::int32_t>;  ///< WEIGHTS_0, WEIGHTS_1, … of a primitive
  struct Columns;
  void index_views();
  Columns columns_of(std::int32_t accessor) const;
  Accessors weights_of(const Json& primitive) const;
  bool is_private(std::int32_t accessor) const;
  bool write_in_place(std::int32_t accessor, const std::vector<Vec4>& weights, std::uint32_t levels);
  std::int32_t write_new(const std::vector<Vec4>& weights, std::uint32_t levels);

  Patch& patch_;
  std::map<std::int32_t, std::vector<Columns>> in_view_;  ///< accessors of each view
  std::set<std::int32_t> shared_views_;                   ///< views whose bytes others use too
  std::map<std::int32_t, std::set<Accessors>> users_;     ///< of each weights accessor: the lists that it is part of
  std::map<Accessors, Accessors> written_;                ///< lists written already
};

/// A primitive stored as a Draco stream made a plain one: attributes and indices that sinew models from the scene, all
/// others decoded. Error: the stream cannot be decoded.
std::optional<Error> unpack_draco(Patch& patch, Json& primitive, const Scene::Primitive& decoded,
                                  const std::string& where);

/// External images that lie below the document's folder are taken into the file; others keep their URI and are
/// reported.
void embed_images(GlbWriter& writer, const std::filesystem::path& directory, Report* report);

/// Removes what nothing refers to any more, where that is safe, and the names of extensions that are gone.
void remove_leftovers(GlbWriter& writer, const std::set<std::string>& extensions_before);

}  // namespace sinew::glb
