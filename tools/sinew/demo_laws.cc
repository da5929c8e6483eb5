#include "demo_laws.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "evaluate.h"
#include "trace.h"

namespace sinew::tool {

namespace {

constexpr double kDegrees = 57.295779513082320877;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The larger of the two, and infinity for a NaN: one that is not a number must not hide behind a comparison.
double worse(double a, double b) { return std::isnan(b) ? kInfinity : std::max(a, b); }
double distance(Vec3 a, Vec3 b) { return glm::length(a - b); }

/// From joints that stand where the skin's meshes were made.
Palette bind_palette(const Character& character, const Skin& skin) {
  std::vector<Affine> model_from_joint(character.skeleton().joint_count());
  for (std::size_t i = 0; i < skin.joints.size(); ++i)
    model_from_joint[skin.joints[i]] = inverse(skin.inverse_bind_matrices[i]).value_or(Affine{});
  Palette palette(skin);
  run(PaletteJob{skin, model_from_joint, palette.matrices()});
  return palette;
}

bool same_bits(const Pose& a, const Pose& b) {
  for (std::size_t s = 0; s < kStreams; ++s) {
    const auto x = a.stream(Stream(s)), y = b.stream(Stream(s));
    if (std::memcmp(x.data(), y.data(), x.size_bytes()) != 0) return false;
  }
  return std::equal(a.channels().begin(), a.channels().end(), b.channels().begin(), b.channels().end());
}

void compare_keys(const ClipGroup& group, Path path, std::span<const std::uint32_t> joints, std::size_t key,
                  const Pose& pose, Differences& out) {
  for (std::size_t track = 0; track < joints.size(); ++track) {
    const std::vector<float> v = key_value(group, path, track, key);
    const Transform t = pose.transform(joints[track]);
    const bool same = path == Path::rotation      ? t.rotation == quat_xyzw(v[0], v[1], v[2], v[3])
                      : path == Path::translation ? t.translation == Vec3(v[0], v[1], v[2])
                                                  : t.scale == Vec3(v[0], v[1], v[2]);
    ++out.compared;
    out.different += !same;
  }
}

double angle_between(const Pose& a, const Pose& b, std::size_t joint) {
  return angle(conjugate(a.transform(joint).rotation) * b.transform(joint).rotation) * kDegrees;
}

/// How far a joint drifts along the ground in one clip while it is as low as it gets.
double drift_of(const Character& character, const Clip& clip, std::size_t joint) {
  constexpr float kRate = 240;      // between keys too
  constexpr float kTouch = 0.001f;  // metres above its lowest
  std::vector<Vec3> places;
  const auto frames = static_cast<std::size_t>(clip.duration * kRate) + 1;
  for (std::size_t i = 0; i < frames; ++i)
    places.push_back(transform_point(
        evaluate(character, Moment{&clip, static_cast<float>(i) / kRate}).model_from_joint[joint], Vec3(0)));
  float lowest = places[0].y;
  for (const Vec3& p : places) lowest = std::min(lowest, p.y);
  double drift = 0;
  const Vec3* down = nullptr;  // where it came down
  for (const Vec3& p : places) {
    if (p.y > lowest + kTouch) {
      down = nullptr;
    } else if (!down) {
      down = &p;
    } else {
      drift = worse(drift, std::hypot(p.x - down->x, p.z - down->z));
    }
  }
  return drift;
}

}  // namespace

std::vector<Moment> spread_moments(const Character& character) {
  constexpr int kSteps = 8;
  std::vector<Moment> out;
  for (const Clip& clip : character.clips())
    for (int i = 0; i <= kSteps; ++i)
      out.push_back({&clip, clip.first_key + (clip.duration - clip.first_key) * (static_cast<float>(i) / kSteps)});
  return out;
}

double worst_weight_sum(const Character& character) {
  double worst = 0;
  for (const Mesh& mesh : character.meshes())
    for (std::size_t i = 0; i < mesh.weights.size(); i += mesh.influence_count) {
      double sum = 0;
      for (std::size_t k = 0; k < mesh.influence_count; ++k) sum += mesh.weights[i + k];
      worst = worse(worst, std::abs(sum - 1));
    }
  return worst;
}

double worst_bind_palette(const Character& character) {
  const Affine identity;
  double worst = 0;
  for (const Skin& skin : character.skins()) {
    const Palette palette = bind_palette(character, skin);
    for (const Affine& m : palette.matrices())
      for (int i = 0; i < 12; ++i) worst = worse(worst, std::abs(m.rows[i / 4][i % 4] - identity.rows[i / 4][i % 4]));
  }
  return worst;
}

double worst_bind_vertex(const Character& character) {
  double worst = 0;
  for (const Part& part : character.parts()) {
    const Mesh& mesh = character.meshes()[part.mesh];
    const Palette palette = bind_palette(character, character.skins()[part.skin]);
    Vertices vertices(mesh);
    run(SkinJob{mesh, palette.matrices(), vertices,
                character.skeleton().rest_channels.subspan(part.first_channel, part.channel_count)});
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i)
      worst = worse(worst, distance(vertices.positions()[i], mesh.positions[i]));
  }
  return worst;
}

