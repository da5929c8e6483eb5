// Data URIs cut out of JSON text before it is parsed: they are most of a file, and need no JSON library.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::gltf {

/// Text whose `"uri": "data:..."` strings have been replaced by short marks. Views of the original text, which must
/// outlive it. Strings with escapes in them stay where they are.
class EmbeddedUris {
 public:
  explicit EmbeddedUris(std::string_view original);
  /// What to parse: the original where nothing was cut.
  std::string_view parsable() const { return cuts_.empty() ? original_ : short_; }
  bool any() const { return !cuts_.empty(); }
  /// The data URI that a parsed `uri` stands for, if it is a mark.
  std::optional<std::string_view> find(std::string_view uri) const;
  /// The text with the URIs `left_out` (parsed `uri` values) as empty strings and all others as they were.
  std::string restored(const std::vector<std::string_view>& left_out) const;

 private:
  struct Cut {
    std::size_t begin, end;  ///< of the string's content in the original
  };
  std::optional<std::size_t> number(std::string_view uri) const;
  std::string_view original_;
  std::string short_;
  std::vector<Cut> cuts_;
};

}  // namespace sinew::gltf
