#include "interchange/json_tree.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "interchange/text.h"

namespace sinew::gltf {

const char* to_string(JsonType type) {
  switch (type) {
    case JsonType::missing:
      return "missing";
    case JsonType::null:
      return "null";
    case JsonType::boolean:
      return "a boolean";
    case JsonType::integer:
    case JsonType::real:
      return "a number";
    case JsonType::string:
      return "a string";
    case JsonType::array:
      return "an array";
    case JsonType::object:
      return "an object";
  }
  return "unknown";
}

std::string Json::path() const {
  if (!tree_) return {};
  std::vector<std::uint32_t> chain;  // from the value up to below the root
  const std::uint32_t root = std::uint32_t(tree_->values_.size() - 1);
  for (std::uint32_t at = at_; at != root; at = tree_->values_[at].parent) chain.push_back(at);
  std::string out;
  for (std::size_t i = chain.size(); i-- > 0;) {
    const JsonTree::Value& parent = tree_->values_[tree_->values_[chain[i]].parent];
    if (parent.type == JsonType::array) {
      out += text("[", chain[i] - parent.first, "]");
    } else {
      if (!out.empty()) out += '.';
      out += shortened(Json(tree_, chain[i] - 1).string());
    }
  }
  return out;
}

/// Receives the parser's events. Children wait in `open_` until their container ends, then move side by side.
class JsonTreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonTreeBuilder(JsonTree& tree) : tree_(tree) {}

  std::size_t error_position = 0;
  std::string error;
  bool too_deep = false;

  bool null() override { return push({}); }
  bool boolean(bool value) override {
    JsonTree::Value v;
    v.type = JsonType::boolean, v.boolean = value;
    return push(v);
  }
  bool number_integer(std::int64_t value) override {
    JsonTree::Value v;
    v.type = JsonType::integer, v.integer = value;
    return push(v);
  }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= std::uint64_t(std::numeric_limits<std::int64_t>::max())) return number_integer(std::int64_t(value));
    return number_float(double(value), {});
  }
  bool number_float(double value, const std::string&) override {
    JsonTree::Value v;
    v.type = JsonType::real, v.real = value;
    return push(v);
  }
  bool string(std::string& value) override { return push(stored(value)); }
  bool key(std::string& value) override { return push(stored(value)); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return start(); }
  bool start_array(std::size_t) override { return start(); }
  bool end_object() override { return end(JsonType::object, 2); }
  bool end_array() override { return end(JsonType::array, 1); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& exception) override {
    error_position = position;
    error = exception.what();
    return false;
  }

  void finish() {
    if (open_.empty()) return;
    tree_.values_.push_back(open_.front());
    adopt(std::uint32_t(tree_.values_.size() - 1));
  }

 private:
  static constexpr std::size_t kDeepest = 512;

  JsonTree::Value stored(const std::string& value) {
    JsonTree::Value v;
    v.type = JsonType::string, v.size = std::uint32_t(value.size()), v.first = tree_.strings_.size();
    tree_.strings_ += value;
    return v;
  }
  bool push(const JsonTree::Value& value) {
    open_.push_back(value);
    return true;
  }
  bool start() {
    if (starts_.size() >= kDeepest) {
      too_deep = true;
      return false;
    }
    starts_.push_back(open_.size());
    return true;
  }
  bool end(JsonType type, std::size_t values_an_entry) {
    const std::size_t begin = starts_.back(), count = open_.size() - begin;
    starts_.pop_back();
    JsonTree::Value v;
    v.type = type, v.size = std::uint32_t(count / values_an_entry), v.first = tree_.values_.size();
    tree_.values_.insert(tree_.values_.end(), open_.begin() + std::ptrdiff_t(begin), open_.end());
    for (std::uint64_t i = v.first; i < v.first + count; ++i) adopt(std::uint32_t(i));
    open_.resize(begin);
    return push(v);
  }
  /// Tells the children of a value that has found its place where it is.
  void adopt(std::uint32_t at) {
    const JsonTree::Value& v = tree_.values_[at];
    if (v.type != JsonType::array && v.type != JsonType::object) return;
    const std::uint64_t end = v.first + v.size * std::uint64_t(v.type == JsonType::object ? 2 : 1);
    for (std::uint64_t i = v.first; i < end; ++i) tree_.values_[i].parent = at;
  }

  JsonTree& tree_;
  std::vector<JsonTree::Value> open_;
  std::vector<std::size_t> starts_;
};

Result<JsonTree> JsonTree::parse(std::string_view text_) {
  constexpr std::size_t kLongest = std::size_t(1) << 31;  // places in the tree are 32 bits wide
  if (text_.size() >= kLongest) {
    return fail(ErrorCode::too_large, "JSON", text("the text has ", text_.size(), " bytes, which is more than 2 GiB"),
                "keep buffers outside the JSON text");
  }
  JsonTree tree;
  constexpr std::size_t kBytesAValue = 6;  // about what files of many animations have; it only saves growing
  tree.values_.reserve(text_.size() / kBytesAValue);
  JsonTreeBuilder builder(tree);
  const bool parsed = nlohmann::json::sax_parse(text_.begin(), text_.end(), &builder);
  if (builder.too_deep)
    return fail(ErrorCode::too_large, "JSON", "values are nested more than 512 deep", "write the file again");
  if (!parsed) {
    // The library's sentence follows its own bracketed code; the token that it quotes may be as long as the file.
    constexpr std::size_t kLongestReason = 160;
    const std::size_t bracket = builder.error.find("] ");
    std::string reason = builder.error.substr(bracket == std::string::npos ? 0 : bracket + 2);
    if (reason.size() > kLongestReason) reason = reason.substr(0, kLongestReason) + "...";
    return fail(ErrorCode::syntax, "JSON", std::move(reason), "write the file again or restore it from a backup");
  }
  builder.finish();
  return tree;
}

}  // namespace sinew::gltf
