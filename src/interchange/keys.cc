// Key values as stored: rotations' lengths and signs, and tracks that look as if they were meant to hold.
#include <algorithm>
#include <cmath>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

std::string track_text(const Import& import, std::size_t clip, const Scene::Track& track) {
  return text("clip ", numbered(clip, import.scene.clips[clip].name), ", joint node ",
              numbered(std::size_t(track.node), import.scene.nodes[std::size_t(track.node)].name));
}

std::string track_path(std::size_t clip, std::size_t track) { return text("animations[", clip, "], track ", track); }

/// The value of key `k`: the middle one of three for cubicspline.
const float* key_value(const Scene::Track& track, std::size_t k, std::size_t components) {
  return track.values.data() + (track.interpolation == Interpolation::cubicspline ? 3 * k + 1 : k) * components;
}

}  // namespace

bool check_rotation_keys(Import& import, std::size_t clip, std::size_t number, float tolerance) {
  const Scene::Track& track = import.scene.clips[clip].tracks[number];
  const std::vector<float>& times = import.scene.clips[clip].times[track.times];
  std::size_t off = 0, worst = 0, flips = 0, first_flip = 0;
  double worst_length = 1;
  const float* before = nullptr;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const float* q = key_value(track, k, 4);
    const double length =
        std::sqrt(double(q[0]) * q[0] + double(q[1]) * q[1] + double(q[2]) * q[2] + double(q[3]) * q[3]);
    if (length == 0) {
      return import.reader.fail(ErrorCode::bad_value, track_path(clip, number),
                                text(track_text(import, clip, track), ": the rotation of key ", k, " at ", times[k],
                                     " s is zero, which is no rotation"),
                                "mend the key");
    }
    if (std::fabs(length - 1) > tolerance) {
      ++off;
      if (std::fabs(length - 1) > std::fabs(worst_length - 1)) worst_length = length, worst = k;
    }
    if (before && before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3] < 0 && flips++ == 0)
      first_flip = k;
    before = q;
  }
  if (off) {
    import.reader.note(Severity::warning, "rotation.not_unit", off, std::fabs(worst_length - 1), [&] {
      return Told{track_path(clip, number), text(track_text(import, clip, track), ": the rotation of key ", worst, " at ", times[worst], " s has length ", worst_length, "; it is used at length 1"), "normalise the keys"};
  });
}
if (flips && track.interpolation != Interpolation::step) {
  // Between cubic keys of opposite sign the curve runs through other rotations; linear ones take the shorter arc.
  const bool cubic = track.interpolation == Interpolation::cubicspline;
    import.reader.note(cubic ? Severity::warning : Severity::info, cubic ? "qsign.cubic" : "qsign.flip", flips, 0, [&] {
      return Told{track_path(clip, number), text(track_text(import, clip, track), ": ", flips, " sign flips between neighbouring keys; the first is at key ", first_flip, ", ", times[first_flip], " s",
                                                 cubic ? "; the curve between them swings" : "; the shorter arc is taken"),
                  cubic ? "give neighbouring keys the same sign" : "readers differ here: give neighbouring keys the same sign"};
});
}  // namespace sinew::gltf
return true;
}

void note_held_keys(Import& import, std::size_t clip, std::size_t number) {
  const Scene::Track& track = import.scene.clips[clip].tracks[number];
  const std::vector<float>& times = import.scene.clips[clip].times[track.times];
  constexpr std::size_t kLeastHold = 3,
                        kLeastKeys = 2 * kLeastHold;  // intervals without change on both sides of a jump
  constexpr float kLeastJump = 1e-3f;                 // of the largest value
  const std::size_t keys = times.size();
  if (keys < kLeastKeys || track.values.empty()) return;
  const std::size_t components = track.values.size() / keys;
  std::size_t jumps = 0, first_jump = 0, hold = 0;
  float largest = 0, largest_jump = 0;
  for (std::size_t k = 1; k < keys; ++k) {
    const float* a = key_value(track, k - 1, components);
    const float* b = key_value(track, k, components);
    if (std::equal(a, a + components, b)) {
      ++hold;
      continue;
    }
    if (hold < kLeastHold) return;
    if (jumps++ == 0) first_jump = k;
    for (std::size_t c = 0; c < components; ++c) {
      largest = std::max({largest, std::fabs(a[c]), std::fabs(b[c])});
      largest_jump = std::max(largest_jump, std::fabs(a[c] - b[c]));
    }
    hold = 0;
  }
  if (jumps == 0 || hold < kLeastHold || largest_jump < kLeastJump * largest) return;
  import.reader.note(Severity::info, "interp.held", 1, 0, [&] {
    return Told{track_path(clip, number), text(track_text(import, clip, track), ": looks like held keys: ", jumps, " jumps between rows of equal keys, the first at key ", first_jump, ", ", times[first_jump], " s; it is kept as LINEAR"), "write it as STEP if the jumps are meant"};
});
}

}  // namespace sinew::gltf
