#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "interchange/export_parts.h"
#include "interchange/export_patch.h"

namespace sinew::glb {
namespace {

bool equal(const Scene::Track& a, const Scene::Track& b) {
  return a.node == b.node && a.path == b.path && a.interpolation == b.interpolation && a.times == b.times &&
         a.values == b.values;
}

bool equal(const Scene::Clip& a, const Scene::Clip& b) {
  return a.name == b.name && a.times == b.times &&
         std::equal(a.tracks.begin(), a.tracks.end(), b.tracks.begin(), b.tracks.end(),
                    [](const Scene::Track& x, const Scene::Track& y) { return equal(x, y); });
}

/// For each clip of the scene the animation of the document that it comes from, or kNone: one that is equal, else one
/// of the same name; the same index is tried first.
std::vector<std::int32_t> origins(const Scene& scene, const Scene& base) {
  std::vector<std::int32_t> out(scene.clips.size(), kNone);
  std::vector<bool> taken(base.clips.size());
  const auto match = [&](auto same) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto try_one = [&](std::size_t k) {
        if (out[i] == kNone && k < taken.size() && !taken[k] && same(scene.clips[i], base.clips[k]))
          out[i] = std::int32_t(k), taken[k] = true;
      };
      try_one(i);
      for (std::size_t k = 0; k < taken.size() && out[i] == kNone; ++k) try_one(k);
    }
  };
  match([](const Scene::Clip& a, const Scene::Clip& b) { return equal(a, b); });
  match([](const Scene::Clip& a, const Scene::Clip& b) { return a.name == b.name; });
  return out;
}

/// A channel that drives a node by a path of the core format: what clips model.
bool is_modelled(const Json& channel) {
  const Json* target = find(&channel, "target");
  return index_of(target, "node") != kNone && !find(target, "extensions");
}

/// The tracks of a clip that the document's animation already has, word for word, and all others.
struct Split {
  Scene::Clip changed;
  std::set<std::pair<std::int32_t, std::string>> kept;  ///< node and path of those that it has
};
Split split(const Scene::Clip& clip, const Scene::Clip& base) {
  Split out;
  out.changed.name = clip.name, out.changed.times = clip.times;
  std::map<std::pair<std::int32_t, Path>, const Scene::Track*> stored;
  for (const Scene::Track& track : base.tracks) stored[{track.node, track.path}] = &track;
  for (const Scene::Track& track : clip.tracks) {
    const auto known = stored.find({track.node, track.path});
    const Scene::Track* other = known == stored.end() ? nullptr : known->second;
    if (other && other->interpolation == track.interpolation && other->values == track.values &&
        base.times[other->times] == clip.times[track.times])
      out.kept.emplace(track.node, path_name(track.path));
    else
      out.changed.tracks.push_back(track);
  }
  return out;
}

/// Channels and samplers of an animation as it is put together; each channel gets a sampler of its own.
struct Channels {
  Json channels = Json::array(), samplers = Json::array();
  void add(Json channel, Json sampler) {
    channel["sampler"] = samplers.size();
    samplers.push_back(std::move(sampler));
    channels.push_back(std::move(channel));
  }
  /// Those of `animation` that `wanted` picks.
  template <class Wanted>
  void add_from(const Json& animation, Wanted wanted) {
    const Json* list = find(&animation, "channels");
    if (!list || !list->is_array()) return;
    for (const Json& channel : *list) {
      const Json* sampler = element(find(&animation, "samplers"), index_of(&channel, "sampler"));
      if (sampler && wanted(channel)) add(channel, *sampler);
    }
  }
};

/// The document's animation with the clip's tracks in place of those that it had: first what is kept, then what was
/// made, then what sinew does not model.
Json merged(Json old, const Json& made, const std::string& name, const Split& split) {
  Channels all;
  all.add_from(old, [&](const Json& channel) {
    const Json* target = find(&channel, "target");
    return is_modelled(channel) && split.kept.count({index_of(target, "node"), string_of(target, "path")}) != 0;
  });
  all.add_from(made, [](const Json&) { return true; });
  all.add_from(old, [](const Json& channel) { return !is_modelled(channel); });
  if (all.channels.empty()) return nullptr;
  old["channels"] = std::move(all.channels);
  old["samplers"] = std::move(all.samplers);
  set_text(old, "name", name);
  return old;
}

/// Animated nodes may not have a matrix.
void free_matrices(Patch& patch, const Scene::Clip& clip) {
  for (const Scene::Track& track : clip.tracks) {
    Json* node = patch.entry("nodes", std::size_t(track.node));
    if (track.path != Path::weights && find(node, "matrix"))
      set_transform(*node, patch.scene.nodes[std::size_t(track.node)].rest);
  }
}

}  // namespace

void patch_clips(Patch& patch) {
  const std::vector<std::int32_t> from = origins(patch.scene, patch.base);
  Json old = Json::array();
  if (Json* list = find(&patch.writer.root(), "animations"); list && list->is_array()) old = *list;
  Json animations = Json::array();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Scene::Clip& clip = patch.scene.clips[i];
    const Json* origin = element(&old, from[i]);
    if (origin && equal(clip, patch.base.clips[std::size_t(from[i])])) {
      animations.push_back(*origin);
      continue;
    }
    const Split parts = split(clip, origin ? patch.base.clips[std::size_t(from[i])] : Scene::Clip{});
    Json animation =
        merged(origin ? *origin : Json::object(), clip_json(patch.writer, parts.changed), clip.name, parts);
    free_matrices(patch, clip);
    patch.replaced = true;
    if (!animation.is_null())
      animations.push_back(std::move(animation));
    else
      patch.note(Severity::warning, "clip.empty", "clips[" + std::to_string(i) + "]",
                 "a clip without keys was left out");
  }
  if (animations.size() < old.size()) patch.replaced = true;
  set_array(patch.writer.root(), "animations", std::move(animations));
}

}  // namespace sinew::glb
