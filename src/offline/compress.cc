#include "sinew/compress.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "offline/compress_search.h"
#include "offline/reduce_keys.h"
#include "runtime/fault.h"

namespace sinew {
namespace {

using namespace detail;

/// The search keeps this share of the tolerance; what is left is for the rounding of floats.
constexpr double kSearched = 0.98;
/// What leaving out keys may use of it, and what keys may be off that lie between frames.
constexpr double kKeyShare = 0.02;
/// What each track of splines may be off between frames; the search goes on from there.
constexpr double kSlack = 0.1;

class Compressor {
 public:
  Compressor(const Scene& scene, const Character& source, const CompressOptions& options)
      : scene_(scene), source_(source), shape_(make_shape(source, options.shell)) {}

  /// A clip within `tolerance`; false: there is none.
  bool make(std::size_t index, double tolerance, CompressedClip& out) const;

 private:
  void keep_keys(std::size_t index, const ClipSource& clip, double tolerance, CompressedClip& out) const;

  /// What moves things by so far at most.
  SamplingSlack slack(double distance) const {
    SamplingSlack out;
    for (const double reach : shape_.reach) {
      out[0].push_back(distance / std::max(reach, 1e-30));
      out[1].push_back(distance);
      out[2].push_back(distance / std::max(reach, 1e-30));
    }
    for (const double reach : shape_.channel_reach) out[3].push_back(distance / std::max(reach, 1e-30));
    return out;
  }

