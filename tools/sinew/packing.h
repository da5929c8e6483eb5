// Compression as the tool speaks of it: tolerances as they are given, clips by name, and how far clips stray.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.h"
#include "sinew/compress.h"
#include "sinew/result.h"

namespace sinew::tool {

/// A distance as it is given: a share of the character's height, or a length in glTF's unit, the metre.
struct Tolerance {
  double value = 0;  ///< 0: the default of `compress`
  bool share = true;
};
/// `5.6e-5`, or with a unit `0.01cm`, `0.1mm`, `0.0001m`; the default without a text. Errors are `bad_argument`.
Result<Tolerance> read_tolerance(const std::optional<std::string>& text);
/// Both distances in the file's units. A character without a size counts as 1 m tall, as `height` has it.
CompressOptions distances(const Tolerance& tolerance, const Character& character);
/// `0.1 mm (5.56e-05 of the height, 1.8 m)`, of a distance in the file's units.
std::string describe_distance(double distance, const Character& character);
/// For the help of --tolerance.
inline constexpr const char* kToleranceHelp =
    "How far a point may stray: a share of the height, as 5.6e-5, or 0.01cm, 0.1mm, 0.0001m (default: 0.01 / 180 of "
    "the "
    "height, which is 0.1 mm for a character 1.8 m tall)";

/// Whether a name fits a pattern, in which `*` stands for any characters and `?` for one.
bool fits_pattern(std::string_view pattern, std::string_view name);
/// Leaves only the clips whose names fit one of the patterns; all, if there is none. Error: a pattern that fits none.
Result<void> keep_clips(Scene& scene, const std::vector<std::string>& patterns);

/// Metres as millimetres, in three digits.
std::string millimetres(double metres);
/// `about joint "Hips"`, or `vertex 12 of part 0 …` as the source file numbers them.
std::string where_text(const Character& character, const ClipError& error);
/// The name as a table has it.
std::string clip_name(const Clip& clip);
/// Clip, largest error, 99th percentile, time, place: for a table.
std::vector<std::string> error_cells(const std::string& name, const Character& character, const ClipError& error);
/// Largest error, 99th percentile, place and time, as JSON has them.
Json error_json(const Character& character, const ClipError& error);

/// What a clip costs in several forms, in bytes.
struct ClipSizes {
  std::uint64_t frames = 0;  ///< of the even rate on which its keys lie; without one, times at which it has keys
  std::uint64_t raw_28 = 0, raw_40 = 0;  ///< samples of each joint that a skin uses or a clip moves
  std::uint64_t snapshots = 0;           ///< 12 bytes a vertex of all parts a frame
  std::uint64_t bytes = 0;               ///< as it is stored
  ClipSizes& operator+=(const ClipSizes& other);
};
ClipSizes clip_sizes(const Character& character, const Clip& clip, const ClipError& error);

}  // namespace sinew::tool
