#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/file_format.h"
#include "runtime/kernels.h"
#include "runtime/open_detail.h"

namespace sinew {
namespace detail {

Fault Arrays::locate(const schema::Array& array, const DataPath& where, schema::ElementType type,
                     std::size_t element_size) {
  const std::uint64_t offset = array.offset(), count = array.count(), size = file_.size();
  if (array.type() != type) {
    return fault(ErrorCode::bad_type, where,
                 "element type " + std::to_string(array.type()) + " where " + schema::EnumNameElementType(type) + " (" +
                     std::to_string(type) + ") belongs");
  }
  if (array.reserved() != 0) return fault(ErrorCode::bad_value, where, "its reserved number is not 0");
  if (offset % kAlignment != 0)
    return fault(ErrorCode::bad_value, where,
                 "it begins at byte " + std::to_string(offset) + ", not at a multiple of 64");
  if (offset < sizeof(FileHeader) || offset > size || count > (size - offset) / element_size) {
    return fault(ErrorCode::out_of_range, where,
                 std::to_string(count) + " elements of " + std::to_string(element_size) + " bytes from byte " +
                     std::to_string(offset) + " on do not lie between the header and the end of the file at byte " +
                     std::to_string(size));
  }
  used_ += count * element_size;
  if (used_ > size)
    return fault(ErrorCode::inconsistent, where,
                 "the arrays up to this one are longer than the file: some share bytes");
  return {};
}

Fault check_count(const DataPath& where, std::size_t count, std::size_t expected, const char* why) {
  if (count == expected) return {};
  return fault(ErrorCode::inconsistent, where,
               std::to_string(count) + " elements where " + std::to_string(expected) + " belong: " + why);
}

Fault check_finite(const DataPath& where, std::span<const float> values) {
  if (kernels::all_finite(values)) return {};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fault(ErrorCode::bad_value, where, "number " + std::to_string(i) + " is not finite");
  return {};
}

namespace {

template <class V>
Fault check_finite_vectors(const DataPath& where, std::span<const V> values) {
  return check_finite(where, std::span<const float>(reinterpret_cast<const float*>(values.data()),
                                                    values.size() * (sizeof(V) / sizeof(float))));
}

}  // namespace

Fault check_finite(const DataPath& where, std::span<const Vec2> values) { return check_finite_vectors(where, values); }
Fault check_finite(const DataPath& where, std::span<const Vec3> values) { return check_finite_vectors(where, values); }
Fault check_finite(const DataPath& where, std::span<const Vec4> values) { return check_finite_vectors(where, values); }

namespace {

template <class T>
Fault check_all_below(const DataPath& where, std::span<const T> values, std::size_t limit, const char* of_what,
                      std::uint32_t& greatest) {
  const std::uint32_t top = kernels::greatest(values);
  greatest = values.empty() ? 0 : top + 1;
  if (values.empty() || top < limit) return {};
  return fault(ErrorCode::out_of_range, where,
               "index " + std::to_string(top) + ", there are " + std::to_string(limit) + " " + of_what);
}

}  // namespace

Fault check_below(const DataPath& where, std::span<const std::uint32_t> values, std::size_t limit, const char* of_what,
                  std::uint32_t& greatest) {
  return check_all_below(where, values, limit, of_what, greatest);
}
Fault check_below(const DataPath& where, std::span<const std::uint16_t> values, std::size_t limit, const char* of_what,
                  std::uint32_t& greatest) {
  return check_all_below(where, values, limit, of_what, greatest);
}

namespace {

constexpr const char* kCopyAgain = "the file was cut or is still being written: copy or build it again";

/// The header proved; its ranges lie inside the bytes.
Fault read_header(std::span<const std::byte> bytes, FileHeader& header) {
  const DataPath root, where(root, "header");
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  if (known == 0 || std::memcmp(bytes.data(), kMagic.data(), known) != 0)
    return fault(ErrorCode::unrecognized, where, "this is not a .sinew file", "name a file made by `sinew build`");
  if (bytes.size() < sizeof header)
    return fault(ErrorCode::truncated, where,
                 "the file has " + std::to_string(bytes.size()) + " bytes, the header alone 64", kCopyAgain);
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kVersion || header.flags != kUnstable) {
    return fault(ErrorCode::wrong_version, where,
                 "the file is of format version " + std::to_string(header.version) + " with flags " +
                     std::to_string(header.flags) + ", this build reads version " + std::to_string(kVersion) +
                     " with flags " + std::to_string(kUnstable),
                 "build the file again from its source with this version of sinew");
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
    return fault(ErrorCode::misaligned, {}, "the bytes begin at an address that is not a multiple of 64",
                 "take them from read_file or write, map the file, or copy them into a sinew::Bytes");
  }
  if (header.file_size != bytes.size()) {
    const bool cut = header.file_size > bytes.size();
    return fault(cut ? ErrorCode::truncated : ErrorCode::inconsistent, DataPath(where, "file_size"),
                 "the file says that it has " + std::to_string(header.file_size) + " bytes, and has " +
                     std::to_string(bytes.size()),
                 cut ? kCopyAgain : kRebuild);
  }
  if (header.reserved != FileHeader().reserved)
    return fault(ErrorCode::bad_value, DataPath(where, "reserved"), "it is not all 0");
  return {};
}

/// The directory, verified: its tables, strings and vectors lie inside it and are aligned.
Fault read_directory(std::span<const std::byte> bytes, const FileHeader& header, const schema::Character*& out) {
  const DataPath root, where(root, "header"), directory(where, "directory_offset");
  const std::uint64_t offset = header.directory_offset, size = header.directory_size;
  if (offset % kAlignment != 0 || offset < sizeof header || offset > bytes.size() || size > bytes.size() - offset) {
    return fault(ErrorCode::out_of_range, directory,
                 "the directory's " + std::to_string(size) + " bytes from byte " + std::to_string(offset) +
                     " on do not lie in the file at a multiple of 64; the file has " + std::to_string(bytes.size()) +
                     " bytes");
  }
  if (size >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return fault(ErrorCode::too_large, directory,
                 "the directory has " + std::to_string(size) + " bytes; FlatBuffers ends at 2 GB");
  flatbuffers::Verifier::Options options;
  // A table and the offset that leads to it take 8 bytes at least. More tables than that are the same ones, met again.
  options.max_tables = flatbuffers::uoffset_t(size / 8);
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data() + offset), std::size_t(size),
                                 options);
  if (!schema::VerifyCharacterBuffer(verifier))
    return fault(ErrorCode::syntax, DataPath(root, "directory"), "it is not a valid FlatBuffer");
  out = schema::GetCharacter(bytes.data() + offset);
  return {};
}

/// The tables of views grow as their entries are proved, so that a forged count takes no memory.
Fault read_tables(std::span<const std::byte> bytes, CharacterTables& tables) {
  FileHeader header;
  const schema::Character* directory = nullptr;
  if (Fault f = read_header(bytes, header)) return f;
  if (Fault f = read_directory(bytes, header, directory)) return f;
  Arrays arrays(bytes);
  if (Fault f = read_skeleton(directory->skeleton(), arrays, tables)) return f;
  if (Fault f = read_skins(*directory, arrays, tables)) return f;
  if (Fault f = read_meshes(*directory, arrays, tables)) return f;
  if (Fault f = read_parts(*directory, tables)) return f;
  if (Fault f = check_runs(tables)) return f;
  if (Fault f = read_clips(*directory, arrays, tables)) return f;
  tables.size = directory->size();
  const DataPath root;
  if (!std::isfinite(tables.size) || tables.size < 0)
    return fault(ErrorCode::bad_value, DataPath(root, "size"), number(tables.size) + " is negative or not finite");
  return {};
}

}  // namespace
}  // namespace detail

Result<Character> open(std::span<const std::byte> bytes) {
  auto tables = std::make_unique<Character::Tables>();
  if (detail::Fault fault = detail::read_tables(bytes, *tables)) return Unexpected(std::move(*fault));
  return Character(std::move(tables));
}

}  // namespace sinew
