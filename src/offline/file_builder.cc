#include "offline/file_builder.h"

namespace sinew::detail {

Bytes FileBuilder::finish() {
  const auto skin_list = directory_.CreateVector(skins);
  const auto mesh_list = directory_.CreateVector(meshes);
  const auto part_list = directory_.CreateVector(parts);
  const auto clip_list = directory_.CreateVector(clips);
  directory_.Finish(schema::CreateCharacter(directory_, size, skeleton, skin_list, mesh_list, part_list, clip_list));
  FileHeader header;
  header.directory_offset = bytes_.size();
  header.directory_size = directory_.GetSize();
  header.file_size = aligned(header.directory_offset + header.directory_size);
  bytes_.resize(std::size_t(header.file_size));
  std::memcpy(bytes_.data() + header.directory_offset, directory_.GetBufferPointer(), directory_.GetSize());
  std::memcpy(bytes_.data(), &header, sizeof header);
  return std::move(bytes_);
}

}  // namespace sinew::detail