  const Scene& scene_;
  const Character& source_;
  ErrorShape shape_;
};

bool Compressor::make(std::size_t index, double tolerance, CompressedClip& out) const {
  const Clip& clip = source_.clips()[index];
  const Skeleton& skeleton = source_.skeleton();
  ClipSource tracks = make_source(clip, skeleton, slack(tolerance * kSlack));
  double searched = tolerance * kSearched;
  if (std::ranges::any_of(tracks.tracks[3], [](const SourceTrack& t) { return t.form == TrackForm::moving; }))
    searched *= 1 - kChannelShare;
  if (!tracks.exact) searched *= 1 - 2 * kKeyShare;
  // What was searched for leaves out blended vertices and the times between frames: less is asked for until they hold, too.
  constexpr int kTries = 8;
  std::optional<SearchResult> found;
  double asked = searched;
  for (int i = 0; i < kTries; ++i, asked *= kSearched * searched / found->error) {
    found = search(tracks, skeleton, shape_, asked);
    if (!found) return false;
    if (found->error <= searched) break;
  }
  if (found->error > searched) return false;
  out = {};
  out.skeleton_id = skeleton.id;
  out.first_key = clip.first_key, out.duration = clip.duration;
  out.packed = pack(found->plan, found->shift);
  out.keyframes.name = scene_.clips[index].name;
  out.keyframes.wrap_period = scene_.clips[index].wrap_period;
  keep_keys(index, tracks, tolerance, out);
  return true;
}

void Compressor::keep_keys(std::size_t index, const ClipSource& clip, double tolerance, CompressedClip& out) const {
  const Skeleton& skeleton = source_.skeleton();
  for (std::size_t s = 0; s < kSections; ++s)
    for (std::size_t t = 0; t < clip.tracks[s].size(); ++t)
      if (clip.tracks[s][t].form == TrackForm::keyframes)
        out.kept[std::size_t(kSectionPaths[s])].push_back(std::uint32_t(t));
  const auto keeps = [&](const Scene::Track& track) {
    const auto& kept = out.kept[std::size_t(track.path)];
    if (track.path != Path::weights)
      return std::ranges::any_of(kept, [&](std::uint32_t row) { return skeleton.source_nodes[row] == track.node; });
    return std::ranges::any_of(source_.parts(), [&](const Part& part) {
      return part.source_node == track.node && std::ranges::any_of(kept, [&](std::uint32_t channel) {
               return channel >= part.first_channel && channel - part.first_channel < part.channel_count;
             });
    });
  };
  const Scene::Clip& authored = scene_.clips[index];
  for (const Scene::Track& track : authored.tracks) {
    if (!keeps(track)) continue;
    std::vector<float> times = authored.times[track.times];
    Scene::Track kept = track;
    const double distance = tolerance * kKeyShare;
    const auto& reaches = track.path == Path::weights ? shape_.channel_reach : shape_.reach;
    const double reach = std::max(*std::ranges::max_element(reaches), 1e-30);
    reduce_keys(times, kept, track.path == Path::translation ? distance : distance / reach);
    const auto known = std::ranges::find(out.keyframes.times, times);
    kept.times = std::uint32_t(known - out.keyframes.times.begin());
    if (known == out.keyframes.times.end()) out.keyframes.times.push_back(std::move(times));
    out.keyframes.tracks.push_back(std::move(kept));
  }
}

Fault check_distance(const char* name, double distance) {
  if (std::isfinite(distance) && distance > 0) return {};
  return fault(ErrorCode::bad_argument, DataPath({}, name), number(distance) + " is not a distance above 0",
               "give one, in the file's units");
}

std::string place_of(const ClipError& error, const Character& character) {
  std::string out = "at " + number(double(error.seconds)) + " s";
  if (error.joint != kNone)
    out += ", about joint \"" + std::string(character.skeleton().names[std::size_t(error.joint)]) + "\"";
  if (error.part != kNone)
    out += ", at vertex " + std::to_string(error.vertex) + " of part " + std::to_string(error.part);
  return out;
}

}  // namespace

CompressOptions with_defaults(const CompressOptions& options, const Character& character) {
  CompressOptions out = options;
  const double unit = height(character) / 180;  // a centimetre of a tall man
  if (out.tolerance == 0) out.tolerance = 0.01 * unit;
  if (out.shell == 0) out.shell = 3 * unit;
  return out;
}

Result<Compression> compress(const Scene& scene, const CompressOptions& given, Report* report) {
  WriteOptions plain = given.write;
  plain.compressed = {};
  const Result<Bytes> bytes = write(scene, plain, report);
  if (!bytes) return Unexpected(bytes.error());
  const Result<Character> source = open(*bytes);
  if (!source) return Unexpected(source.error());
  const CompressOptions options = with_defaults(given, *source);
  if (Fault f = check_distance("tolerance", options.tolerance)) return Unexpected(std::move(*f));
  if (Fault f = check_distance("shell", options.shell)) return Unexpected(std::move(*f));
  const Compressor compressor(scene, *source, options);
  Compression out;
  out.clips.resize(scene.clips.size());
  out.errors.resize(scene.clips.size());
  for (std::size_t i = 0; i < out.clips.size(); ++i) {
    if (compressor.make(i, options.tolerance, out.clips[i])) continue;
    return fail(ErrorCode::bad_argument, DataPath({}, "clips", i).text(),
                "no steps keep every point within " + number(options.tolerance) + " of its source", "allow more");
  }
  plain.compressed = out.clips;
  const Result<Bytes> packed = write(scene, plain);
  if (!packed) return Unexpected(packed.error());
  const Result<Character> tested = open(*packed);
  if (!tested) return Unexpected(tested.error());
  for (std::size_t i = 0; i < out.clips.size(); ++i) {
    Result<ClipError> error = measure_error(*source, source->clips()[i], *tested, tested->clips()[i], options.shell);
    if (!error) return Unexpected(error.error());
    if (error->largest > options.tolerance)
      return fail(ErrorCode::bad_argument, DataPath({}, "clips", i).text(),
                  "a point strays by " + number(error->largest) + " " + place_of(*error, *source) + "; " +
                      number(options.tolerance) + " is promised",
                  "allow more");
    out.errors[i] = std::move(*error);
  }
  return out;
}

}  // namespace sinew
