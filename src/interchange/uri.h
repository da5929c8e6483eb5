// URIs of buffers: data URIs (RFC 2397) and relative paths, which must stay below the file's folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/result.h"

namespace sinew::gltf {

/// `%41` to `A`; nothing else. Error `syntax`: a percent sign without two hexadecimal digits.
Result<std::string> percent_decoded(std::string_view text);

/// The file below `directory` that a relative URI names. Error `bad_value`: a scheme, an absolute path, a way out by
/// `..` or by a symbolic link; `io`: not there or not a plain file.
Result<std::filesystem::path> resolved(std::string_view uri, const std::filesystem::path& directory,
                                       const std::string& where);

/// `data:[type][;base64],payload`
struct DataUri {
  std::string_view media_type;
  std::string_view payload;
  bool base64 = false;
};
Result<DataUri> data_uri(std::string_view uri, const std::string& where);

/// Bytes that base64 text of this length and padding stands for (RFC 4648).
std::size_t base64_bytes(std::string_view payload);
/// Decodes base64 with or without its padding; error `syntax` with the place of the first wrong character.
Result<std::vector<std::byte>> base64_decoded(std::string_view payload, const std::string& where);

}  // namespace sinew::gltf
