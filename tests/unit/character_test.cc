#include "sinew/character.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sinew/write.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/run_everything.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

Bytes written() { return must(write(test::every_array_scene())); }

// --- what an opened character says

TEST(Character, HasWhatTheSceneHas) {
  const Scene scene = test::every_array_scene();
  const Bytes bytes = written();
  const Character character = must(open(bytes));
  const Skeleton& skeleton = character.skeleton();
  ASSERT_EQ(skeleton.joint_count(), 5u);  // all nodes but the unused leaf
  EXPECT_EQ(std::vector(skeleton.parents.begin(), skeleton.parents.end()),
            (std::vector<std::int32_t>{-1, 0, -1, -1, 3}));
  EXPECT_EQ(std::vector(skeleton.subtree_ends.begin(), skeleton.subtree_ends.end()),
            (std::vector<std::uint32_t>{2, 2, 3, 5, 5}));
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(skeleton.source_nodes[j], std::int32_t(j));
    EXPECT_EQ(skeleton.names[j], scene.nodes[j].name);
    EXPECT_EQ(skeleton.rest_transform(j), scene.nodes[j].rest);
  }
  EXPECT_EQ(std::vector(skeleton.rest_channels.begin(), skeleton.rest_channels.end()),
            (std::vector<float>{0.25f, 0.5f}));
  ASSERT_EQ(character.parts().size(), 2u);
  ASSERT_EQ(character.meshes().size(), 2u);
  ASSERT_EQ(character.skins().size(), 2u);
  ASSERT_EQ(character.clips().size(), 2u);
  EXPECT_EQ(character.skins()[0].joint_limit, 2u);
  EXPECT_EQ(character.skins()[1].joint_limit, 5u);
  EXPECT_EQ(character.meshes()[0].palette_limit, 2u);
  EXPECT_EQ(character.meshes()[1].palette_limit, 1u);
}

TEST(Character, FlagsSayWhatARowIs) {
  const Bytes bytes = written();
  const Character character = must(open(bytes));
  const auto flags = character.skeleton().flags;
  EXPECT_EQ(flags[0], JointFlags(std::uint8_t(JointFlags::skin) | std::uint8_t(JointFlags::animated)));
  EXPECT_EQ(flags[2], JointFlags(std::uint8_t(JointFlags::mesh) | std::uint8_t(JointFlags::animated)));
  EXPECT_EQ(flags[3], JointFlags::none);  // a mere ancestor
  EXPECT_EQ(flags[4], JointFlags::mesh);
}

TEST(Character, FindsByName) {
  const Bytes bytes = written();
  const Character character = must(open(bytes));
  EXPECT_EQ(character.skeleton().find("rod"), 4);
  EXPECT_EQ(character.skeleton().find("unused"), -1);
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

TEST(Character, TangentsOfSplineRotationsNeedNoUnitLength) {
  ForgedFile file(written());
  file.set("clips[1].groups[0].keys", 0, 5.0f);
  EXPECT_TRUE(open(file.bytes));
}

TEST(Character, BucketTablesMayBeLeftOut) {
  ForgedFile file(written());
  file.set_count("clips[0].groups[0].buckets", 0);
  const auto character = open(file.bytes);
  ASSERT_TRUE(character) << character.error().message();
  EXPECT_GT(test::run_everything(*character), 0u);
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
