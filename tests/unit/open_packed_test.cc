// Packed tracks that are right in all but one thing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "sinew/sinew.h"
#include "support/files.h"
#include "support/forge.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

constexpr const char* kPackedPath = "clips[0].packed";

struct PackedForgery {
  std::string name;
  std::function<void(ForgedFile&)> change;
  std::string what;  // part of the message
};
void PrintTo(const PackedForgery& forgery, std::ostream* out) { *out << forgery.name; }

/// A value at a byte of the packed array.
template <class T>
std::function<void(ForgedFile&)> at(std::size_t byte, T value) {
  return [=](ForgedFile& file) {
    std::memcpy(file.bytes.data() + file.arrays().at(kPackedPath).offset + byte, &value, sizeof value);
  };
}

constexpr std::size_t kFirst = 0, kInterval = 8, kLast = 16, kFrames = 20, kShift = 25, kSets = 26, kReserved = 27,
                      kMovingRotations = 28;

class PackedForgeries : public testing::TestWithParam<PackedForgery> {};

TEST_P(PackedForgeries, AreRefused) {
  ForgedFile file(test::packed_file());
  ASSERT_TRUE(open(file.bytes)) << "right before the change";
  GetParam().change(file);
  const auto character = open(file.bytes);
  ASSERT_FALSE(character);
  EXPECT_EQ(character.error().where, kPackedPath) << character.error().message();
  EXPECT_NE(character.error().what.find(GetParam().what), std::string::npos) << character.error().message();
  EXPECT_FALSE(character.error().what_to_do.empty());
}

constexpr double kPackedNan = std::numeric_limits<double>::quiet_NaN();
INSTANTIATE_TEST_SUITE_P(All, PackedForgeries,
                         testing::Values(PackedForgery{"no_frames", at(kFrames, 0u), "no frames"},
                                         PackedForgery{"one_frame", at(kFrames, 1u), "frames begin at"},
                                         PackedForgery{"more_frames", at(kFrames, 1000u), "frames begin at"},
                                         PackedForgery{"fewer_frames", at(kFrames, 20u), "end at byte"},
                                         PackedForgery{"first_nan", at(kFirst, kPackedNan), "frames begin at"},
                                         PackedForgery{"first_late", at(kFirst, 7.0), "frames begin at"},
                                         PackedForgery{"interval_nan", at(kInterval, kPackedNan), "frames begin at"},
                                         PackedForgery{"interval_0", at(kInterval, 0.0), "frames begin at"},
                                         PackedForgery{"interval_negative", at(kInterval, -0.01), "frames begin at"},
                                         PackedForgery{"interval_tiny", at(kInterval, 5e-324), "frames begin at"},
                                         PackedForgery{"interval_long", at(kInterval, 1e300), "frames begin at"},
                                         PackedForgery{"last_nan", at(kLast, std::nanf("")), "frames begin at"},
                                         PackedForgery{"last_early", at(kLast, 0.1f), "frames begin at"},
                                         PackedForgery{"segments_long", at(kShift, std::uint8_t{7}), "segments"},
                                         PackedForgery{"segments_other", at(kShift, std::uint8_t{0}), "segment"},
                                         PackedForgery{"reserved", at(kReserved, std::uint8_t{1}), "reserved"},
                                         PackedForgery{"sets_fewer", at(kSets, std::uint8_t{1}), ""},
                                         PackedForgery{"set_empty", at(kMovingRotations, std::uint8_t{0}), "empty"},
                                         PackedForgery{"set_beyond", at(kMovingRotations, std::uint8_t{0x81}),
                                                       "beyond the skeleton"}),
                         [](const auto& test) { return test.param.name; });

TEST(PackedForgeries, WhatAJointIsDrivenByTwiceIsRefused) {
  ForgedFile file(test::packed_file());
  // The kept steps move joint 0; the packed translation is that of row 1.
  file.set("clips[0].groups[0].translations", 0, std::uint32_t{1});
  const auto character = open(file.bytes);
  ASSERT_FALSE(character);
  EXPECT_NE(character.error().what.find("driven twice"), std::string::npos) << character.error().message();
}

/// A reader takes whole registers: the file must go on behind the bits.
TEST(PackedForgeries, BitsAtTheVeryEndOfTheFileAreRefused) {
  ForgedFile file(test::packed_file());
  const auto array = file.arrays().at(kPackedPath);
  Bytes moved = file.bytes;
  const std::size_t end = moved.size();
  moved.resize((end + array.count + kAlignment - 1) / kAlignment * kAlignment);
  std::memcpy(moved.data() + end, file.bytes.data() + array.offset, array.count);
  ForgedFile forged(moved);
  forged.set_offset(kPackedPath, end);
  forged.set_number("header.file_size", std::uint64_t(moved.size()));
  const auto character = open(forged.bytes);
  ASSERT_FALSE(character);
  EXPECT_NE(character.error().what.find("before the file"), std::string::npos) << character.error().message();
}

TEST(OpenPacked, FindsWhatWasPacked) {
  const Bytes bytes = test::packed_file();
  const Character character = must(open(bytes));
  const Clip& clip = character.clips()[0];
  ASSERT_NE(clip.packed, nullptr);
  EXPECT_FALSE(clip.packed_bytes.empty());
  ASSERT_EQ(clip.groups.size(), 1u);  // the steps
  EXPECT_EQ(clip.groups[0].interpolation, Interpolation::step);
  EXPECT_EQ(clip.first_key, 0.0f);
  EXPECT_EQ(clip.duration, 1.0f);  // of the constant rotation's keys
}

}  // namespace
}  // namespace sinew
