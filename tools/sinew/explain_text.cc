// sinew explain, for people.
#include <fmt/format.h>

#include "explain.h"
#include "inspect.h"
#include "text.h"

namespace sinew::tool {

namespace {

std::string heading(int step, std::string_view text) {
  return "\n" + coloured(Colour::bold, fmt::format("{}. {}", step, text)) + "\n";
}

std::string value_text(Path path, const std::vector<float>& v) {
  if (path == Path::weights) return number(v[0]);
  if (path != Path::rotation) return tuple(Vec3(v[0], v[1], v[2]));
  const Quat q = quat_xyzw(v[0], v[1], v[2], v[3]);
  return fmt::format("{} = {}", tuple(q), turn(q));
}

/// Of a packed track.
std::string frames_text(const KeyTrace& frames, float time, const std::string& indent) {
  const std::string what = indent + to_string(frames.path);
  if (frames.key_count == 1)
    return fmt::format("{} (packed, constant): {}\n", what, value_text(frames.path, frames.value_before));
  const char* why = time < frames.time_before  ? ", before the first: held"
                    : time > frames.time_after ? ", after the last: held"
                                               : "";
  return fmt::format("{} (packed, {}): frames {} and {} at {} and {} s, factor {}{}\n{}  from {}\n{}  to   {}\n", what,
                     counted(frames.key_count, "frame"), frames.before, frames.after, number(frames.time_before),
                     number(frames.time_after), number(frames.factor), why, indent,
                     value_text(frames.path, frames.value_before), indent, value_text(frames.path, frames.value_after));
}

std::string keys_text(const KeyTrace& keys, float time, const std::string& indent) {
  if (keys.packed) return frames_text(keys, time, indent);
  const std::string what = fmt::format("{}{} ({}, {})", indent, to_string(keys.path), to_string(keys.interpolation),
                                       counted(keys.key_count, "key"));
  if (keys.before == keys.after) {
    const char* why = keys.key_count == 1                 ? ", the only one"
                      : time < keys.time_before           ? ", the first: nothing before it"
                      : keys.before + 1 == keys.key_count ? ", the last: held from there on"
                                                          : "";
    return fmt::format("{}: key {} at {} s{}: {}\n", what, keys.before, number(keys.time_before), why,
                       value_text(keys.path, keys.value_before));
  }
  return fmt::format("{}: keys {} and {} at {} and {} s, factor {}\n{}  from {}\n{}  to   {}\n", what, keys.before,
                     keys.after, number(keys.time_before), number(keys.time_after), number(keys.factor), indent,
                     value_text(keys.path, keys.value_before), indent, value_text(keys.path, keys.value_after));
}

std::string vertex_text(const VertexTrace& traced, float time) {
  std::string out = heading(1, "The vertex as stored, in mesh space");
  out += fmt::format("  position {}\n", tuple(traced.stored));
  if (traced.stored_normal) out += fmt::format("  normal   {}\n", tuple(*traced.stored_normal));
  std::size_t idle = 0;
  for (const MorphTrace& morph : traced.morphs) {
    if (morph.delta == Vec3(0) || (morph.weight == 0 && !morph.keys)) {
      ++idle;
      continue;
    }
    out += fmt::format("  morph target {}: weight {}{} times {}\n", morph.target, number(morph.weight),
                       morph.keys ? "" : " (at rest)", tuple(morph.delta));
    if (morph.keys) out += keys_text(*morph.keys, time, "    ");
  }
  if (idle) out += fmt::format("  {} without effect on it\n", counted(idle, "morph target"));
  if (!traced.morphs.empty()) out += fmt::format("  morphed  {}\n", tuple(traced.morphed));
  return out;
}

std::string joints_text(const Skeleton& skeleton, const VertexTrace& traced, float time) {
  std::string out = heading(2, "Joints that move it, and their ancestors: tracks, local transform, model matrix");
  for (const JointTrace& joint : traced.joints) {
    const std::int32_t parent = skeleton.parents[joint.row];
    out += fmt::format(
        "  {}  row {}, node {}, {}\n", coloured(Colour::bold, in_quotes(skeleton.names[joint.row])), joint.row,
        skeleton.source_nodes[joint.row],
        parent == kNone ? "a root" : "child of " + in_quotes(skeleton.names[static_cast<std::size_t>(parent)]));
    for (const KeyTrace& keys : joint.keys) out += keys_text(keys, time, "    ");
    if (joint.keys.empty()) out += "    no track: the rest transform\n";
    const Transform& t = joint.local;
    out += fmt::format("    local: translation {}, rotation {} = {}, scale {}\n", tuple(t.translation),
                       tuple(t.rotation), turn(t.rotation), tuple(t.scale));
    out += fmt::format("    model_from_joint = {}local\n{}", parent == kNone ? "" : "parent's * ",
                       matrix_text(joint.model_from_joint, "      "));
  }
  return out;
}

std::string influences_text(const Skeleton& skeleton, const VertexTrace& traced) {
  std::string out = heading(3, "Influences, strongest first: palette = model_from_joint * joint_from_mesh");
  for (const InfluenceTrace& influence : traced.influences) {
    out += fmt::format("  {}  weight {}, palette entry {}\n",
                       coloured(Colour::bold, in_quotes(skeleton.names[influence.row])), number(influence.weight),
                       influence.entry);
    out += "    joint_from_mesh (inverse bind matrix)\n" + matrix_text(influence.joint_from_mesh, "      ");
    out += fmt::format("      takes the vertex to {} in the joint's space\n", tuple(influence.bound));
    out += "    palette\n" + matrix_text(influence.palette, "      ");
    out += fmt::format("    this joint alone puts the vertex at {}\n", tuple(influence.alone));
  }
  return out;
}

std::string blend_text(const Skeleton& skeleton, const VertexTrace& traced) {
  std::string out = heading(4, "The blend: weight times opinion, added up");
  Table table("lrll", "    ");
  for (const InfluenceTrace& influence : traced.influences)
    table.row({&influence == traced.influences.data() ? "" : "+", number(influence.weight),
               "* " + tuple(influence.alone), in_quotes(skeleton.names[influence.row])});
  out += table.text();
  out += fmt::format("  sum      {}\n  skinned  {}  (what sinew skin prints; {} from the sum)\n", tuple(traced.sum),
                     coloured(Colour::bold, tuple(traced.skinned)), rounded(glm::length(traced.skinned - traced.sum)));
  if (traced.normal) out += fmt::format("  normal   {}\n", tuple(*traced.normal));
  return out;
}

}  // namespace

const char* to_string(Path path) {
  switch (path) {
    case Path::translation:
      return "translation";
    case Path::rotation:
      return "rotation";
    case Path::scale:
      return "scale";
    case Path::weights:
      return "weights";
  }
  return "unknown";
}

std::string explain_text(const std::string& file, const Character& character, const Part& part, const Moment& moment,
                         const VertexTrace& traced) {
  std::string out = coloured(Colour::bold, fmt::format("{}: vertex {} of {}, {}", shown(file), traced.source_vertex,
                                                       describe(character, part), describe(moment))) +
                    "\n";
  out += vertex_text(traced, moment.time) + joints_text(character.skeleton(), traced, moment.time);
  return out + influences_text(character.skeleton(), traced) + blend_text(character.skeleton(), traced);
}

}  // namespace sinew::tool
