// A glTF file made by hand: the JSON as it will be written, one buffer, and short ways to fill both. For tests of
// import.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/import.h"
#include "sinew/scene.h"

namespace sinew::test {

/// glTF's componentType.
inline constexpr int kByte = 5120, kUnsignedByte = 5121, kShort = 5122, kUnsignedShort = 5123, kUnsignedInt = 5125,
                     kFloat = 5126;

/// Nothing is checked: broken files are made with it as well as right ones.
class RawGltf {
 public:
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::vector<std::byte> bin;  ///< buffer 0, unless the JSON says otherwise

  /// Appends bytes at a multiple of 4; index of the new bufferView.
  int view(std::span<const std::byte> bytes);
  template <class T>
  int view(const std::vector<T>& values) {
    return view(std::as_bytes(std::span<const T>(values)));
  }
  /// A tightly packed accessor of `values.size()` components; index of it. `type`: "SCALAR", "VEC3", "MAT4", …
  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, bool normalized = false) {
    return accessor(view(values), values.size() / components(type), type, component_type(T{}), normalized);
  }
  int accessor(int view, std::size_t count, const std::string& type, int component_type, bool normalized = false);
  /// Accessor of the same bytes as `index`, changed by `changes` (a JSON merge patch).
  int accessor_like(int index, const nlohmann::json& changes);

  /// `.gltf` text with the buffer as a data URI.
  std::vector<std::byte> gltf() const;
  std::vector<std::byte> glb() const;
  /// The text alone; the buffer has the URI given and must lie beside the file.
  std::vector<std::byte> gltf_beside(const std::string& uri) const;

  static std::size_t components(const std::string& type);

 private:
  static constexpr int component_type(std::int8_t) { return kByte; }
  static constexpr int component_type(std::uint8_t) { return kUnsignedByte; }
  static constexpr int component_type(std::int16_t) { return kShort; }
  static constexpr int component_type(std::uint16_t) { return kUnsignedShort; }
  static constexpr int component_type(std::uint32_t) { return kUnsignedInt; }
  static constexpr int component_type(float) { return kFloat; }
  nlohmann::json with_buffer() const;
};

/// The scene as a plain file: float accessors, ushort joints, TRS nodes, one scene of all roots. Indices are the
/// scene's: `json["nodes"][i]` is `scene.nodes[i]`, and so on; sampler s of an animation is track s.
RawGltf to_raw(const Scene& scene);

/// Import, expected to succeed; an error throws, which fails the test with its line.
Scene import_raw(const RawGltf& raw, const ImportOptions& options = {});
/// A scene written as a file and read again.
Scene through_file(const Scene& scene);

}  // namespace sinew::test
