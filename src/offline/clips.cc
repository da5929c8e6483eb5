#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "offline/clip_groups.h"
#include "offline/content_hash.h"
#include "offline/write_detail.h"

namespace sinew::detail {
namespace {

class ClipWriter {
 public:
  ClipWriter(WriteState& state, std::size_t index)
      : state_(state),
        compressed_(state.options.compressed.empty() ? nullptr : &state.options.compressed[index]),
        clip_(compressed_ ? compressed_->keyframes : state.scene.clips[index]),
        index_(index),
        path_(root_, "clips", index) {}
  Fault run(std::unordered_set<std::uint64_t>& ids);

 private:
  Fault check_times(std::size_t list) const;
  Fault gather();
  Fault check_values(const Scene::Track& track) const;
  Fault check_rotations(const Scene::Track& track, const std::vector<float>& times);
  DataPath track_path(const Scene::Track& track) const {
    return {path_, "tracks", std::size_t(&track - clip_.tracks.data())};
  }
  Fault add_group(const Group& group, ContentHash& hash);
  Fault fill_keys(const Group& group, std::vector<float>& keys);
  Fault fill_rotation(const Group& group, const Lane& lane, KeyPlace place, float* rows, std::size_t row_floats);

  const std::vector<const Scene::Track*>& tracks() const {
    return compressed_ ? state_.plan.kept[index_] : state_.plan.tracks[index_];
  }
  /// Whether a track is to be stored as keys: what is packed is not.
  bool keeps(Path path, std::uint32_t target) const {
    return !compressed_ || std::ranges::find(compressed_->kept[std::size_t(path)], target) !=
                               compressed_->kept[std::size_t(path)].end();
  }
  Fault add_packed(ContentHash& hash, schema::Array& out) const;

  WriteState& state_;
  const CompressedClip* compressed_;
  const Scene::Clip& clip_;
  std::size_t index_;
  DataPath root_, path_;
  std::vector<Group> groups_;
  std::vector<flatbuffers::Offset<schema::ClipGroup>> offsets_;
};

Fault ClipWriter::check_times(std::size_t list) const {
  const DataPath where(path_, "times", list);
  const std::vector<float>& times = clip_.times[list];
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]))
      return fault(ErrorCode::bad_value, where, "key " + std::to_string(k) + " is not finite", "give every key a time");
    if (k > 0 && times[k] < times[k - 1]) {
      return fault(ErrorCode::inconsistent, where,
                   "key " + std::to_string(k) + " at " + number(times[k]) + " s is earlier than the one before it at " +
                       number(times[k - 1]) + " s",
                   "sort the keys by time");
    }
  }
  if (!std::isfinite(times.back() - times.front()))
    return fault(ErrorCode::bad_value, where, "the time span is not finite", "use times in seconds");
  return {};
}

Fault ClipWriter::check_values(const Scene::Track& track) const {
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (!std::isfinite(track.values[i]))
      return fault(ErrorCode::bad_value, DataPath(track_path(track), "values", i), "it is not finite",
                   "mend the key in the program that made the file");
  }
  return {};
}

/// Values of a track's key: `row` counts in-tangent, value and out-tangent of a stored cubicspline.
const float* stored_values(const Scene::Track& track, std::size_t components, std::size_t key, std::size_t row) {
  return track.values.data() + (key * rows_per_key(track.interpolation) + row) * components;
}

Quat stored_rotation(const Scene::Track& track, std::size_t key) {
  const float* q = stored_values(track, 4, key, track.interpolation == Interpolation::cubicspline ? 1 : 0);
  return quat_xyzw(q[0], q[1], q[2], q[3]);
}

/// Each key has a direction. Notes those that are not of unit length.
Fault ClipWriter::check_rotations(const Scene::Track& track, const std::vector<float>& times) {
  for (std::size_t key = 0; key < times.size(); ++key) {
    const Quat stored = stored_rotation(track, key);
    const auto unit = unit_rotation(stored);
    if (!unit) {
      return fault(ErrorCode::bad_value, track_path(track),
                   "the rotation of key " + std::to_string(key) + " at " + number(times[key]) + " s has length " +
                       number(length(stored)),
                   "give the key a unit quaternion");
    }
    if (!(*unit == stored)) note_rotation(state_, track_path(track), length(stored));
  }
  return {};
}

