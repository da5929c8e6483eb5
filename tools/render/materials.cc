#include "render/materials.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "render/codec.h"

namespace sinew::render {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// `json[key]`, or null where there is no such thing: a document may hold anything.
const Json& at(const Json& json, const char* key) {
  static const Json none;
  if (!json.is_object()) return none;
  const auto found = json.find(key);
  return found == json.end() ? none : *found;
}
const Json& at(const Json& json, std::size_t i) {
  static const Json none;
  return json.is_array() && i < json.size() ? json[i] : none;
}
std::size_t index(const Json& json) {
  return json.is_number_unsigned() ? json.get<std::size_t>() : static_cast<std::size_t>(-1);
}
float number(const Json& json, float otherwise) { return json.is_number() ? json.get<float>() : otherwise; }
std::string text(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

Vec4 colour(const Json& json) {
  Vec4 out(1.0f);
  for (int i = 0; i < 4; ++i) out[i] = std::clamp(number(at(json, static_cast<std::size_t>(i)), 1.0f), 0.0f, 1.0f);
  return out;
}

/// Bytes of base64; what is no digit of it ends the data.
std::vector<std::byte> from_base64(std::string_view digits) {
  std::vector<std::byte> out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : digits) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) out.push_back(static_cast<std::byte>(bits >> (count -= 8) & 0xFF));
  }
  return out;
}

/// `%20` and the like as what they stand for.
std::string from_uri(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digit = [&](std::size_t k) {
      const char c = k < uri.size() ? uri[k] : '?';
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                    : -1;
    };
    const bool escaped = uri[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    out += escaped ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : uri[i];
    if (escaped) i += 2;
  }
  return out;
}

Result<std::vector<std::byte>> read_beside(const fs::path& folder, const std::string& uri) {
  constexpr std::uintmax_t kLimit = std::uintmax_t(1) << 28;
  const fs::path relative = fs::path(from_uri(uri)).lexically_normal();
  if (folder.empty() || relative.is_absolute() || relative.empty() || *relative.begin() == "..")
    return fail(ErrorCode::unsupported, "", "the image '" + uri + "' is not below the file's folder", "");
  std::error_code error;
  const std::uintmax_t size = fs::file_size(folder / relative, error);
  if (error || size > kLimit)
    return fail(ErrorCode::io, "", "the image '" + uri + "' " + (error ? "cannot be read" : "is too large"),
                "put it beside the file");
  std::vector<std::byte> bytes(size);
  std::ifstream file(folder / relative, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    return fail(ErrorCode::io, "", "the image '" + uri + "' cannot be read", "check its permissions");
  return bytes;
}

class Reader {
 public:
  Reader(const Scene::Document& document, const Json& json, Materials& out)
      : document_(document), json_(json), out_(out) {}
  Material material(std::size_t i);

 private:
  Result<std::vector<std::byte>> image_bytes(const Json& image);
  std::int32_t texture(const Json& info);

  const Scene::Document& document_;
  const Json& json_;
  Materials& out_;
  std::map<std::size_t, std::int32_t> textures_;  // of the file to ours
};

Result<std::vector<std::byte>> Reader::image_bytes(const Json& image) {
  const std::string uri = text(at(image, "uri"));
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(";base64,");
    if (comma == std::string::npos) return fail(ErrorCode::unsupported, "", "a data URI that is not base64", "");
    return from_base64(std::string_view(uri).substr(comma + 8));
  }
  if (!uri.empty()) return read_beside(document_.directory, uri);
  const Json& view = at(at(json_, "bufferViews"), index(at(image, "bufferView")));
  const std::size_t buffer = index(at(view, "buffer")), length = index(at(view, "byteLength")),
                    offset = at(view, "byteOffset").is_null() ? 0 : index(at(view, "byteOffset"));
  if (buffer >= document_.buffers.size() || offset > document_.buffers[buffer].size() ||
      length > document_.buffers[buffer].size() - offset)
    return fail(ErrorCode::out_of_range, "", "an image that lies outside the file's buffers", "export it again");
  const auto first = document_.buffers[buffer].begin() + static_cast<std::ptrdiff_t>(offset);
  return std::vector<std::byte>(first, first + static_cast<std::ptrdiff_t>(length));
}