double worst_point_on_joint(const Character& character) {
  double worst = 0;
  for (const Moment& moment : spread_moments(character)) {
    const Instance instance = evaluate(character, moment);
    for (std::size_t s = 0; s < character.skins().size(); ++s) {
      const Skin& skin = character.skins()[s];
      for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const Affine mesh_from_joint = inverse(skin.inverse_bind_matrices[i]).value_or(Affine{});
        const Vec3 bound = transform_point(mesh_from_joint, Vec3(0));
        const Vec3 joint = transform_point(instance.model_from_joint[skin.joints[i]], Vec3(0));
        worst = worse(worst, distance(transform_point(instance.palettes[s].matrices()[i], bound), joint));
      }
    }
  }
  return worst;
}

double worst_rigid_motion(const Character& character) {
  Transform motion;
  motion.translation = Vec3(3, -1, 2);
  motion.rotation = quat_axis_angle(Vec3(1, 2, 3), 2);
  const Affine moved_from_model = to_affine(motion);
  double worst = 0;
  for (const Moment& moment : spread_moments(character)) {
    const Instance still = evaluate(character, moment);
    Pose pose = still.pose;
    const Skeleton& skeleton = character.skeleton();
    for (std::size_t row = 0; row < skeleton.joint_count(); ++row) {
      if (skeleton.parents[row] != kNone) continue;
      Transform root = pose.transform(row);
      root.translation = transform_point(moved_from_model, root.translation);
      root.rotation = motion.rotation * root.rotation;
      pose.set_transform(row, root);
    }
    const Instance moved = evaluate(character, pose);
    for (const Part& part : character.parts()) {
      const std::vector<Vec3> before = skin_part(character, part, still).positions,
                              after = skin_part(character, part, moved).positions;
      for (std::size_t i = 0; i < before.size(); ++i)
        worst = worse(worst, distance(transform_point(moved_from_model, before[i]), after[i]));
    }
  }
  return worst;
}

double worst_normal_length(const Character& character) {
  double worst = 0;
  for (const Moment& moment : spread_moments(character)) {
    const Instance instance = evaluate(character, moment);
    for (const Part& part : character.parts())
      for (const Vec3& n : skin_part(character, part, instance).normals)
        worst = worse(worst, std::abs(glm::length(n) - 1));
  }
  return worst;
}

Differences keys_against_samples(const Character& character) {
  Differences out;
  Pose pose(character.skeleton());
  for (const Clip& clip : character.clips())
    for (const ClipGroup& group : clip.groups)
      for (std::size_t key = 0; key < group.times.size(); ++key) {
        // Of keys at one time the last counts.
        if (key + 1 < group.times.size() && group.times[key + 1] == group.times[key]) continue;
        run(SampleJob{clip, character.skeleton(), group.times[key], pose});
        compare_keys(group, Path::rotation, group.rotations, key, pose, out);
        compare_keys(group, Path::translation, group.translations, key, pose, out);
        compare_keys(group, Path::scale, group.scales, key, pose, out);
      }
  return out;
}

