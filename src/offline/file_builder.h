// The runtime file being made: arrays one after another, then the directory that names them, then the header.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "runtime/element_types.h"
#include "runtime/fault.h"
#include "runtime/file_format.h"

namespace sinew::detail {

class FileBuilder {
 public:
  /// Numbers are stored even where they are the schema's defaults: a file then says all that it means.
  FileBuilder() : bytes_(sizeof(FileHeader)) { directory_.ForceDefaults(true); }

  /// Copies the array to the next multiple of 64. An empty one takes no room.
  template <class T>
  schema::Array add(std::span<const T> values) {
    if (values.empty()) return schema::Array(0, 0, kElementType<T>, 0);
    const std::size_t offset = bytes_.size(), length = values.size_bytes();
    bytes_.resize(std::size_t(aligned(offset + length)));
    std::memcpy(bytes_.data() + offset, values.data(), length);
    return schema::Array(offset, values.size(), kElementType<T>, 0);
  }
  template <class T>
  schema::Array add(const std::vector<T>& values) {
    return add(std::span<const T>(values));
  }

  flatbuffers::FlatBufferBuilder& directory() { return directory_; }
  flatbuffers::Offset<flatbuffers::String> name(const std::string& text) { return directory_.CreateString(text); }

  flatbuffers::Offset<schema::Skeleton> skeleton;
  std::vector<flatbuffers::Offset<schema::Skin>> skins;
  std::vector<flatbuffers::Offset<schema::Mesh>> meshes;
  std::vector<flatbuffers::Offset<schema::Part>> parts;
  std::vector<flatbuffers::Offset<schema::Clip>> clips;
  float size = 0;

  /// Directory and header added: the whole file.
  Bytes finish();

 private:
  Bytes bytes_;
  flatbuffers::FlatBufferBuilder directory_;
};

/// An array that is empty is left out of its table.
inline const schema::Array* unless_empty(const schema::Array& array) { return array.count() == 0 ? nullptr : &array; }

}  // namespace sinew::detail
