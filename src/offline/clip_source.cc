#include "offline/clip_source.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/file_format.h"
#include "runtime/sample_interval.h"

namespace sinew::detail {
namespace {

std::span<const std::uint32_t> targets_of(const ClipGroup& group, std::size_t section) {
  switch (kSectionPaths[section]) {
    case Path::rotation:
      return group.rotations;
    case Path::translation:
      return group.translations;
    case Path::scale:
      return group.scales;
    default:
      return group.channels;
  }
}

/// Where a track's numbers stand in a row of keys; they are kLanes apart.
std::size_t place_in_row(const ClipGroup& group, std::size_t section, std::size_t track) {
  std::size_t start = 0;
  for (std::size_t s = 0; s < section; ++s) start += source_components(s) * padded(targets_of(group, s).size());
  return start + track / kLanes * source_components(section) * kLanes + track % kLanes;
}

const float* row_of(const ClipGroup& group, std::size_t key) {
  const std::size_t rows = rows_per_key(group.interpolation);
  return group.keys.data() + (rows * key + (rows == 3 ? 1 : 0)) * group.row_floats();
}

bool never_changes(const ClipGroup& group, std::size_t section, std::size_t track) {
  const std::size_t at = place_in_row(group, section, track), components = source_components(section);
  const std::size_t rows = rows_per_key(group.interpolation), row = group.row_floats();
  for (std::size_t c = 0; c < components; ++c) {
    const std::size_t place = at + c * kLanes;
    for (std::size_t key = 0; key < group.times.size(); ++key) {
      if (row_of(group, key)[place] != row_of(group, 0)[place]) return false;
      if (rows == 3 && (group.keys[3 * key * row + place] != 0 || group.keys[(3 * key + 2) * row + place] != 0))
        return false;
    }
  }
  return true;
}

/// A track's value at a time, as glTF 2.0 appendix C has it, in double precision.
void evaluate(const ClipGroup& group, std::size_t section, std::size_t at, float time, double* out) {
  const Interval in = locate(group, time, nullptr);
  const std::size_t components = source_components(section);
  const auto number = [&](const float* row, std::size_t c) { return double(row[at + c * kLanes]); };
  if (in.interpolation == Interpolation::linear && section == 0) {
    const auto quat = [&](const float* row) {
      return unit({number(row, 0), number(row, 1), number(row, 2), number(row, 3)});
    };
    const Quatd q = slerp(quat(in.a), quat(in.b), double(in.factor));
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
    return;
  }
  for (std::size_t c = 0; c < components; ++c) {
    const double a = number(in.a, c);
    if (in.interpolation == Interpolation::step) {
      out[c] = a;
      continue;
    }
    const double b = number(in.b, c);
    if (in.interpolation == Interpolation::linear)
      out[c] = a + (b - a) * double(in.factor);
    else
      out[c] = a * double(in.wa) + number(in.out_tangent, c) * double(in.wout) + b * double(in.wb) +
               number(in.in_tangent, c) * double(in.win);
  }
  if (section == 0) {
    const Quatd q = unit({out[0], out[1], out[2], out[3]});
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
  }
}

class SourceMaker {
 public:
  SourceMaker(const Clip& clip, const Skeleton& skeleton, const SamplingSlack& slack)
      : clip_(clip), slack_(slack), out_() {
    for (std::size_t s = 0; s < kSections; ++s)
      out_.tracks[s].resize(s == 3 ? skeleton.channel_count() : skeleton.joint_count());
    tell_forms();
  }

  /// With `parts` frames for each of the even times on which the keys lie. The number of splines that it is too coarse for.
  std::size_t sample(std::uint32_t parts);
  ClipSource take() { return std::move(out_); }

 private:
  static bool is_spline(const ClipGroup& group) { return group.interpolation == Interpolation::cubicspline; }
  void tell_forms();
  bool sample_track(const ClipGroup& group, std::size_t section, std::size_t track, SourceTrack& out) const;
  double stray_at(const ClipGroup& group, std::size_t section, std::size_t at, const SourceTrack& track,
                  float time) const;
  bool holds(const ClipGroup& group, std::size_t section, std::size_t track, std::size_t at,
             const SourceTrack& out) const;

