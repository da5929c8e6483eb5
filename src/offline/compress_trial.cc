#include "offline/compress_trial.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::detail {
namespace {

Quatd quat_at(const std::vector<double>& values, std::size_t frame) {
  const double* v = values.data() + (values.size() > 4 ? 4 * frame : 0);
  return {v[0], v[1], v[2], v[3]};
}
Vec3d vector_at(const std::vector<double>& values, std::size_t frame) {
  const double* v = values.data() + (values.size() > 3 ? 3 * frame : 0);
  return {v[0], v[1], v[2]};
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double value) { low = std::min(low, value), high = std::max(high, value); }
  double middle() const { return low + (high - low) / 2; }
};
using Ranges = std::array<Range, 3>;

Vec3d middle(const Ranges& r) { return {r[0].middle(), r[1].middle(), r[2].middle()}; }

/// Turns from a mean, their signs chosen so that neighbours are near each other, but for those far beyond half a turn.
std::vector<Vec3d> turns_from(Quatd mean, const std::vector<Quatd>& rotations) {
  constexpr double kFar = -0.3;
  std::vector<Vec3d> out;
  out.reserve(rotations.size());
  Quatd last;
  for (const Quatd& q : rotations) {
    Quatd turn = conjugate(mean) * q;
    if (dot(last, turn) < 0) turn = -turn;
    if (turn.w < kFar) turn = -turn;
    out.push_back(rodrigues(turn));
    last = turn;
  }
  return out;
}

bool all_within(const std::vector<Vec3d>& values, Vec3d middle, Vec3d half) {
  return std::ranges::all_of(values, [&](Vec3d v) {
    const Vec3d d = v - middle;
    return std::fabs(d.x) <= half.x && std::fabs(d.y) <= half.y && std::fabs(d.z) <= half.z;
  });
}

/// Whether a track's numbers find room.
struct TrackFit {
  unsigned knot_bits = 0;
  bool each = true;
  void add(const Rounded& rounded) { knot_bits += rounded.knot_bits, each = each && rounded.fits; }
  bool fits() const { return each && knot_bits <= kTrackKnotBits; }
};

bool is_coded(const SourceTrack& track) { return track.form == TrackForm::constant || track.form == TrackForm::moving; }

}  // namespace

/// What a trial has of the joint in hand, and of all those before it.
struct Trial::State {
  const std::vector<double>& coarseness;
  unsigned shift;
  TrialResult result;
  std::vector<Quatd> rotations;             // of the joint, frame by frame
  std::vector<Vec3d> translations, scales;  // likewise
  std::vector<Affined> model;               // of all, as Trial's
  std::vector<Quatd> model_rotation;
  Rounded rounded;
  std::vector<std::vector<double>> channel_errors;  // by channel, of each frame; empty: none
};

Trial::Trial(const ClipSource& source, const Skeleton& skeleton, const ErrorShape& shape, double tolerance)
    : source_(source), skeleton_(skeleton), shape_(shape), tolerance_(tolerance), frames_(source.frame_count()) {
  measure_source();
  measure_reach();
}

Quatd Trial::source_rotation(std::size_t joint, std::size_t frame) const {
  const SourceTrack& track = source_.tracks[0][joint];
  return track.form == TrackForm::absent ? widened(skeleton_.rest_transform(joint).rotation)
                                         : unit(quat_at(track.values, frame));
}

Vec3d Trial::source_vector(std::size_t section, std::size_t joint, std::size_t frame) const {
  const SourceTrack& track = source_.tracks[section][joint];
  if (track.form != TrackForm::absent) return vector_at(track.values, frame);
  const Transform rest = skeleton_.rest_transform(joint);
  return widened(section == 1 ? rest.translation : rest.scale);
}

/// Halfway from a frame to the next one.
Quatd Trial::half_rotation(std::size_t joint, std::size_t frame) const {
  const SourceTrack& track = source_.tracks[0][joint];
  if (!track.halves.empty())
    return unit({track.halves[4 * frame], track.halves[4 * frame + 1], track.halves[4 * frame + 2],
                 track.halves[4 * frame + 3]});
  return slerp(source_rotation(joint, frame), source_rotation(joint, frame + 1), 0.5);
}

Vec3d Trial::half_vector(std::size_t section, std::size_t joint, std::size_t frame) const {
  const SourceTrack& track = source_.tracks[section][joint];
  if (!track.halves.empty()) return {track.halves[3 * frame], track.halves[3 * frame + 1], track.halves[3 * frame + 2]};
  return (source_vector(section, joint, frame) + source_vector(section, joint, frame + 1)) * 0.5;
}

