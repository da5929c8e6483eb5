#include "packing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "costs.h"
#include "evaluate.h"
#include "sinew/packed.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr double kMillimetres = 1000;

std::string name_list(const Scene& scene) {
  constexpr std::size_t kShown = 24;
  if (scene.clips.empty()) return "the file has no clips";
  std::string out = "the clips are ";
  for (std::size_t i = 0; i < std::min(kShown, scene.clips.size()); ++i)
    out += (i ? ", " : "") + in_quotes(scene.clips[i].name);
  return scene.clips.size() > kShown ? out + fmt::format(" and {} more", scene.clips.size() - kShown) : out;
}

/// Joints that a runtime without compression would sample.
std::uint64_t sampled_joints(const Skeleton& skeleton) {
  std::uint64_t count = 0;
  for (const JointFlags flags : skeleton.flags)
    count += has(flags, JointFlags::skin) || has(flags, JointFlags::animated);
  return count;
}

}  // namespace

Result<Tolerance> read_tolerance(const std::optional<std::string>& text) {
  if (!text) return Tolerance{};
  Tolerance out;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), out.value);
  const std::string_view unit(end, static_cast<std::size_t>(text->data() + text->size() - end));
  constexpr std::pair<std::string_view, double> kUnits[] = {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}};
  const auto* known =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& u) { return u.first == unit; });
  out.share = unit.empty();
  const bool good = error == std::errc() && std::isfinite(out.value) && out.value > 0 &&
                    (out.share ? out.value < 1 : known != std::end(kUnits));
  if (!good)
    return fail(ErrorCode::bad_argument, "--tolerance",
                fmt::format("{} is neither a share above 0 and below 1 nor a length", in_quotes(*text)),
                "give a share of the height, for example 5.6e-5, or a length in m, cm or mm, for example 0.1mm");
  if (!out.share) out.value *= known->second;
  return out;
}

CompressOptions distances(const Tolerance& tolerance, const Character& character) {
  CompressOptions out;
  out.tolerance = tolerance.value * (tolerance.share ? height(character) : 1);
  return with_defaults(out, character);
}

std::string describe_distance(double distance, const Character& character) {
  const double tall = height(character);
  return fmt::format("{} mm ({} of the height, {} m)", millimetres(distance), rounded(distance / tall), rounded(tall));
}

bool fits_pattern(std::string_view pattern, std::string_view name) {
  // Where the last star stands, and where in the name what follows it was last tried.
  std::size_t p = 0, n = 0, star = pattern.npos, tried = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++, tried = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != pattern.npos) {
      p = star + 1, n = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

Result<void> keep_clips(Scene& scene, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return {};
  std::vector<bool> kept(scene.clips.size(), false);
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (pattern == scene.clips[i].name || fits_pattern(pattern, scene.clips[i].name)) kept[i] = any = true;
    if (!any)
      return fail(ErrorCode::bad_argument, "--clips", fmt::format("no clip's name fits {}", in_quotes(pattern)),
                  name_list(scene));
  }
  std::size_t i = 0;
  std::erase_if(scene.clips, [&](const Scene::Clip&) { return !kept[i++]; });
  return {};
}

std::string millimetres(double metres) { return rounded(metres * kMillimetres); }

std::string where_text(const Character& character, const ClipError& error) {
  if (error.joint != kNone)
    return "about joint " + in_quotes(character.skeleton().names[static_cast<std::size_t>(error.joint)]);
  if (error.part == kNone) return "-";
  const Part& part = character.parts()[static_cast<std::size_t>(error.part)];
  return fmt::format("vertex {} of {}",
                     character.meshes()[part.mesh].source_vertices[static_cast<std::size_t>(error.vertex)],
                     describe(character, part));
}

std::string clip_name(const Clip& clip) { return clip.name.empty() ? "(no name)" : shown(clip.name); }

std::vector<std::string> error_cells(const std::string& name, const Character& character, const ClipError& error) {
  return {name, millimetres(error.largest) + " mm", millimetres(error.percentile_99) + " mm",
          fmt::format("{:.3f} s", error.seconds), where_text(character, error)};
}

Json error_json(const Character& character, const ClipError& error) {
  Json out{{"largest_mm", static_cast<float>(error.largest * kMillimetres)},
           {"percentile_99_mm", static_cast<float>(error.percentile_99 * kMillimetres)},
           {"largest", static_cast<float>(error.largest)},
           {"seconds", error.seconds},
           {"joint", nullptr},
           {"part", nullptr},
           {"vertex", nullptr}};
  if (error.joint != kNone) out["joint"] = character.skeleton().names[static_cast<std::size_t>(error.joint)];
  if (error.part != kNone) {
    const Part& part = character.parts()[static_cast<std::size_t>(error.part)];
    out["part"] = error.part;
    out["vertex"] = character.meshes()[part.mesh].source_vertices[static_cast<std::size_t>(error.vertex)];
  }
  return out;
}

ClipSizes& ClipSizes::operator+=(const ClipSizes& other) {
  frames += other.frames, raw_28 += other.raw_28, raw_40 += other.raw_40;
  snapshots += other.snapshots, bytes += other.bytes;
  return *this;
}

ClipSizes clip_sizes(const Character& character, const Clip& clip, const ClipError& error) {
  const std::uint64_t joints = sampled_joints(character.skeleton());
  ClipSizes out;
  const std::uint32_t packed = packed_summary(clip).frame_count;
  // Of the times looked at every other one lies halfway between two keys.
  out.frames = packed > 1 ? packed : (error.times.size() + 1) / 2;
  out.raw_28 = joints * out.frames * 28;
  out.raw_40 = joints * out.frames * 40;
  out.snapshots = placed_vertices(character) * out.frames * sizeof(Vec3);
  out.bytes = clip_bytes(clip);
  return out;
}

}  // namespace sinew::tool
