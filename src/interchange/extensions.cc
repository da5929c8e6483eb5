// The asset's version, and extensions: which of them change what is read here.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

/// Decoded here.
constexpr std::string_view kRead[] = {"KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression",
                                      "KHR_draco_mesh_compression"};

/// Beginnings of names that concern looks, sound, metadata or behaviour: nothing that moves or places a vertex.
constexpr std::string_view kHarmless[] = {"KHR_materials_",
                                          "KHR_texture_",
                                          "EXT_texture_",
                                          "MSFT_texture_",
                                          "KHR_lights_",
                                          "EXT_lights_",
                                          "EXT_material",
                                          "KHR_xmp",
                                          "KHR_audio",
                                          "VRM",
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
  return std::any_of(std::begin(kHarmless), std::end(kHarmless),
                     [&](std::string_view known) { return name.starts_with(known); });
}

/// Names of a list of extensions; what is no string there is an error.
bool names_of(Import& task, const char* key, std::vector<std::string_view>& out) {
  const Json list = task.reader.array(task.root, key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].type() != JsonType::string)
      return task.reader.fail(ErrorCode::bad_type, list[i].path(),
                              text("is ", to_string(list[i].type()), " where a string belongs"),
                              "write the file again");
    out.push_back(list[i].string());
  }
  return task.reader.ok();
}

/// Top-level lists that are empty are against the schema, and harmless.
void note_empty_lists(Import& task) {
  for (std::size_t i = 0; i < task.root.size(); ++i) {
    const Json list = task.root[i];
    if (list.type() == JsonType::array && list.size() == 0) {
      task.reader.note(Severity::warning, "json.empty_list", 1, 0, [&] {
        return Told{list.path(), "is an empty list, which glTF forbids", "leave the list out"};
      });
    }
  }
}

}  // namespace

bool check_asset(Import& task) {
  Reader& reader = task.reader;
  constexpr const char* kConvert = "convert the file to glTF 2.0";
  const Json asset = reader.object(task.root, "asset");
  if (!reader.ok()) return false;
  if (!asset) {
    const bool gltf = task.root["nodes"] || task.root["meshes"] || task.root["animations"] || task.root["scenes"];
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
  note_empty_lists(task);
  return true;
}

namespace {

/// The type that the specification gives to a member of what is not read here; `missing`: none that is looked at.
JsonType expected_type(std::string_view key) {
  constexpr std::string_view kNumbers[] = {"index",           "texCoord",    "scale",   "strength", "metallicFactor",
                                           "roughnessFactor", "alphaCutoff", "sampler", "source",   "bufferView"};
  constexpr std::string_view kStrings[] = {"name", "uri", "mimeType", "alphaMode"};
  if (std::find(std::begin(kNumbers), std::end(kNumbers), key) != std::end(kNumbers)) return JsonType::real;
  if (std::find(std::begin(kStrings), std::end(kStrings), key) != std::end(kStrings)) return JsonType::string;
  return JsonType::missing;
}

}  // namespace

void check_document(Import& task) {
  std::vector<Json> open;  // extensions and extras may hold anything, and are left alone
  for (const char* key : {"materials", "textures", "images", "samplers", "cameras"}) open.push_back(task.root[key]);
  while (!open.empty()) {
    const Json parent = open.back();
    open.pop_back();
    for (std::size_t i = 0; i < parent.size(); ++i) {
      const Json value = parent[i];
      const bool member = parent.type() == JsonType::object;
      if (member && (parent.key(i) == "extensions" || parent.key(i) == "extras")) continue;
      const JsonType expected = member ? expected_type(parent.key(i)) : JsonType::missing;
      const bool right =
          expected == JsonType::missing || (expected == JsonType::real ? value.is_number() : value.type() == expected);
      if (!right) {
        task.reader.note(Severity::info, "document.wrong_type", 1, 0, [&] {
          return Told{
              value.path(),
              text("is ", to_string(value.type()), " where ", to_string(expected), " belongs; sinew does not read it"),
              {}};
        });
      }
      open.push_back(value);
    }
  }
}

bool check_extensions(Import& task) {
  std::vector<std::string_view> used, required;
  if (!names_of(task, "extensionsUsed", used) || !names_of(task, "extensionsRequired", required)) return false;
  for (std::string_view name : required) {
    const bool read = std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead);
    if (!read && !is_harmless(name)) {
      return task.reader.fail(
          ErrorCode::unsupported, "extensionsRequired",
          text("the file cannot be read without the extension ", shortened(name), ", which sinew does not know"),
          "write the file without it");
    }
  }
  task.quantization = std::find(required.begin(), required.end(), "KHR_mesh_quantization") != required.end();
  return true;
}

}  // namespace sinew::gltf
