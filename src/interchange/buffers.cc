// Buffers: the GLB's chunk, data URIs, files beside the glTF file.
#include <algorithm>
#include <cctype>
#include <utility>

#include "interchange/data.h"
#include "interchange/source.h"
#include "interchange/text.h"
#include "interchange/uri.h"

namespace sinew::gltf {

namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Both spellings of the two extensions that may leave a buffer without content.
bool is_fallback(Reader& reader, Json buffer) {
  const Json extensions = reader.object(buffer, "extensions");
  for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
    if (reader.boolean(reader.object(extensions, name), "fallback", false)) return true;
  return false;
}

}  // namespace

bool Data::load_buffers(const Origin& origin, std::vector<std::vector<std::byte>>* storage) {
  const Json list = buffer_list_;
  if (!reader_.ok()) return false;
  constexpr std::size_t kBytesOfTables = sizeof(Buffer) + sizeof(std::vector<std::byte>);
  if (!reader_.take(list.size() * kBytesOfTables, "buffers", list.size(), "buffers")) return false;
  buffers_.resize(list.size());
  if (!origin.document) storage->resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (origin.document) {
      if (i < origin.document->buffers.size()) buffers_[i].bytes = origin.document->buffers[i];
      buffers_[i].length = reader_.size(list[i], "byteLength", 0);
    } else if (load_buffer(i, origin, (*storage)[i])) {
      buffers_[i].bytes = (*storage)[i];
    }
    if (auto error = reader_.take_error()) {
      if (error->code == ErrorCode::too_large) return reader_.fail(std::move(*error));
      buffer_faults_.emplace(i, std::move(*error));
    }
    if (buffer_faults_.size() > kMostFaults) return reader_.fail(std::move(buffer_faults_.begin()->second));
  }
  return true;
}

bool Data::load_buffer(std::size_t i, const Origin& origin, std::vector<std::byte>& storage) {
  const Json json = buffer_list_[i];
  const std::string where = json.path();
  const std::uint64_t length = reader_.needed_size(json, "byteLength");
  const Json uri = json["uri"];
  const std::string uri_text = reader_.string(json, "uri");
  if (!reader_.ok()) return false;
  buffers_[i].length = length;
  if (length == 0)
    reader_.note(Severity::warning, "buffer.empty", where, "has a byteLength of 0; glTF asks for at least 1");
  if (!uri) {
    if (i != 0 || !origin.glb_chunk) {
      // Legal: something else is to say where the bytes are, as compressed views do.
      buffers_[i].placeholder = true;
      is_fallback(reader_, json);
      return reader_.ok();
    }
    constexpr std::uint64_t kMostPadding = 3;
    const std::uint64_t available = origin.glb_chunk->size();
    if (available < length) {
      return reader_.fail(ErrorCode::truncated, where,
                          text("says ", length, " bytes, but the binary chunk has ", available),
                          "restore the file from its source: it was cut or damaged");
    }
    if (available > length + kMostPadding)
      reader_.note(Severity::warning, "glb.long_chunk", where,
                   text("says ", length, " bytes; the binary chunk has ", available, ", more than padding explains"));
    storage = std::move(*origin.glb_chunk);
    storage.resize(std::size_t(length));
    return true;
  }
  if (const auto cut = origin.embedded ? origin.embedded->find(uri.string()) : std::nullopt) {
    embedded_uris_.push_back(uri.string());
    return load_embedded(*cut, where + ".uri", length, storage);
  }
  if (uri_text.starts_with("data:")) return load_embedded(uri_text, where + ".uri", length, storage);
  return load_external(uri_text, origin, where + ".uri", length, storage);
}

