#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>
#include <unordered_set>

#include "runtime/file_format.h"
#include "runtime/kernels.h"
#include "runtime/open_detail.h"

namespace sinew::detail {
namespace {

/// Which paths the clip in hand has driven: stamps instead of flags, so that a clip costs its own tracks and not the
/// whole skeleton.
class Driven {
 public:
  explicit Driven(const Skeleton& skeleton)
      : paths_{std::vector<std::uint32_t>(skeleton.joint_count()), std::vector<std::uint32_t>(skeleton.joint_count()),
               std::vector<std::uint32_t>(skeleton.joint_count()),
               std::vector<std::uint32_t>(skeleton.channel_count())} {}

  Fault add(const DataPath& where, Path path, std::span<const std::uint32_t> targets, std::uint32_t clip) {
    std::vector<std::uint32_t>& stamps = paths_[std::size_t(path)];
    std::uint32_t limit = 0;
    if (Fault f = check_below(where, targets, stamps.size(), path == Path::weights ? "channels" : "joints", limit))
      return f;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (stamps[targets[i]] == clip + 1)
        return fault(ErrorCode::inconsistent, where, std::to_string(targets[i]) + " is driven twice in this clip");
      if (i > 0 && targets[i] < targets[i - 1])  // sampling tells by its ends whether a block is one run
        return fault(ErrorCode::inconsistent, where, std::to_string(targets[i]) + " comes after a greater one");
      stamps[targets[i]] = clip + 1;
    }
    return {};
  }

