#include "bench_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string_view>
#include <utility>

#include "costs.h"
#include "evaluate.h"
#include "sinew/packed.h"
#include "sinew/sinew.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr float kFrame = 1.0f / 60;  // seconds

/// Times to sample at, in turn, over and over.
struct Times {
  std::vector<float> seconds;
  std::size_t at = 0;
  float next() {
    const float time = seconds[at];
    if (++at == seconds.size()) at = 0;  // a division would cost as much as a small joint
    return time;
  }
};

/// One character's buffers, which all stages share, and the times that it is sampled at.
struct Stand {
  const Character& character;
  const Clip* clip;
  const Skeleton& skeleton = character.skeleton();
  Times forward, random;
  std::vector<std::uint32_t> cursors;
  Pose first, second;  ///< two poses to blend
  Instance instance;

  Stand(const Character& of, const Clip* sampled)
      : character(of), clip(sampled), first(of.skeleton()), second(of.skeleton()), instance(of) {
    if (clip) prepare_clip();
    run(InstanceJob{character, instance});
  }

 private:
  void prepare_clip() {
    constexpr std::size_t kMostTimes = 1 << 16;  // 18 minutes; a clip may claim any length
    const float span = clip->duration - clip->first_key;
    const double frames = std::min(double(span) / double(kFrame), double(kMostTimes - 1));
    for (std::size_t i = 0; i <= static_cast<std::size_t>(frames); ++i)
      forward.seconds.push_back(clip->first_key + static_cast<float>(i) * kFrame);
    std::mt19937 source(1);
    std::uniform_real_distribution<float> share(0, 1);
    for (std::size_t i = 0; i < 1024; ++i) random.seconds.push_back(clip->first_key + share(source) * span);
    cursors.resize(clip->groups.size());

    const std::span<const Clip> clips = character.clips();
    const Clip& other = clips[static_cast<std::size_t>(clip - clips.data() + 1) % clips.size()];
    const auto part_way = [&](const Clip& c, float way, Pose& pose) {
      run(SampleJob{c, skeleton, c.first_key + way * (c.duration - c.first_key), pose});
    };
    part_way(*clip, 0.3f, first), part_way(other, 0.7f, second);
    instance.pose = first;
  }
};

// --- Bytes that a call reads and writes, each counted once. ---

/// Of the packed tracks two rows of knots, codes and two rows of residuals, and the tables that say how to read them.
std::uint64_t packed_sample_bytes(const Clip& clip) {
  constexpr std::uint64_t kByteBits = 8;
  const PackedSummary packed = packed_summary(clip);
  const std::uint64_t tables = packed.table_bytes - packed.pose_bytes;  // which is read in the rest pose's place
  if (packed.frame_count < 2) return tables;
  const std::uint64_t steps = packed.frame_count - 1,
                      segments = (steps + packed.segment_frames - 1) / packed.segment_frames;
  std::uint64_t bits = 0;
  for (const PackedTrack& track : packed.tracks) {
    bits += 2 * track.knot_bits / (segments + 1) + track.code_bits / segments;
    if (steps > segments) bits += 2 * track.residual_bits / (steps - segments);
  }
  return tables + bits / kByteBits;
}

/// Of each group the rows of keys about a time and the joints that they drive, rest values of what no track drives,
/// and the pose.
std::uint64_t sample_bytes(const Clip& clip, const Skeleton& skeleton) {
  std::uint64_t bytes = pose_bytes(skeleton) + packed_sample_bytes(clip);
  for (const ClipGroup& group : clip.groups) {
    const std::size_t rows = group.interpolation == Interpolation::step     ? 1
                             : group.interpolation == Interpolation::linear ? 2
                                                                            : 4;  // two values and a tangent of each
    bytes += rows * group.row_floats() * sizeof(float) + group.rotations.size_bytes() +
             group.translations.size_bytes() + group.scales.size_bytes() + group.channels.size_bytes();
  }
  const std::uint64_t stream = padded(skeleton.joint_count()) * sizeof(float);
  return bytes + (clip.all_rotations ? 0 : 4 * stream) + (clip.all_translations ? 0 : 3 * stream) +
         (clip.all_scales ? 0 : 3 * stream) + skeleton.rest_channels.size_bytes();
}

std::uint64_t matrices_bytes(const Skeleton& skeleton) { return skeleton.joint_count() * sizeof(Affine); }

