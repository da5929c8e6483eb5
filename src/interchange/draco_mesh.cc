// Draco streams (KHR_draco_mesh_compression): vertex data and indices of one primitive.
#include <draco/compression/decode.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#include <draco/metadata/metadata_decoder.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

struct DracoMesh::Decoded {
  std::unique_ptr<draco::Mesh> mesh;
  std::map<std::string, const draco::PointAttribute*, std::less<>> attributes;
  std::map<std::string, std::vector<std::byte>, std::less<>> values;
  std::string where;
};

DracoMesh::DracoMesh() = default;
DracoMesh::~DracoMesh() = default;

namespace {

/// Faces that the stream says it holds. The decoder takes memory for them before it has seen one, so they are
/// weighed first. Layout: the Draco bitstream's header, then by method (0 sequential, 1 edgebreaker).
bool stated_faces(std::span<const std::byte> stream, std::uint64_t& faces) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(stream.data()), stream.size());
  struct {
    char magic[5];
    std::uint8_t major, minor, type, method;
    std::uint16_t flags;
  } header;
  const bool read = buffer.Decode(header.magic, sizeof header.magic) && buffer.Decode(&header.major) &&
                    buffer.Decode(&header.minor) && buffer.Decode(&header.type) && buffer.Decode(&header.method) &&
                    buffer.Decode(&header.flags);
  constexpr std::uint8_t kMesh = 1, kSequential = 0, kEdgebreaker = 1;
  constexpr std::uint16_t kHasMetadata = 0x8000;
  // Streams of before 2.2 have another layout; none was ever legal in glTF.
  if (!read || std::string_view(header.magic, 5) != "DRACO" || header.type != kMesh || header.major != 2 ||
      header.minor < 2)
    return false;
  if (header.flags & kHasMetadata) {
    draco::GeometryMetadata metadata;
    if (!draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata)) return false;
  }
  std::uint32_t first = 0, second = 0;
  if (header.method == kEdgebreaker) {
    std::uint8_t traversal = 0;
    if (!buffer.Decode(&traversal)) return false;
  } else if (header.method != kSequential) {
    return false;
  }
  if (!draco::DecodeVarint(&first, &buffer) || !draco::DecodeVarint(&second, &buffer)) return false;
  // Sequential: faces, points. Edgebreaker: vertices, faces.
  faces = std::max(first, second);
  return true;
}

bool component_of(draco::DataType type, Component& out) {
  switch (type) {
    case draco::DT_INT8:
      out = Component::i8;
      return true;
    case draco::DT_UINT8:
      out = Component::u8;
      return true;
    case draco::DT_INT16:
      out = Component::i16;
      return true;
    case draco::DT_UINT16:
      out = Component::u16;
      return true;
    case draco::DT_UINT32:
      out = Component::u32;
      return true;
    case draco::DT_FLOAT32:
      out = Component::f32;
      return true;
    default:
      return false;
  }
}

}  // namespace

bool DracoMesh::decode(Import& task, Json extension) {
  Reader& reader = task.reader;
  const std::string where = extension.path();
  const std::int32_t view = reader.index(extension, "bufferView", task.buffer_views.size(), "buffer view");
  const Json attributes = reader.object(extension, "attributes");
  std::span<const std::byte> stream;
  if (!reader.ok()) return false;
  if (view == kNone || !attributes)
    return reader.fail(ErrorCode::bad_value, where, "lacks its bufferView or attributes", "compress the file again");
  if (!task.data.view_bytes(view, stream)) return false;
  const auto broken = [&](std::string_view why) {
    return reader.fail(ErrorCode::syntax, where,
                       text("the Draco stream of ", stream.size(), " bytes cannot be decoded: ", why),
                       "restore the file from its source, or compress it again");
  };
  std::uint64_t faces = 0;
  if (!stated_faces(stream, faces)) return broken("its header is not that of a mesh");
  constexpr std::uint64_t kBytesAFace = 160;  // the decoder's tables of corners and vertices, and a few attributes
  if (!reader.take(faces * kBytesAFace, where, faces, "faces or vertices")) return false;
  decoded_ = std::make_unique<Decoded>();
  decoded_->where = where;
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(stream.data()), stream.size());
  draco::Decoder decoder;
  auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
  if (!mesh.ok()) return broken(mesh.status().error_msg_string());
  decoded_->mesh = std::move(mesh).value();
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    std::uint64_t id = 0;
    if (!reader.whole(attributes[i], id)) return false;
    const draco::PointAttribute* attribute = id <= std::numeric_limits<std::uint32_t>::max()
                                                 ? decoded_->mesh->GetAttributeByUniqueId(std::uint32_t(id))
                                                 : nullptr;
    if (!attribute)
      return reader.fail(ErrorCode::out_of_range, attributes[i].path(),
                         text("is ", id, ", which is no attribute of the Draco stream"), "compress the file again");
    decoded_->attributes.emplace(attributes.key(i), attribute);
  }
  return true;
}

bool DracoMesh::has(std::string_view semantic) const { return decoded_ && decoded_->attributes.contains(semantic); }

std::uint64_t DracoMesh::vertex_count() const { return decoded_->mesh->num_points(); }

bool DracoMesh::elements(Import& task, std::string_view semantic, bool normalized, Elements& out) {
  const draco::PointAttribute& attribute = *decoded_->attributes.find(semantic)->second;
  out = {};
  out.where = decoded_->where + ".attributes." + shortened(semantic);
  if (!component_of(attribute.data_type(), out.component)) {
    return task.reader.fail(ErrorCode::bad_type, out.where,
                            text("is stored as Draco type ", int(attribute.data_type()), ", which glTF does not know"),
                            "compress the file again");
  }
  out.count = vertex_count(), out.components = attribute.num_components(), out.normalized = normalized;
  out.stride = out.element_bytes();
  if (!task.reader.take(out.count * out.stride, out.where, out.count, "values")) return false;
  std::vector<std::byte>& values = decoded_->values[std::string(semantic)];
  values.resize(std::size_t(out.count) * out.stride);
  const std::span stored(attribute.buffer()->data(), attribute.buffer()->data_size());
  const bool mapped = !attribute.is_mapping_identity();
  for (std::uint32_t v = 0; v < out.count; ++v) {
    const bool known = !mapped || v < attribute.indices_map_size();
    const std::uint64_t entry = known ? attribute.mapped_index(draco::PointIndex(v)).value() : attribute.size();
    const std::uint64_t begin = std::uint64_t(attribute.byte_offset()) + entry * std::uint64_t(attribute.byte_stride());
    if (entry >= attribute.size() || begin > stored.size() || out.stride > stored.size() - begin) {
      return task.reader.fail(ErrorCode::out_of_range, out.where,
                              text("vertex ", v, " has no value in the stream, which holds ", attribute.size()),
                              "compress the file again");
    }
    std::memcpy(values.data() + std::size_t(v) * out.stride, stored.data() + begin, out.stride);
  }
  out.data = values.data();
  return true;
}

std::vector<std::uint32_t> DracoMesh::indices() const {
  std::vector<std::uint32_t> out;
  out.reserve(std::size_t(decoded_->mesh->num_faces()) * 3);
  for (std::uint32_t f = 0; f < decoded_->mesh->num_faces(); ++f)
    for (const draco::PointIndex& corner : decoded_->mesh->face(draco::FaceIndex(f))) out.push_back(corner.value());
  return out;
}

}  // namespace sinew::gltf