/// Puts every track into the group of its times and interpolation. Lists of equal content count as one.
Fault ClipWriter::gather() {
  std::unordered_map<std::string_view, const std::vector<float>*> lists;
  std::vector<const std::vector<float>*> canonical(clip_.times.size(), nullptr);
  std::map<std::pair<const std::vector<float>*, Interpolation>, std::size_t> places;
  for (const Scene::Track* track : tracks()) {
    if (Fault f = check_values(*track)) return f;
    const std::vector<float>& times = clip_.times[track->times];
    if (!canonical[track->times]) {
      if (Fault f = check_times(track->times)) return f;
      const std::string_view content(reinterpret_cast<const char*>(times.data()), times.size() * sizeof(float));
      canonical[track->times] = lists.emplace(content, &times).first->second;
    }
    if (track->path == Path::rotation)
      if (Fault f = check_rotations(*track, times)) return f;
    // A spline needs two keys; one alone is a constant.
    const Interpolation mode = times.size() == 1 && track->interpolation == Interpolation::cubicspline
                                   ? Interpolation::step
                                   : track->interpolation;
    const auto [place, added] = places.emplace(std::pair(canonical[track->times], mode), groups_.size());
    if (added) groups_.push_back({mode, times, false, {}});
    std::vector<Lane>& lanes = groups_[place->second].lanes[std::size_t(track->path)];
    const bool constant = is_constant(*track, times.size());
    if (track->path != Path::weights) {
      if (const auto row = std::uint32_t(state_.rows.row_of_node[track->node]); keeps(track->path, row))
        lanes.push_back({row, track, 0, &times, constant});
      continue;
    }
    for (std::uint32_t i = 0; i < state_.plan.channel_count[track->node]; ++i)
      if (const std::uint32_t channel = state_.plan.first_channel[track->node] + i; keeps(track->path, channel))
        lanes.push_back({channel, track, i, &times, constant});
  }
  std::erase_if(groups_, [](const Group& group) { return group.row_floats() == 0; });
  for (Group& group : groups_)
    for (auto& lanes : group.lanes)
      std::sort(lanes.begin(), lanes.end(), [](const Lane& a, const Lane& b) { return a.target < b.target; });
  if (state_.options.unite_tracks) unite_groups(groups_);
  return {};
}

/// Rows of the group's mode out of the rows stored: a one-key spline keeps its value alone.
std::size_t stored_row(const Group& group, const Lane& lane, std::size_t row) {
  return group.interpolation != Interpolation::cubicspline && lane.track->interpolation == Interpolation::cubicspline
             ? 1
             : row;
}

Fault ClipWriter::fill_rotation(const Group& group, const Lane& lane, KeyPlace place, float* rows,
                                std::size_t row_floats) {
  const std::size_t row_count = rows_per_key(group.interpolation), value_row = row_count == 3 ? 1 : 0;
  const Quat stored = stored_rotation(*lane.track, place.key);
  Quat unit = *unit_rotation(stored);
  const double scale = unit == stored ? 1 : 1 / length(stored);
  if (place.factor > 0)
    unit = slerp(unit, *unit_rotation(stored_rotation(*lane.track, place.key + 1)), float(place.factor));
  for (std::size_t row = 0; row < row_count; ++row) {
    const float* in = stored_values(*lane.track, 4, place.key, stored_row(group, lane, row));
    float out[4] = {float(in[0] * scale), float(in[1] * scale), float(in[2] * scale), float(in[3] * scale)};
    if (row == value_row) out[0] = unit.x, out[1] = unit.y, out[2] = unit.z, out[3] = unit.w;
    for (std::size_t c = 0; c < 4; ++c) {
      if (!std::isfinite(out[c]))
        return fault(ErrorCode::bad_value, track_path(*lane.track),
                     "a tangent of key " + std::to_string(place.key) + " goes beyond what a float holds",
                     "use smaller tangents");
      rows[row * row_floats + c * kLanes] = out[c];
    }
  }
  return {};
}

Fault ClipWriter::fill_keys(const Group& group, std::vector<float>& keys) {
  const std::size_t row_floats = group.row_floats(), key_count = group.times.size(),
                    row_count = rows_per_key(group.interpolation);
  keys.resize(key_count * row_count * row_floats);
  for (std::size_t key = 0; key < key_count; ++key) {
    float* rows = keys.data() + key * row_count * row_floats;
    std::size_t section = 0;
    for (const Path path : Group::kSections) {
      const std::vector<Lane>& lanes = group.lanes[std::size_t(path)];
      const std::size_t width = component_count(path, 1), value_row = row_count == 3 ? 1 : 0;
      for (std::size_t i = 0; i < padded(lanes.size()); ++i) {
        const std::size_t place = section + i / kLanes * width * kLanes + i % kLanes;
        if (i >= lanes.size()) {  // the identity: w of rotations and all of scales are 1
          if (path == Path::rotation) rows[value_row * row_floats + place + 3 * kLanes] = 1;
          for (std::size_t c = 0; path == Path::scale && c < width; ++c)
            rows[value_row * row_floats + place + c * kLanes] = 1;
          continue;
        }
        const Lane& lane = lanes[i];
        const KeyPlace own = place_key(group, lane, key);
        if (path == Path::rotation) {
          if (Fault f = fill_rotation(group, lane, own, rows + place, row_floats)) return f;
          continue;
        }
        const std::size_t stored = path == Path::weights ? state_.plan.channel_count[lane.track->node] : width;
        for (std::size_t row = 0; row < row_count; ++row) {
          const float* in = stored_values(*lane.track, stored, own.key, stored_row(group, lane, row)) + lane.component;
          for (std::size_t c = 0; c < width; ++c) {
            float value = in[c];
            if (own.factor > 0) value = float(value + (double(in[stored + c]) - value) * own.factor);
            rows[row * row_floats + place + c * kLanes] = value;
          }
        }
      }
      section += width * padded(lanes.size());
    }
  }
  return {};
}