/// What each skin has, without the model matrices.
std::uint64_t skins_bytes(const Character& character) {
  std::uint64_t bytes = 0;
  for (const Skin& skin : character.skins()) bytes += skin_bytes(skin);
  return bytes;
}

/// Vertices in and out, influences, palette, and the morph targets that weigh anything.
std::uint64_t part_bytes(const Character& character, const Part& part, const Pose& pose, bool tangents) {
  const Mesh& mesh = character.meshes()[part.mesh];
  std::uint64_t in_and_out = mesh.positions.size_bytes() + mesh.normals.size_bytes();
  std::uint64_t targets = mesh.target_positions.size_bytes() + mesh.target_normals.size_bytes();
  if (tangents) in_and_out += mesh.tangents.size_bytes(), targets += mesh.target_tangents.size_bytes();
  const auto weights = pose.channels().subspan(part.first_channel, part.channel_count);
  const std::size_t used = weights.size() - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0f));
  return 2 * in_and_out + mesh.joints.size_bytes() + mesh.weights.size_bytes() +
         character.skins()[part.skin].joints.size() * sizeof(Affine) +
         (mesh.target_count ? targets / mesh.target_count * used : 0);
}

// --- The stages. Each captures what it works on. ---

using SharedStand = std::shared_ptr<Stand>;

enum class Order { forward, random };
Stage sample_stage(const SharedStand& s, std::string id, std::string name, Order order, bool with_cursors) {
  const auto run_it = [s, order, with_cursors](std::size_t calls) {
    Times& times = order == Order::forward ? s->forward : s->random;
    const std::span<std::uint32_t> cursors = with_cursors ? std::span(s->cursors) : std::span<std::uint32_t>();
    for (std::size_t i = 0; i < calls; ++i) {
      run(SampleJob{*s->clip, s->skeleton, times.next(), s->instance.pose, cursors});
      keep(s->instance.pose.stream(Stream::tx).data());
    }
  };
  return {.id = std::move(id),
          .name = std::move(name),
          .unit = "joint",
          .units = s->skeleton.joint_count(),
          .work = {run_it, sample_bytes(*s->clip, s->skeleton)}};
}

Stage blend_stage(const SharedStand& s) {
  const auto run_it = [s](std::size_t calls) {
    const BlendLayer layers[] = {{s->first, 0.25f}, {s->second, 0.75f}};
    for (std::size_t i = 0; i < calls; ++i) {
      run(BlendJob{s->skeleton, layers, s->instance.pose});
      keep(s->instance.pose.stream(Stream::tx).data());
    }
  };
  return {.id = "blend",
          .name = "blend of 2 poses",
          .unit = "joint",
          .units = s->skeleton.joint_count(),
          .work = {run_it, 3 * pose_bytes(s->skeleton)}};
}

Stage model_stage(const SharedStand& s) {
  const auto run_it = [s](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      run(ModelJob{s->skeleton, s->first, s->instance.model_from_joint});
      keep(s->instance.model_from_joint.data());
    }
  };
  return {.id = "model",
          .name = "local to model",
          .unit = "joint",
          .units = s->skeleton.joint_count(),
          .work = {run_it, pose_bytes(s->skeleton) + s->skeleton.parents.size_bytes() + matrices_bytes(s->skeleton)}};
}

void run_palettes(const Character& character, Instance& instance) {
  for (std::size_t i = 0; i < instance.palettes.size(); ++i) {
    run(PaletteJob{character.skins()[i], instance.model_from_joint, instance.palettes[i].matrices()});
    keep(instance.palettes[i].matrices().data());
  }
}

Stage palette_stage(const SharedStand& s) {
  const auto run_it = [s](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) run_palettes(s->character, s->instance);
  };
  const std::size_t skins = s->instance.palettes.size();
  return {.id = "palette",
          .name = skins == 1 ? "palette" : counted(skins, "palette"),
          .unit = "joint",
          .units = static_cast<std::size_t>(palette_bytes(s->character) / sizeof(Affine)),
          .work = {run_it, 2 * palette_bytes(s->character) + skins_bytes(s->character)}};
}

/// Positions, normals where the mesh has them, and tangents where they are wanted.
void run_part(Stand& s, std::size_t index, bool tangents) {
  const Part& part = s.character.parts()[index];
  VertexOutput output = s.instance.vertices[index];
  if (!tangents) output.tangents = {};
  run(SkinJob{s.character.meshes()[part.mesh], s.instance.palettes[part.skin].matrices(), output,
              s.first.channels().subspan(part.first_channel, part.channel_count)});
  keep(output.positions.at(0));
}

