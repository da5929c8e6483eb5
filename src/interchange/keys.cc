// Key values as stored: rotations' lengths and signs, and tracks that look as if they were meant to hold.
#include <algorithm>
#include <cmath>

#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

std::string track_text(const Import& task, std::size_t clip, const Scene::Track& track) {
  return text("clip ", numbered(clip, task.scene.clips[clip].name), ", joint node ",
              numbered(std::size_t(track.node), task.scene.nodes[std::size_t(track.node)].name));
}

/// The value of key `k`: the middle one of three for cubicspline.
const float* key_value(const Scene::Track& track, std::size_t k, std::size_t components) {
  return track.values.data() + (track.interpolation == Interpolation::cubicspline ? 3 * k + 1 : k) * components;
}

/// What the keys of a rotation track show.
struct RotationKeys {
  std::size_t off = 0, worst = 0;  ///< of another length than 1, beyond the tolerance
  double worst_length = 1;
  std::size_t flips = 0, first_flip = 0;  ///< neighbours of opposite sign
  std::size_t zero = 0;                   ///< key of no length; the number of keys: none
};

RotationKeys examine(const Scene::Track& track, std::size_t keys, float tolerance) {
  RotationKeys out;
  out.zero = keys;
  const float* before = nullptr;
  for (std::size_t k = 0; k < keys; ++k) {
    const float* q = key_value(track, k, 4);
    const double length =
        std::sqrt(double(q[0]) * q[0] + double(q[1]) * q[1] + double(q[2]) * q[2] + double(q[3]) * q[3]);
    if (length == 0) out.zero = std::min(out.zero, k);
    if (std::fabs(length - 1) > tolerance) {
      ++out.off;
      if (std::fabs(length - 1) > std::fabs(out.worst_length - 1)) out.worst_length = length, out.worst = k;
    }
    const bool flip = before && before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3] < 0;
    if (flip && out.flips++ == 0) out.first_flip = k;
    before = q;
  }
  return out;
}

}  // namespace

bool check_rotation_keys(Import& task, Json channel, std::size_t clip, std::size_t number, float tolerance) {
  const Scene::Track& track = task.scene.clips[clip].tracks[number];
  const std::vector<float>& times = task.scene.clips[clip].times[track.times];
  const RotationKeys keys = examine(track, times.size(), tolerance);
  if (keys.zero < times.size()) {
    return task.reader.fail(ErrorCode::bad_value, channel.path(),
                            text(track_text(task, clip, track), ": the rotation of key ", keys.zero, " at ",
                                 times[keys.zero], " s is zero, which is no rotation"),
                            "mend the key");
  }
  if (keys.off) {
    task.reader.note(Severity::warning, "rotation.not_unit", keys.off, std::fabs(keys.worst_length - 1), [&] {
      return Told{channel.path(),
                  text(track_text(task, clip, track), ": the rotation of key ", keys.worst, " at ", times[keys.worst],
                       " s has length ", keys.worst_length, "; it is used at length 1"),
                  "normalise the keys"};
    });
  }
  if (keys.flips == 0 || track.interpolation == Interpolation::step) return true;
  const std::string what = text(track_text(task, clip, track), ": ", keys.flips,
                                " sign flips between neighbouring keys; the first is at key ", keys.first_flip, ", ",
                                times[keys.first_flip], " s");
  // Between cubic keys of opposite sign the curve runs through other rotations; linear ones take the shorter arc.
  if (track.interpolation == Interpolation::cubicspline) {
    task.reader.note(Severity::warning, "qsign.cubic", keys.flips, 0, [&] {
      return Told{channel.path(), what + "; the curve between them swings", "give neighbouring keys the same sign"};
    });
  } else {
    task.reader.note(Severity::info, "qsign.flip", keys.flips, 0, [&] {
      return Told{channel.path(), what + "; the shorter arc is taken, but readers differ here",
                  "give neighbouring keys the same sign"};
    });
  }
  return true;
}

void note_held_keys(Import& task, Json channel, std::size_t clip, std::size_t number) {
  const Scene::Track& track = task.scene.clips[clip].tracks[number];
  const std::vector<float>& times = task.scene.clips[clip].times[track.times];
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
  task.reader.note(Severity::info, "interp.held", 1, 0, [&] {
    return Told{channel.path(),
                text(track_text(task, clip, track), ": looks like held keys: ", jumps,
                     " jumps between rows of equal keys, the first at key ", first_jump, ", ", times[first_jump],
                     " s; it is kept as LINEAR"),
                "write it as STEP if the jumps are meant"};
  });
}

}  // namespace sinew::gltf
