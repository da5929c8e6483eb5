#include <algorithm>
#include <utility>

#include "interchange/export_parts.h"
#include "interchange/export_patch.h"

namespace sinew::glb {
namespace {

std::uint32_t levels_of(const Json* accessor) {
  switch (size_of(accessor, "componentType")) {
    case std::uint64_t(Component::u8):
      return 255;
    case std::uint64_t(Component::u16):
      return 65535;
    default:
      return 0;
  }
}

}  // namespace

/// Where an accessor's elements lie in its view.
struct WeightPatch::Columns {
  std::int32_t accessor = kNone, view = kNone;
  std::uint64_t offset = 0, size = 0, stride = 0, count = 0;
  std::uint64_t end() const { return offset + (count == 0 ? 0 : (count - 1) * stride + size); }
};

namespace {

/// Bytes of an element.
std::uint64_t element_size(const Json* accessor) {
  constexpr std::pair<const char*, std::uint64_t> kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                              {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
  constexpr std::uint64_t kFirstOfTwoBytes = 5122, kFirstOfFourBytes = 5125;
  const std::uint64_t component = size_of(accessor, "componentType");
  const std::uint64_t bytes = component >= kFirstOfFourBytes ? 4 : component >= kFirstOfTwoBytes ? 2 : 1;
  for (const auto& [name, components] : kTypes)
    if (string_of(accessor, "type") == name) return components * bytes;
  return 0;
}

/// Whether two accessors of one view share no byte: they lie apart, or interleaved in columns of their own.
template <class Columns>
bool apart(const Columns& a, const Columns& b) {
  if (a.end() <= b.offset || b.end() <= a.offset) return true;
  if (a.stride != b.stride || a.stride == 0) return false;
  const std::uint64_t from_a = a.offset % a.stride, from_b = b.offset % b.stride;
  if (from_a + a.size > a.stride || from_b + b.size > b.stride) return false;
  return from_a + a.size <= from_b || from_b + b.size <= from_a;
}

/// Views that share bytes with another view.
std::set<std::int32_t> overlapping_views(const Json* views) {
  struct Range {
    std::int32_t buffer, view;
    std::uint64_t begin, end;
  };
  std::vector<Range> ranges;
  for (std::size_t i = 0; views && views->is_array() && i < views->size(); ++i) {
    const Json* view = element(views, std::int64_t(i));
    const std::uint64_t begin = size_of(view, "byteOffset");
    ranges.push_back({index_of(view, "buffer"), std::int32_t(i), begin, begin + size_of(view, "byteLength")});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.buffer != b.buffer ? a.buffer < b.buffer : a.begin < b.begin;
  });
  std::set<std::int32_t> out;
  std::size_t reaching = 0;  // of those before, the one that ends last
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const bool same = ranges[i].buffer == ranges[reaching].buffer;
    if (same && ranges[i].begin < ranges[reaching].end) out.insert({ranges[i].view, ranges[reaching].view});
    if (!same || ranges[i].end > ranges[reaching].end) reaching = i;
  }
  return out;
}

}  // namespace

WeightPatch::~WeightPatch() = default;

WeightPatch::Columns WeightPatch::columns_of(std::int32_t index) const {
  const Json& root = patch_.writer.root();
  const Json* accessor = element(find(&root, "accessors"), index);
  Columns out{index, index_of(accessor, "bufferView"), size_of(accessor, "byteOffset"), element_size(accessor),
              0,     size_of(accessor, "count")};
  out.stride = size_of(element(find(&root, "bufferViews"), out.view), "byteStride", out.size);
  return out;
}

/// Notes who lies where, so that each question is answered from its own view alone.
void WeightPatch::index_views() {
  const Json& root = patch_.writer.root();
  shared_views_ = overlapping_views(find(&root, "bufferViews"));
  const Json* images = find(&root, "images");
  for (std::size_t i = 0; images && images->is_array() && i < images->size(); ++i)
    shared_views_.insert(index_of(element(images, std::int64_t(i)), "bufferView"));
  const Json* accessors = find(&root, "accessors");
  for (std::size_t i = 0; accessors && accessors->is_array() && i < accessors->size(); ++i) {
    const Columns columns = columns_of(std::int32_t(i));
    in_view_[columns.view].push_back(columns);
    const Json* sparse = find(element(accessors, std::int64_t(i)), "sparse");
    if (!sparse) continue;
    shared_views_.insert({columns.view, index_of(find(sparse, "indices"), "bufferView"),
                          index_of(find(sparse, "values"), "bufferView")});
  }
}

