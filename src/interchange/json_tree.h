// JSON text as one flat array of values: small, without recursion, and every value knows its path for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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
  inline JsonType type() const;
  bool is_number() const { return type() == JsonType::integer || type() == JsonType::real; }

  /// Elements of an array, members of an object; 0 for all else.
  inline std::size_t size() const;
  /// Element or member value, `i < size()`.
  inline Json operator[](std::size_t i) const;
  /// Member name, `i < size()` of an object.
  inline std::string_view key(std::size_t i) const;
  /// The member of that name (the last, where there are several, as in most readers), or `missing`; also on
  /// what is no object.
  inline Json operator[](std::string_view name) const;

  inline bool boolean() const;             ///< of a boolean
  inline std::int64_t integer() const;     ///< of an integer
  inline double number() const;            ///< of an integer or real
  inline std::string_view string() const;  ///< of a string

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

// Files have hundreds of thousands of values, and each is looked at several times: these are inline.

JsonType Json::type() const { return tree_ ? tree_->values_[at_].type : JsonType::missing; }

std::size_t Json::size() const {
  const JsonType t = type();
  return t == JsonType::array || t == JsonType::object ? tree_->values_[at_].size : 0;
}

Json Json::operator[](std::size_t i) const {
  const JsonTree::Value& value = tree_->values_[at_];
  const std::size_t child = value.type == JsonType::object ? 2 * i + 1 : i;
  return Json(tree_, std::uint32_t(value.first + child));
}

std::string_view Json::string() const {
  const JsonTree::Value& value = tree_->values_[at_];
  return {tree_->strings_.data() + value.first, value.size};
}

std::string_view Json::key(std::size_t i) const {
  return Json(tree_, std::uint32_t(tree_->values_[at_].first + 2 * i)).string();
}

Json Json::operator[](std::string_view name) const {
  if (type() != JsonType::object) return {};
  const JsonTree::Value& value = tree_->values_[at_];
  for (std::uint32_t i = value.size; i-- > 0;) {
    const std::uint64_t at = value.first + 2 * std::uint64_t(i);
    const JsonTree::Value& member = tree_->values_[at];
    if (member.size == name.size() && std::memcmp(tree_->strings_.data() + member.first, name.data(), name.size()) == 0)
      return Json(tree_, std::uint32_t(at + 1));
  }
  return {};
}

bool Json::boolean() const { return tree_->values_[at_].boolean; }

std::int64_t Json::integer() const { return tree_->values_[at_].integer; }

double Json::number() const {
  const JsonTree::Value& value = tree_->values_[at_];
  return value.type == JsonType::integer ? double(value.integer) : value.real;
}

}  // namespace sinew::gltf