std::int32_t Reader::texture(const Json& info) {
  const std::size_t wanted = index(at(info, "index"));
  const Json& texture = at(at(json_, "textures"), wanted);
  if (texture.is_null()) return -1;
  const Json &set = at(info, "texCoord"),
             &moved_set = at(at(at(info, "extensions"), "KHR_texture_transform"), "texCoord");
  const Json& used = moved_set.is_null() ? set : moved_set;
  if (!used.is_null() && index(used) != 0) return -1;  // a scene keeps the first set of coordinates only
  if (const auto known = textures_.find(wanted); known != textures_.end()) return known->second;
  std::size_t source = index(at(texture, "source"));
  if (const Json& webp = at(at(texture, "extensions"), "EXT_texture_webp"); !webp.is_null())
    source = index(at(webp, "source"));
  const Result<std::vector<std::byte>> bytes = image_bytes(at(at(json_, "images"), source));
  Result<Picture> picture = bytes ? decode(*bytes) : Unexpected(bytes.error());
  if (!picture) {
    add(out_.report, {Severity::warning, "render.texture", "images[" + std::to_string(source) + "]",
                      picture.error().what + "; the colour alone is shown", picture.error().what_to_do});
    return textures_[wanted] = -1;
  }
  const Json& sampler = at(at(json_, "samplers"), index(at(texture, "sampler")));
  const auto repeats = [&](const char* key) { return index(at(sampler, key)) != 33071; };  // CLAMP_TO_EDGE
  out_.textures.push_back(
      {std::move(*picture), repeats("wrapS"), repeats("wrapT"), index(at(sampler, "magFilter")) == 9728});  // NEAREST
  return textures_[wanted] = static_cast<std::int32_t>(out_.textures.size()) - 1;
}

/// KHR_texture_transform: scale, then turn, then shift. Angles count as its sample viewer has them, v pointing down.
void read_transform(const Json& json, float (&uv)[2][3]) {
  const auto pair = [&](const char* key, std::size_t i, float otherwise) {
    return number(at(at(json, key), i), otherwise);
  };
  const float turn = number(at(json, "rotation"), 0), c = std::cos(turn), s = std::sin(turn);
  const float u = pair("scale", 0, 1), v = pair("scale", 1, 1);
  const float rows[2][3] = {{c * u, s * v, pair("offset", 0, 0)}, {-s * u, c * v, pair("offset", 1, 0)}};
  std::copy(&rows[0][0], &rows[0][0] + 6, &uv[0][0]);
}

Material Reader::material(std::size_t i) {
  const Json& json = at(at(json_, "materials"), i);
  const Json &extensions = at(json, "extensions"), &metallic = at(json, "pbrMetallicRoughness"),
             &glossy = at(extensions, "KHR_materials_pbrSpecularGlossiness");
  Material out;
  const bool old = glossy.is_object() && !metallic.is_object();
  out.colour = colour(old ? at(glossy, "diffuseFactor") : at(metallic, "baseColorFactor"));
  const Json& info = old ? at(glossy, "diffuseTexture") : at(metallic, "baseColorTexture");
  out.texture = texture(info);
  read_transform(at(at(info, "extensions"), "KHR_texture_transform"), out.uv);
  const std::string mode = text(at(json, "alphaMode"));
  out.alpha = mode == "MASK" ? AlphaMode::mask : mode == "BLEND" ? AlphaMode::blend : AlphaMode::opaque;
  out.cutoff = number(at(json, "alphaCutoff"), 0.5f);
  out.unlit = at(extensions, "KHR_materials_unlit").is_object();
  return out;
}

}  // namespace

Materials read_materials(const Scene& scene) {
  Materials out;
  if (!scene.document) return out;
  const Json json = Json::parse(scene.document->json, nullptr, false);
  Reader reader(*scene.document, json, out);
  const Json& materials = at(json, "materials");
  for (std::size_t i = 0; materials.is_array() && i < materials.size(); ++i)
    out.materials.push_back(reader.material(i));
  out.faces_back = at(at(json, "extensions"), "VRM").is_object();
  return out;
}

}  // namespace sinew::render
