// Builds a GLB: a glTF document, the buffers that it came with, and arrays added to it, joined in one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interchange/json_patch.h"
#include "sinew/bytes.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew::glb {

/// glTF's accessor.componentType.
enum class Component : std::uint32_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };
/// What an array is for: each use has buffer views of its own, as glTF wants them.
enum class Use : std::uint8_t { vertices, indices, keys, matrices };

/// An array to add, tightly packed.
struct ArrayData {
  Use use = Use::vertices;
  Component component = Component::f32;
  const char* type = "SCALAR";  ///< accessor.type
  std::size_t count = 0;        ///< elements, at least one
  std::span<const std::byte> bytes;
  bool normalized = false;
  bool bounds = false;  ///< write min and max (floats only)
};

class GlbWriter {
 public:
  /// A new document that says who wrote it.
  GlbWriter();
  /// A document and its buffers, which are read when the file is made. Error: the JSON is no glTF.
  static Result<GlbWriter> from(std::shared_ptr<const Scene::Document> document);

  Json& root() { return root_; }
  const Json& root() const { return root_; }

  /// Adds an array and its accessor; returns the accessor. Arrays of one use and element size share a view.
  std::int32_t add(const ArrayData& data);
  std::int32_t add(Use use, std::span<const float> values, bool bounds = false);
  std::int32_t add(Use use, std::span<const Vec2> values);
  std::int32_t add(Use use, std::span<const Vec3> values, bool bounds = false);
  std::int32_t add(Use use, std::span<const Vec4> values);
  /// Unsigned short where all values fit (65535 restarts a strip, so it does not), else unsigned int.
  std::int32_t add_indices(std::span<const std::uint32_t> values);
  /// Adds bytes as a view of their own (an encoded image).
  std::int32_t add_view(std::span<const std::byte> bytes);
  /// A view's bytes; empty where it has none of its own (compressed ones) or reaches outside its buffer.
  std::span<const std::byte> readable(std::int32_t view) const;
  /// The same, for changing them in place.
  std::span<std::byte> writable(std::int32_t view);

  /// What is added from now on lies in views of its own, so that views of before can be removed.
  void start_new_views() { groups_.clear(); }
  /// Removes accessors, views and bytes that nothing refers to any more (`compact`), where that is safe. Without this,
  /// buffers are kept whole.
  void remove_unreferenced();
  Result<Bytes> finish() &&;

 private:
  /// Bytes of one buffer: of the document, or added. While editing, `bufferView.buffer` counts these.
  struct Source {
    std::span<const std::byte> given;
    std::vector<std::byte> owned;  ///< added, or a copy that was changed
    std::span<const std::byte> bytes() const { return owned.empty() ? given : std::span<const std::byte>(owned); }
  };
  /// Bytes [begin, end) of a source and where they go in the file's one buffer.
  struct Piece {
    std::uint64_t begin = 0, end = 0, place = 0;
  };
  /// Where everything goes: pieces a source, in order; sources without bytes get a buffer of their own.
  struct Layout {
    std::vector<std::vector<Piece>> pieces;
    std::vector<std::int32_t> empty_buffers;
    std::uint64_t size = 0;
  };
  /// Arrays of one use and element size.
  struct Group {
    Use use;
    std::size_t stride;
    std::int32_t view;
    std::size_t source;
  };

  /// A range of a source.
  struct Range {
    std::size_t source = 0, offset = 0, length = 0;
  };
  Range range_of(std::int32_t view) const;
  Group& group(Use use, std::size_t stride);
  Layout plan() const;
  void relocate(Json& reference, const Layout& layout) const;
  Json buffers(const Layout& layout) const;
  Bytes assemble(const std::string& text, const Layout& layout) const;

  Json root_ = Json::object();
  std::shared_ptr<const Scene::Document> document_;
  std::vector<Source> sources_;
  std::vector<Group> groups_;
  bool drop_unreferenced_ = false;
};

}  // namespace sinew::glb
