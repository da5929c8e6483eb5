// JSON text as one flat array of values: small, without recursion, and every value knows its path for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/result.h"

namespace sinew::gltf {

enum class JsonType : std::uint8_t { missing, null, boolean, integer, real, string, array, object };
const char* to_string(JsonType type);

class JsonTree;

/// A value in a tree, which must outlive it; `missing` where a member was asked for that is not there.
class Json {
 public:
  Json() = default;
  explicit operator bool() const { return tree_ != nullptr; }
  JsonType type() const;
  bool is_number() const { return type() == JsonType::integer || type() == JsonType::real; }

  /// Elements of an array, members of an object; 0 for all else.
  std::size_t size() const;
  /// Element or member value, `i < size()`.
  Json operator[](std::size_t i) const;
  /// Member name, `i < size()` of an object.
  std::string_view key(std::size_t i) const;
  /// The member of that name (the last, where there are several, as in most readers), or `missing`; also on
  /// what is no object.
  Json operator[](std::string_view key) const;

  bool boolean() const;             ///< of a boolean
  std::int64_t integer() const;     ///< of an integer
  double number() const;            ///< of an integer or real
  std::string_view string() const;  ///< of a string

  /// `meshes[2].primitives[0]`; empty for the root.
  std::string path() const;

 private:
  friend class JsonTree;
  Json(const JsonTree* tree, std::uint32_t at) : tree_(tree), at_(at) {}
  const JsonTree* tree_ = nullptr;
  std::uint32_t at_ = 0;
};

class JsonTree {
 public:
  /// Error `syntax` with line and reason; `too_large` for text of 2 GiB and more, and for values nested deeper
  /// than 512.
  static Result<JsonTree> parse(std::string_view text);
  Json root() const { return Json(this, std::uint32_t(values_.size() - 1)); }
  std::size_t memory() const { return values_.capacity() * sizeof(Value) + strings_.capacity(); }

 private:
  friend class Json;
  friend class JsonTreeBuilder;
  /// Children of an array or object lie side by side: elements, or key and value in turn.
  struct Value {
    JsonType type = JsonType::null;
    std::uint32_t size = 0;  ///< elements, members, or bytes of a string
    std::uint32_t parent = 0;
    union {
      std::int64_t integer = 0;
      double real;
      bool boolean;
      std::uint64_t first;  ///< first child in `values_`, or first byte in `strings_`
    };
  };
  std::vector<Value> values_;
  std::string strings_;
};

}  // namespace sinew::gltf
