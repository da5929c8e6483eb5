#include "interchange/glb_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "sinew/config.h"

namespace sinew::glb {
namespace {

// Wide enough for every element type, and for what a document's own buffer was aligned to.
constexpr std::uint64_t kPieceAlignment = 16;
constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A, kBinChunk = 0x004E4942;
constexpr std::uint64_t kLargestFile = std::numeric_limits<std::uint32_t>::max();  // lengths in a GLB are 32-bit
constexpr std::size_t kDeepest = 256;  // levels of nesting; writing JSON takes stack a level
constexpr std::size_t kHeaderSize = 12, kChunkHeaderSize = 8, kChunkAlignment = 4;
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;
constexpr const char* kMeshopt = "EXT_meshopt_compression";

std::uint64_t aligned(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

std::size_t component_size(Component component) {
  if (component == Component::i8 || component == Component::u8) return 1;
  return component == Component::i16 || component == Component::u16 ? 2 : 4;
}

template <class T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

/// Bounds of packed floats, `width` an element.
void set_bounds(Json& accessor, const ArrayData& data) {
  const std::size_t width = data.bytes.size() / data.count / sizeof(float);
  std::vector<float> low(width, std::numeric_limits<float>::infinity());
  std::vector<float> high(width, -std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < data.count * width; ++i) {
    float value;
    std::memcpy(&value, data.bytes.data() + i * sizeof(float), sizeof value);
    low[i % width] = std::min(low[i % width], value);
    high[i % width] = std::max(high[i % width], value);
  }
  accessor["min"] = numbers(low);
  accessor["max"] = numbers(high);
}

}  // namespace

GlbWriter::GlbWriter() { root_["asset"] = {{"version", "2.0"}, {"generator", "sinew " SINEW_VERSION}}; }

Result<GlbWriter> GlbWriter::from(std::shared_ptr<const Scene::Document> document) {
  GlbWriter writer;
  writer.root_ = Json::parse(document->json, nullptr, false);
  if (!writer.root_.is_object()) {
    return fail(ErrorCode::syntax, "document.json", "the kept glTF document is not a JSON object",
                "leave Scene::document as the importer made it, or reset it to write a new file");
  }
  if (depth_of(writer.root_) > kDeepest) {
    return fail(ErrorCode::unsupported, "document.json",
                "the document is nested deeper than " + std::to_string(kDeepest) + " levels", "flatten its extras");
  }
  for (const auto& buffer : document->buffers) writer.sources_.push_back({buffer, {}});
  const Json* listed = find(&writer.root_, "buffers");
  if (listed && listed->is_array() && listed->size() > writer.sources_.size()) writer.sources_.resize(listed->size());
  writer.document_ = std::move(document);
  return writer;
}

GlbWriter::Group& GlbWriter::group(Use use, std::size_t stride) {
  for (Group& known : groups_)
    if (known.use == use && known.stride == stride) return known;
  Json view = {{"buffer", sources_.size()}, {"byteLength", 0}};
  if (use == Use::vertices) view["target"] = kArrayBuffer, view["byteStride"] = stride;
  if (use == Use::indices) view["target"] = kElementArrayBuffer;
  groups_.push_back({use, stride, append(root_, "bufferViews", std::move(view)), sources_.size()});
  sources_.emplace_back();
  return groups_.back();
}

std::int32_t GlbWriter::add(const ArrayData& data) {
  const std::size_t size = data.bytes.size() / data.count;
  // Only vertex data may have a stride; other arrays of any element size share one view.
  const Group& place = group(data.use, data.use == Use::vertices ? size : component_size(data.component));
  std::vector<std::byte>& bytes = sources_[place.source].owned;
  const std::size_t offset = bytes.size();
  bytes.insert(bytes.end(), data.bytes.begin(), data.bytes.end());
  Json accessor = {
      {"bufferView", place.view}, {"componentType", data.component}, {"count", data.count}, {"type", data.type}};
  if (offset != 0) accessor["byteOffset"] = offset;
  if (data.normalized) accessor["normalized"] = true;
  if (data.bounds) set_bounds(accessor, data);
  root_["bufferViews"][std::size_t(place.view)]["byteLength"] = bytes.size();
  return append(root_, "accessors", std::move(accessor));
}

std::int32_t GlbWriter::add(Use use, std::span<const float> values, bool bounds) {
  return add({use, Component::f32, "SCALAR", values.size(), bytes_of(values), false, bounds});
}
std::int32_t GlbWriter::add(Use use, std::span<const Vec2> values) {
  return add({use, Component::f32, "VEC2", values.size(), bytes_of(values)});
}
std::int32_t GlbWriter::add(Use use, std::span<const Vec3> values, bool bounds) {
  return add({use, Component::f32, "VEC3", values.size(), bytes_of(values), false, bounds});
}
std::int32_t GlbWriter::add(Use use, std::span<const Vec4> values) {
  return add({use, Component::f32, "VEC4", values.size(), bytes_of(values)});
}

std::int32_t GlbWriter::add_indices(std::span<const std::uint32_t> values) {
  const std::uint32_t largest = *std::max_element(values.begin(), values.end());
  if (largest >= std::numeric_limits<std::uint16_t>::max())
    return add({Use::indices, Component::u32, "SCALAR", values.size(), bytes_of(values)});
  const std::vector<std::uint16_t> narrow(values.begin(), values.end());
  return add({Use::indices, Component::u16, "SCALAR", narrow.size(), bytes_of(std::span<const std::uint16_t>(narrow))});
}

std::int32_t GlbWriter::add_view(std::span<const std::byte> bytes) {
  Json view = {{"buffer", sources_.size()}, {"byteLength", bytes.size()}};
  sources_.push_back({{}, {bytes.begin(), bytes.end()}});
  return append(root_, "bufferViews", std::move(view));
}

void GlbWriter::remove_unreferenced() {
  if (!compact(root_)) return;
  drop_unreferenced_ = true;
  start_new_views();  // those of before have other numbers now, or are gone
}

GlbWriter::Range GlbWriter::range_of(std::int32_t index) const {
  const Json* view = element(find(&root_, "bufferViews"), index);
  const std::int32_t buffer = index_of(view, "buffer");
  if (buffer == kNone || std::size_t(buffer) >= sources_.size() || find(find(view, "extensions"), kMeshopt)) return {};
  const std::uint64_t size = sources_[std::size_t(buffer)].bytes().size();
  const std::uint64_t offset = size_of(view, "byteOffset"), length = size_of(view, "byteLength");
  if (offset > size || length > size - offset) return {};
  return {std::size_t(buffer), offset, length};
}

std::span<const std::byte> GlbWriter::readable(std::int32_t view) const {
  const Range range = range_of(view);
  return range.length == 0 ? std::span<const std::byte>()
                           : sources_[range.source].bytes().subspan(range.offset, range.length);
}

std::span<std::byte> GlbWriter::writable(std::int32_t view) {
  const Range range = range_of(view);
  if (range.length == 0) return {};
  Source& source = sources_[range.source];
  if (source.owned.empty()) source.owned.assign(source.given.begin(), source.given.end());
  return std::span(source.owned).subspan(range.offset, range.length);
}

namespace {

/// Calls `visit` with each object that names bytes by `buffer`, `byteOffset` and `byteLength`.
template <class J, class Visit>
void each_byte_reference(J& root, Visit visit) {
  auto* views = find(&root, "bufferViews");
  if (!views || !views->is_array()) return;
  for (auto& view : *views) {
    visit(view);
    if (auto* packed = find(find(&view, "extensions"), kMeshopt)) visit(*packed);
  }
}

}  // namespace

GlbWriter::Layout GlbWriter::plan() const {
  Layout layout;
  layout.pieces.resize(sources_.size());
  layout.empty_buffers.assign(sources_.size(), kNone);
  if (drop_unreferenced_) {
    each_byte_reference(root_, [&](const Json& reference) {
      const std::int32_t buffer = index_of(&reference, "buffer");
      if (buffer == kNone || std::size_t(buffer) >= sources_.size()) return;
      const std::uint64_t size = sources_[std::size_t(buffer)].bytes().size();
      const std::uint64_t begin = std::min(size_of(&reference, "byteOffset"), size);
      const std::uint64_t end = begin + std::min(size_of(&reference, "byteLength"), size - begin);
      if (begin < end) layout.pieces[std::size_t(buffer)].push_back({begin / kPieceAlignment * kPieceAlignment, end});
    });
  } else {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (!sources_[i].bytes().empty()) layout.pieces[i].push_back({0, sources_[i].bytes().size()});
  }
  for (auto& list : layout.pieces) {  // views may overlap: their union is kept once
    std::sort(list.begin(), list.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    std::vector<Piece> joined;
    for (const Piece& piece : list) {
      if (!joined.empty() && piece.begin <= joined.back().end)
        joined.back().end = std::max(joined.back().end, piece.end);
      else
        joined.push_back(piece);
    }
    for (Piece& piece : joined) {
      piece.place = aligned(layout.size, kPieceAlignment);
      layout.size = piece.place + (piece.end - piece.begin);
    }
    list = std::move(joined);
  }
  std::int32_t next = layout.size > 0 ? 1 : 0;
  each_byte_reference(root_, [&](const Json& reference) {
    const std::int32_t buffer = index_of(&reference, "buffer");
    if (buffer == kNone || std::size_t(buffer) >= sources_.size() || !sources_[std::size_t(buffer)].bytes().empty())
      return;
    if (layout.empty_buffers[std::size_t(buffer)] == kNone) layout.empty_buffers[std::size_t(buffer)] = next++;
  });
  return layout;
}

void GlbWriter::relocate(Json& reference, const Layout& layout) const {
  const std::int32_t buffer = index_of(&reference, "buffer");
  if (buffer == kNone || std::size_t(buffer) >= sources_.size()) return;
  const std::int32_t empty = layout.empty_buffers[std::size_t(buffer)];
  reference["buffer"] = empty == kNone ? 0 : empty;
  if (empty != kNone) return;
  const std::uint64_t begin = size_of(&reference, "byteOffset"), length = size_of(&reference, "byteLength");
  // What lies outside its buffer (import lets it through where nothing reads it) must not come to lie on other data.
  std::uint64_t place = layout.size;
  const std::vector<Piece>& pieces = layout.pieces[std::size_t(buffer)];
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), begin,
                                [](std::uint64_t offset, const Piece& candidate) { return offset < candidate.begin; });
  if (piece != pieces.begin()) {
    --piece;
    if (begin <= piece->end && length <= piece->end - begin) place = piece->place + (begin - piece->begin);
  }
  if (place != begin) reference["byteOffset"] = place;
}

Json GlbWriter::buffers(const Layout& layout) const {
  Json list = Json::array();
  const Json* listed = find(&root_, "buffers");
  std::vector<std::size_t> with_bytes;
  for (std::size_t i = 0; listed && i < listed->size() && i < sources_.size(); ++i)
    if (!layout.pieces[i].empty()) with_bytes.push_back(i);
  if (layout.size > 0) {
    Json joined = Json::object();
    if (with_bytes.size() == 1) joined = *element(listed, std::int64_t(with_bytes[0]));  // its name and extras stay
    if (!joined.is_object()) joined = Json::object();
    joined.erase("uri");
    joined["byteLength"] = layout.size;
    list.push_back(std::move(joined));
  }
  std::vector<std::pair<std::int32_t, std::size_t>> empty;
  for (std::size_t i = 0; i < layout.empty_buffers.size(); ++i)
    if (layout.empty_buffers[i] != kNone) empty.emplace_back(layout.empty_buffers[i], i);
  std::sort(empty.begin(), empty.end());
  for (const auto& [place, source] : empty) {
    const Json* entry = element(listed, std::int64_t(source));
    list.push_back(entry ? *entry : Json::object());
  }
  return list;
}

Bytes GlbWriter::assemble(const std::string& text, const Layout& layout) const {
  const std::size_t json_size = aligned(text.size(), kChunkAlignment), bin_size = aligned(layout.size, kChunkAlignment);
  const std::size_t total = kHeaderSize + kChunkHeaderSize + json_size + (bin_size ? kChunkHeaderSize + bin_size : 0);
  Bytes out(total);  // zeros: what fills the gaps of the binary chunk
  std::byte* at = out.data();
  const auto put = [&at](std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) *at++ = std::byte(value >> shift);
  };
  put(kMagic), put(kVersion), put(std::uint32_t(total));
  put(std::uint32_t(json_size)), put(kJsonChunk);
  std::memcpy(at, text.data(), text.size());
  std::fill(at + text.size(), at + json_size, std::byte(' '));
  at += json_size;
  if (bin_size == 0) return out;
  put(std::uint32_t(bin_size)), put(kBinChunk);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    for (const Piece& piece : layout.pieces[i])
      std::memcpy(at + piece.place, sources_[i].bytes().data() + piece.begin, piece.end - piece.begin);
  return out;
}

Result<Bytes> GlbWriter::finish() && {
  const Layout layout = plan();
  each_byte_reference(root_, [&](Json& reference) { relocate(reference, layout); });
  set_array(root_, "buffers", buffers(layout));
  const std::string text = root_.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::uint64_t overhead = kHeaderSize + 2 * (kChunkHeaderSize + kChunkAlignment);
  if (layout.size + text.size() > kLargestFile - overhead) {
    return fail(ErrorCode::too_large, "",
                std::to_string(layout.size + text.size()) + " bytes; a GLB file holds 4 GiB at most",
                "export fewer meshes or clips");
  }
  return assemble(text, layout);
}

}  // namespace sinew::glb
