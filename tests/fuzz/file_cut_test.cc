// Runtime files cut short: as they are, and with the lengths in their headers mended, so that one check of the file's
// size does not answer for all the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "biped/biped.h"
#include "runtime/file_format.h"
#include "sinew/character.h"
#include "sinew/write.h"
#include "support/contract.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

/// Opens a file made of these bytes alone, so that a sanitizer sees any step past its end. If it opens, all jobs run.
bool opens(const std::vector<std::byte>& content) {
  const Bytes bytes(content.begin(), content.end());
  const auto character = open(bytes);
  if (!character) {
    EXPECT_FALSE(character.error().what.empty());
    return false;
  }
  test::CaughtContracts contracts;
  test::run_everything(*character);
  EXPECT_TRUE(contracts.empty()) << contracts.messages().front();
  return true;
}

detail::FileHeader header_of(const Bytes& file) {
  detail::FileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  return header;
}

void put_header(std::vector<std::byte>& content, const detail::FileHeader& header) {
  std::memcpy(content.data(), &header, std::min(content.size(), sizeof header));
}

std::vector<std::byte> first_bytes(const Bytes& file, std::size_t count) {
  return {file.begin(), file.begin() + std::ptrdiff_t(count)};
}

/// The file ends at `cut`; its header says so.
std::vector<std::byte> cut_with_size(const Bytes& file, std::size_t cut) {
  std::vector<std::byte> out = first_bytes(file, cut);
  detail::FileHeader header = header_of(file);
  header.file_size = cut;
  put_header(out, header);
  return out;
}

/// The directory ends at `cut`, and the file with it; the header says both.
std::vector<std::byte> cut_with_directory(const Bytes& file, std::size_t cut) {
  std::vector<std::byte> out = first_bytes(file, cut);
  detail::FileHeader header = header_of(file);
  header.file_size = cut;
  header.directory_size = cut - header.directory_offset;
  put_header(out, header);
  return out;
}

/// The arrays end at `cut`; the directory follows them whole, and the header says where.
std::vector<std::byte> cut_arrays(const Bytes& file, std::size_t cut) {
  detail::FileHeader header = header_of(file);
  std::vector<std::byte> out = first_bytes(file, cut);
  out.resize(std::size_t(detail::aligned(cut)));
  const auto directory = file.begin() + std::ptrdiff_t(header.directory_offset);
  header.directory_offset = out.size();
  out.insert(out.end(), directory, directory + std::ptrdiff_t(header.directory_size));
  header.file_size = out.size();
  put_header(out, header);
  return out;
}

/// Every kind of cut at one place; none may open that lost an array or a part of the directory.
void cut_at(const Bytes& file, std::size_t cut) {
  SCOPED_TRACE("cut at byte " + std::to_string(cut) + " of " + std::to_string(file.size()));
  const detail::FileHeader header = header_of(file);
  EXPECT_FALSE(opens(first_bytes(file, cut)));
  const std::size_t directory_end = std::size_t(header.directory_offset + header.directory_size);
  // What follows the directory is padding: without it the file is whole.
  if (cut >= sizeof header) {
    EXPECT_EQ(opens(cut_with_size(file, cut)), cut >= directory_end);
  }
  if (cut > header.directory_offset && cut < directory_end) {
    EXPECT_FALSE(opens(cut_with_directory(file, cut)));
  }
  if (cut >= sizeof header && cut < header.directory_offset)
    opens(cut_arrays(file, cut));  // the last cut may only lose padding
}

TEST(FileCuts, EveryCutOfSmallFiles) {
  for (const Scene& scene : {Scene(), test::two_joints(), test::strip(), test::morph_triangle(2)}) {
    const Bytes file = must(write(scene));
    ASSERT_LT(file.size(), 4096u);
    ASSERT_TRUE(opens(first_bytes(file, file.size())));
    for (std::size_t cut = 0; cut < file.size(); ++cut) cut_at(file, cut);
  }
}

TEST(FileCuts, BordersOfLargerFiles) {
  for (const Scene& scene : {test::every_array_scene(), test::tube(), test::chain(200), make_biped()}) {
    const ForgedFile file(must(write(scene)));
    std::set<std::size_t> cuts;
    for (const std::size_t border : file.borders())
      for (const std::ptrdiff_t step : {-1, 0, 1})
        if (const auto cut = std::ptrdiff_t(border) + step; cut >= 0 && cut < std::ptrdiff_t(file.bytes.size()))
          cuts.insert(std::size_t(cut));
    EXPECT_GT(cuts.size(), 40u);
    for (const std::size_t cut : cuts) cut_at(file.bytes, cut);
  }
}

TEST(FileCuts, ArraysThatLostTheirEndAreRefused) {
  const ForgedFile file(must(write(test::every_array_scene())));
  for (const auto& [path, array] : file.arrays()) {
    const std::size_t last = array.offset + array.count * array.element_size - 1;
    // Cut before the block of 64 that holds the array's last byte: the directory then begins there or earlier.
    const std::vector<std::byte> content = cut_arrays(file.bytes, last / kAlignment * kAlignment);
    const auto lost = std::count_if(file.arrays().begin(), file.arrays().end(),
                                    [&](const auto& other) { return other.second.offset >= content.size(); });
    const bool opened = opens(content);
    if (lost > 0) {
      EXPECT_FALSE(opened) << path << ": " << lost << " arrays lie behind the end";
    }
  }
}

}  // namespace
}  // namespace sinew
