#include "sinew/character.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "sinew/write.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

Bytes written() { return must(write(test::every_array_scene())); }

// --- what an opened character says

TEST(Character, HasWhatTheSceneHas) {
  const Bytes bytes = written();
  const Character character = must(open(bytes));
  EXPECT_EQ(character.skeleton().joint_count(), 5u);  // all nodes but the unused leaf
  ASSERT_EQ(character.parts().size(), 2u);
  ASSERT_EQ(character.meshes().size(), 2u);
  ASSERT_EQ(character.skins().size(), 2u);
  ASSERT_EQ(character.clips().size(), 2u);
}

TEST(Character, FindsClipsByName) {
  const Bytes bytes = written();
  const Character character = must(open(bytes));
  ASSERT_NE(character.find_clip("second"), nullptr);
  EXPECT_EQ(character.find_clip("second"), &character.clips()[1]);
  EXPECT_EQ(character.find_clip("third"), nullptr);
}

TEST(Character, MovesAndItsViewsStay) {
  const Bytes bytes = written();
  Character character = must(open(bytes));
  const auto* positions = character.meshes()[0].positions.data();
  const ClipGroup* groups = character.clips()[1].groups.data();
  Character moved = std::move(character);
  EXPECT_EQ(moved.meshes()[0].positions.data(), positions);
  EXPECT_EQ(moved.clips()[1].groups.data(), groups);
  const auto* first = reinterpret_cast<const std::byte*>(positions);
  EXPECT_TRUE(first > bytes.data() && first < bytes.data() + bytes.size()) << "the view points into the bytes given";
}

TEST(Character, EveryArrayOfTheFormatIsInTheTestFile) {
  const ForgedFile file(written());
  const char* const expected[] = {"skeleton.parents",
                                  "skeleton.subtree_ends",
                                  "skeleton.flags",
                                  "skeleton.source_nodes",
                                  "skeleton.rest",
                                  "skeleton.rest_channels",
                                  "skins[0].joints",
                                  "skins[0].inverse_bind_matrices",
                                  "meshes[0].positions",
                                  "meshes[0].normals",
                                  "meshes[0].tangents",
                                  "meshes[0].uvs",
                                  "meshes[0].joints",
                                  "meshes[0].weights",
                                  "meshes[0].indices",
                                  "meshes[0].source_vertices",
                                  "meshes[0].target_positions",
                                  "meshes[0].target_normals",
                                  "meshes[0].target_tangents",
                                  "clips[0].groups[0].times",
                                  "clips[0].groups[0].buckets",
                                  "clips[0].groups[0].rotations",
                                  "clips[0].groups[0].translations",
                                  "clips[0].groups[1].scales",
                                  "clips[1].groups[1].channels",
                                  "clips[0].groups[0].keys"};
  for (const char* path : expected) EXPECT_TRUE(file.arrays().contains(path)) << path;
  for (const auto& [path, array] : file.arrays()) EXPECT_EQ(array.offset % kAlignment, 0u) << path;
}

// --- alignment and sizes of what is given

TEST(Character, BytesAtAnOddAddressAreRefused) {
  const Bytes bytes = written();
  for (const std::size_t shift : {1, 4, 16, 32}) {
    Bytes moved(bytes.size() + shift);
    std::memcpy(moved.data() + shift, bytes.data(), bytes.size());
    const auto character = open(std::span<const std::byte>(moved).subspan(shift));
    ASSERT_FALSE(character) << shift;
    EXPECT_EQ(character.error().code, ErrorCode::misaligned);
    EXPECT_NE(character.error().what_to_do.find("read_file"), std::string::npos);
  }
}

TEST(Character, EmptyAndForeignBytesAreNoSinewFile) {
  EXPECT_EQ(open(std::span<const std::byte>()).error().code, ErrorCode::unrecognized);
  Bytes text(200, std::byte{'x'});
  EXPECT_EQ(open(text).error().code, ErrorCode::unrecognized);
  Bytes begin = written();
  begin.resize(12);
  EXPECT_EQ(open(begin).error().code, ErrorCode::truncated);
}

TEST(Character, WhatFollowsTheFileIsRefused) {
  Bytes bytes = written();
  bytes.resize(bytes.size() + 64);
  const auto character = open(bytes);
  ASSERT_FALSE(character);
  EXPECT_EQ(character.error().code, ErrorCode::inconsistent);
}

// --- files

TEST(ReadFile, GivesAlignedBytesThatOpen) {
  const test::TemporaryFolder folder;
  const Bytes bytes = written();
  test::write_bytes(folder.path() / "a.sinew", bytes);
  const Bytes read = must(read_file(folder.path() / "a.sinew"));
  EXPECT_EQ(read, bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.data()) % kAlignment, 0u);
  EXPECT_TRUE(open(read));
}

TEST(ReadFile, SaysWhyItCannot) {
  const test::TemporaryFolder folder;
  const auto missing = read_file(folder.path() / "missing.sinew");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
  EXPECT_NE(missing.error().what.find("no such file"), std::string::npos);
  const auto directory = read_file(folder.path());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::io);
  EXPECT_NE(directory.error().what.find("folder"), std::string::npos);
}

TEST(ReadFile, AnEmptyFileHasNoBytes) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder.path() / "empty.sinew", {});
  EXPECT_TRUE(must(read_file(folder.path() / "empty.sinew")).empty());
}

}  // namespace
}  // namespace sinew
