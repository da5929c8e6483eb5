// Import of files: what a file is, its container, and the order of all steps.
#include "sinew/import.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "interchange/glb.h"
#include "interchange/gltf.h"
#include "interchange/source.h"
#include "interchange/text.h"

namespace sinew {

namespace gltf {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class Kind { glb, json, unknown };

/// By the first bytes; `error` says what an unknown file seems to be.
Kind recognise(std::string_view start, Error& error) {
  error = {ErrorCode::unrecognized, "header", "the file is not glTF: neither a GLB header nor JSON text",
           "name a .gltf, .glb, .vrm or .vrma file"};
  if (start.starts_with("glTF")) return Kind::glb;
  std::string_view text_start = start;
  if (text_start.starts_with(kByteOrderMark)) text_start.remove_prefix(kByteOrderMark.size());
  while (!text_start.empty() &&
         (text_start[0] == ' ' || text_start[0] == '\t' || text_start[0] == '\r' || text_start[0] == '\n'))
    text_start.remove_prefix(1);
  if (text_start.starts_with('{')) return Kind::json;
  constexpr const char* kExport = "convert it to glTF 2.0, for instance by Blender";
  if (start.empty())
    error.what = "the file is empty";
  else if (start.starts_with("Kaydara FBX Binary") || text_start.starts_with("; FBX") || text_start.starts_with(";FBX"))
    error.what = "this is an FBX file, which is not read yet", error.what_to_do = kExport;
  else if (text_start.starts_with("HIERARCHY"))
    error.what = "this is a BVH file, which is not read yet", error.what_to_do = kExport;
  else if (text_start.starts_with("<?xml") || text_start.starts_with("<COLLADA"))
    error.what = "this is XML, perhaps Collada, which is not read yet", error.what_to_do = kExport;
  return Kind::unknown;
}

constexpr std::uint64_t kTimesTheFile = 64, kAtLeast = std::uint64_t(64) << 20;

/// 64 times the file and 64 MiB, or what the caller says.
std::uint64_t memory_limit(const ImportOptions& options, std::uint64_t file_bytes) {
  if (options.memory_limit != 0) return options.memory_limit;
  return file_bytes > (std::numeric_limits<std::uint64_t>::max() - kAtLeast) / kTimesTheFile
             ? std::numeric_limits<std::uint64_t>::max()
             : kTimesTheFile * file_bytes + kAtLeast;
}

/// All steps over a parsed document whose buffers are there.
bool read_scene(Import& task, const ImportOptions& options) {
  const bool read = check_extensions(task) && task.data.load_tables() && read_nodes(task) && read_scenes(task) &&
                    read_skins(task) && read_meshes(task) && check_mesh_nodes(task) && check_bad_binds(task) &&
                    read_animations(task);
  if (!read) return false;
  task.data.report_leftovers();
  check_document(task);
  if (options.trim_clips)
    for (Scene::Clip& clip : task.scene.clips) trim(clip);
  return task.reader.ok();
}

Result<Scene> finish(Reader& reader, Scene&& scene) {
  if (auto error = reader.take_error()) return Unexpected(std::move(*error));
  scene.findings = std::move(reader.findings());
  return std::move(scene);
}

/// The JSON text and, from a GLB, the binary chunk.
bool load(Reader& reader, const Source& source, Kind kind, std::string& json, std::vector<std::byte>& chunk,
          bool& has_chunk) {
  Glb glb;
  glb.json.length = source.size();
  if (kind == Kind::glb && !read_container(reader, source, glb)) return false;
  json.resize(std::size_t(glb.json.length));
  has_chunk = glb.has_binary;
  const bool read = source.read(glb.json.offset, std::as_writable_bytes(std::span(json))) &&
                    source.read(glb.binary.offset, glb.binary.length, chunk);
  if (!read) return reader.fail(ErrorCode::io, {}, "cannot be read to its end", "check the file");
  if (json.starts_with(kByteOrderMark))
    reader.note(Severity::warning, "json.byte_order_mark", "JSON", "begins with a byte order mark, which glTF forbids");
  return true;
}

Result<Scene> import_source(const Source& source, const std::filesystem::path& directory,
                            const ImportOptions& options) {
  constexpr std::size_t kBytesToRecognise = 64;
  std::string start(std::size_t(std::min<std::uint64_t>(source.size(), kBytesToRecognise)), '\0');
  if (!source.read(0, std::as_writable_bytes(std::span(start))))
    return fail(ErrorCode::io, {}, "cannot be read", "check the file");
  Error unknown;
  const Kind kind = recognise(start, unknown);
  if (kind == Kind::unknown) return Unexpected(unknown);

  Reader reader(memory_limit(options, source.size()));
  Scene scene;
  auto document = std::make_shared<Scene::Document>();
  document->directory = directory;
  std::string json;
  std::vector<std::byte> chunk;
  bool has_chunk = false;
  if (!load(reader, source, kind, json, chunk, has_chunk)) return finish(reader, std::move(scene));
  {
    const EmbeddedUris embedded(json);
    const auto tree = JsonTree::parse(embedded.parsable());
    if (!tree) return Unexpected(tree.error());
    if (!reader.take(tree->memory(), "JSON", embedded.parsable().size(), "bytes of text"))
      return finish(reader, std::move(scene));
    Data data(reader, tree->root());
    Import task(reader, tree->root(), data, scene);
    // A file beside the glTF file is part of it: its own bytes are free, and the default limit grows with it.
    const std::uint64_t limit_a_byte = options.memory_limit == 0 ? kTimesTheFile + 1 : 1;
    const Data::Origin origin{&embedded, directory, has_chunk ? &chunk : nullptr, nullptr, limit_a_byte};
    const bool read = check_asset(task) && data.load_buffers(origin, &document->buffers) && read_scene(task, options);
    if (!read) return finish(reader, std::move(scene));
    if (embedded.any()) document->json = embedded.restored(data.embedded_uris());
  }
  if (document->json.empty()) document->json = std::move(json);
  scene.document = std::move(document);
  return finish(reader, std::move(scene));
}

/// Memory that runs out is the file's fault here, not the program's.
template <class Call>
Result<Scene> guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return fail(ErrorCode::too_large, {}, "there is not enough memory for what the file asks for",
              "lower the memory limit to learn what asks for it");
}

}  // namespace

Result<Scene> read_document(const std::shared_ptr<const Scene::Document>& document, const ImportOptions& options) {
  return guarded([&]() -> Result<Scene> {
    std::uint64_t bytes = document->json.size();
    for (const auto& buffer : document->buffers) bytes += buffer.size();
    Reader reader(memory_limit(options, bytes));
    const auto tree = JsonTree::parse(document->json);
    if (!tree) return Unexpected(tree.error());
    Scene scene;
    Data data(reader, tree->root());
    Import task(reader, tree->root(), data, scene);
    Data::Origin origin;
    origin.document = document.get();
    if (check_asset(task) && data.load_buffers(origin, nullptr)) read_scene(task, options);
    scene.document = document;
    return finish(reader, std::move(scene));
  });
}

}  // namespace gltf

Result<Scene> import_file(const std::filesystem::path& path, const ImportOptions& options) {
  return gltf::guarded([&]() -> Result<Scene> {
    const auto source = gltf::Source::open(path);
    if (!source) return Unexpected(source.error());
    const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    return gltf::import_source(*source, directory, options);
  });
}

Result<Scene> import_gltf(std::span<const std::byte> bytes, const std::filesystem::path& directory,
                          const ImportOptions& options) {
  return gltf::guarded([&] { return gltf::import_source(gltf::Source(bytes), directory, options); });
}

}  // namespace sinew