 private:
  std::vector<std::uint32_t> paths_[4];  // by Path
};

Fault check_times(const DataPath& where, const ClipGroup& group) {
  const DataPath times(where, "times"), buckets(where, "buckets");
  if (group.times.empty()) return fault(ErrorCode::bad_value, times, "it is empty");
  if (Fault f = check_finite(times, group.times)) return f;
  for (std::size_t k = 1; k < group.times.size(); ++k) {
    if (group.times[k] < group.times[k - 1])
      return fault(ErrorCode::inconsistent, DataPath(where, "times", k), "it is earlier than the one before it");
  }
  if (!std::isfinite(group.times.back() - group.times.front()))
    return fault(ErrorCode::bad_value, times, "the time span is not finite");
  std::uint32_t limit = 0;
  if (Fault f = check_below(buckets, group.buckets, group.times.size(), "keys", limit)) return f;
  if (!std::is_sorted(group.buckets.begin(), group.buckets.end()))
    return fault(ErrorCode::inconsistent, buckets, "it decreases");
  return {};
}

/// Rotation values of unit length: interpolation divides by nothing and trusts that.
Fault check_rotations(const DataPath& where, const ClipGroup& group) {
  const std::size_t row = group.row_floats(), step = rows_per_key(group.interpolation), value_row = step == 3 ? 1 : 0;
  for (std::size_t k = 0; k < group.times.size(); ++k) {
    const float* values = group.keys.data() + (k * step + value_row) * row;
    for (std::size_t track = 0; track < padded(group.rotations.size()); ++track) {
      const float* q = values + track / kLanes * 4 * kLanes + track % kLanes;
      const double x = q[0], y = q[kLanes], z = q[2 * kLanes], w = q[3 * kLanes];
      const double length = std::sqrt(x * x + y * y + z * z + w * w);
      if (!(std::fabs(length - 1) <= kUnitTolerance)) {
        return fault(ErrorCode::bad_value, DataPath(where, "keys"),
                     "rotation " + std::to_string(track) + " of key " + std::to_string(k) + " has length " +
                         number(length) + ", not 1");
      }
    }
  }
  return {};
}

/// Whether all is well with the keys, in one pass: rotations of unit length are finite too.
bool sound_keys(const ClipGroup& group) {
  const std::size_t row = group.row_floats(), step = rows_per_key(group.interpolation), value_row = step == 3 ? 1 : 0;
  const std::size_t turning = 4 * padded(group.rotations.size());
  for (std::size_t r = 0; r < group.times.size() * step; ++r) {
    const std::span<const float> values = group.keys.subspan(r * row, row);
    const bool units = r % step == value_row;
    if (units && !kernels::unit_rotations(values.data(), turning / (4 * kLanes), kUnitTolerance)) return false;
    if (!kernels::all_finite(units ? values.subspan(turning) : values)) return false;
  }
  return true;
}

Fault check_keys(const DataPath& where, const ClipGroup& group) {
  const DataPath keys(where, "keys");
  const std::size_t row = group.row_floats(), rows = group.times.size() * rows_per_key(group.interpolation);
  // Divided, not multiplied: forged counts must not wrap around.
  const bool fits = row == 0 ? group.keys.empty() : group.keys.size() % row == 0 && group.keys.size() / row == rows;
  if (!fits) {
    return fault(
        ErrorCode::inconsistent, keys,
        std::to_string(group.keys.size()) + " floats for " + std::to_string(rows) + " rows of " + std::to_string(row));
  }
  if (sound_keys(group)) return {};
  if (Fault f = check_finite(keys, group.keys)) return f;  // it names the first that is not
  return check_rotations(where, group);
}

Fault read_group(const DataPath& where, const schema::ClipGroup& in, std::uint32_t clip, Arrays& arrays, Driven& driven,
                 ClipGroup& group) {
  group.interpolation = Interpolation(in.interpolation());
  if (group.interpolation > Interpolation::cubicspline)
    return fault(ErrorCode::bad_value, DataPath(where, "interpolation"),
                 std::to_string(in.interpolation()) + " is not in 0 to 2");
  if (Fault f = arrays.view(in.times(), DataPath(where, "times"), group.times)) return f;
  if (Fault f = arrays.view(in.buckets(), DataPath(where, "buckets"), group.buckets)) return f;
  if (Fault f = arrays.view(in.rotations(), DataPath(where, "rotations"), group.rotations)) return f;
  if (Fault f = arrays.view(in.translations(), DataPath(where, "translations"), group.translations)) return f;
  if (Fault f = arrays.view(in.scales(), DataPath(where, "scales"), group.scales)) return f;
  if (Fault f = arrays.view(in.channels(), DataPath(where, "channels"), group.channels)) return f;
  if (Fault f = arrays.view(in.keys(), DataPath(where, "keys"), group.keys)) return f;
  if (Fault f = check_times(where, group)) return f;
  if (Fault f = driven.add(DataPath(where, "rotations"), Path::rotation, group.rotations, clip)) return f;
  if (Fault f = driven.add(DataPath(where, "translations"), Path::translation, group.translations, clip)) return f;
  if (Fault f = driven.add(DataPath(where, "scales"), Path::scale, group.scales, clip)) return f;
  if (Fault f = driven.add(DataPath(where, "channels"), Path::weights, group.channels, clip)) return f;
  return check_keys(where, group);
}

Fault read_packed(const DataPath& where, const schema::Clip& in, std::uint32_t index, Arrays& arrays, Driven& driven,
                  CharacterTables& tables, Clip& clip) {
  const DataPath packed(where, "packed");
  if (Fault f = arrays.view(in.packed(), packed, clip.packed_bytes)) return f;
  if (clip.packed_bytes.empty()) return {};
  if (arrays.bytes_after(clip.packed_bytes) < kReadAhead)
    return fault(ErrorCode::inconsistent, packed,
                 "it ends less than " + std::to_string(kReadAhead) + " bytes before the file");
  static_assert(std::is_trivially_destructible_v<PackedTracks>, "nobody destroys what is in the tables' memory");
  PackedTracks& tracks = *new (tables.packed.take(sizeof(PackedTracks))) PackedTracks;
  if (Fault f = unpack(packed, clip.packed_bytes, tables.skeleton, tables.packed, tracks)) return f;
  for (std::size_t s = 0; s < kSections; ++s) {
    if (Fault f = driven.add(packed, kSectionPaths[s], tracks.sections[s].targets, index)) return f;
    if (Fault f = driven.add(packed, kSectionPaths[s], tracks.sections[s].constant_targets, index)) return f;
  }
  clip.packed = &tracks;
  return {};
}

/// The clip's own numbers, once its groups are proved.
Fault check_clip(const DataPath& where, const Clip& clip, std::span<const ClipGroup> groups, const Skeleton& skeleton) {
  float first = clip.packed ? clip.packed->first_time : 0, last = clip.packed ? clip.packed->last_time : 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool alone = g == 0 && !clip.packed;
    first = alone ? groups[g].times.front() : std::min(first, groups[g].times.front());
    last = alone ? groups[g].times.back() : std::max(last, groups[g].times.back());
  }
  // Constant tracks are packed without the times of their keys, which may have come before or after all others.
  const bool agree =
      clip.packed ? clip.first_key <= first && clip.duration >= last : clip.first_key == first && clip.duration == last;
  if (!agree || !std::isfinite(clip.first_key) || !std::isfinite(clip.duration)) {
    return fault(ErrorCode::inconsistent, DataPath(where, "duration"),
                 "first key and duration are " + number(clip.first_key) + " and " + number(clip.duration) +
                     ", its times give " + number(first) + " and " + number(last));
  }
  if (!std::isfinite(clip.wrap_period) || clip.wrap_period < 0)
    return fault(ErrorCode::bad_value, DataPath(where, "wrap_period"),
                 number(clip.wrap_period) + " is negative or not finite");
  if (clip.skeleton_id != skeleton.id)
    return fault(ErrorCode::inconsistent, DataPath(where, "skeleton_id"), "it is not that of the file's skeleton");
  if (clip.source_clip < kNone) return fault(ErrorCode::out_of_range, DataPath(where, "source_clip"), "it is below -1");
  return {};
}

}  // namespace

