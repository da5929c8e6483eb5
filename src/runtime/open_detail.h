// Parts of `open`: views of arrays, and one function a table that reads it and proves what the jobs trust.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "character_generated.h"
#include "runtime/character_tables.h"
#include "runtime/element_types.h"
#include "runtime/fault.h"
#include "sinew/character.h"
#include "sinew/result.h"

namespace sinew::detail {

inline constexpr const char* kRebuild =
    "the file is damaged or was not written by sinew: build it again from its source";

inline Fault fault(ErrorCode code, const DataPath& where, std::string what) {
  return fault(code, where, std::move(what), kRebuild);
}

/// Views of the file's arrays, given out only where they lie inside it. All of them together may not be longer than the
/// file: so what is proved about their values takes time proportional to it, whatever a forged directory says.
class Arrays {
 public:
  explicit Arrays(std::span<const std::byte> file) : file_(file) {}

  /// An array that is left out is empty.
  template <class T>
  Fault view(const schema::Array* array, const DataPath& where, std::span<const T>& out) {
    out = {};
    if (!array || array->count() == 0) return {};
    if (Fault f = locate(*array, where, kElementType<T>, sizeof(T))) return f;
    out = {reinterpret_cast<const T*>(file_.data() + array->offset()), std::size_t(array->count())};
    return {};
  }
  /// Bytes of the file behind such an array.
  std::size_t bytes_after(std::span<const std::uint8_t> array) const {
    return std::size_t(reinterpret_cast<const std::uint8_t*>(file_.data() + file_.size()) -
                       (array.data() + array.size()));
  }

 private:
  Fault locate(const schema::Array& array, const DataPath& where, schema::ElementType type, std::size_t element_size);

  std::span<const std::byte> file_;
  std::uint64_t used_ = 0;
};

inline std::string_view text(const flatbuffers::String* string) {
  return string ? string->string_view() : std::string_view();
}

/// `expected` elements, or an error with both numbers.
Fault check_count(const DataPath& where, std::size_t count, std::size_t expected, const char* why);
/// Every float finite, or an error with the place of the first that is not.
Fault check_finite(const DataPath& where, std::span<const float> values);
Fault check_finite(const DataPath& where, std::span<const Vec2> values);
Fault check_finite(const DataPath& where, std::span<const Vec3> values);
Fault check_finite(const DataPath& where, std::span<const Vec4> values);
/// Every value below `limit`, or an error. `greatest` becomes one more than the greatest value, 0 for none.
Fault check_below(const DataPath& where, std::span<const std::uint32_t> values, std::size_t limit, const char* of_what,
                  std::uint32_t& greatest);
Fault check_below(const DataPath& where, std::span<const std::uint16_t> values, std::size_t limit, const char* of_what,
                  std::uint32_t& greatest);

/// Each reads one table of the directory into `tables`, whose earlier parts are there already.
Fault read_skeleton(const schema::Skeleton* in, Arrays& arrays, CharacterTables& tables);
Fault read_skins(const schema::Character& in, Arrays& arrays, CharacterTables& tables);
Fault read_meshes(const schema::Character& in, Arrays& arrays, CharacterTables& tables);
Fault read_parts(const schema::Character& in, CharacterTables& tables);
/// The runs of all meshes, which are proved but for them.
Fault check_runs(CharacterTables& tables);
/// A clip's packed array, taken apart and proved. Its tables are in `memory`.
Fault unpack(const DataPath& where, std::span<const std::uint8_t> bytes, const Skeleton& skeleton, TableMemory& memory,
             PackedTracks& out);
Fault read_clips(const schema::Character& in, Arrays& arrays, CharacterTables& tables);

}  // namespace sinew::detail