Differences cursors_against_seeks(const Character& character) {
  constexpr int kSteps = 500;
  constexpr std::uint32_t kSeed = 20261129;
  std::mt19937 random(kSeed);
  Differences out;
  Pose by_cursor(character.skeleton()), by_seek(character.skeleton());
  for (const Clip& clip : character.clips()) {
    std::vector<std::uint32_t> cursors(clip.groups.size(), 0);
    float time = 0;
    for (int i = 0; i < kSteps; ++i) {
      time += 1.0f / 60;
      if (random() % 10 == 0) time -= 0.3f;                                                       // a step back
      if (random() % 20 == 0) time = clip.duration * static_cast<float>(random() % 1000) / 1000;  // a seek
      if (time > clip.duration) time = wrapped(clip, time);                                       // the loop's end
      if (random() % 20 == 0 && !cursors.empty())
        cursors[random() % cursors.size()] = static_cast<std::uint32_t>(random());  // a wrong hint
      run(SampleJob{clip, character.skeleton(), time, by_cursor, cursors});
      run(SampleJob{clip, character.skeleton(), time, by_seek});
      ++out.compared;
      out.different += !same_bits(by_cursor, by_seek);
    }
  }
  return out;
}

double worst_half_way(const Character& character, const char* from, const char* to) {
  const Clip* a = character.find_clip(from);
  const Clip* b = character.find_clip(to);
  if (!a || !b) return kInfinity;
  constexpr float kFade = 0.25f;  // seconds; half way is at its middle
  const Skeleton& skeleton = character.skeleton();
  Pose first(skeleton), second(skeleton), middle(skeleton);
  run(SampleJob{*a, skeleton, kFade / 2, first});
  run(SampleJob{*b, skeleton, kFade / 2, second});
  const BlendLayer layers[] = {{first, 0.5f}, {second, 0.5f}};
  run(BlendJob{skeleton, layers, middle});
  double worst = 0;
  for (std::size_t joint = 0; joint < skeleton.joint_count(); ++joint)
    worst = worse(worst, std::abs(angle_between(first, middle, joint) - angle_between(middle, second, joint)));
  return worst;
}

double worst_loop_gap(const Character& character) {
  double worst = 0;
  for (const Clip& clip : character.clips()) {
    if (clip.wrap_period <= 0) continue;
    const Instance start = evaluate(character, {&clip, 0}), end = evaluate(character, {&clip, clip.wrap_period});
    for (std::size_t joint = 0; joint < start.pose.joint_count(); ++joint)
      worst = worse(worst, angle_between(start.pose, end.pose, joint));
  }
  return worst;
}

double worst_foot_drift(const Character& character) {
  double worst = 0;
  for (const char* name : {"left_toes", "right_toes"}) {
    const std::int32_t joint = character.skeleton().find(name);
    if (joint == kNone) return kInfinity;
    for (const Clip& clip : character.clips())
      worst = worse(worst, drift_of(character, clip, static_cast<std::size_t>(joint)));
  }
  return worst;
}

double worst_explained(const Character& character) {
  constexpr std::size_t kVertices = 8;
  double worst = 0;
  for (const Clip& clip : character.clips())
    for (const Part& part : character.parts()) {
      const std::size_t count = character.meshes()[part.mesh].vertex_count();
      for (std::size_t i = 0; i < std::min(kVertices, count); ++i) {
        const VertexTrace traced =
            trace(character, part, i * (count / std::min(kVertices, count)), {&clip, clip.duration * 0.37f});
        worst = worse(worst, distance(traced.sum, traced.skinned));
      }
    }
  return worst;
}

double worst_vertex(const Character& a, const std::vector<Moment>& a_moments, const Character& b,
                    const std::vector<Moment>& b_moments) {
  if (a_moments.size() != b_moments.size() || a.parts().size() != b.parts().size()) return kInfinity;
  double worst = 0;
  for (std::size_t m = 0; m < a_moments.size(); ++m) {
    const Instance at_a = evaluate(a, a_moments[m]), at_b = evaluate(b, b_moments[m]);
    for (std::size_t p = 0; p < a.parts().size(); ++p) {
      const SkinnedPart x = skin_part(a, a.parts()[p], at_a), y = skin_part(b, b.parts()[p], at_b);
      if (x.positions.size() != y.positions.size()) return kInfinity;
      for (std::size_t i = 0; i < x.positions.size(); ++i)
        worst = worse(worst, distance(x.positions[i], y.positions[i]));
    }
  }
  return worst;
}

}  // namespace sinew::tool
