// Buffer views, plain and compressed (EXT_meshopt_compression).
#include <meshoptimizer.h>

#include <utility>

#include "interchange/data.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

Json meshopt_extension(Reader& reader, Json view) {
  const Json extensions = reader.object(view, "extensions");
  const Json now = reader.object(extensions, "KHR_meshopt_compression");
  return now ? now : reader.object(extensions, "EXT_meshopt_compression");
}

}  // namespace

bool Data::parse_view(Json json, View& out) {
  constexpr std::uint64_t kLeastStride = 4, kMostStride = 252;  // the specification's bounds
  out.buffer = reader_.index(json, "buffer", buffers_.size(), "buffer");
  out.offset = reader_.size(json, "byteOffset", 0);
  out.length = reader_.needed_size(json, "byteLength");
  const Json stride = json["byteStride"];
  out.stride = reader_.size(json, "byteStride", 0);
  out.compressed = bool(meshopt_extension(reader_, json));
  if (!reader_.ok()) return false;
  if (out.buffer == kNone) {
    return reader_.fail(ErrorCode::bad_value, json.path(), "names no buffer", "write the file again");
  }
  if (stride && (out.stride < kLeastStride || out.stride > kMostStride || out.stride % 4 != 0)) {
    if (out.stride == 0)
      return reader_.fail(ErrorCode::bad_value, json.path() + ".byteStride", "is 0", "write the file again");
    reader_.note(Severity::warning, "view.stride", json.path() + ".byteStride",
                 text("is ", out.stride, "; glTF asks for a multiple of 4 from 4 to 252"));
  }
  if (out.length == 0)
    reader_.note(Severity::warning, "view.empty", json.path(), "has a byteLength of 0; glTF asks for at least 1");
  constexpr std::uint64_t kElementArrayBuffer = 34963;
  if (stride && reader_.size(json, "target", 0) == kElementArrayBuffer)
    reader_.note(Severity::warning, "view.target", json.path(), "has a byteStride although its target is index data");
  if (!reader_.ok()) return false;
  const Buffer& buffer = buffers_[std::size_t(out.buffer)];
  if (out.offset > buffer.length || out.length > buffer.length - out.offset) {
    return reader_.fail(ErrorCode::out_of_range, json.path(),
                        text("covers bytes ", out.offset, " to ", out.offset + out.length, ", but buffer ", out.buffer,
                             " has ", buffer.length),
                        "restore the file from its source, or write it again");
  }
  return true;
}

bool Data::view_data(std::int32_t index, std::span<const std::byte>& out) {
  View& view = views_[std::size_t(index)];
  view.used = true;
  if (const auto fault = view_faults_.find(std::size_t(index)); fault != view_faults_.end()) {
    if (view.buffer != kNone) buffers_[std::size_t(view.buffer)].used = true;
    return reader_.fail(fault->second);
  }
  if (view.compressed) {
    if (!view.is_decoded && !decode_view(index)) return false;
    out = view.decoded;
    return true;
  }
  return raw_bytes(view.buffer, view.offset, view.length, text("bufferViews[", index, "]"), out);
}

bool Data::view_bytes(std::int32_t view, std::span<const std::byte>& out) { return view_data(view, out); }

bool Data::decode_view(std::int32_t index) {
  View& view = views_[std::size_t(index)];
  const Json json = meshopt_extension(reader_, view_list_[std::size_t(index)]);
  const std::string where = json.path();
  const std::int32_t buffer = reader_.index(json, "buffer", buffers_.size(), "buffer");
  const std::uint64_t offset = reader_.size(json, "byteOffset", 0), length = reader_.needed_size(json, "byteLength");
  const std::uint64_t stride = reader_.needed_size(json, "byteStride"), count = reader_.needed_size(json, "count");
  const std::string mode = reader_.string(json, "mode"), filter = reader_.string(json, "filter");
  if (!reader_.ok()) return false;
  constexpr std::uint64_t kMostStride = 256;
  const bool vertices = mode == "ATTRIBUTES", triangles = mode == "TRIANGLES", sequence = mode == "INDICES";
  const bool right_stride =
      vertices ? stride > 0 && stride <= kMostStride && stride % 4 == 0 : stride == 2 || stride == 4;
  const bool right_filter = filter.empty() || filter == "NONE" ||
                            (vertices && ((filter == "OCTAHEDRAL" && (stride == 4 || stride == 8)) ||
                                          (filter == "QUATERNION" && stride == 8) || filter == "EXPONENTIAL"));
  if (buffer == kNone || !(vertices || triangles || sequence) || !right_stride || !right_filter ||
      (triangles && count % 3 != 0)) {
    return reader_.fail(ErrorCode::bad_value, where,
                        text("mode \"", shortened(mode), "\", filter \"", shortened(filter), "\", byteStride ", stride,
                             " and count ", count, " do not go together"),
                        "compress the file again");
  }
  if (count > view.length / stride || count * stride != view.length) {
    return reader_.fail(ErrorCode::inconsistent, where,
                        text("gives ", count, " times ", stride, " bytes where the view has ", view.length),
                        "compress the file again");
  }
  std::span<const std::byte> packed;
  if (!raw_bytes(buffer, offset, length, where, packed)) return false;
  if (!reader_.take(view.length, where, count, "compressed elements")) return false;
  view.decoded.resize(std::size_t(view.length));
  const auto* from = reinterpret_cast<const unsigned char*>(packed.data());
  void* to = view.decoded.data();
  const int failed = count == 0  ? 0
                     : vertices  ? meshopt_decodeVertexBuffer(to, count, stride, from, packed.size())
                     : triangles ? meshopt_decodeIndexBuffer(to, count, stride, from, packed.size())
                                 : meshopt_decodeIndexSequence(to, count, stride, from, packed.size());
  if (failed != 0) {
    return reader_.fail(ErrorCode::syntax, where,
                        text("the compressed stream of ", length, " bytes is broken (", mode, ")"),
                        "restore the file from its source, or compress it again");
  }
  if (filter == "OCTAHEDRAL") meshopt_decodeFilterOct(to, count, stride);
  if (filter == "QUATERNION") meshopt_decodeFilterQuat(to, count, stride);
  if (filter == "EXPONENTIAL") meshopt_decodeFilterExp(to, count, stride);
  view.is_decoded = true;
  return true;
}

}  // namespace sinew::gltf