bool Data::load_embedded(std::string_view uri, const std::string& where, std::uint64_t length,
                         std::vector<std::byte>& storage) {
  const auto parsed = data_uri(uri, where);
  if (!parsed) return reader_.fail(parsed.error());
  constexpr std::string_view kTypes[] = {"application/octet-stream", "application/gltf-buffer"};
  if (std::none_of(std::begin(kTypes), std::end(kTypes),
                   [&](std::string_view type) { return equal_ignoring_case(type, parsed->media_type); })) {
    reader_.note(Severity::warning, "uri.media_type", where,
                 text("the data URI's media type \"", shortened(parsed->media_type),
                      "\" is not one that glTF allows; its data is read all the same"));
  }
  const std::uint64_t bytes = parsed->base64 ? base64_bytes(parsed->payload) : parsed->payload.size();
  if (!reader_.take(bytes, where, bytes, "embedded bytes")) return false;
  if (parsed->base64) {
    auto decoded = base64_decoded(parsed->payload, where);
    if (!decoded) return reader_.fail(decoded.error());
    storage = std::move(*decoded);
  } else {
    const auto decoded = percent_decoded(parsed->payload);
    if (!decoded) return reader_.fail(decoded.error().code, where, decoded.error().what, decoded.error().what_to_do);
    const auto plain = std::as_bytes(std::span(*decoded));
    storage.assign(plain.begin(), plain.end());
  }
  if (storage.size() < length) {
    return reader_.fail(ErrorCode::truncated, where,
                        text("holds ", storage.size(), " bytes where byteLength says ", length),
                        "write the file again");
  }
  constexpr std::uint64_t kMostPadding = 3;
  if (storage.size() > length + kMostPadding)
    reader_.note(Severity::warning, "buffer.long", where,
                 text("holds ", storage.size(), " bytes; only the ", length, " of byteLength are read"));
  storage.resize(std::size_t(length));
  return true;
}

bool Data::load_external(std::string_view uri, const Origin& origin, const std::string& where, std::uint64_t length,
                         std::vector<std::byte>& storage) {
  const auto path = resolved(uri, origin.directory, where);
  if (!path) return reader_.fail(path.error());
  auto source = Source::open(*path);
  if (!source)
    return reader_.fail(source.error().code, where, text("\"", shortened(uri), "\" ", source.error().what),
                        source.error().what_to_do);
  if (source->size() < length) {
    return reader_.fail(ErrorCode::truncated, where,
                        text("\"", shortened(uri), "\" has ", source->size(), " bytes where byteLength says ", length),
                        "restore the file from its source: it was cut, or does not belong here");
  }
  // What the files hold is not beyond the files, but one file named many times is.
  if (!reader_.take(length, where, length, "bytes")) return false;
  if (external_files_.insert(path->lexically_normal().string()).second)
    reader_.raise_limit(length * origin.limit_a_byte);
  if (!source->read(0, length, storage))
    return reader_.fail(ErrorCode::io, where, text("\"", shortened(uri), "\" cannot be read"), "check the file");
  return true;
}

bool Data::raw_bytes(std::int32_t buffer, std::uint64_t offset, std::uint64_t length, const std::string& where,
                     std::span<const std::byte>& out) {
  Buffer& b = buffers_[std::size_t(buffer)];
  b.used = true;
  if (const auto fault = buffer_faults_.find(std::size_t(buffer)); fault != buffer_faults_.end())
    return reader_.fail(fault->second);
  if (offset > b.length || length > b.length - offset) {
    return reader_.fail(
        ErrorCode::out_of_range, where,
        text("covers bytes ", offset, " to ", offset + length, ", but buffer ", buffer, " has ", b.length),
        "restore the file from its source, or write it again");
  }
  if (b.bytes.size() < offset + length) {
    return reader_.fail(ErrorCode::truncated, text("buffers[", buffer, "]"),
                        "has no data: neither a uri nor the GLB's binary chunk gives its bytes",
                        "write the file again with its buffers");
  }
  out = b.bytes.subspan(std::size_t(offset), std::size_t(length));
  return true;
}

void Data::report_faults(const char* key, const char* code, const Faults& faults) {
  for (const auto& [i, error] : faults) {
    reader_.note(Severity::warning, code, 1, 0, [&, &fault = error] {
      return Told{fault.where.empty() ? text(key, "[", i, "]") : fault.where,
                  fault.what + "; nothing that is read needs it", fault.what_to_do};
    });
  }
}

void Data::report_leftovers() {
  const auto drop_used = [](Faults& faults, const auto& items) {
    std::erase_if(faults, [&](const auto& fault) { return items[fault.first].used; });
  };
  drop_used(buffer_faults_, buffers_), drop_used(view_faults_, views_), drop_used(accessor_faults_, accessors_);
  report_faults("buffers", "buffer.unread_fault", buffer_faults_);
  report_faults("bufferViews", "view.unread_fault", view_faults_);
  report_faults("accessors", "accessor.unread_fault", accessor_faults_);
  for (std::size_t i = 0; i < accessors_.size(); ++i) {
    if (accessors_[i].used || accessors_[i].mentioned || accessor_faults_.contains(i)) continue;
    reader_.note(Severity::info, "accessor.unused", 1, 0, [&] {
      return Told{
          text("accessors[", i, "]"), "no mesh, skin or animation refers to it; its values were not looked at", {}};
    });
  }
}

}  // namespace sinew::gltf