void Trial::measure_source() {
  const std::size_t joints = skeleton_.joint_count();
  model_.resize(joints * frames_);
  model_rotation_.resize(joints * frames_);
  for (std::size_t j = 0; j < joints; ++j) {
    const std::int32_t parent = skeleton_.parents[j];
    for (std::size_t f = 0; f < frames_; ++f) {
      const Quatd q = source_rotation(j, f);
      const Affined local = affine(source_vector(1, j, f), q, source_vector(2, j, f));
      const std::size_t at = j * frames_ + f, above = std::size_t(parent) * frames_ + f;
      model_[at] = parent < 0 ? local : model_[above] * local;
      model_rotation_[at] = parent < 0 ? q : model_rotation_[above] * q;
    }
  }
}

/// Farthest distance from each axis of a joint that something it carries has.
void Trial::measure_reach() {
  const std::size_t joints = skeleton_.joint_count();
  std::vector<double> own(joints, 0);
  std::vector<std::size_t> depth(joints, 1);
  std::size_t pairs = 0;
  for (std::size_t j = 0; j < joints; ++j) {
    for (const Vec3d& p : shape_.points[j]) own[j] = std::max(own[j], length(p));
    if (skeleton_.parents[j] >= 0) depth[j] += depth[std::size_t(skeleton_.parents[j])];
    pairs += depth[j];
  }
  constexpr std::size_t kPairs = 4'000'000;  // looked at, in as many frames as that allows
  const std::size_t looked =
      std::min(frames_, std::clamp<std::size_t>(kPairs / std::max<std::size_t>(pairs, 1), 2, 64));
  reach_.assign(joints, {});
  for (std::size_t k = 0; k < looked; ++k) {
    const std::size_t frame = looked < 2 ? 0 : k * (frames_ - 1) / (looked - 1);
    for (std::size_t j = 0; j < joints; ++j) {
      const Affined& carried = model_[j * frames_ + frame];
      double scale = 0;
      for (std::size_t c = 0; c < 3; ++c)
        scale = std::max(scale, length(Vec3d{carried.m[0][c], carried.m[1][c], carried.m[2][c]}));
      for (std::int32_t a = std::int32_t(j); a >= 0; a = skeleton_.parents[std::size_t(a)]) {
        const Affined& m = model_[std::size_t(a) * frames_ + frame];
        const Vec3d d{carried.m[0][3] - m.m[0][3], carried.m[1][3] - m.m[1][3], carried.m[2][3] - m.m[2][3]};
        for (std::size_t c = 0; c < 3; ++c) {
          const Vec3d axis{m.m[0][c], m.m[1][c], m.m[2][c]};
          const double square = dot(axis, axis), along = dot(axis, d);
          const double off = std::sqrt(std::max(0.0, dot(d, d) - (square > 0 ? along * along / square : 0)));
          double& reach = reach_[std::size_t(a)][c];
          reach = std::max(reach, off + own[j] * scale);
        }
      }
    }
  }
}