WeightPatch::WeightPatch(Patch& patch) : patch_(patch) {
  index_views();
  const Json* meshes = find(&patch.writer.root(), "meshes");
  if (!meshes || !meshes->is_array()) return;
  for (const Json& mesh : *meshes) {
    const Json* primitives = find(&mesh, "primitives");
    if (!primitives || !primitives->is_array()) continue;
    for (const Json& primitive : *primitives) {
      const Accessors list = weights_of(primitive);
      for (std::int32_t accessor : list) users_[accessor].insert(list);
    }
  }
}

WeightPatch::Accessors WeightPatch::weights_of(const Json& primitive) const {
  Accessors list;
  for (;;) {
    const std::int32_t accessor =
        index_of(find(&primitive, "attributes"), ("WEIGHTS_" + std::to_string(list.size())).c_str());
    if (accessor == kNone) return list;
    list.push_back(accessor);
  }
}

bool WeightPatch::is_private(std::int32_t index) const {
  constexpr std::size_t kMostNeighbours = 64;  // a vertex has fewer attributes; more would only take time
  const Columns own = columns_of(index);
  const auto neighbours = in_view_.find(own.view);
  if (own.view == kNone || neighbours == in_view_.end() || neighbours->second.size() > kMostNeighbours) return false;
  if (shared_views_.count(own.view) != 0) return false;
  return std::all_of(neighbours->second.begin(), neighbours->second.end(),
                     [&](const Columns& other) { return other.accessor == index || apart(own, other); });
}

bool WeightPatch::write_in_place(std::int32_t index, const std::vector<Vec4>& weights, std::uint32_t levels) {
  Json& accessor = *element(find(&patch_.writer.root(), "accessors"), index);
  const Columns place = columns_of(index);
  const std::span<std::byte> bytes = patch_.writer.writable(place.view);
  if (place.count != weights.size() || place.size != 4 * weight_size(levels) || place.end() > bytes.size())
    return false;
  for (std::size_t v = 0; v < weights.size(); ++v)
    store_weights(bytes.data() + place.offset + v * place.stride, weights[v], levels);
  accessor.erase("min");
  accessor.erase("max");
  return true;
}

std::int32_t WeightPatch::write_new(const std::vector<Vec4>& weights, std::uint32_t levels) {
  patch_.replaced = true;
  return add_weights(patch_.writer, weights, levels);
}

std::uint32_t WeightPatch::stored_levels(const Json& primitive) const {
  const Json* accessors = find(&patch_.writer.root(), "accessors");
  const Accessors list = weights_of(primitive);
  const std::uint32_t levels = list.empty() ? 0 : levels_of(element(accessors, list[0]));
  for (const std::int32_t index : list)
    if (levels_of(element(accessors, index)) != levels) return 0;
  return levels;
}

bool WeightPatch::normalize_stored(Json& primitive, std::vector<Scene::InfluenceSet>& sets, const std::string& where) {
  const Accessors list = weights_of(primitive);
  if (sets.empty()) return true;
  const auto accessor = [this](std::int32_t index) { return element(find(&patch_.writer.root(), "accessors"), index); };
  std::uint32_t levels = stored_levels(primitive);
  bool mixed = list.size() != sets.size();
  for (std::int32_t index : list) mixed = mixed || levels_of(accessor(index)) != levels;
  if (mixed) levels = 0;
  const WeightChange change = normalize_weights(sets, levels);
  report_weights(patch_.report, change, where);
  if (!change.any()) return true;
  if (mixed) return false;
  auto [written, is_new] = written_.try_emplace(list);
  for (std::size_t i = 0; is_new && i < list.size(); ++i) {
    const bool in_place =
        users_[list[i]].size() == 1 && is_private(list[i]) && write_in_place(list[i], sets[i].weights, levels);
    written->second.push_back(in_place ? list[i] : write_new(sets[i].weights, levels));
  }
  for (std::size_t i = 0; i < list.size(); ++i)
    primitive["attributes"]["WEIGHTS_" + std::to_string(i)] = written->second[i];
  return true;
}

}  // namespace sinew::glb
