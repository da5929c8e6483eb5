// Clips that rotate a limb's joint get tracks for its twist joints.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "offline/twist_curve.h"
#include "offline/twist_detail.h"

namespace sinew::detail {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

/// The track that counts where a clip has several of the joint, as for `write`: the last. Null where there is none.
const Scene::Track* rotation_of(const Scene::Clip& clip, std::int32_t joint) {
  const Scene::Track* found = nullptr;
  for (const Scene::Track& track : clip.tracks)
    if (track.node == joint && track.path == Path::rotation && track.times < clip.times.size() &&
        !clip.times[track.times].empty())
      found = &track;
  return found;
}

bool has_values(const Scene::Track& track, std::size_t keys) {
  return track.values.size() == 4 * keys * (track.interpolation == Interpolation::cubicspline ? 3 : 1);
}

/// Derivative of `twist_rotation` by time.
std::array<float, 4> rotation_slope(const Limb& limb, double radians, double slope, std::uint32_t k) {
  const double half = radians * limb.share(k) / 2, speed = slope * limb.share(k) / 2;
  const double s = std::cos(half) * speed, c = -std::sin(half) * speed;
  constexpr double kMost = 1e30;  // players multiply by the time between keys, which may be as small as floats are
  const auto bounded = [&](double v) { return float(std::clamp(v, -kMost, kMost)); };
  return {bounded(limb.axis.x * s), bounded(limb.axis.y * s), bounded(limb.axis.z * s), bounded(c)};
}

/// The values of twist joint k. Signs follow the angle, so that players which do not look for the shorter arc turn the
/// same way.
std::vector<float> values_of(const Limb& limb, const TwistCurve& curve, std::uint32_t k) {
  std::vector<float> out;
  const bool spline = curve.interpolation == Interpolation::cubicspline;
  for (const TwistKey& key : curve.keys) {
    const Quat q = twist_rotation(limb, key.angle, k);
    if (spline)
      for (const float v : rotation_slope(limb, key.angle, key.in_slope, k)) out.push_back(v);
    out.insert(out.end(), {q.x, q.y, q.z, q.w});
    if (spline)
      for (const float v : rotation_slope(limb, key.angle, key.out_slope, k)) out.push_back(v);
  }
  return out;
}

void add_tracks(Scene::Clip& clip, const Limb& limb, const TwistCurve& curve, std::uint32_t times,
                const std::vector<std::int32_t>& joints) {
  if (curve.added > 0) {
    times = std::uint32_t(clip.times.size());
    std::vector<float>& list = clip.times.emplace_back();
    for (const TwistKey& key : curve.keys) list.push_back(key.time);
  }
  for (std::uint32_t k = 1; k <= limb.count; ++k) {
    Scene::Track track;
    track.node = joints[k - 1], track.path = Path::rotation;
    track.interpolation = curve.interpolation, track.times = times;
    track.values = values_of(limb, curve, k);
    clip.tracks.push_back(std::move(track));
  }
}

void note_curve(Report* report, const Limb& limb, const TwistCurve& curve, double greatest, const std::string& where) {
  if (!report) return;
  const auto number = [](double radians) { return std::to_string(int(std::lround(radians * kDegrees))); };
  constexpr double kSlack = 1e-3;
  if (greatest > std::numbers::pi + kSlack)
    add(*report,
        {Severity::warning, "twist.over_half_turn", where,
         "the joint twists by " + number(greatest) + " degrees from the bind pose: between neighbours in the row " +
             number(greatest / (limb.count + 1)) + " degrees are left, and where the clip begins anew the twist " +
             "joints may jump",
         "turn the parent with the joint"});
  if (curve.steep)
    add(*report, {Severity::warning, "twist.steep", where,
                  "the joint is bent by half a turn at times, where it has no twist; the twist joints pass over it",
                  "bend the joint less, or let its parent take a part"});
}

std::optional<Error> twist_clip(Twisted& out, const Limb& limb, std::size_t index, Report* report) {
  Scene::Clip& clip = out.scene.clips[index];
  TwistedClip& told = out.clips.emplace_back();
  told.greatest = float(std::fabs(limb.rest));
  const Scene::Track* track = rotation_of(clip, limb.joint);
  if (!track) return std::nullopt;
  const std::vector<float>& times = clip.times[track->times];
  const std::string where = place("clips", index);
  if (!has_values(*track, times.size()))
    return Error{ErrorCode::inconsistent, where,
                 std::to_string(track->values.size()) + " values for " + std::to_string(times.size()) +
                     " rotation keys of node " + std::to_string(limb.joint),
                 "give each key its values"};
  const TwistCurve curve = twist_curve(limb, *track, times);
  double greatest = 0, moved = 0;
  for (const TwistKey& key : curve.keys) {
    greatest = std::max(greatest, std::fabs(key.angle));
    moved = std::max(moved, std::fabs(key.angle - limb.rest));
  }
  told.greatest = float(greatest);
  note_curve(report, limb, curve, greatest, where);
  if (moved <= kTwistTolerance) return std::nullopt;
  told.keys = curve.keys.size(), told.added = curve.added;
  add_tracks(clip, limb, curve, track->times, out.joints);
  return std::nullopt;
}

}  // namespace

std::optional<Error> add_twist_tracks(Twisted& out, const Limb& limb, Report* report) {
  for (std::size_t c = 0; c < out.scene.clips.size(); ++c)
    if (auto error = twist_clip(out, limb, c, report)) return error;
  return std::nullopt;
}

}  // namespace sinew::detail
