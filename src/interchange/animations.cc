// Animations: channels and samplers become tracks that share lists of times.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "interchange/decode.h"
#include "interchange/gltf.h"
#include "interchange/text.h"

namespace sinew::gltf {

namespace {

constexpr const char* kWriteAgain = "write the file again by a program that follows glTF 2.0";

/// One animation while it is read.
struct Animation {
  Json json, samplers;
  std::size_t number = 0;
  std::map<std::int32_t, std::uint32_t> times;           ///< by accessor: index into the clip's lists
  std::map<std::pair<std::int32_t, Path>, Json> driven;  ///< by node and path: the channel
};

std::string clip_text(const Import& task, std::size_t clip) {
  return "clip " + numbered(clip, task.scene.clips[clip].name);
}

std::string node_text(const Import& task, std::int32_t node) {
  return "node " + numbered(std::size_t(node), task.scene.nodes[std::size_t(node)].name);
}

bool check_times(Import& task, Json where, std::size_t clip, const std::vector<float>& times) {
  std::size_t equal = 0, first_equal = 0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (times[k] < times[k - 1]) {
      return task.reader.fail(ErrorCode::bad_value, where.path(),
                              text("the times of ", clip_text(task, clip), " go back: key ", k, " is at ", times[k],
                                   " s, after ", times[k - 1], " s"),
                              "sort the keys by time");
    }
    if (times[k] == times[k - 1] && equal++ == 0) first_equal = k;
  }
  if (equal) {
    task.reader.note(Severity::warning, "times.duplicate", equal, 0, [&] {
      return Told{
          where.path(),
          text(equal, " keys of ", clip_text(task, clip), " are at the time of the key before; the first is key ",
               first_equal, " at ", times[first_equal], " s; the later key counts"),
          "remove the keys that are not meant"};
    });
  }
  if (!times.empty() && times[0] < 0)
    task.reader.note(Severity::warning, "times.negative", 1, 0, [&] {
      return Told{where.path(), text("the first key of ", clip_text(task, clip), " is at ", times[0], " s, before 0"),
                  "shift the clip"};
    });
  return true;
}

/// The list of times that an accessor holds; read once a clip.
bool read_times(Import& task, Animation& animation, Json sampler, std::uint32_t& out) {
  Reader& reader = task.reader;
  const Json reference = sampler["input"];
  if (!reference)
    return reader.fail(ErrorCode::bad_value, sampler.path() + ".input", "is missing; keys need times", kWriteAgain);
  const std::int32_t accessor = reader.index(reference, task.data.accessor_count(), "accessor");
  if (accessor == kNone) return false;
  Scene::Clip& clip = task.scene.clips[animation.number];
  const auto [known, fresh] = animation.times.emplace(accessor, std::uint32_t(clip.times.size()));
  out = known->second;
  if (!fresh) return true;
  Elements elements;
  clip.times.emplace_back();
  return task.data.elements(accessor, elements) &&
         read(reader, elements, Allowed::floats, 1, reference, clip.times.back()) &&
         check_times(task, reference, animation.number, clip.times.back());
}

/// Morph weights come as one row; how many belong to a key follows from the number of keys. A row of another length
/// than the mesh has targets is cut or filled with zeros.
bool fit_weights(Import& task, Json where, std::size_t groups, std::size_t targets, std::vector<float>& values) {
  if (values.size() % groups != 0) {
    return task.reader.fail(
        ErrorCode::inconsistent, where.path(),
        text("has ", values.size(), " weights, which is no multiple of the ", groups, " rows that its keys ask for"),
        kWriteAgain);
  }
  const std::size_t stored = values.size() / groups;
  if (stored == targets) return true;
  task.reader.note(Severity::warning, "morph.track_targets", where.path(),
                   text("has ", stored, " weights a key, but the mesh has ", targets,
                        " morph targets; missing ones are 0, further ones are not read"),
                   "write one weight a target");
  if (!task.reader.take(groups * targets * sizeof(float), where.path(), groups * targets, "weights")) return false;
  std::vector<float> fitted(groups * targets, 0.0f);
  for (std::size_t g = 0; g < groups; ++g)
    std::copy_n(values.begin() + std::ptrdiff_t(g * stored), std::min(stored, targets),
                fitted.begin() + std::ptrdiff_t(g * targets));
  values = std::move(fitted);
  return true;
}

std::size_t target_count(const Import& task, std::int32_t node) {
  const std::int32_t mesh = task.scene.nodes[std::size_t(node)].mesh;
  if (mesh == kNone) return 0;
  const auto& primitives = task.scene.meshes[std::size_t(mesh)].primitives;
  return primitives.empty() ? 0 : primitives[0].targets.size();
}

bool read_values(Import& task, Animation& animation, Json sampler, Scene::Track& track) {
  Reader& reader = task.reader;
  const Json reference = sampler["output"];
  if (!reference)
    return reader.fail(ErrorCode::bad_value, sampler.path() + ".output", "is missing; keys need values", kWriteAgain);
  Elements elements;
  if (!task.data.elements(reference, elements)) return false;
  const bool weights = track.path == Path::weights;
  const int components = weights ? 1 : int(component_count(track.path));
  // Translation and scale are floats only; exporters that quantize them rely on readers that are not strict.
  if (!read(reader, elements, Allowed::normalized, components, reference, track.values)) return false;
  const std::size_t keys = task.scene.clips[animation.number].times[track.times].size();
  const std::size_t rows = track.interpolation == Interpolation::cubicspline ? 3 * keys : keys;
  if (keys == 0) {
    track.values.clear();
    reader.note(Severity::info, "animation.empty_track", 1, 0, [&] {
      return Told{sampler.path(),
                  text("a track of ", clip_text(task, animation.number), " has no keys and drives nothing"),
                  {}};
    });
    return true;
  }
  if (weights) return fit_weights(task, reference, rows, target_count(task, track.node), track.values);
  if (elements.count != rows) {
    return reader.fail(ErrorCode::inconsistent, reference.path(),
                       text("has ", elements.count, " values; ", keys, " keys ask for ", rows), kWriteAgain);
  }
  return true;
}

bool read_interpolation(Reader& reader, Json sampler, Interpolation& out) {
  const std::string name = reader.string(sampler, "interpolation");
  if (!reader.ok()) return false;
  if (name.empty() || name == "LINEAR")
    out = Interpolation::linear;
  else if (name == "STEP")
    out = Interpolation::step;
  else if (name == "CUBICSPLINE")
    out = Interpolation::cubicspline;
  else
    return reader.fail(ErrorCode::bad_value, sampler.path() + ".interpolation",
                       text("is \"", shortened(name), "\"; glTF knows STEP, LINEAR and CUBICSPLINE"), kWriteAgain);
  return true;
}

/// What a channel drives. Nothing (and no error) where sinew does not read it.
std::optional<Path> channel_path(Import& task, Json target) {
  Reader& reader = task.reader;
  const std::string name = reader.string(target, "path");
  if (!reader.ok()) return std::nullopt;
  if (name == "translation") return Path::translation;
  if (name == "rotation") return Path::rotation;
  if (name == "scale") return Path::scale;
  if (name == "weights") return Path::weights;
  if (name == "pointer") {
    const Json pointer = target["extensions"]["KHR_animation_pointer"]["pointer"];
    const bool node = pointer.type() == JsonType::string && pointer.string().starts_with("/nodes/");
    reader.note(node ? Severity::warning : Severity::info, node ? "animation.node_pointer" : "animation.pointer",
                target.path(), "drives what a pointer names (KHR_animation_pointer); it is not read");
  } else {
    reader.note(Severity::warning, "animation.unknown_path", target.path(),
                text("drives \"", shortened(name), "\", which glTF 2.0 does not know; it is not read"), kWriteAgain);
  }
  return std::nullopt;
}

/// What is worth saying of where a channel points.
void note_target(Import& task, const Animation& animation, Json channel, const Scene::Track& track) {
  const Scene::Node& node = task.scene.nodes[std::size_t(track.node)];
  if (node.from_matrix && track.path != Path::weights) {
    task.reader.note(Severity::warning, "node.matrix_animated", 1, 0, [&] {
      return Told{
          channel.path(),
          text(node_text(task, track.node), " has a matrix and is animated by ", clip_text(task, animation.number),
               "; the matrix was taken apart into translation, rotation and scale"),
          "write these instead of a matrix"};
    });
  }
  if (node.mesh != kNone && node.skin != kNone && track.path != Path::weights) {
    task.reader.note(Severity::info, "meshnode.channel", 1, 0, [&] {
      return Told{channel.path(),
                  text("has no effect on skinned vertices: it moves ", node_text(task, track.node),
                       ", whose mesh follows its skin alone"),
                  {}};
    });
  }
}

bool read_channel(Import& task, Animation& animation, Json channel) {
  Reader& reader = task.reader;
  const Json target = reader.object(channel, "target"), sampler_index = channel["sampler"];
  if (!reader.ok()) return false;
  if (!target || !sampler_index)
    return reader.fail(ErrorCode::bad_value, channel.path(), "lacks its target or sampler", kWriteAgain);
  Scene::Track track;
  const auto path = channel_path(task, target);
  if (!path) return reader.ok();
  track.path = *path;
  track.node = reader.index(target, "node", task.scene.nodes.size(), "node");
  const std::int32_t sampler = reader.index(sampler_index, animation.samplers.size(), "sampler");
  if (!reader.ok()) return false;
  if (track.node == kNone) {
    reader.note(Severity::info, "animation.no_node", 1, 0, [&] {
      return Told{target.path(), "names no node, so the channel drives nothing", {}};
    });
    return true;
  }
  if (track.path == Path::weights && target_count(task, track.node) == 0) {
    reader.note(Severity::warning, "morph.no_targets", channel.path(),
                text("drives the morph weights of ", node_text(task, track.node),
                     ", which has no mesh with morph targets; it is not read"),
                "remove the channel");
    return true;
  }
  const auto [other, fresh] = animation.driven.emplace(std::pair(track.node, track.path), channel);
  if (!fresh) {
    return reader.fail(ErrorCode::inconsistent, channel.path(),
                       text("drives the same as ", other->second.path(), ": \"", target["path"].string(), "\" of ",
                            node_text(task, track.node)),
                       "keep one of the two");
  }
  const Json json = animation.samplers[std::size_t(sampler)];
  if (!read_interpolation(reader, json, track.interpolation) || !read_times(task, animation, json, track.times) ||
      !read_values(task, animation, json, track))
    return false;
  note_target(task, animation, channel, track);
  Scene::Clip& clip = task.scene.clips[animation.number];
  clip.tracks.push_back(std::move(track));
  return true;
}

/// How far from length 1 a rotation key may be that is no worse than its type. Bytes: 1/64.
float rotation_tolerance(Import& task, const Animation& animation, Json channel) {
  constexpr float kFloat = 1e-3f, kByte = 1.0f / 64;
  const Json sampler = animation.samplers[std::size_t(channel["sampler"].number())];
  const Json accessor = task.accessors[std::size_t(sampler["output"].number())];
  const double type = accessor["componentType"].number();
  return type == double(Component::i8) || type == double(Component::u8) ? kByte : kFloat;
}

bool check_track(Import& task, const Animation& animation, Json channel) {
  const Scene::Clip& clip = task.scene.clips[animation.number];
  const std::size_t number = clip.tracks.size() - 1;
  const Scene::Track& track = clip.tracks[number];
  if (track.interpolation == Interpolation::cubicspline && clip.times[track.times].size() == 1) {
    task.reader.note(Severity::warning, "interp.one_key_cubic", 1, 0, [&] {
      return Told{channel.path(),
                  text("a cubic track of ", clip_text(task, animation.number),
                       " has one key; glTF asks for two; it is a constant"),
                  "write it as STEP"};
    });
  }
  if (track.path == Path::rotation &&
      !check_rotation_keys(task, channel, animation.number, number, rotation_tolerance(task, animation, channel)))
    return false;
  if (track.interpolation == Interpolation::linear) note_held_keys(task, channel, animation.number, number);
  return true;
}

bool read_animation(Import& task, Json json, std::size_t i) {
  Reader& reader = task.reader;
  Animation animation;
  animation.json = json, animation.number = i;
  task.scene.clips[i].name = reader.string(json, "name");
  animation.samplers = reader.array(json, "samplers");
  const Json channels = reader.array(json, "channels");
  if (!reader.ok()) return false;
  if (channels.size() == 0)
    reader.note(Severity::info, "animation.empty", json.path(),
                text(clip_text(task, i), " has no channels and drives nothing"));
  if (!reader.take(channels.size() * sizeof(Scene::Track), channels.path(), channels.size(), "channels")) return false;
  Scene::Clip& clip = task.scene.clips[i];
  clip.tracks.reserve(channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::size_t before = clip.tracks.size();
    if (!read_channel(task, animation, channels[c])) return false;
    if (clip.tracks.size() > before && !check_track(task, animation, channels[c])) return false;
  }
  for (std::size_t s = 0; s < animation.samplers.size(); ++s) {
    task.data.mention(animation.samplers[s]["input"]), task.data.mention(animation.samplers[s]["output"]);
  }
  return reader.ok();
}

}  // namespace

bool read_animations(Import& task) {
  Reader& reader = task.reader;
  const Json list = reader.array(task.root, "animations");
  if (!reader.ok() || !reader.take(list.size() * sizeof(Scene::Clip), "animations", list.size(), "animations"))
    return false;
  task.scene.clips.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!read_animation(task, list[i], i)) return false;
  return true;
}

}  // namespace sinew::gltf
