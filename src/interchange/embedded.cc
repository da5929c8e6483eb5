#include "interchange/embedded.h"

#include <charconv>
#include <cstring>

#include "interchange/text.h"

namespace sinew::gltf {

namespace {

// No data URI of a file can look like a mark: it would have been cut itself.
constexpr std::string_view kMark = "data:#", kScheme = "data:", kKey = "\"uri\"";

/// Place of the quote that ends the string whose content begins at `at`; the text's size where there is none.
std::size_t string_end(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size()) {
    const void* quote = std::memchr(text.data() + at, '"', text.size() - at);
    if (!quote) break;
    at = std::size_t(static_cast<const char*>(quote) - text.data());
    std::size_t backslashes = 0;
    while (at - backslashes > begin && text[at - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
    ++at;
  }
  return text.size();
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Whether the string that opens at `quote` is the value of a member named `uri`.
bool follows_uri_key(std::string_view text, std::size_t quote) {
  std::size_t at = quote;
  while (at > 0 && is_space(text[at - 1])) --at;
  if (at == 0 || text[at - 1] != ':') return false;
  --at;
  while (at > 0 && is_space(text[at - 1])) --at;
  return text.substr(0, at).ends_with(kKey);
}

}  // namespace

EmbeddedUris::EmbeddedUris(std::string_view original) : original_(original) {
  std::size_t kept = 0;  // all before is in `short_`
  // A quote inside a string has a backslash before it, so `"uri": "data:` can stand nowhere but where it is meant.
  for (std::size_t at = original.find(kScheme); at != std::string_view::npos; at = original.find(kScheme, at + 1)) {
    if (at == 0 || original[at - 1] != '"' || !follows_uri_key(original, at - 1)) continue;
    const std::size_t end = string_end(original, at);
    if (end == original.size()) break;
    const std::string_view content = original.substr(at, end - at);
    if (!std::memchr(content.data(), '\\', content.size())) {
      short_ += original.substr(kept, at - kept);
      short_ += text(kMark, cuts_.size());
      cuts_.push_back({at, end});
      kept = end;
    }
    at = end;
  }
  if (any()) short_ += original.substr(kept);
}

std::optional<std::size_t> EmbeddedUris::number(std::string_view uri) const {
  if (!uri.starts_with(kMark)) return std::nullopt;
  std::size_t out = 0;
  const char* end = uri.data() + uri.size();
  const auto [stop, error] = std::from_chars(uri.data() + kMark.size(), end, out);
  if (error != std::errc() || stop != end || out >= cuts_.size()) return std::nullopt;
  return out;
}

std::optional<std::string_view> EmbeddedUris::find(std::string_view uri) const {
  const auto i = number(uri);
  if (!i) return std::nullopt;
  return original_.substr(cuts_[*i].begin, cuts_[*i].end - cuts_[*i].begin);
}

std::string EmbeddedUris::restored(const std::vector<std::string_view>& left_out) const {
  std::vector<bool> out_of_it(cuts_.size());
  for (std::string_view uri : left_out)
    if (const auto i = number(uri)) out_of_it[*i] = true;
  std::string out;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    if (!out_of_it[i]) continue;
    out += original_.substr(kept, cuts_[i].begin - kept);
    kept = cuts_[i].end;
  }
  out += original_.substr(kept);
  return out;
}

}  // namespace sinew::gltf
