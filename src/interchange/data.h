// Buffers, buffer views and accessors (glTF 2.0, chapters 3.6 and 5): every place is proved before it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "interchange/embedded.h"
#include "interchange/reader.h"
#include "sinew/scene.h"

namespace sinew::gltf {

/// accessor.componentType
enum class Component : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };
std::size_t bytes_of(Component component);
const char* to_string(Component component);

/// The values of an accessor, or of a decoded stream, with all places proved to be inside their bytes.
struct Elements {
  std::uint64_t count = 0;
  int components = 1;  ///< numbers an element
  Component component = Component::f32;
  bool normalized = false;
  const std::byte* data = nullptr;  ///< null: all zero
  std::size_t stride = 0;           ///< bytes from element to element
  std::uint64_t sparse_count = 0;   ///< elements replaced
  const std::byte* sparse_indices = nullptr;
  Component sparse_component = Component::u32;
  const std::byte* sparse_values = nullptr;
  std::string where;  ///< `accessors[5]`

  bool has_data() const { return data || sparse_count > 0; }
  std::size_t element_bytes() const { return std::size_t(components) * bytes_of(component); }
};

/// All data of one document. What is broken in a buffer, view or accessor is an error only if something reads it; the
/// rest is reported at the end.
class Data {
 public:
  Data(Reader& reader, Json root)
      : reader_(reader),
        root_(root),
        buffer_list_(reader.array(root, "buffers")),
        view_list_(reader.array(root, "bufferViews")) {}

  /// Where buffers come from: the GLB's chunk, data URIs, files; or a document that holds them already.
  struct Origin {
    const EmbeddedUris* embedded = nullptr;
    std::filesystem::path directory;
    std::vector<std::byte>* glb_chunk = nullptr;  ///< moved from
    const Scene::Document* document = nullptr;    ///< not null: it has them, and `storage` is not used
    std::uint64_t limit_a_byte = 1;               ///< how much the memory limit grows for a byte of an external file
  };
  bool load_buffers(const Origin& origin, std::vector<std::vector<std::byte>>* storage);
  /// Parsed `uri`s of buffers that were data URIs.
  const std::vector<std::string_view>& embedded_uris() const { return embedded_uris_; }
  bool load_tables();

  std::size_t accessor_count() const { return accessors_.size(); }
  /// The values that `reference` (an accessor's index in the document) points to. False: an error is recorded.
  bool elements(Json reference, Elements& out);
  /// As above, where the index has been read already. `kind` says what for: "vertex data".
  bool elements(std::int32_t accessor, Elements& out);
  /// Bytes of a view without a stride, as a compressed stream has them.
  bool view_bytes(std::int32_t view, std::span<const std::byte>& out);
  /// Marks an accessor that something refers to though sinew does not read it.
  void mention(Json reference);
  /// Counts a vertex attribute that lies in the accessor's view, which then should state a stride.
  void count_attribute(std::int32_t accessor);
  /// Findings of what nothing has read.
  void report_leftovers();

 private:
  struct Buffer {
    std::span<const std::byte> bytes;
    std::uint64_t length = 0;
    bool used = false, placeholder = false;
  };
  struct View {
    std::int32_t buffer = kNone;
    std::uint64_t offset = 0, length = 0, stride = 0;
    bool used = false, compressed = false, bad_stride = false;
    std::uint32_t attributes = 0;
    std::vector<std::byte> decoded;
    bool is_decoded = false;
  };
  struct Sparse {
    std::uint64_t count = 0, indices_offset = 0, values_offset = 0;
    std::int32_t indices_view = kNone, values_view = kNone;
    Component component = Component::u32;
  };
  struct Accessor {
    std::int32_t view = kNone, sparse = kNone;
    std::uint64_t offset = 0, count = 0;
    Component component = Component::f32;
    std::uint8_t components = 1, columns = 1;
    bool normalized = false, used = false, mentioned = false, counted = false;
  };
  using Faults = std::map<std::size_t, Error>;
  static constexpr std::size_t kMostFaults = 1000;  ///< a file with more is not worth the memory of its messages

  bool load_buffer(std::size_t i, const Origin& origin, std::vector<std::byte>& storage);
  bool load_external(std::string_view uri, const Origin& origin, const std::string& where, std::uint64_t length,
                     std::vector<std::byte>& storage);
  bool load_embedded(std::string_view uri, const std::string& where, std::uint64_t length,
                     std::vector<std::byte>& storage);
  bool parse_view(Json json, View& out);
  bool parse_accessor(Json json, Accessor& out);
  bool parse_sparse(Json json, Accessor& out);
  bool view_data(std::int32_t view, std::span<const std::byte>& out);
  bool raw_bytes(std::int32_t buffer, std::uint64_t offset, std::uint64_t length, const std::string& where,
                 std::span<const std::byte>& out);
  bool decode_view(std::int32_t view);
  bool place(std::int32_t view, std::uint64_t offset, std::uint64_t stride, std::uint64_t element_bytes,
             std::uint64_t count, const std::string& where, const std::byte*& out);
  void check_alignment(const Accessor& accessor, const Elements& elements);
  template <class Item, class Parse>
  bool parse_list(const char* key, std::vector<Item>& items, Faults& faults, Parse parse);
  void report_faults(const char* key, const char* code, const Faults& faults);

  Reader& reader_;
  Json root_, buffer_list_, view_list_;
  std::vector<Buffer> buffers_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
  std::vector<Sparse> sparse_;
  std::vector<std::string_view> embedded_uris_;
  Faults buffer_faults_, view_faults_, accessor_faults_;
  std::set<std::string> external_files_;
};

}  // namespace sinew::gltf