/// Several parts one after another; almost always it is one.
Stage skin_stage(const SharedStand& s, std::string name, std::vector<std::size_t> parts, bool tangents) {
  std::size_t vertices = 0;
  std::uint64_t bytes = 0;
  for (const std::size_t i : parts) {
    const Part& part = s->character.parts()[i];
    vertices += s->character.meshes()[part.mesh].vertex_count();
    bytes += part_bytes(s->character, part, s->first, tangents);
  }
  const std::int64_t only = parts.size() == 1 ? static_cast<std::int64_t>(parts[0]) : kNone;
  const auto run_it = [s, parts = std::move(parts), tangents](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i)
      for (const std::size_t part : parts) run_part(*s, part, tangents);
  };
  return {.id = tangents ? "skin_tangents" : "skin",
          .name = std::move(name),
          .unit = "vertex",
          .units = vertices,
          .part = only,
          .work = {run_it, bytes}};
}

/// A name for a table: not longer than a column can be.
std::string short_name(std::string_view name) {
  constexpr std::size_t kLongest = 24;
  if (name.size() <= kLongest) return in_quotes(name);
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // not inside a UTF-8 character
  return in_quotes(std::string(name.substr(0, end)) + "…");
}

/// One row a part, the largest first; what is too many for a table goes into one.
void add_skin_stages(std::vector<Stage>& stages, const SharedStand& s) {
  constexpr std::size_t kMostParts = 8;
  const auto mesh = [&](std::size_t part) -> const Mesh& {
    return s->character.meshes()[s->character.parts()[part].mesh];
  };
  std::vector<std::size_t> parts(s->character.parts().size());
  std::iota(parts.begin(), parts.end(), 0);
  std::erase_if(parts, [&](std::size_t i) { return mesh(i).vertex_count() == 0; });
  std::stable_sort(parts.begin(), parts.end(),
                   [&](std::size_t a, std::size_t b) { return mesh(a).vertex_count() > mesh(b).vertex_count(); });
  const std::size_t shown_parts = parts.size() <= kMostParts + 1 ? parts.size() : kMostParts;
  for (std::size_t i = 0; i < shown_parts; ++i) {
    const std::string name =
        fmt::format("skin part {} {}", parts[i], short_name(node_name(s->character, s->character.parts()[parts[i]])));
    stages.push_back(skin_stage(s, name, {parts[i]}, false));
    if (!mesh(parts[i]).tangents.empty()) stages.push_back(skin_stage(s, name + ", tangents too", {parts[i]}, true));
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown_parts));
  if (!parts.empty()) {
    const std::string name = fmt::format("skin the other {}", counted(parts.size(), "part"));
    stages.push_back(skin_stage(s, name, std::move(parts), false));
  }
}

/// A frame up to the palettes, of the clip's next frame or, without a clip, of the pose that is there.
void run_frame(const Character& character, const Clip* clip, float time, Pose& pose, std::span<Affine> model_from_joint,
               std::span<Palette> palettes, std::span<std::uint32_t> cursors) {
  if (clip) run(SampleJob{*clip, character.skeleton(), time, pose, cursors});
  run(ModelJob{character.skeleton(), pose, model_from_joint});
  for (std::size_t i = 0; i < palettes.size(); ++i)
    run(PaletteJob{character.skins()[i], model_from_joint, palettes[i].matrices()});
  keep(model_from_joint.data());
}

/// What an instance has of its own in a frame up to the palettes.
std::uint64_t own_bytes(const Character& character) {
  return pose_bytes(character.skeleton()) + matrices_bytes(character.skeleton()) + palette_bytes(character);
}

std::string from_to(const Stand& s, const char* last) {
  return fmt::format("{} to {}", s.clip ? "sample" : "model", last);
}

Stage character_stage(const SharedStand& s) {
  const auto run_it = [s](std::size_t calls) {
    Instance& i = s->instance;
    for (std::size_t call = 0; call < calls; ++call)
      run_frame(s->character, s->clip, s->clip ? s->forward.next() : 0, i.pose, i.model_from_joint, i.palettes,
                s->cursors);
  };
  const std::uint64_t shared = skins_bytes(s->character) + s->skeleton.parents.size_bytes() +
                               (s->clip ? sample_bytes(*s->clip, s->skeleton) - pose_bytes(s->skeleton) : 0);
  return {.id = "character",
          .name = "character, " + from_to(*s, s->instance.palettes.empty() ? "model" : "palette"),
          .unit = "joint",
          .units = s->skeleton.joint_count(),
          .work = {run_it, own_bytes(s->character) + shared}};
}