void Trial::code_rotation(State& state, std::size_t joint) const {
  state.rotations.resize(frames_);
  for (std::size_t f = 0; f < frames_; ++f) state.rotations[f] = source_rotation(joint, f);
  const SourceTrack& track = source_.tracks[0][joint];
  if (!is_coded(track)) return;
  Vec3d steps;  // of Rodrigues parameters: one turns by four times as many radians
  for (std::size_t c = 0; c < 3; ++c)
    steps[c] = state.coarseness[joint] * tolerance_ / (2 * std::max(reach_[joint][c], 1e-30));
  const Quatd rest = widened(skeleton_.rest_transform(joint).rotation);
  if (all_within(turns_from(rest, state.rotations), {}, steps * 0.5)) {
    std::ranges::fill(state.rotations, rest);
    return;
  }
  Quatd sum{0, 0, 0, 0};
  for (const Quatd& stored : state.rotations) {
    const Quatd q = dot(stored, state.rotations[0]) < 0 ? -stored : stored;
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  const Quatd mean = unit(sum);
  if (track.form == TrackForm::constant || all_within(turns_from(mean, state.rotations), {}, steps * 0.5)) {
    const std::uint64_t bits = pack_constant(mean);
    state.result.plan.constant[0].push_back({std::uint32_t(joint), bits, {}});
    std::ranges::fill(state.rotations, widened(unpack_constant(bits)));
    return;
  }
  state.result.plan.moving[0].push_back(moving_rotation(state, joint, steps, mean));
}

MovingTrack Trial::moving_rotation(State& state, std::size_t joint, const Vec3d& steps, Quatd mean) const {
  // The parent's error is taken back here, so that errors of angles do not add up along a chain.
  if (const std::int32_t parent = skeleton_.parents[joint]; parent >= 0) {
    const Quatd* reached = state.model_rotation.data() + std::size_t(parent) * frames_;
    const Quatd* wanted = model_rotation_.data() + joint * frames_;
    for (std::size_t f = 0; f < frames_; ++f) state.rotations[f] = unit(conjugate(reached[f]) * wanted[f]);
  }
  Ranges ranges;
  for (const Vec3d& u : turns_from(mean, state.rotations))
    for (std::size_t c = 0; c < 3; ++c) ranges[c].take(u[c]);
  MovingTrack out;
  out.target = std::uint32_t(joint);
  out.mean = pack_mean(mean * from_rodrigues(middle(ranges)));
  const Quatd centre = widened(unpack_mean(out.mean));
  std::vector<Vec3d> turns = turns_from(centre, state.rotations);
  TrackFit fit;
  for (std::size_t c = 0; c < 3; ++c) {
    out.codes[c] = step_code(kAngularExponent, steps[c], kGreatestAngularCode);
    const double step = packed_step(kAngularExponent, out.codes[c]);
    out.wanted[c].resize(frames_);
    for (std::size_t f = 0; f < frames_; ++f) out.wanted[c][f] = turns[f][c] / step;
    round_numbers(out.wanted[c], state.shift, state.rounded);
    fit.add(state.rounded);
    for (std::size_t f = 0; f < frames_; ++f) turns[f][c] = state.rounded.reached[f] * step;
  }
  for (std::size_t f = 0; f < frames_; ++f) state.rotations[f] = centre * from_rodrigues(turns[f]);
  if (!fit.fits()) state.result.unfit.emplace_back(0, joint);
  return out;
}

/// Of the step of code 0 of translations: a thousandth of the tolerance, or so.
int Trial::length_exponent() const {
  int exponent = 0;
  std::frexp(tolerance_ / 1024, &exponent);
  return std::clamp(exponent, -100, 60);
}

void Trial::code_vector(State& state, std::size_t section, std::size_t joint) const {
  std::vector<Vec3d>& values = section == 1 ? state.translations : state.scales;
  values.resize(frames_);
  for (std::size_t f = 0; f < frames_; ++f) values[f] = source_vector(section, joint, f);
  const SourceTrack& track = source_.tracks[section][joint];
  if (!is_coded(track)) return;
  const Vec3d& reach = reach_[joint];
  const double distance = 2 * state.coarseness[joint] * tolerance_;
  const double wanted_step = section == 1 ? distance : distance / std::max({reach.x, reach.y, reach.z, 1e-30});
  const Vec3d half = Vec3d{1, 1, 1} * (wanted_step / 2);
  const Transform rest = skeleton_.rest_transform(joint);
  const Vec3d at_rest = widened(section == 1 ? rest.translation : rest.scale);
  if (all_within(values, at_rest, half)) {
    std::ranges::fill(values, at_rest);
    return;
  }
  Ranges ranges;
  for (const Vec3d& v : values)
    for (std::size_t c = 0; c < 3; ++c) ranges[c].take(v[c]);
  const Vec3d centre = middle(ranges);
  const std::array<float, 3> stored = {float(centre.x), float(centre.y), float(centre.z)};
  if (track.form == TrackForm::constant || all_within(values, centre, half)) {
    state.result.plan.constant[section].push_back({std::uint32_t(joint), 0, stored});
    std::ranges::fill(values, Vec3d{double(stored[0]), double(stored[1]), double(stored[2])});
    return;
  }
  MovingTrack out;
  out.target = std::uint32_t(joint);
  out.centre = stored;
  const int exponent = section == 1 ? length_exponent() : kAngularExponent;
  const std::uint8_t code = step_code(exponent, wanted_step, section == 1 ? 255 : kGreatestAngularCode);
  const double step = packed_step(exponent, code);
  TrackFit fit;
  for (std::size_t c = 0; c < 3; ++c) {
    out.codes[c] = code;
    out.wanted[c].resize(frames_);
    for (std::size_t f = 0; f < frames_; ++f) out.wanted[c][f] = (values[f][c] - double(stored[c])) / step;
    round_numbers(out.wanted[c], state.shift, state.rounded);
    fit.add(state.rounded);
    for (std::size_t f = 0; f < frames_; ++f) values[f][c] = double(stored[c]) + state.rounded.reached[f] * step;
  }
  if (!fit.fits()) state.result.unfit.emplace_back(section, joint);
  state.result.plan.moving[section].push_back(std::move(out));
}

/// Morph weights move vertices by themselves: they get a share of the tolerance that the caller has set aside.
void Trial::code_channel(State& state, std::size_t channel) const {
  const SourceTrack& track = source_.tracks[3][channel];
  if (!is_coded(track)) return;
  constexpr double kUnseen = 1.0 / 1024;  // a step where no vertex moves
  const double reach = shape_.channel_reach[channel];
  const double wanted_step = reach > 0 ? 2 * tolerance_ * kChannelShare / reach : kUnseen;
  Range range;
  for (const double v : track.values) range.take(v);
  const double rest = double(skeleton_.rest_channels[channel]);
  std::vector<double>& errors = state.channel_errors[channel];
  const auto stray_from = [&](double constant) {
    for (const double v : track.values) errors.push_back(std::fabs(v - constant));
  };
  if (std::max(range.high - rest, rest - range.low) <= wanted_step / 2) return stray_from(rest);
  const float centre = float(range.middle());
  if (track.form == TrackForm::constant || range.high - range.low <= wanted_step) {
    state.result.plan.constant[3].push_back({std::uint32_t(channel), 0, {centre}});
    return stray_from(double(centre));
  }
  MovingTrack out;
  out.target = std::uint32_t(channel);
  out.centre = {centre};
  out.codes[0] = step_code(kAngularExponent, wanted_step, kGreatestAngularCode);
  const double step = packed_step(kAngularExponent, out.codes[0]);
  for (const double v : track.values) out.wanted[0].push_back((v - double(centre)) / step);
  round_numbers(out.wanted[0], state.shift, state.rounded);
  if (!state.rounded.fits) state.result.unfit.emplace_back(3, channel);
  for (std::size_t f = 0; f < frames_; ++f)
    errors.push_back(std::fabs(out.wanted[0][f] - state.rounded.reached[f]) * step);
  state.result.plan.moving[3].push_back(std::move(out));
}

/// Where the joint is in all frames, and how far its points are from where they should be.
void Trial::place_joint(State& state, std::size_t joint) const {
  const std::int32_t parent = skeleton_.parents[joint];
  double worst = 0;
  for (std::size_t f = 0; f < frames_; ++f) {
    const std::size_t at = joint * frames_ + f, above = std::size_t(parent) * frames_ + f;
    const Affined local = affine(state.translations[f], state.rotations[f], state.scales[f]);
    state.model[at] = parent < 0 ? local : state.model[above] * local;
    state.model_rotation[at] = parent < 0 ? state.rotations[f] : state.model_rotation[above] * state.rotations[f];
    const Affined stray = state.model[at] - model_[at];
    for (const Vec3d& p : shape_.points[joint]) {
      const Vec3d d = transform(stray, p);
      worst = std::max(worst, dot(d, d));
    }
  }
  state.result.errors[joint] = std::sqrt(worst);
  state.result.worst = std::max(state.result.worst, state.result.errors[joint]);
}

Trial::State Trial::make_state(const std::vector<double>& coarseness, unsigned shift) const {
  const std::size_t joints = skeleton_.joint_count();
  State state{coarseness, shift, {}, {}, {}, {}, {}, {}, {}, {}};
  PackPlan& plan = state.result.plan;
  plan.frame_count = source_.frame_count();
  plan.first = source_.grid.first, plan.seconds_per_frame = source_.grid.interval, plan.last = source_.grid.last;
  plan.length_exponent = length_exponent();
  plan.joint_count = joints, plan.channel_count = skeleton_.channel_count();
  state.result.errors.assign(joints, 0);
  state.model.resize(joints * frames_);
  state.model_rotation.resize(joints * frames_);
  state.channel_errors.resize(skeleton_.channel_count());
  return state;
}

void Trial::code_joint(State& state, std::size_t joint) const {
  code_rotation(state, joint);
  code_vector(state, 1, joint);
  code_vector(state, 2, joint);
  place_joint(state, joint);
}

TrialResult Trial::run(const std::vector<double>& coarseness, unsigned shift) const {
  State state = make_state(coarseness, shift);
  for (std::size_t j = 0; j < skeleton_.joint_count(); ++j) code_joint(state, j);
  for (std::size_t c = 0; c < skeleton_.channel_count(); ++c) code_channel(state, c);
  return std::move(state.result);
}

/// The joints' matrices differ; how far do the vertices at most?
double Trial::vertex_error(const std::vector<Affined>& wanted, const std::vector<Affined>& reached) const {
  std::vector<Affined> difference(wanted.size());
  double bound = 0;
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    difference[j] = reached[j] - wanted[j];
    for (const Vec3d& p : shape_.corners[j]) bound = std::max(bound, length(transform(difference[j], p)));
  }
  // A vertex is a mean of points in the boxes, none of which strays farther than a corner.
  if (bound <= tolerance_) return bound;
  double worst = 0;
  for (const Part& part : shape_.character->parts()) {
    const Mesh& mesh = shape_.character->meshes()[part.mesh];
    const Skin& skin = shape_.character->skins()[part.skin];
    std::vector<Affined> palette(skin.joints.size());
    for (std::size_t e = 0; e < palette.size(); ++e) {
      palette[e] = difference[skin.joints[e]] * widened(skin.inverse_bind_matrices[e]);
    }
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3d p = widened(mesh.positions[v]);
      Vec3d sum;
      for (std::size_t k = v * mesh.influence_count; k < (v + 1) * mesh.influence_count; ++k)
        sum = sum + transform(palette[mesh.joints[k]], p) * double(mesh.weights[k]);
      worst = std::max(worst, dot(sum, sum));
    }
  }
  return std::sqrt(worst);
}

