#include "interchange/json_patch.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

namespace sinew::glb {

const Json* find(const Json* value, const char* key) {
  if (!value || !value->is_object()) return nullptr;
  const auto member = value->find(key);
  return member == value->end() ? nullptr : &*member;
}
Json* find(Json* value, const char* key) { return const_cast<Json*>(find(static_cast<const Json*>(value), key)); }

const Json* element(const Json* array, std::int64_t index) {
  if (!array || !array->is_array() || index < 0 || std::uint64_t(index) >= array->size()) return nullptr;
  return &(*array)[std::size_t(index)];
}
Json* element(Json* array, std::int64_t index) {
  return const_cast<Json*>(element(static_cast<const Json*>(array), index));
}

namespace {

std::uint64_t whole_number(const Json* value, std::uint64_t missing) {
  if (!value || !value->is_number()) return missing;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  const double number = value->get<double>();    // exporters write 3.0 for 3
  constexpr double kLimit = 9007199254740992.0;  // 2^53, up to which a double is an exact whole number
  if (!(number >= 0 && number <= kLimit) || number != double(std::uint64_t(number))) return missing;
  return std::uint64_t(number);
}

}  // namespace

std::uint64_t size_of(const Json* object, const char* key, std::uint64_t missing) {
  return whole_number(find(object, key), missing);
}

std::int32_t index_value(const Json* value) {
  constexpr std::uint64_t kMissing = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t number = whole_number(value, kMissing);
  return number > std::uint64_t(std::numeric_limits<std::int32_t>::max()) ? kNone : std::int32_t(number);
}

std::int32_t index_of(const Json* object, const char* key) { return index_value(find(object, key)); }

std::string string_of(const Json* object, const char* key) {
  const Json* value = find(object, key);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

namespace {

Json& member_of_kind(Json& object, const char* key, Json::value_t kind) {
  if (!object.is_object()) object = Json::object();
  Json& value = object[key];
  if (value.type() != kind) value = Json(kind);
  return value;
}

}  // namespace

Json& array_in(Json& object, const char* key) { return member_of_kind(object, key, Json::value_t::array); }
Json& object_in(Json& object, const char* key) { return member_of_kind(object, key, Json::value_t::object); }

std::int32_t append(Json& root, const char* key, Json value) {
  Json& list = array_in(root, key);
  list.push_back(std::move(value));
  return std::int32_t(list.size() - 1);
}

void set_index(Json& object, const char* key, std::int32_t index) {
  if (index < 0)
    object.erase(key);
  else
    object[key] = index;
}

void set_text(Json& object, const char* key, const std::string& text) {
  if (text.empty())
    object.erase(key);
  else
    object[key] = text;
}

void set_array(Json& object, const char* key, Json list) {
  if (list.empty())
    object.erase(key);
  else
    object[key] = std::move(list);
}

Json number(float value) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, value);
  double wide = value;
  std::from_chars(text, written.ptr, wide);
  // Read as a double first, a decimal at the edge of a float's interval could round to the neighbour.
  return float(wide) == value ? Json(wide) : Json(double(value));
}

Json numbers(std::span<const float> values) {
  Json list = Json::array();
  for (float value : values) list.push_back(number(value));
  return list;
}

namespace {

/// Calls `visit` with every object of the document.
template <class J, class Visit>
void each_object(J& root, Visit visit) {
  std::vector<J*> open{&root};  // a stack of our own: a document may be nested deeper than the machine's
  while (!open.empty()) {
    J* value = open.back();
    open.pop_back();
    if (value->is_object()) visit(*value);
    if (value->is_structured())
      for (J& child : *value) open.push_back(&child);
  }
}

}  // namespace

std::size_t depth_of(const Json& root) {
  std::vector<std::pair<const Json*, std::size_t>> open{{&root, 1}};
  std::size_t deepest = 0;
  while (!open.empty()) {
    const auto [value, depth] = open.back();
    open.pop_back();
    deepest = std::max(deepest, depth);
    if (value->is_structured())
      for (const Json& child : *value) open.emplace_back(&child, depth + 1);
  }
  return deepest;
}

std::set<std::string> extensions_in_use(const Json& root) {
  std::set<std::string> names;
  each_object(root, [&](const Json& object) {
    const Json* extensions = find(&object, "extensions");
    if (extensions && extensions->is_object())
      for (const auto& item : extensions->items()) names.insert(item.key());
  });
  if (needs_mesh_quantization(root)) names.insert("KHR_mesh_quantization");
  return names;
}

void prune_extensions(Json& root, const std::set<std::string>& before) {
  const std::set<std::string> now = extensions_in_use(root);
  for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
    const Json* list = find(&root, key);
    if (!list || !list->is_array()) continue;
    Json kept = Json::array();
    for (const Json& name : *list) {
      const std::string text = name.is_string() ? name.get<std::string>() : std::string();
      if (before.count(text) == 0 || now.count(text) != 0) kept.push_back(name);
    }
    set_array(root, key, std::move(kept));
  }
}

namespace {

constexpr std::uint64_t kUnsignedByte = 5121, kUnsignedShort = 5123, kFloat = 5126;

bool quantized(const Json& root, const std::string& semantic, const Json& reference) {
  const Json* accessor = element(find(&root, "accessors"), index_value(&reference));
  const std::uint64_t type = size_of(accessor, "componentType", kFloat);
  if (!accessor || type == kFloat) return false;
  if (semantic == "POSITION" || semantic == "NORMAL" || semantic == "TANGENT") return true;
  if (semantic.rfind("TEXCOORD_", 0) != 0) return false;
  const Json* normalized = find(accessor, "normalized");
  const bool core = (type == kUnsignedByte || type == kUnsignedShort) && normalized && *normalized == true;
  return !core;
}

bool any_quantized(const Json& root, const Json* attributes) {
  if (attributes && attributes->is_object())
    for (const auto& item : attributes->items())
      if (quantized(root, item.key(), item.value())) return true;
  return false;
}

}  // namespace

bool needs_mesh_quantization(const Json& root) {
  const Json* meshes = find(&root, "meshes");
  if (!meshes || !meshes->is_array()) return false;
  for (const Json& mesh : *meshes) {
    const Json* primitives = find(&mesh, "primitives");
    if (!primitives || !primitives->is_array()) continue;
    for (const Json& primitive : *primitives) {
      if (any_quantized(root, find(&primitive, "attributes"))) return true;
      const Json* targets = find(&primitive, "targets");
      if (targets && targets->is_array())
        for (const Json& target : *targets)
          if (any_quantized(root, &target)) return true;
    }
  }
  return false;
}

}  // namespace sinew::glb
