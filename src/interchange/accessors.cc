// Accessors: their description, and the places of their values.
#include <utility>

#include "interchange/data.h"
#include "interchange/text.h"

namespace sinew::gltf {

std::size_t bytes_of(Component component) {
  switch (component) {
    case Component::i8:
    case Component::u8:
      return 1;
    case Component::i16:
    case Component::u16:
      return 2;
    case Component::u32:
    case Component::f32:
      return 4;
  }
  return 4;
}

const char* to_string(Component component) {
  switch (component) {
    case Component::i8:
      return "BYTE";
    case Component::u8:
      return "UNSIGNED_BYTE";
    case Component::i16:
      return "SHORT";
    case Component::u16:
      return "UNSIGNED_SHORT";
    case Component::u32:
      return "UNSIGNED_INT";
    case Component::f32:
      return "FLOAT";
  }
  return "unknown";
}

namespace {

bool parse_component(Reader& reader, Json parent, Component& out) {
  const std::uint64_t value = reader.needed_size(parent, "componentType");
  if (!reader.ok()) return false;
  for (Component known :
       {Component::i8, Component::u8, Component::i16, Component::u16, Component::u32, Component::f32}) {
    if (value == std::uint64_t(known)) {
      out = known;
      return true;
    }
  }
  return reader.fail(ErrorCode::bad_type, parent.path() + ".componentType",
                     text("is ", value, ", which glTF 2.0 does not know"), "write the file again");
}

/// Components, and columns of a matrix (1 for all else).
bool parse_type(Reader& reader, Json json, std::uint8_t& components, std::uint8_t& columns) {
  struct Type {
    std::string_view name;
    std::uint8_t components, columns;
  };
  constexpr Type kTypes[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                             {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4}};
  const std::string type = reader.string(json, "type");
  if (!reader.ok()) return false;
  for (const Type& known : kTypes) {
    if (type == known.name) {
      components = known.components, columns = known.columns;
      return true;
    }
  }
  return reader.fail(ErrorCode::bad_type, json.path() + ".type",
                     text("is \"", shortened(type), "\", which glTF 2.0 does not know"), "write the file again");
}

/// Bytes of an element as stored: columns of small matrices begin at multiples of four.
std::uint64_t stored_bytes(std::uint64_t components, std::uint64_t columns, std::uint64_t component_bytes) {
  const std::uint64_t column = components / columns * component_bytes;
  return columns == 1 ? column : (column + 3) / 4 * 4 * (columns - 1) + column;
}

}  // namespace

bool Data::parse_sparse(Json json, Accessor& out) {
  const Json indices = reader_.object(json, "indices"), values = reader_.object(json, "values");
  Sparse sparse;
  sparse.count = reader_.needed_size(json, "count");
  if (!reader_.ok()) return false;
  if (!indices || !values)
    return reader_.fail(ErrorCode::bad_value, json.path(), "lacks its indices or values", "write the file again");
  sparse.indices_view = reader_.index(indices, "bufferView", views_.size(), "buffer view");
  sparse.indices_offset = reader_.size(indices, "byteOffset", 0);
  sparse.values_view = reader_.index(values, "bufferView", views_.size(), "buffer view");
  sparse.values_offset = reader_.size(values, "byteOffset", 0);
  if (!parse_component(reader_, indices, sparse.component)) return false;
  const bool unsigned_integer =
      sparse.component == Component::u8 || sparse.component == Component::u16 || sparse.component == Component::u32;
  if (sparse.indices_view == kNone || sparse.values_view == kNone || !unsigned_integer)
    return reader_.fail(ErrorCode::bad_value, json.path(),
                        "its indices must be unsigned integers, and both its lists need a buffer view",
                        "write the file again");
  if (sparse.count > out.count) {
    return reader_.fail(ErrorCode::inconsistent, json.path(),
                        text("replaces ", sparse.count, " of ", out.count, " elements"), "write the file again");
  }
  out.sparse = std::int32_t(sparse_.size());
  sparse_.push_back(sparse);
  return true;
}

bool Data::parse_accessor(Json json, Accessor& out) {
  out.view = reader_.index(json, "bufferView", views_.size(), "buffer view");
  out.offset = reader_.size(json, "byteOffset", 0);
  out.count = reader_.needed_size(json, "count");
  out.normalized = reader_.boolean(json, "normalized", false);
  const Json sparse = reader_.object(json, "sparse");
  if (!parse_component(reader_, json, out.component) || !parse_type(reader_, json, out.components, out.columns))
    return false;
  if (sparse && !parse_sparse(sparse, out)) return false;
  if (out.count == 0)
    reader_.note(Severity::warning, "accessor.empty", json.path(), "has a count of 0; glTF asks for at least 1");
  if (out.view == kNone || view_faults_.contains(std::size_t(out.view))) return true;
  const View& view = views_[std::size_t(out.view)];
  const std::uint64_t component = bytes_of(out.component);
  const std::uint64_t element = stored_bytes(out.components, out.columns, component);
  const std::uint64_t stride = view.stride ? view.stride : element;
  const bool aligned = out.offset % component == 0 && (view.offset + out.offset) % component == 0 &&
                       stride % component == 0 && (out.columns == 1 || out.offset % 4 == 0);
  if (!aligned) {
    reader_.note(Severity::warning, "accessor.alignment", 1, 0, [&] {
      return Told{json.path(),
                  text("its ", to_string(out.component),
                       " values do not lie at multiples of their size; they are read all the same"),
                  {}};
    });
  }
  if (view.stride != 0 && view.stride < element) {
    return reader_.fail(ErrorCode::inconsistent, json.path(),
                        text("its elements of ", element, " bytes overlap at the view's stride of ", view.stride),
                        "write the file again");
  }
  if (out.count == 0) return true;
  const bool inside = out.offset <= view.length && element <= view.length - out.offset &&
                      out.count - 1 <= (view.length - out.offset - element) / stride;
  if (!inside) {
    return reader_.fail(
        ErrorCode::out_of_range, json.path(),
        text("its count of ", out.count, " elements of ", element, " bytes, ", stride, " bytes apart from byte ",
             out.offset, ", does not fit into buffer view ", out.view, " of ", view.length, " bytes"),
        "restore the file from its source, or write it again");
  }
  return true;
}

template <class Item, class Parse>
bool Data::parse_list(const char* key, std::vector<Item>& items, Faults& faults, Parse parse) {
  const Json list = reader_.array(root_, key);
  if (!reader_.ok() || !reader_.take(list.size() * sizeof(Item), key, list.size(), "entries")) return false;
  items.resize(list.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Json json = list[i];
    if (json.type() == JsonType::object)
      parse(json, items[i]);
    else
      reader_.fail(ErrorCode::bad_type, json.path(), text("is ", to_string(json.type()), " where an object belongs"),
                   "write the file again");
    auto error = reader_.take_error();
    if (!error) continue;
    faults.emplace(i, std::move(*error));
    if (faults.size() > kMostFaults) return reader_.fail(faults.begin()->second);
  }
  return true;
}

bool Data::load_tables() {
  return parse_list("bufferViews", views_, view_faults_, [&](Json json, View& out) { return parse_view(json, out); }) &&
         parse_list("accessors", accessors_, accessor_faults_,
                    [&](Json json, Accessor& out) { return parse_accessor(json, out); });
}

void Data::mention(Json reference) {
  if (!reader_.ok()) return;
  const std::int32_t accessor = reader_.index(reference, accessors_.size(), "accessor");
  reader_.take_error();  // what is not read need not be right
  if (accessor != kNone) accessors_[std::size_t(accessor)].mentioned = true;
}

void Data::count_attribute(std::int32_t accessor) {
  const std::int32_t index = accessors_[std::size_t(accessor)].view;
  if (std::exchange(accessors_[std::size_t(accessor)].counted, true)) return;
  if (index == kNone || views_[std::size_t(index)].stride != 0) return;
  if (++views_[std::size_t(index)].attributes == 2) {
    reader_.note(Severity::warning, "view.stride_missing", 1, 0, [&] {
      return Told{text("bufferViews[", index, "]"),
                  "several vertex attributes lie in it, so glTF asks for a byteStride; they are read as tightly packed",
                  {}};
    });
  }
}

bool Data::place(std::int32_t view, std::uint64_t offset, std::uint64_t stride, std::uint64_t element_bytes,
                 std::uint64_t count, const std::string& where, const std::byte*& out) {
  std::span<const std::byte> bytes;
  if (!view_data(view, bytes)) return false;
  if (count == 0) return true;
  const std::uint64_t size = bytes.size();
  if (offset > size || element_bytes > size - offset || count - 1 > (size - offset - element_bytes) / stride) {
    return reader_.fail(ErrorCode::out_of_range, where,
                        text("its count of ", count, " elements of ", element_bytes, " bytes from byte ", offset,
                             " does not fit into buffer view ", view, " of ", size, " bytes"),
                        "restore the file from its source, or write it again");
  }
  out = bytes.data() + offset;
  return true;
}

bool Data::elements(std::int32_t index, Elements& out) {
  Accessor& accessor = accessors_[std::size_t(index)];
  accessor.used = true;
  if (const auto fault = accessor_faults_.find(std::size_t(index)); fault != accessor_faults_.end())
    return reader_.fail(fault->second);
  out = {};
  out.where = text("accessors[", index, "]");
  out.count = accessor.count, out.components = accessor.components;
  out.component = accessor.component, out.normalized = accessor.normalized;
  const std::uint64_t element = stored_bytes(accessor.components, accessor.columns, bytes_of(accessor.component));
  out.stride = std::size_t(element);
  if (accessor.view != kNone) {
    if (const std::uint64_t stride = views_[std::size_t(accessor.view)].stride) out.stride = std::size_t(stride);
    if (!place(accessor.view, accessor.offset, out.stride, element, accessor.count, out.where, out.data)) return false;
  }
  if (accessor.sparse == kNone) return true;
  const Sparse& sparse = sparse_[std::size_t(accessor.sparse)];
  out.sparse_count = sparse.count, out.sparse_component = sparse.component;
  const std::uint64_t index_bytes = bytes_of(sparse.component);
  return place(sparse.indices_view, sparse.indices_offset, index_bytes, index_bytes, sparse.count,
               out.where + ".sparse.indices", out.sparse_indices) &&
         place(sparse.values_view, sparse.values_offset, element, element, sparse.count, out.where + ".sparse.values",
               out.sparse_values);
}

bool Data::elements(Json reference, Elements& out) {
  const std::int32_t index = reader_.index(reference, accessors_.size(), "accessor");
  return index != kNone && elements(index, out);
}

}  // namespace sinew::gltf
