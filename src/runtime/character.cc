#include "sinew/character.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

#include "runtime/character_tables.h"

namespace sinew {

std::byte* detail::TableMemory::take(std::size_t size) {
  size = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (pieces_.empty() || size > pieces_.back().size() - used_) {
    constexpr std::size_t kLeast = 1 << 12, kMost = 1 << 18;
    pieces_.emplace_back(std::max(size, std::clamp(total_, kLeast, kMost)));
    total_ += pieces_.back().size(), used_ = 0;
  }
  std::byte* const out = pieces_.back().data() + used_;
  used_ += size;
  return out;
}

Character::Character(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}
Character::Character(Character&&) noexcept = default;
Character& Character::operator=(Character&&) noexcept = default;
Character::~Character() = default;

const Skeleton& Character::skeleton() const { return tables_->skeleton; }
std::span<const Skin> Character::skins() const { return tables_->skins; }
std::span<const Mesh> Character::meshes() const { return tables_->meshes; }
std::span<const Part> Character::parts() const { return tables_->parts; }
std::span<const Clip> Character::clips() const { return tables_->clips; }
float Character::size() const { return tables_->size; }

const Clip* Character::find_clip(std::string_view name) const {
  for (const Clip& clip : tables_->clips)
    if (clip.name == name) return &clip;
  return nullptr;
}

Result<Bytes> read_file(const std::filesystem::path& path) {
  const auto io = [](const char* what, const char* what_to_do) { return fail(ErrorCode::io, {}, what, what_to_do); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return io("there is no such file", "check the name and the folder");
  if (std::filesystem::is_directory(status)) return io("it is a folder", "name a file in it");
  // A pipe or device has no size to check before memory is taken.
  if (!std::filesystem::is_regular_file(status))
    return io("it is not a regular file", "copy its content to a file first");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return io("its size cannot be read", "check that it is readable");
  std::ifstream file(path, std::ios::binary);
  if (!file) return io("it cannot be opened", "check that it is readable");
  Bytes bytes;
  try {
    bytes.resize(std::size_t(size));
  } catch (const std::exception&) {  // bad_alloc and length_error stay inside
    return fail(ErrorCode::too_large, {}, "there is no memory for its " + std::to_string(size) + " bytes",
                "use a smaller file or a machine with more memory");
  }
  if (size > 0 && !file.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(size)))
    return io("it cannot be read to its end", "check the disk, and that no program is writing it");
  return bytes;
}

}  // namespace sinew
