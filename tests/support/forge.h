// Forged runtime files: right in all but what a test changes. Places are found through the directory, by path:
// `meshes[0].weights` names an array, `clips[1].id` a number, `header.version` a number of the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/scene.h"

namespace sinew::test {

/// Two clips (linear, step and cubicspline groups, morph weights), a skinned mesh with all vertex arrays and targets, a
/// plain mesh, branches, two roots: a small scene whose file has every array and every number of the format.
Scene every_array_scene();

/// The files that damage is done to: every_array_scene with its clips as keyframes, and another one packed, with tracks of all
/// kinds that move, are constant, and stay keyframes.
Bytes keyframes_file();
Bytes packed_file();

class ForgedFile {
 public:
  /// A place in the file: where the bytes are, and how many.
  struct Place {
    std::size_t offset = 0, size = 0;
  };
  struct Array {
    std::size_t offset = 0, count = 0, element_size = 0;
    std::size_t record = 0;  ///< of {offset u64, count u64, type u32, reserved u32} in the directory
  };

  explicit ForgedFile(Bytes file);

  Bytes bytes;
  const std::map<std::string, Array>& arrays() const { return arrays_; }
  const std::map<std::string, Place>& numbers() const { return numbers_; }
  /// All starts and ends of arrays, of the directory and of the header, ascending.
  std::vector<std::size_t> borders() const;

  /// Element `index` of an array of T becomes `value`.
  template <class T>
  ForgedFile& set(const std::string& array, std::size_t index, T value) {
    std::memcpy(bytes.data() + arrays_.at(array).offset + index * sizeof(T), &value, sizeof value);
    return *this;
  }
  template <class T>
  T value(const std::string& array, std::size_t index) const {
    T out;
    std::memcpy(&out, bytes.data() + arrays_.at(array).offset + index * sizeof(T), sizeof out);
    return out;
  }
  /// A number of a table or of the header.
  template <class T>
  ForgedFile& set_number(const std::string& path, T value) {
    std::memcpy(bytes.data() + numbers_.at(path).offset, &value, sizeof value);
    return *this;
  }
  template <class T>
  T number(const std::string& path) const {
    T out;
    std::memcpy(&out, bytes.data() + numbers_.at(path).offset, sizeof out);
    return out;
  }
  ForgedFile& set_offset(const std::string& array, std::uint64_t value) { return put(arrays_.at(array).record, value); }
  ForgedFile& set_count(const std::string& array, std::uint64_t value) {
    return put(arrays_.at(array).record + 8, value);
  }
  ForgedFile& set_type(const std::string& array, std::uint32_t value) {
    return put(arrays_.at(array).record + 16, value);
  }
  ForgedFile& set_reserved(const std::string& array, std::uint32_t value) {
    return put(arrays_.at(array).record + 20, value);
  }

 private:
  template <class T>
  ForgedFile& put(std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return *this;
  }
  std::map<std::string, Array> arrays_;
  std::map<std::string, Place> numbers_;
};

}  // namespace sinew::test