/// How far wrong morph weights may move a vertex in a frame: the sum of what each can do, and that by the largest scale.
double Trial::morph_error(const State& state, const std::vector<Affined>& wanted, std::size_t frame) const {
  double worst = 0;
  for (const Part& part : shape_.character->parts()) {
    double moved = 0;
    for (std::uint32_t c = part.first_channel; c < part.first_channel + part.channel_count; ++c) {
      const std::vector<double>& errors = state.channel_errors[c];
      if (!errors.empty()) moved += shape_.target_lengths[c] * errors[errors.size() > 1 ? frame : 0];
    }
    if (moved > 0) worst = std::max(worst, moved * greatest_scale(shape_.character->skins()[part.skin], wanted));
  }
  return worst;
}

double Trial::check(const std::vector<double>& coarseness, unsigned shift) const {
  const std::size_t joints = skeleton_.joint_count();
  State state = make_state(coarseness, shift);
  const std::size_t halves = frames_ - 1;
  std::vector<Affined> wanted(joints * halves), reached(joints * halves);  // halfway between frames, joint by joint
  double worst = 0;
  for (std::size_t j = 0; j < joints; ++j) {
    code_joint(state, j);
    const std::int32_t parent = skeleton_.parents[j];
    for (std::size_t h = 0; h < halves; ++h) {
      const auto kept = [&](std::size_t section) { return source_.tracks[section][j].form == TrackForm::keyframes; };
      const auto middle_of = [](Vec3d a, Vec3d b) { return (a + b) * 0.5; };
      const Quatd rotation = half_rotation(j, h);
      const Vec3d translation = half_vector(1, j, h), scale = half_vector(2, j, h);
      const Affined from_source = affine(translation, rotation, scale);
      const Affined coded = affine(kept(1) ? translation : middle_of(state.translations[h], state.translations[h + 1]),
                                   kept(0) ? rotation : slerp(state.rotations[h], state.rotations[h + 1], 0.5),
                                   kept(2) ? scale : middle_of(state.scales[h], state.scales[h + 1]));
      const std::size_t at = j * halves + h, above = std::size_t(parent) * halves + h;
      wanted[at] = parent < 0 ? from_source : wanted[above] * from_source;
      reached[at] = parent < 0 ? coded : reached[above] * coded;
      const Affined stray = reached[at] - wanted[at];
      for (const Vec3d& p : shape_.points[j]) worst = std::max(worst, length(transform(stray, p)));
    }
  }
  worst = std::max(worst, state.result.worst);
  std::vector<Affined> a(joints), b(joints);
  const auto vertices_at = [&](const std::vector<Affined>& source, const std::vector<Affined>& coded, std::size_t time,
                               std::size_t times) {
    for (std::size_t j = 0; j < joints; ++j) a[j] = source[j * times + time], b[j] = coded[j * times + time];
    double morphed = morph_error(state, a, time);
    if (times < frames_) morphed = std::max(morphed, morph_error(state, a, time + 1));
    worst = std::max(worst, vertex_error(a, b) + morphed);
  };
  if (shape_.character->parts().empty()) return worst;
  for (std::size_t c = 0; c < skeleton_.channel_count(); ++c) code_channel(state, c);
  for (std::size_t f = 0; f < frames_; ++f) vertices_at(model_, state.model, f, frames_);
  for (std::size_t h = 0; h < halves; ++h) vertices_at(wanted, reached, h, halves);
  return worst;
}

}  // namespace sinew::detail