/// As many buckets as keys: with even keys each holds one.
std::vector<std::uint32_t> make_buckets(const std::vector<float>& times) {
  std::vector<std::uint32_t> buckets(times.size());
  std::uint32_t key = 0;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const double start = bucket_start(times, b, buckets.size());
    while (key + 1 < times.size() && times[key + 1] <= start) ++key;
    buckets[b] = key;
  }
  return buckets;
}

Fault ClipWriter::add_group(const Group& group, ContentHash& hash) {
  const std::uint64_t rows = group.times.size() * rows_per_key(group.interpolation);
  if (Fault f = state_.budget.take(path_, rows, group.row_floats() * sizeof(float) + 2 * sizeof(float), "rows of keys"))
    return f;
  std::vector<float> keys;
  if (Fault f = fill_keys(group, keys)) return f;
  FileBuilder& file = state_.file;
  schema::Array targets[4];
  const schema::Array times = file.add(group.times), buckets = file.add(make_buckets(group.times));
  hash.mix(std::uint64_t(group.interpolation));
  hash.add(group.times);
  for (const Path path : Group::kSections) {
    std::vector<std::uint32_t> list;
    for (const Lane& lane : group.lanes[std::size_t(path)]) list.push_back(lane.target);
    hash.add(list);
    targets[std::size_t(path)] = file.add(list);
  }
  hash.add(keys);
  const schema::Array key_array = file.add(keys);
  const auto of = [&](Path path) { return unless_empty(targets[std::size_t(path)]); };
  offsets_.push_back(schema::CreateClipGroup(file.directory(), std::uint8_t(group.interpolation), &times, &buckets,
                                             of(Path::rotation), of(Path::translation), of(Path::scale),
                                             of(Path::weights), unless_empty(key_array)));
  return {};
}

Fault ClipWriter::add_packed(ContentHash& hash, schema::Array& out) const {
  if (!compressed_ || compressed_->packed.empty()) return {};
  if (compressed_->skeleton_id != state_.rows.id)
    return fault(ErrorCode::inconsistent, DataPath(DataPath(root_, "compressed", index_), "skeleton_id"),
                 "it was packed for another skeleton", "give `compress` and `write` the same scene and options");
  hash.add(compressed_->packed);
  out = state_.file.add(compressed_->packed);
  return {};
}

Fault ClipWriter::run(std::unordered_set<std::uint64_t>& ids) {
  if (!std::isfinite(clip_.wrap_period) || clip_.wrap_period < 0) {
    return fault(ErrorCode::bad_value, DataPath(path_, "wrap_period"),
                 number(clip_.wrap_period) + " is negative or not finite",
                 "give the seconds after which the loop repeats, or 0");
  }
  if (Fault f = gather()) return f;
  ContentHash hash;
  hash.mix(index_);
  hash.mix(state_.rows.id);
  hash.add(std::span<const char>(clip_.name));
  hash.add(std::span<const float>(&clip_.wrap_period, 1));
  float first = compressed_ ? compressed_->first_key : 0, last = compressed_ ? compressed_->duration : 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::vector<float>& times = groups_[g].times;
    const bool alone = g == 0 && !compressed_;
    first = alone ? times.front() : std::min(first, times.front());
    last = alone ? times.back() : std::max(last, times.back());
    if (Fault f = add_group(groups_[g], hash)) return f;
  }
  schema::Array packed;
  if (Fault f = add_packed(hash, packed)) return f;
  std::uint64_t id = hash.value();
  while (id == 0 || !ids.insert(id).second) ++id;
  FileBuilder& file = state_.file;
  const auto name = file.name(clip_.name);
  const auto groups = file.directory().CreateVector(offsets_);
  file.clips.push_back(schema::CreateClip(file.directory(), name, id, state_.rows.id, std::int32_t(index_), first, last,
                                          clip_.wrap_period, groups, unless_empty(packed)));
  return {};
}

}  // namespace

Fault add_clips(WriteState& state) {
  std::unordered_set<std::uint64_t> ids;
  for (std::size_t c = 0; c < state.scene.clips.size(); ++c)
    if (Fault f = ClipWriter(state, c).run(ids)) return f;
  return {};
}

}  // namespace sinew::detail
