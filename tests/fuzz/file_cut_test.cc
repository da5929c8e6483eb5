// Runtime files cut short: as they are, and with the lengths in their headers mended, so that one check of the file's
// size does not answer for all the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

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

/// If it opens, all jobs run. The bytes fill their memory to its end, so that a sanitizer sees any step past them.
bool opens(const Bytes& bytes) {
  EXPECT_EQ(bytes.capacity(), bytes.size());
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

void put_header(Bytes& content, const detail::FileHeader& header) {
  std::memcpy(content.data(), &header, std::min(content.size(), sizeof header));
}

Bytes first_bytes(const Bytes& file, std::size_t count) {
  return Bytes(file.begin(), file.begin() + std::ptrdiff_t(count));
}

/// The file ends at `cut`; its header says so.
Bytes cut_with_size(const Bytes& file, std::size_t cut) {
  Bytes out = first_bytes(file, cut);
  detail::FileHeader header = header_of(file);
  header.file_size = cut;
  put_header(out, header);
  return out;
}

/// The directory ends at `cut`, and the file with it; the header says both.
Bytes cut_with_directory(const Bytes& file, std::size_t cut) {
  Bytes out = first_bytes(file, cut);
  detail::FileHeader header = header_of(file);
  header.file_size = cut;
  header.directory_size = cut - header.directory_offset;
  put_header(out, header);
  return out;
}

/// The arrays end at `cut`; the directory follows them whole, and the header says where.
Bytes cut_arrays(const Bytes& file, std::size_t cut) {
  detail::FileHeader header = header_of(file);
  const Bytes::const_iterator directory = file.begin() + std::ptrdiff_t(header.directory_offset);
  const auto begin = std::size_t(detail::aligned(cut)), size = std::size_t(header.directory_size);
  Bytes out(begin + size);
  std::copy_n(file.begin(), cut, out.begin());
  std::copy_n(directory, size, out.begin() + std::ptrdiff_t(begin));
  header.directory_offset = begin;
  header.file_size = out.size();
  put_header(out, header);
  return out;
}

/// Every kind of cut at one place. None may open that lost more than padding.
void cut_at(const Bytes& file, std::size_t cut) {
  SCOPED_TRACE("cut at byte " + std::to_string(cut) + " of " + std::to_string(file.size()));
  constexpr std::size_t kPadding = 8;  // FlatBuffers' own at the end of a directory, at most
  const detail::FileHeader header = header_of(file);
  const auto begin = std::size_t(header.directory_offset), end = begin + std::size_t(header.directory_size);
  EXPECT_FALSE(opens(first_bytes(file, cut)));
  if (cut < sizeof header) return;
  EXPECT_EQ(opens(cut_with_size(file, cut)), cut >= end);
  if (cut < begin) {
    opens(cut_arrays(file, cut));
  } else if (cut < end) {
    const bool opened = opens(cut_with_directory(file, cut));
    EXPECT_TRUE(!opened || cut + kPadding > end);
  }
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
  for (const Bytes& bytes :
       {test::keyframes_file(), test::packed_file(), must(write(test::tube())), must(write(test::chain(200)))}) {
    const ForgedFile file(bytes);
    std::set<std::size_t> cuts;
    for (const std::size_t border : file.borders())
      for (const std::ptrdiff_t step : {-1, 0, 1})
        if (const auto cut = std::ptrdiff_t(border) + step; cut >= 0 && cut < std::ptrdiff_t(file.bytes.size()))
          cuts.insert(std::size_t(cut));
    EXPECT_GT(file.bytes.size(), 4096u);
    EXPECT_GT(cuts.size(), 40u);
    for (const std::size_t cut : cuts) cut_at(file.bytes, cut);
  }
}

TEST(FileCuts, ArraysThatLostTheirEndAreRefused) {
  for (const auto& make : {test::keyframes_file, test::packed_file}) {
    const ForgedFile file(make());
    for (const auto& [path, array] : file.arrays()) {
      const std::size_t last = array.offset + array.count * array.element_size - 1;
      // Cut before the block of 64 that holds the array's last byte: the directory then begins there or earlier.
      const Bytes content = cut_arrays(file.bytes, last / kAlignment * kAlignment);
      const auto lost = std::count_if(file.arrays().begin(), file.arrays().end(),
                                      [&](const auto& other) { return other.second.offset >= content.size(); });
      const bool opened = opens(content);
      if (lost > 0) {
        EXPECT_FALSE(opened) << path << ": " << lost << " arrays lie behind the end";
      }
    }
  }
}

/// The packed array alone cut, or grown, with its count as it then is: what it says of itself must fit to the byte.
TEST(PackedCuts, EveryLengthButItsOwnIsRefused) {
  ForgedFile file(test::packed_file());
  const std::size_t whole = file.arrays().at("clips[0].packed").count;
  for (std::size_t count = 0; count <= whole; ++count) {
    file.set_count("clips[0].packed", count);
    EXPECT_EQ(opens(file.bytes), count == whole) << count;
  }
}

}  // namespace
}  // namespace sinew
