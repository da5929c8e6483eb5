#include <array>
#include <cstring>
#include <string_view>

#include "interchange/export_patch.h"
#include "interchange/source.h"
#include "interchange/uri.h"

namespace sinew::glb {
namespace {

constexpr std::uint64_t kLargestImage = std::uint64_t(256) << 20;  // bytes
constexpr std::size_t kLongestMagic = 12;

/// The media type by the file's first bytes; empty where it is none that glTF or its extensions know.
std::string media_type(std::span<const std::byte> bytes) {
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLongestMagic));
  const auto begins = [&](std::string_view magic) { return head.substr(0, magic.size()) == magic; };
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("RIFF") && head.substr(8) == "WEBP") return "image/webp";
  if (begins("\xabKTX 20\xbb\r\n\x1a\n")) return "image/ktx2";
  if (begins("DDS ")) return "image/vnd-ms.dds";
  return {};
}

Result<std::vector<std::byte>> read_image(const std::string& uri, const std::filesystem::path& directory,
                                          const std::string& where) {
  if (directory.empty()) return fail(ErrorCode::io, where, "the folder of the original file is not known");
  const auto path = gltf::resolved(uri, directory, where);
  if (!path) return Unexpected(path.error());
  const auto file = gltf::Source::open(*path);
  if (!file) return Unexpected(file.error());
  if (file->size() == 0 || file->size() > kLargestImage)
    return fail(ErrorCode::too_large, where,
                std::to_string(file->size()) + " bytes; images of up to " + std::to_string(kLargestImage) +
                    " bytes are taken in");
  std::vector<std::byte> bytes(file->size());
  if (!file->read(0, bytes)) return fail(ErrorCode::io, where, "the file cannot be read");
  return bytes;
}

}  // namespace

void embed_images(GlbWriter& writer, const std::filesystem::path& directory, Report* report) {
  Json* images = find(&writer.root(), "images");
  if (!images || !images->is_array()) return;
  for (std::size_t i = 0; i < images->size(); ++i) {
    const std::string uri = string_of(&(*images)[i], "uri"), where = "images[" + std::to_string(i) + "]";
    if (uri.empty() || uri.rfind("data:", 0) == 0) continue;
    const auto bytes = read_image(uri, directory, where);
    const std::string type = bytes ? media_type(*bytes) : std::string();
    if (type.empty()) {
      const std::string why = bytes ? "it is no image format that glTF names" : bytes.error().what;
      if (report)
        sinew::add(*report, {Severity::warning, "image.external", where,
                             "\"" + uri + "\" was not taken into the file: " + why, "copy it beside the new file"});
      continue;
    }
    const std::int32_t view = writer.add_view(*bytes);
    Json& image = (*images)[i];
    image.erase("uri");
    image["bufferView"] = view;
    image["mimeType"] = type;
  }
}

}  // namespace sinew::glb
