#include <draco/compression/decode.h>

#include <cstring>
#include <string>
#include <vector>

#include "interchange/export_parts.h"
#include "interchange/export_patch.h"

namespace sinew::glb {
namespace {

constexpr const char* kDraco = "KHR_draco_mesh_compression";

/// Values of a decoded attribute, `stride` bytes apart, each element padded to a multiple of four as vertex data must
/// be.
std::vector<std::byte> values_of(const draco::PointAttribute& attribute, std::size_t count, std::size_t stride) {
  std::vector<std::byte> out(count * stride);
  const std::size_t size =
      std::size_t(draco::DataTypeLength(attribute.data_type())) * std::size_t(attribute.num_components());
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = attribute.mapped_index(draco::PointIndex(std::uint32_t(i)));
    const std::uint8_t* from = attribute.GetAddress(value);
    std::memcpy(out.data() + i * stride, from, size);
  }
  return out;
}

const char* type_name(int components) {
  constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return components >= 1 && components <= 4 ? kTypes[components - 1] : nullptr;
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
    case draco::DT_FLOAT32:
      out = Component::f32;
      return true;
    default:
      return false;
  }
}

/// Adds what the stream holds under a name that sinew does not model (colours, further texture coordinates).
bool add_decoded(Patch& patch, Json& reference, const draco::PointAttribute& attribute, std::size_t count) {
  Component component{};
  const char* type = type_name(attribute.num_components());
  if (!type || !component_of(attribute.data_type(), component) || attribute.size() == 0) return false;
  constexpr std::size_t kVertexAlignment = 4;
  const std::size_t size =
      std::size_t(draco::DataTypeLength(attribute.data_type())) * std::size_t(attribute.num_components());
  const std::size_t stride = (size + kVertexAlignment - 1) / kVertexAlignment * kVertexAlignment;
  const std::vector<std::byte> bytes = values_of(attribute, count, stride);
  const Json* old = element(find(&patch.writer.root(), "accessors"), index_value(&reference));
  const Json* normalized = find(old, "normalized");
  const bool is_normalized = normalized && *normalized == true;
  reference = patch.writer.add({Use::vertices, component, type, count, bytes, is_normalized});
  return true;
}

bool is_modelled(const std::string& semantic) {
  return semantic == "POSITION" || semantic == "NORMAL" || semantic == "TANGENT" || semantic == "TEXCOORD_0" ||
         semantic.rfind("JOINTS_", 0) == 0 || semantic.rfind("WEIGHTS_", 0) == 0;
}

}  // namespace

std::optional<Error> unpack_draco(Patch& patch, Json& primitive, const Scene::Primitive& decoded,
                                  const std::string& where) {
  const Json extension = *find(find(&primitive, "extensions"), kDraco);
  const std::span<const std::byte> bytes = patch.writer.readable(index_of(&extension, "bufferView"));
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  draco::Decoder decoder;
  auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
  if (bytes.empty() || !mesh.ok())
    return Error{ErrorCode::syntax, where, "its Draco stream cannot be decoded again",
                 "leave Scene::document as the importer made it"};
  const std::size_t count = mesh.value()->num_points();
  Json plain = primitive_json(patch.writer, decoded, kNone, nullptr, where);
  Json& attributes = object_in(primitive, "attributes");
  std::vector<std::string> lost;
  for (auto& item : attributes.items()) {
    if (is_modelled(item.key())) continue;
    const std::int32_t id = index_of(find(&extension, "attributes"), item.key().c_str());
    if (id == kNone) continue;  // stored beside the stream
    const draco::PointAttribute* attribute = mesh.value()->GetAttributeByUniqueId(std::uint32_t(id));
    if (count != decoded.positions.size() || !attribute || !add_decoded(patch, item.value(), *attribute, count))
      lost.push_back(item.key());
  }
  for (const std::string& name : lost) {
    attributes.erase(name);
    patch.note(Severity::warning, "attribute.dropped", where,
               name + " could not be taken out of the Draco stream and was left out");
  }
  for (const auto& item : plain["attributes"].items()) attributes[item.key()] = item.value();
  if (const Json* indices = find(&plain, "indices")) primitive["indices"] = *indices;
  primitive.erase("mode");  // the stream is a list of triangles, whatever the mode was
  if (const Json* mode = find(&plain, "mode")) primitive["mode"] = *mode;
  if (const Json* targets = find(&plain, "targets")) primitive["targets"] = *targets;
  object_in(primitive, "extensions").erase(kDraco);
  if (primitive["extensions"].empty()) primitive.erase("extensions");
  patch.replaced = true;
  patch.note(Severity::info, "draco.unpacked", where,
             "its Draco stream was replaced by plain arrays, because its values changed");
  return std::nullopt;
}

}  // namespace sinew::glb