Stage skinned_character_stage(const SharedStand& s) {
  const auto run_it = [s](std::size_t calls) {
    for (std::size_t call = 0; call < calls; ++call) {
      if (s->clip) run(SampleJob{*s->clip, s->skeleton, s->forward.next(), s->instance.pose, s->cursors});
      run(InstanceJob{s->character, s->instance});
      keep(s->instance.vertices.data());
    }
  };
  std::uint64_t bytes = character_stage(s).work.bytes;
  for (const Part& part : s->character.parts()) bytes += part_bytes(s->character, part, s->first, true);
  return {.id = "skinned_character",
          .name = "character, " + from_to(*s, "skin"),
          .unit = "vertex",
          .units = static_cast<std::size_t>(placed_vertices(s->character)),
          .work = {run_it, bytes}};
}

/// One of a crowd.
struct Member {
  Pose pose;
  std::vector<Affine, AlignedAllocator<Affine>> model_from_joint;
  std::vector<Palette> palettes;
  std::vector<std::uint32_t> cursors;
  std::size_t frame;  // of Stand::forward
};

/// A call is one instance, the next call the next: by the time that one comes round again, the others have had the
/// caches. Each is at a frame of its own.
Stage crowd_stage(const SharedStand& s, std::size_t instances) {
  const std::size_t frames = s->forward.seconds.size();
  auto crowd = std::make_shared<std::vector<Member>>();
  crowd->reserve(instances);
  for (std::size_t i = 0; i < instances; ++i) {
    Member& member = crowd->emplace_back(Member{Pose(s->skeleton), {}, {}, s->cursors, frames ? 37 * i % frames : 0});
    member.model_from_joint.resize(s->skeleton.joint_count());
    member.palettes.reserve(s->character.skins().size());
    for (const Skin& skin : s->character.skins()) member.palettes.emplace_back(skin);
  }
  const auto run_it = [s, crowd, frames, next = std::size_t(0)](std::size_t calls) mutable {
    for (std::size_t call = 0; call < calls; ++call) {
      Member& m = (*crowd)[next];
      float time = 0;
      if (s->clip) {
        time = s->forward.seconds[m.frame];
        if (++m.frame == frames) m.frame = 0;
      }
      run_frame(s->character, s->clip, time, m.pose, m.model_from_joint, m.palettes, m.cursors);
      next = next + 1 == crowd->size() ? 0 : next + 1;
    }
  };
  const std::uint64_t kib = (instances * own_bytes(s->character) + 1023) / 1024;
  const std::string size = kib < 1024 ? fmt::format("{} KiB", kib) : fmt::format("{} MiB", grouped(kib / 1024));
  return {.id = "crowd",
          .name = fmt::format("one of a crowd of {}, {}", grouped(instances), size),
          .unit = "joint",
          .units = s->skeleton.joint_count(),
          .work = {run_it, own_bytes(s->character), instances}};
}

}  // namespace

std::uint64_t crowd_bytes(const Character& character, const Clip* clip) {
  return 2 * own_bytes(character) + sizeof(Member) + character.skins().size() * sizeof(Palette) +
         (clip ? clip->groups.size() * sizeof(std::uint32_t) : 0);
}

std::vector<Stage> stages_of(const Character& character, const Clip* clip, std::size_t instances) {
  const auto stand = std::make_shared<Stand>(character, clip);
  std::vector<Stage> stages;
  if (clip) {
    stages.push_back(sample_stage(stand, "sample_forward", "sample forward at 60 Hz", Order::forward, true));
    stages.push_back(sample_stage(stand, "sample_random", "sample at random times", Order::random, true));
    stages.push_back(
        sample_stage(stand, "sample_without_cursors", "sample forward without cursors", Order::forward, false));
  }
  stages.push_back(blend_stage(stand));
  stages.push_back(model_stage(stand));
  if (palette_bytes(character) > 0) stages.push_back(palette_stage(stand));
  add_skin_stages(stages, stand);
  stages.push_back(character_stage(stand));
  stages.push_back(crowd_stage(stand, instances));
  if (placed_vertices(character) > 0) stages.push_back(skinned_character_stage(stand));
  return stages;
}

}  // namespace sinew::tool
