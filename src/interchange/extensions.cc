// The asset's version, and extensions: which of them change what is read here.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

/// Decoded here.
constexpr std::array<std::string_view, 4> kRead = {"KHR_mesh_quantization", "EXT_meshopt_compression",
                                                   "KHR_meshopt_compression", "KHR_draco_mesh_compression"};

/// Beginnings of names that concern looks, sound, metadata or behaviour: nothing that moves or places a vertex.
constexpr std::array<std::string_view, 22> kHarmless = {"KHR_materials_",
                                                        "KHR_texture_",
                                                        "EXT_texture_",
                                                        "MSFT_texture_",
                                                        "KHR_lights_",
                                                        "EXT_lights_",
                                                        "EXT_material",
                                                        "KHR_xmp",
                                                        "KHR_audio",
                                                        "KHR_gaussian",
                                                        "VRM",
                                                        "VRMC_",
                                                        "EXT_mesh_features",
                                                        "EXT_structural_metadata",
                                                        "EXT_instance_features",
                                                        "FB_ngon_encoding",
                                                        "CESIUM_primitive_outline",
                                                        "KHR_animation_pointer",
                                                        "KHR_node_visibility",
                                                        "KHR_node_hoverability",
                                                        "KHR_node_selectability",
                                                        "KHR_techniques_webgl"};

bool is_harmless(std::string_view name) {
  return std::any_of(kHarmless.begin(), kHarmless.end(),
                     [&](std::string_view known) { return name.starts_with(known); });
}

/// Names of a list of extensions; what is no string there is an error.
bool names_of(Import& import, const char* key, std::vector<std::string_view>& out) {
  const Json list = import.reader.array(import.root, key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].type() != JsonType::string)
      return import.reader.fail(ErrorCode::bad_type, list[i].path(),
                                text("is ", to_string(list[i].type()), " where a string belongs"),
                                "write the file again");
    out.push_back(list[i].string());
  }
  return import.reader.ok();
}

/// Top-level lists that are empty are against the schema, and harmless.
void note_empty_lists(Import& import) {
  for (std::size_t i = 0; i < import.root.size(); ++i) {
    const Json list = import.root[i];
    if (list.type() == JsonType::array && list.size() == 0) {
      import.reader.note(Severity::warning, "json.empty_list", 1, 0, [&] { return Told{list.path(), "is an empty list, which glTF forbids", "leave the list out"};
    });
  }
}
}  // namespace

}  // namespace sinew::gltf

bool check_asset(Import& import) {
  Reader& reader = import.reader;
  constexpr const char* kConvert = "convert the file to glTF 2.0";
  const Json asset = reader.object(import.root, "asset");
  if (!reader.ok()) return false;
  if (!asset) {
    const bool gltf =
        import.root["nodes"] || import.root["meshes"] || import.root["animations"] || import.root["scenes"];
    if (!gltf)
      return reader.fail(ErrorCode::unrecognized, "asset", "is missing: this is JSON, but not glTF 2.0",
                         "name a glTF 2.0 file");
    reader.note(Severity::warning, "asset.missing", "asset", "is missing; the file is read as glTF 2.0",
                "add \"asset\": {\"version\": \"2.0\"}");
  } else {
    const std::string version = reader.string(asset, "version"), least = reader.string(asset, "minVersion");
    if (!reader.ok()) return false;
    if (version.empty())
      reader.note(Severity::warning, "asset.version", "asset.version", "is missing; the file is read as glTF 2.0",
                  "add it");
    else if (!version.starts_with("2."))
      return reader.fail(ErrorCode::wrong_version, "asset.version",
                         text("is \"", shortened(version), "\"; only glTF 2 is read"), kConvert);
    if (!least.empty() && least != "2.0")
      return reader.fail(ErrorCode::wrong_version, "asset.minVersion",
                         text("is \"", shortened(least), "\"; glTF 2.0 is read"), kConvert);
  }
  note_empty_lists(import);
  return true;
}

bool check_extensions(Import& import) {
  std::vector<std::string_view> used, required;
  if (!names_of(import, "extensionsUsed", used) || !names_of(import, "extensionsRequired", required)) return false;
  for (std::string_view name : required) {
    const bool read = std::find(kRead.begin(), kRead.end(), name) != kRead.end();
    if (!read && !is_harmless(name)) {
      return import.reader.fail(
          ErrorCode::unsupported, "extensionsRequired",
          text("the file cannot be read without the extension ", shortened(name), ", which sinew does not know"),
          "write the file without it");
    }
  }
  import.quantization = std::find(required.begin(), required.end(), "KHR_mesh_quantization") != required.end();
  return true;
}

}  // namespace sinew::gltf