Fault read_clips(const schema::Character& in, Arrays& arrays, CharacterTables& tables) {
  const DataPath root;
  const std::size_t count = in.clips() ? in.clips()->size() : 0;
  std::vector<std::size_t> first_groups;
  Driven driven(tables.skeleton);
  std::unordered_set<std::uint64_t> ids;
  for (std::size_t i = 0; i < count; ++i) {
    const DataPath where(root, "clips", i);
    const schema::Clip& table = *in.clips()->Get(flatbuffers::uoffset_t(i));
    const std::size_t first = tables.groups.size(), own = table.groups() ? table.groups()->size() : 0;
    first_groups.push_back(first);
    for (std::size_t g = 0; g < own; ++g) {
      const schema::ClipGroup& group = *table.groups()->Get(flatbuffers::uoffset_t(g));
      if (Fault f = read_group(DataPath(where, "groups", g), group, std::uint32_t(i), arrays, driven,
                               tables.groups.emplace_back()))
        return f;
    }
    Clip clip;
    clip.name = text(table.name());
    clip.id = table.id(), clip.skeleton_id = table.skeleton_id(), clip.source_clip = table.source_clip();
    clip.first_key = table.first_key(), clip.duration = table.duration(), clip.wrap_period = table.wrap_period();
    clip.joint_count = std::uint32_t(tables.skeleton.joint_count());
    clip.channel_count = std::uint32_t(tables.skeleton.channel_count());
    if (Fault f = read_packed(where, table, std::uint32_t(i), arrays, driven, tables, clip)) return f;
    if (Fault f =
            check_clip(where, clip, std::span<const ClipGroup>(tables.groups).subspan(first, own), tables.skeleton))
      return f;
    if (clip.id == 0 || !ids.insert(clip.id).second)
      return fault(ErrorCode::inconsistent, DataPath(where, "id"),
                   clip.id == 0 ? "it is 0" : "an earlier clip has the same id");
    tables.clips.push_back(clip);
  }
  first_groups.push_back(tables.groups.size());
  for (std::size_t i = 0; i < count; ++i) {  // now that the table of groups grows no more
    Clip& clip = tables.clips[i];
    clip.groups =
        std::span<const ClipGroup>(tables.groups).subspan(first_groups[i], first_groups[i + 1] - first_groups[i]);
    std::size_t rotations = 0, translations = 0, scales = 0;
    for (const ClipGroup& group : clip.groups)
      rotations += group.rotations.size(), translations += group.translations.size(), scales += group.scales.size();
    if (clip.packed) {
      const auto packed = [&](std::size_t s) {
        const PackedSection& tracks = clip.packed->sections[s];
        return tracks.targets.size() + (clip.packed->base.empty() ? tracks.constant_targets.size() : 0);
      };
      rotations += packed(0), translations += packed(1), scales += packed(2);
    }
    clip.all_rotations = rotations == clip.joint_count;  // none is driven twice
    clip.all_translations = translations == clip.joint_count;
    clip.all_scales = scales == clip.joint_count;
  }
  return {};
}

}  // namespace sinew::detail
