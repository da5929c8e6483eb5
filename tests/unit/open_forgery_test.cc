// Runtime files that are right in all but one thing: each must be refused with the place and what to do.
#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "biped/biped.h"
#include "sinew/simd.h"
#include "sinew/sinew.h"
#include "sinew/write.h"
#include "support/contract.h"
#include "support/files.h"
#include "support/forge.h"
#include "support/scenes.h"

namespace sinew {
namespace {

using test::ForgedFile;
using test::must;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kForgedInfinity = std::numeric_limits<float>::infinity();

struct Forgery {
  std::string name;
  std::function<void(ForgedFile&)> change;
  ErrorCode code;
  std::string where;
};

void PrintTo(const Forgery& forgery, std::ostream* out) { *out << forgery.name; }

std::vector<Forgery> header_forgeries() {
  using E = ErrorCode;
  const auto number = [](const char* path, auto value) { return [=](ForgedFile& f) { f.set_number(path, value); }; };
  return {
      {"magic", number("header.magic", std::uint8_t('s')), E::unrecognized, "header"},
      {"version_0", number("header.version", 0u), E::wrong_version, "header"},
      {"version_4", number("header.version", 4u), E::wrong_version, "header"},
      {"flags", number("header.flags", 0u), E::wrong_version, "header"},
      {"file_size_more", [](ForgedFile& f) { f.set_number("header.file_size", std::uint64_t(f.bytes.size() + 1)); },
       E::truncated, "header.file_size"},
      {"file_size_less", [](ForgedFile& f) { f.set_number("header.file_size", std::uint64_t(f.bytes.size() - 1)); },
       E::inconsistent, "header.file_size"},
      {"reserved", number("header.reserved", 1u), E::bad_value, "header.reserved"},
      {"directory_in_header", number("header.directory_offset", std::uint64_t{0}), E::out_of_range,
       "header.directory_offset"},
      {"directory_crooked",
       [](ForgedFile& f) {
         f.set_number("header.directory_offset", f.number<std::uint64_t>("header.directory_offset") + 8);
       },
       E::out_of_range, "header.directory_offset"},
      {"directory_far_away", number("header.directory_offset", std::uint64_t(-64)), E::out_of_range,
       "header.directory_offset"},
      {"directory_too_long",
       [](ForgedFile& f) { f.set_number("header.directory_size", std::uint64_t(f.bytes.size())); }, E::out_of_range,
       "header.directory_offset"},
      {"directory_empty", number("header.directory_size", std::uint64_t{0}), E::syntax, "directory"},
      {"directory_elsewhere", number("header.directory_offset", std::uint64_t{64}), E::syntax, "directory"},
      {"size_negative", number("size", -1.0f), E::bad_value, "size"},
      {"size_nan", number("size", kNan), E::bad_value, "size"},
  };
}

/// The record of an array: where it lies, how long it is, of what.
std::vector<Forgery> array_forgeries() {
  using E = ErrorCode;
  const char* a = "meshes[0].positions";
  return {
      {"array_crooked", [=](ForgedFile& f) { f.set_offset(a, f.arrays().at(a).offset + 4); }, E::bad_value, a},
      {"array_in_header", [=](ForgedFile& f) { f.set_offset(a, 0); }, E::out_of_range, a},
      {"array_behind_the_end", [=](ForgedFile& f) { f.set_offset(a, (f.bytes.size() + 63) / 64 * 64 + 64); },
       E::out_of_range, a},
      {"array_across_the_end",
       [=](ForgedFile& f) {
         f.set_offset(a, f.bytes.size() / 64 * 64);
         f.set_count(a, 1000);
       },
       E::out_of_range, a},
      {"array_count_wraps", [=](ForgedFile& f) { f.set_count(a, (std::uint64_t(1) << 62) + 10); }, E::out_of_range, a},
      {"array_offset_wraps", [=](ForgedFile& f) { f.set_offset(a, std::uint64_t(-64)); }, E::out_of_range, a},
      {"array_type", [=](ForgedFile& f) { f.set_type(a, 7); }, E::bad_type, a},
      {"array_type_unknown", [=](ForgedFile& f) { f.set_type(a, 99); }, E::bad_type, a},
      {"array_reserved", [=](ForgedFile& f) { f.set_reserved(a, 1); }, E::bad_value, a},
      // An array over the whole file: inside it, but not beside the others.
      {"arrays_share_bytes",
       [](ForgedFile& f) { f.set_offset("meshes[0].uvs", 64).set_count("meshes[0].uvs", (f.bytes.size() - 64) / 8); },
       E::inconsistent, "meshes[0].uvs"},
  };
}

std::vector<Forgery> skeleton_forgeries() {
  using E = ErrorCode;
  const auto element = [](const char* path, std::size_t i, auto value) {
    return [=](ForgedFile& f) { f.set(path, i, value); };
  };
  const auto count = [](const char* path, std::uint64_t n) { return [=](ForgedFile& f) { f.set_count(path, n); }; };
  return {
      {"skeleton_id_0", [](ForgedFile& f) { f.set_number("skeleton.id", std::uint64_t{0}); }, E::bad_value,
       "skeleton.id"},
      {"parent_itself", element("skeleton.parents", 1, 1), E::inconsistent, "skeleton.parents[1]"},
      {"parent_later", element("skeleton.parents", 0, 1), E::inconsistent, "skeleton.parents[0]"},
      {"parent_outside", element("skeleton.parents", 4, 1000), E::inconsistent, "skeleton.parents[4]"},
      {"parent_minus_2", element("skeleton.parents", 0, -2), E::inconsistent, "skeleton.parents[0]"},
      {"parent_not_the_innermost", element("skeleton.parents", 4, 0), E::inconsistent, "skeleton.parents[4]"},
      {"subtree_empty", element("skeleton.subtree_ends", 1, 1u), E::out_of_range, "skeleton.subtree_ends[1]"},
      {"subtree_beyond_its_parents", element("skeleton.subtree_ends", 1, 3u), E::out_of_range,
       "skeleton.subtree_ends[1]"},
      {"subtree_beyond_the_end", element("skeleton.subtree_ends", 3, 6u), E::out_of_range, "skeleton.subtree_ends[3]"},
      {"subtree_too_long", element("skeleton.subtree_ends", 0, 3u), E::inconsistent, "skeleton.parents[2]"},
      {"flags_unknown", element("skeleton.flags", 2, std::uint8_t{16}), E::bad_value, "skeleton.flags[2]"},
      {"source_node", element("skeleton.source_nodes", 2, -2), E::out_of_range, "skeleton.source_nodes[2]"},
      {"rest_nan", element("skeleton.rest", 0, kNan), E::bad_value, "skeleton.rest"},
      {"rest_rotation", element("skeleton.rest", 6 * 16, 0.9f), E::bad_value, "skeleton.rest"},
      {"rest_padding", element("skeleton.rest", 5, 1.0f), E::bad_value, "skeleton.rest"},
      {"rest_channel", element("skeleton.rest_channels", 1, kForgedInfinity), E::bad_value, "skeleton.rest_channels"},
      {"parents_missing", count("skeleton.parents", 4), E::inconsistent, "skeleton.subtree_ends"},
      {"ends_missing", count("skeleton.subtree_ends", 4), E::inconsistent, "skeleton.subtree_ends"},
      {"flags_missing", count("skeleton.flags", 4), E::inconsistent, "skeleton.flags"},
      {"nodes_missing", count("skeleton.source_nodes", 4), E::inconsistent, "skeleton.source_nodes"},
      {"rest_missing", count("skeleton.rest", 144), E::inconsistent, "skeleton.rest"},
      {"channels_missing", count("skeleton.rest_channels", 1), E::out_of_range, "parts[0].first_channel"},
      {"skin_joint", element("skins[0].joints", 1, 5u), E::out_of_range, "skins[0].joints"},
      {"skin_joint_greatest", element("skins[0].joints", 1, 0xffffffffu), E::out_of_range, "skins[0].joints"},
      {"skin_empty",
       [](ForgedFile& f) { f.set_count("skins[0].joints", 0).set_count("skins[0].inverse_bind_matrices", 0); },
       E::bad_value, "skins[0].joints"},
      {"skin_matrix", element("skins[0].inverse_bind_matrices", 13, kNan), E::bad_value,
       "skins[0].inverse_bind_matrices[1]"},
      {"skin_matrices_missing", count("skins[0].inverse_bind_matrices", 1), E::inconsistent,
       "skins[0].inverse_bind_matrices"},
      {"skin_source", [](ForgedFile& f) { f.set_number("skins[0].source_skin", -2); }, E::out_of_range,
       "skins[0].source_skin"},
  };
}

std::vector<Forgery> mesh_forgeries() {
  using E = ErrorCode;
  const auto element = [](const char* path, std::size_t i, auto value) {
    return [=](ForgedFile& f) { f.set(path, i, value); };
  };
  const auto count = [](const char* path, std::uint64_t n) { return [=](ForgedFile& f) { f.set_count(path, n); }; };
  const auto number = [](const char* path, auto value) { return [=](ForgedFile& f) { f.set_number(path, value); }; };
  return {
      {"topology", number("meshes[0].topology", std::uint8_t{7}), E::bad_value, "meshes[0].topology"},
      {"positions_none", count("meshes[0].positions", 0), E::bad_value, "meshes[0].positions"},
      {"positions_fewer", count("meshes[0].positions", 9), E::inconsistent, "meshes[0].normals"},
      {"position_nan", element("meshes[0].positions", 29, kNan), E::bad_value, "meshes[0].positions"},
      {"normal_infinite", element("meshes[0].normals", 0, kForgedInfinity), E::bad_value, "meshes[0].normals"},
      {"tangent_nan", element("meshes[0].tangents", 3, kNan), E::bad_value, "meshes[0].tangents"},
      {"uv_nan", element("meshes[0].uvs", 3, kNan), E::bad_value, "meshes[0].uvs"},
      {"dual_weight_nan", element("meshes[0].dual_weights", 3, kNan), E::bad_value, "meshes[0].dual_weights"},
      {"dual_weight_negative", element("meshes[0].dual_weights", 3, -0.1f), E::bad_value, "meshes[0].dual_weights"},
      {"dual_weight_above_1", element("meshes[0].dual_weights", 3, 1.1f), E::bad_value, "meshes[0].dual_weights"},
      {"dual_weights_fewer", count("meshes[0].dual_weights", 9), E::inconsistent, "meshes[0].dual_weights"},
      {"tangents_fewer", count("meshes[0].tangents", 9), E::inconsistent, "meshes[0].tangents"},
      {"uvs_fewer", count("meshes[0].uvs", 9), E::inconsistent, "meshes[0].uvs"},
      {"source_vertices_fewer", count("meshes[0].source_vertices", 9), E::inconsistent, "meshes[0].source_vertices"},
      {"source_vertex_twice", element("meshes[0].source_vertices", 3, 2u), E::inconsistent,
       "meshes[0].source_vertices"},
      {"source_vertex_outside", element("meshes[0].source_vertices", 3, 10u), E::out_of_range,
       "meshes[0].source_vertices"},
      {"index_outside", element("meshes[0].indices", 5, 10u), E::out_of_range, "meshes[0].indices"},
      {"influence_count_0", number("meshes[0].influence_count", 0u), E::inconsistent, "meshes[0].joints"},
      {"influence_count_3", number("meshes[0].influence_count", 3u), E::inconsistent, "meshes[0].joints"},
      {"influence_count_greatest", number("meshes[0].influence_count", 0xffffffffu), E::inconsistent,
       "meshes[0].joints"},
      {"weights_fewer", count("meshes[0].weights", 19), E::inconsistent, "meshes[0].weights"},
      {"joint_outside", element("meshes[0].joints", 2, std::uint16_t{2}), E::out_of_range, "parts[0].skin"},
      {"joint_of_weight_0_outside", element("meshes[0].joints", 1, std::uint16_t{0xffff}), E::out_of_range,
       "parts[0].skin"},
      {"weight_negative", element("meshes[0].weights", 1, -0.5f), E::bad_value, "meshes[0].weights[1]"},
      {"weight_nan", element("meshes[0].weights", 0, kNan), E::bad_value, "meshes[0].weights[0]"},
      {"weight_infinite", element("meshes[0].weights", 0, kForgedInfinity), E::bad_value, "meshes[0].weights[0]"},
      {"weight_sum_small", element("meshes[0].weights", 0, 0.9999f), E::bad_value, "meshes[0].weights[0]"},
      {"weights_ascend", [](ForgedFile& f) { f.set("meshes[0].weights", 0, 0.25f).set("meshes[0].weights", 1, 0.75f); },
       E::bad_value, "meshes[0].weights[1]"},
      {"run_ends_early", element("meshes[0].run_ends", 0, 9u), E::inconsistent, "meshes[0].run_ends"},
      {"run_ends_late", element("meshes[0].run_ends", 0, 11u), E::inconsistent, "meshes[0].run_ends"},
      {"run_empty", element("meshes[0].run_ends", 0, 0u), E::inconsistent, "meshes[0].run_ends"},
      {"run_ends_none", count("meshes[0].run_ends", 0), E::inconsistent, "meshes[0].run_ends"},
      {"run_joints_none", count("meshes[0].run_joints", 0), E::inconsistent, "meshes[0].run_joints"},
      {"run_joints_fewer", count("meshes[0].run_joints", 2), E::inconsistent, "meshes[0].run_joints"},
      {"run_joint_count", element("meshes[0].run_joints", 0, std::uint16_t{1}), E::inconsistent,
       "meshes[0].run_joints"},
      {"run_joint_count_0", element("meshes[0].run_joints", 0, std::uint16_t{0}), E::inconsistent,
       "meshes[0].run_joints"},
      {"run_joint_count_9", element("meshes[0].run_joints", 0, std::uint16_t{9}), E::inconsistent,
       "meshes[0].run_joints"},
      {"run_joint_outside", element("meshes[0].run_joints", 2, std::uint16_t{2}), E::inconsistent,
       "meshes[0].run_joints"},
      {"run_joint_twice", element("meshes[0].run_joints", 2, std::uint16_t{0}), E::inconsistent,
       "meshes[0].run_joints"},
      {"run_weight_other", element("meshes[0].run_weights", 9, 0.5f), E::inconsistent, "meshes[0].run_weights[9]"},
      {"run_weight_nan", element("meshes[0].run_weights", 0, kNan), E::inconsistent, "meshes[0].run_weights[0]"},
      {"run_weights_none", count("meshes[0].run_weights", 0), E::inconsistent, "meshes[0].run_weights"},
      {"run_weights_without_padding", count("meshes[0].run_weights", 10), E::inconsistent, "meshes[0].run_weights"},
      {"run_padding", element("meshes[0].run_weights", 10, 1.0f), E::inconsistent, "meshes[0].run_weights"},
      {"targets_more", number("meshes[0].target_count", 3u), E::inconsistent, "meshes[0].target_positions"},
      {"targets_wrap", number("meshes[0].target_count", 0x80000002u), E::inconsistent, "meshes[0].target_positions"},
      {"target_positions_fewer", count("meshes[0].target_positions", 19), E::inconsistent,
       "meshes[0].target_positions"},
      {"target_normals_fewer", count("meshes[0].target_normals", 10), E::inconsistent, "meshes[0].target_normals"},
      {"target_tangents_fewer", count("meshes[0].target_tangents", 10), E::inconsistent, "meshes[0].target_tangents"},
      {"target_position_nan", element("meshes[0].target_positions", 0, kNan), E::bad_value,
       "meshes[0].target_positions"},
      {"target_normal_nan", element("meshes[0].target_normals", 0, kNan), E::bad_value, "meshes[0].target_normals"},
      {"target_tangent_nan", element("meshes[0].target_tangents", 0, kNan), E::bad_value, "meshes[0].target_tangents"},
      {"part_mesh", number("parts[1].mesh", 2u), E::out_of_range, "parts[1].mesh"},
      {"part_skin", number("parts[1].skin", 2u), E::out_of_range, "parts[1].skin"},
      {"part_skin_too_small", number("parts[0].skin", 1u), E::out_of_range, "parts[0].skin"},
      {"part_joint", number("parts[1].joint", 5u), E::out_of_range, "parts[1].joint"},
      {"part_first_channel", number("parts[0].first_channel", 1u), E::out_of_range, "parts[0].first_channel"},
      {"part_first_channel_greatest", number("parts[1].first_channel", 0xffffffffu), E::out_of_range,
       "parts[1].first_channel"},
      {"part_channels_fewer", number("parts[0].channel_count", 1u), E::inconsistent, "parts[0].channel_count"},
      {"part_source_node", number("parts[0].source_node", -2), E::out_of_range, "parts[0]"},
      {"part_material", number("parts[0].material", -2), E::out_of_range, "parts[0]"},
  };
}

std::vector<Forgery> clip_forgeries() {
  using E = ErrorCode;
  const auto element = [](const char* path, std::size_t i, auto value) {
    return [=](ForgedFile& f) { f.set(path, i, value); };
  };
  const auto count = [](const char* path, std::uint64_t n) { return [=](ForgedFile& f) { f.set_count(path, n); }; };
  const auto number = [](const char* path, auto value) { return [=](ForgedFile& f) { f.set_number(path, value); }; };
  // Rows of clips[1].groups[0]: in-tangent, value, out-tangent of 16 rotations, 64 floats each; w of the first value is
  // at 64 + 48.
  const char* const spline_keys = "clips[1].groups[0].keys";
  return {
      {"two_clips_of_one_id",
       [](ForgedFile& f) { f.set_number("clips[1].id", f.number<std::uint64_t>("clips[0].id")); }, E::inconsistent,
       "clips[1].id"},
      {"clip_id_0", number("clips[0].id", std::uint64_t{0}), E::inconsistent, "clips[0].id"},
      {"clip_of_another_skeleton", number("clips[0].skeleton_id", std::uint64_t{1}), E::inconsistent,
       "clips[0].skeleton_id"},
      {"clip_source", number("clips[0].source_clip", -2), E::out_of_range, "clips[0].source_clip"},
      {"first_key", number("clips[1].first_key", 0.25f), E::inconsistent, "clips[1].duration"},
      {"duration", number("clips[1].duration", 3.0f), E::inconsistent, "clips[1].duration"},
      {"duration_nan", number("clips[1].duration", kNan), E::inconsistent, "clips[1].duration"},
      {"wrap_period_nan", number("clips[0].wrap_period", kNan), E::bad_value, "clips[0].wrap_period"},
      {"wrap_period_negative", number("clips[0].wrap_period", -1.0f), E::bad_value, "clips[0].wrap_period"},
      {"interpolation", number("clips[0].groups[0].interpolation", std::uint8_t{3}), E::bad_value,
       "clips[0].groups[0].interpolation"},
      {"interpolation_of_other_rows", number("clips[0].groups[0].interpolation", std::uint8_t{2}), E::inconsistent,
       "clips[0].groups[0].keys"},
      {"times_none", count("clips[0].groups[0].times", 0), E::bad_value, "clips[0].groups[0].times"},
      {"times_fewer", count("clips[0].groups[0].times", 2), E::inconsistent, "clips[0].groups[0].keys"},
      {"time_nan", element("clips[0].groups[0].times", 1, kNan), E::bad_value, "clips[0].groups[0].times"},
      {"times_decrease", element("clips[0].groups[0].times", 1, 2.0f), E::inconsistent, "clips[0].groups[0].times[2]"},
      {"time_span_infinite",
       [](ForgedFile& f) { f.set("clips[0].groups[1].times", 0, -3e38f).set("clips[0].groups[1].times", 1, 3e38f); },
       E::bad_value, "clips[0].groups[1].times"},
      {"bucket_outside", element("clips[0].groups[0].buckets", 2, 3u), E::out_of_range, "clips[0].groups[0].buckets"},
      {"buckets_decrease", element("clips[0].groups[0].buckets", 0, 2u), E::inconsistent, "clips[0].groups[0].buckets"},
      {"rotation_outside", element("clips[0].groups[0].rotations", 0, 5u), E::out_of_range,
       "clips[0].groups[0].rotations"},
      {"translation_outside", element("clips[0].groups[0].translations", 0, 5u), E::out_of_range,
       "clips[0].groups[0].translations"},
      {"scale_outside", element("clips[0].groups[1].scales", 0, 0xffffffffu), E::out_of_range,
       "clips[0].groups[1].scales"},
      {"channel_outside", element("clips[1].groups[1].channels", 1, 2u), E::out_of_range,
       "clips[1].groups[1].channels"},
      {"channel_twice", element("clips[1].groups[1].channels", 1, 0u), E::inconsistent, "clips[1].groups[1].channels"},
      {"channels_decrease",
       [](ForgedFile& f) { f.set("clips[1].groups[1].channels", 0, 1u).set("clips[1].groups[1].channels", 1, 0u); },
       E::inconsistent, "clips[1].groups[1].channels"},
      {"keys_fewer", count("clips[0].groups[0].keys", 224), E::inconsistent, "clips[0].groups[0].keys"},
      {"key_nan", element("clips[0].groups[0].keys", 64, kNan), E::bad_value, "clips[0].groups[0].keys"},
      {"key_padding_nan", element("clips[0].groups[0].keys", 1, kNan), E::bad_value, "clips[0].groups[0].keys"},
      {"rotation_key_short", element("clips[0].groups[0].keys", 48, 0.5f), E::bad_value, "clips[0].groups[0].keys"},
      {"rotation_padding_short", element("clips[0].groups[0].keys", 49, 0.5f), E::bad_value, "clips[0].groups[0].keys"},
      {"spline_value_short", element(spline_keys, 64 + 48, 0.1f), E::bad_value, spline_keys},
  };
}

class CharacterForgery : public ::testing::TestWithParam<Forgery> {};

TEST_P(CharacterForgery, IsRefused) {
  ForgedFile file(must(write(test::every_array_scene())));
  ASSERT_TRUE(open(file.bytes)) << "right before the change";
  GetParam().change(file);
  const auto character = open(file.bytes);
  ASSERT_FALSE(character);
  const Error& error = character.error();
  EXPECT_EQ(to_string(error.code), std::string(to_string(GetParam().code))) << error.message();
  EXPECT_EQ(error.where, GetParam().where) << error.message();
  EXPECT_FALSE(error.what.empty());
  EXPECT_FALSE(error.what_to_do.empty());
}

std::string forgery_name(const ::testing::TestParamInfo<Forgery>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Header, CharacterForgery, ::testing::ValuesIn(header_forgeries()), forgery_name);
INSTANTIATE_TEST_SUITE_P(Arrays, CharacterForgery, ::testing::ValuesIn(array_forgeries()), forgery_name);
INSTANTIATE_TEST_SUITE_P(Skeleton, CharacterForgery, ::testing::ValuesIn(skeleton_forgeries()), forgery_name);
INSTANTIATE_TEST_SUITE_P(Meshes, CharacterForgery, ::testing::ValuesIn(mesh_forgeries()), forgery_name);
INSTANTIATE_TEST_SUITE_P(Clips, CharacterForgery, ::testing::ValuesIn(clip_forgeries()), forgery_name);

/// Vector code tells at once whether many numbers are sound; whatever its lanes are, the same bytes are refused, in the
/// same words.
TEST(ForgedNumbers, AreRefusedAlikeOnEveryTarget) {
  ForgedFile file(must(write(make_biped())));
  std::mt19937 random(3);
  int refused = 0;
  for (const char* array : {"clips[1].groups[0].keys", "clips[1].groups[1].keys", "meshes[0].weights",
                            "meshes[0].positions", "meshes[0].normals", "skeleton.rest"}) {
    const std::size_t count = file.arrays().at(array).count;
    for (int i = 0; i < 40; ++i) {
      const std::size_t at = i == 0 ? 0 : i == 1 ? count - 1 : random() % count;
      const float stored = file.value<float>(array, at);
      const float forged[] = {kNan, kForgedInfinity, -kForgedInfinity, 2, -0.25f, stored * 1.0005f, stored * 1.002f};
      file.set(array, at, forged[std::size_t(i) % std::size(forged)]);
      ASSERT_TRUE(set_simd_target(simd_targets().back()));
      const auto expected = open(file.bytes);
      for (const std::string_view target : simd_targets()) {
        ASSERT_TRUE(set_simd_target(target));
        const auto found = open(file.bytes);
        ASSERT_EQ(bool(found), bool(expected)) << array << " " << at << ", " << target;
        if (!found) {
          EXPECT_EQ(found.error().message(), expected.error().message()) << target;
        }
      }
      refused += !expected;
      file.set(array, at, stored);
    }
  }
  set_simd_target({});
  EXPECT_TRUE(open(file.bytes));
  EXPECT_GT(refused, 100);
}

/// Ids are not proved to belong to their content, so two right files can claim one skeleton: counts must tell them
/// apart.
TEST(ForgedIds, OfTwoSkeletonsLetNoJobMixThem) {
  ForgedFile file(must(write(test::every_array_scene())));
  const Bytes small_bytes = must(write(test::morph_triangle(1)));
  const Character small = must(open(small_bytes));
  file.set_number("skeleton.id", small.skeleton().id);
  for (const auto& [name, place] : file.numbers())
    if (name.starts_with("clips[") && name.ends_with("].skeleton_id")) file.set_number(name, small.skeleton().id);
  const Character large = must(open(file.bytes));
  ASSERT_FALSE(large.clips().empty());
  ASSERT_GT(large.skeleton().joint_count(), small.skeleton().joint_count());

  Pose small_pose(small.skeleton()), large_pose(large.skeleton());
  std::vector<Affine> models(large.skeleton().joint_count());
  test::CaughtContracts caught;
  run(SampleJob{large.clips()[0], large.skeleton(), 0.0f, small_pose});
  EXPECT_TRUE(caught.took("SampleJob.pose"));
  run(SampleJob{large.clips()[0], small.skeleton(), 0.0f, small_pose});
  EXPECT_TRUE(caught.took("SampleJob.clip"));
  run(ModelJob{large.skeleton(), small_pose, models});
  EXPECT_TRUE(caught.took("ModelJob.pose"));
  run(BlendJob{small.skeleton(), {}, large_pose});
  EXPECT_TRUE(caught.took("BlendJob.pose"));
  small_pose.set_rest(large.skeleton());
  EXPECT_TRUE(caught.took("Pose::set_rest"));
}

}  // namespace
}  // namespace sinew