  const Clip& clip_;
  const SamplingSlack& slack_;
  ClipSource out_;
  std::vector<std::size_t> gliding_;  // groups with a track that moves
  TimeGrid grid_;                     // of their keys
};

void SourceMaker::tell_forms() {
  for (std::size_t g = 0; g < clip_.groups.size(); ++g) {
    const ClipGroup& group = clip_.groups[g];
    bool moves = false;
    for (std::size_t s = 0; s < kSections; ++s) {
      const auto targets = targets_of(group, s);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        SourceTrack& track = out_.tracks[s][targets[i]];
        track.form = never_changes(group, s, i) ? TrackForm::constant : TrackForm::moving;
        moves = moves || track.form == TrackForm::moving;
      }
    }
    if (moves && glides(group)) gliding_.push_back(g);
  }
  grid_ = gliding_.empty() ? TimeGrid{double(clip_.first_key), 0, 0, clip_.first_key} : find_grid(clip_, gliding_);
}

/// Distance, or angle, between the track and the line between the frames about a time.
double SourceMaker::stray_at(const ClipGroup& group, std::size_t section, std::size_t at, const SourceTrack& track,
                             float time) const {
  const TimeGrid& grid = out_.grid;
  const std::size_t frame = grid.frame_before(time);
  const double earlier = double(grid.time(std::uint32_t(frame))), later = double(grid.time(std::uint32_t(frame) + 1));
  const double factor = std::clamp((double(time) - earlier) / (later - earlier), 0.0, 1.0);
  double wanted[4];
  evaluate(group, section, at, time, wanted);
  const std::size_t n = source_components(section);
  const double *a = track.values.data() + frame * n, *b = a + n;
  if (section == 0) {
    const Quatd q = slerp({a[0], a[1], a[2], a[3]}, {b[0], b[1], b[2], b[3]}, factor);
    const Quatd turn = conjugate(q) * Quatd{wanted[0], wanted[1], wanted[2], wanted[3]};
    return 4 * length(rodrigues(turn.w < 0 ? -turn : turn));
  }
  double worst = 0;
  for (std::size_t c = 0; c < n; ++c) worst = std::max(worst, std::fabs(a[c] + (b[c] - a[c]) * factor - wanted[c]));
  return worst;
}

/// Whether the frames say what the keys say: at each key that is not quite on a frame, and of splines halfway between frames.
bool SourceMaker::holds(const ClipGroup& group, std::size_t section, std::size_t track, std::size_t at,
                        const SourceTrack& out) const {
  const double most = slack_[section][targets_of(group, section)[track]];
  for (const float t : group.times)
    if (!out_.grid.has_exactly(t) && !(stray_at(group, section, at, out, t) <= most)) return false;
  for (std::uint32_t f = 0; f < out_.grid.steps && is_spline(group); ++f)
    if (!(stray_at(group, section, at, out, out_.grid.half(f)) <= most)) return false;
  return true;
}

bool SourceMaker::sample_track(const ClipGroup& group, std::size_t section, std::size_t track, SourceTrack& out) const {
  const std::size_t frames = out.form == TrackForm::constant ? 1 : out_.grid.steps + std::size_t{1};
  const std::size_t at = place_in_row(group, section, track), components = source_components(section);
  out.values.resize(frames * components);
  for (std::size_t f = 0; f < frames; ++f)
    evaluate(group, section, at, frames == 1 ? group.times.front() : out_.grid.time(std::uint32_t(f)),
             out.values.data() + f * components);
  out.halves.resize(is_spline(group) ? (frames - 1) * components : 0);
  for (std::size_t f = 0; f * components < out.halves.size(); ++f)
    evaluate(group, section, at, out_.grid.half(std::uint32_t(f)), out.halves.data() + f * components);
  return out.form != TrackForm::moving || holds(group, section, track, at, out);
}

/// Each interval in so many parts.
TimeGrid parts_of(TimeGrid grid, std::uint32_t parts) {
  grid.interval /= double(parts);
  grid.steps = std::uint32_t(std::max(1.0, std::ceil((double(grid.last) - grid.first) / grid.interval - 1e-3)));
  return grid;
}

std::size_t SourceMaker::sample(std::uint32_t parts) {
  out_.exact = true;
  out_.grid = parts == 1 ? grid_ : parts_of(grid_, parts);
  std::size_t too_coarse = 0;
  for (std::size_t g = 0; g < clip_.groups.size(); ++g) {
    const ClipGroup& group = clip_.groups[g];
    const bool on_grid = std::ranges::find(gliding_, g) != gliding_.end() && fits(group, out_.grid);
    const bool on_frames = on_grid && !is_spline(group) &&
                           std::ranges::all_of(group.times, [&](float t) { return out_.grid.has_exactly(t); });
    for (std::size_t s = 0; s < kSections; ++s) {
      const auto targets = targets_of(group, s);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        SourceTrack& track = out_.tracks[s][targets[i]];
        out_.exact = out_.exact && (on_frames || track.form == TrackForm::constant);
        if (track.form != TrackForm::constant) track.form = on_grid ? TrackForm::moving : TrackForm::keyframes;
        if (sample_track(group, s, i, track)) continue;
        track.form = TrackForm::keyframes;
        too_coarse += is_spline(group);
      }
    }
  }
  return too_coarse;
}

}  // namespace

ClipSource make_source(const Clip& clip, const Skeleton& skeleton, const SamplingSlack& slack) {
  SourceMaker maker(clip, skeleton, slack);
  // A spline's key takes as much as some thirty packed frames: more are not worth it.
  constexpr std::uint32_t kMostParts = 32;
  std::uint32_t best = 1, sampled = 1;
  std::size_t fewest = maker.sample(1);
  while (fewest > 0 && sampled < kMostParts) {
    sampled *= 2;
    if (const std::size_t too_coarse = maker.sample(sampled); too_coarse < fewest) fewest = too_coarse, best = sampled;
  }
  if (sampled != best) maker.sample(best);
  return maker.take();
}

}  // namespace sinew::detail
