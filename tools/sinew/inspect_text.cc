// sinew inspect, for people.
#include <fmt/format.h>

#include <algorithm>

#include "costs.h"
#include "evaluate.h"
#include "inspect.h"
#include "sinew/packed.h"
#include "text.h"

namespace sinew::tool {

namespace {

std::string heading(std::string_view text) { return "\n" + coloured(Colour::bold, std::string(text)) + "\n"; }
std::string index_or_dash(std::int32_t index) { return index == kNone ? "-" : fmt::format("{}", index); }

std::string name_text(std::string_view name) { return name.empty() ? "(no name)" : shown(name); }

std::string flags_text(JointFlags flags) {
  std::string out;
  out += has(flags, JointFlags::skin) ? 's' : '.';
  out += has(flags, JointFlags::mesh) ? 'm' : '.';
  out += has(flags, JointFlags::animated) ? 'a' : '.';
  out += has(flags, JointFlags::helper) ? 'h' : '.';
  return out;
}

std::string skeleton_text(const Skeleton& skeleton) {
  constexpr std::size_t kDeepest = 40;  // a chain of thousands would make lines of thousands
  std::size_t roots = 0;
  for (const std::int32_t parent : skeleton.parents) roots += parent == kNone;
  std::string out = heading(fmt::format("Skeleton: {} in {}, {}", counted(skin_joint_count(skeleton), "joint"),
                                        counted(skeleton.joint_count(), "row"), counted(roots, "root")));
  if (skeleton.joint_count() == 0) return out + "  (nothing that a skin, mesh or clip needs)\n";
  out += "  flags: s skin joint, m carries a mesh, a animated, h helper, .... only an ancestor of such\n";
  Table table("rrll");
  table.row({"row", "node", "flags", "name"});
  std::vector<std::size_t> depths(skeleton.joint_count());
  for (std::size_t row = 0; row < depths.size(); ++row) {
    const std::int32_t parent = skeleton.parents[row];
    depths[row] = parent == kNone ? 0 : depths[static_cast<std::size_t>(parent)] + 1;
    std::string name(2 * std::min(depths[row], kDeepest), ' ');
    if (depths[row] > kDeepest) name += fmt::format("[depth {}] ", depths[row]);
    name += name_text(skeleton.names[row]);
    table.row(
        {fmt::format("{}", row), index_or_dash(skeleton.source_nodes[row]), flags_text(skeleton.flags[row]), name});
  }
  return out + table.text();
}

std::string skins_text(const Character& character) {
  if (character.skins().empty()) return {};
  std::string out = heading(fmt::format("Skins: {}", character.skins().size()));
  Table table("rrrl");
  table.row({"skin", "source", "joints", "name"});
  for (const Skin& skin : character.skins())
    table.row({fmt::format("{}", &skin - character.skins().data()), index_or_dash(skin.source_skin),
               grouped(skin.joints.size()),
               skin.source_skin == kNone ? "(a part without a skin: its own node)" : name_text(skin.name)});
  return out + table.text();
}

std::string meshes_text(const Character& character) {
  if (character.meshes().empty()) return {};
  std::string out = heading(fmt::format("Meshes: {}", character.meshes().size()));
  Table table("rrrlrrlrl");
  table.row({"mesh", "vertices", "indices", "topology", "influences", "targets", "has", "bytes", "name"});
  for (const Mesh& mesh : character.meshes()) {
    std::string attributes;
    if (!mesh.normals.empty()) attributes += "normals ";
    if (!mesh.tangents.empty()) attributes += "tangents ";
    if (!mesh.uvs.empty()) attributes += "uvs ";
    if (!mesh.dual_weights.empty()) attributes += "dual ";
    table.row({fmt::format("{}", &mesh - character.meshes().data()), grouped(mesh.vertex_count()),
               grouped(mesh.indices.size()), to_string(mesh.topology), fmt::format("{}", mesh.influence_count),
               fmt::format("{}", mesh.target_count),
               attributes.empty() ? "-" : attributes.substr(0, attributes.size() - 1), grouped(mesh_bytes(mesh).sum()),
               name_text(mesh.name)});
  }
  return out + table.text();
}

std::string parts_text(const Character& character) {
  if (character.parts().empty()) return {};
  std::string out = heading(fmt::format("Parts (meshes placed): {}", character.parts().size()));
  Table table("rrrrrrrrl");
  table.row({"part", "mesh", "skin", "channels", "material", "source node", "mesh", "primitive", "node name"});
  for (const Part& part : character.parts())
    table.row({fmt::format("{}", &part - character.parts().data()), fmt::format("{}", part.mesh),
               fmt::format("{}", part.skin),
               part.channel_count
                   ? fmt::format("{}..{}", part.first_channel, part.first_channel + part.channel_count - 1)
                   : "-",
               index_or_dash(part.material), index_or_dash(part.source_node), index_or_dash(part.source_mesh),
               index_or_dash(part.source_primitive), name_text(node_name(character, part))});
  return out + table.text();
}

std::string packed_text(const Character& character) {
  Table table("rrrrrrrrl");
  table.row({"clip", "frames", "a second", "moving", "constant", "kept keys", "bytes", "tables", "name"});
  bool any = false;
  for (const Clip& clip : character.clips()) {
    if (clip.packed_bytes.empty()) continue;
    any = true;
    const PackedSummary packed = packed_summary(clip);
    const ClipCounts counts = count(clip);
    table.row({fmt::format("{}", clip.source_clip), grouped(packed.frame_count),
               packed.seconds_per_frame > 0 ? rounded(1 / packed.seconds_per_frame, 4) : "-", grouped(counts.moving),
               grouped(counts.constant), grouped(counts.kept()), grouped(clip.packed_bytes.size()),
               grouped(packed.table_bytes), name_text(clip.name)});
  }
  if (!any) return {};
  return heading("Packed clips") + table.text() +
         "  Tracks that move are packed at even frames, constant ones as one value; kept keys: tracks that stay "
         "keyframes\n"
         "  (those that step, or whose keys lie on no even rate). Tables: bytes of memory beside the file, once "
         "opened\n";
}

std::string clips_text(const Character& character) {
  std::string out = heading(fmt::format("Clips: {}", character.clips().size()));
  if (character.clips().empty()) return out;
  Table table("rrrrrrrrrll");
  table.row({"clip", "first key", "duration", "loop", "groups", "R", "T", "S", "morph", "interpolation", "name"});
  for (const Clip& clip : character.clips()) {
    const ClipCounts counts = count(clip);
    table.row({fmt::format("{}", clip.source_clip), number(clip.first_key) + " s", number(clip.duration) + " s",
               clip.wrap_period > 0 ? number(clip.wrap_period) + " s" : "-", fmt::format("{}", clip.groups.size()),
               grouped(counts.rotations), grouped(counts.translations), grouped(counts.scales),
               grouped(counts.channels), interpolations(clip).empty() ? "no keys" : interpolations(clip),
               name_text(clip.name)});
  }
  return out + table.text() +
         "  R, T, S, morph: tracks of rotation, translation, scale and morph weight; loop: wrap period\n" +
         packed_text(character);
}

std::string findings_text(const Report& report) {
  std::string out = heading(fmt::format("Findings: {}", report.size()));
  for (const Finding& finding : report) {
    const Colour colour = finding.severity == Severity::info      ? Colour::dim
                          : finding.severity == Severity::warning ? Colour::yellow
                                                                  : Colour::red;
    const std::string times = finding.count > 1 ? fmt::format(", {} times", grouped(finding.count)) : "";
    out += fmt::format("  {}  {}  {}{}\n           {}\n",
                       coloured(colour, fmt::format("{:7}", to_string(finding.severity))), finding.code,
                       shown(finding.where), times, shown(finding.what));
    if (!finding.what_to_do.empty()) out += fmt::format("           -> {}\n", shown(finding.what_to_do));
  }
  return out;
}

}  // namespace

const char* to_string(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::step:
      return "step";
    case Interpolation::linear:
      return "linear";
    case Interpolation::cubicspline:
      return "cubicspline";
  }
  return "unknown";
}

const char* to_string(Topology topology) {
  switch (topology) {
    case Topology::points:
      return "points";
    case Topology::lines:
      return "lines";
    case Topology::line_loop:
      return "line loop";
    case Topology::line_strip:
      return "line strip";
    case Topology::triangles:
      return "triangles";
    case Topology::triangle_strip:
      return "triangle strip";
    case Topology::triangle_fan:
      return "triangle fan";
  }
  return "unknown";
}

std::string interpolations(const Clip& clip) {
  std::string out = clip.packed_bytes.empty() ? "" : "packed";
  for (const Interpolation mode : {Interpolation::step, Interpolation::linear, Interpolation::cubicspline}) {
    const bool used = std::any_of(clip.groups.begin(), clip.groups.end(),
                                  [&](const ClipGroup& g) { return g.interpolation == mode; });
    if (used) out += fmt::format("{}{}", out.empty() ? "" : " + ", to_string(mode));
  }
  return out;
}

ClipCounts count(const Clip& clip) {
  ClipCounts out;
  for (const ClipGroup& group : clip.groups) {
    out.rotations += group.rotations.size();
    out.translations += group.translations.size();
    out.scales += group.scales.size();
    out.channels += group.channels.size();
    out.keys += group.times.size() *
                (group.rotations.size() + group.translations.size() + group.scales.size() + group.channels.size());
  }
  for (const PackedTrack& track : packed_summary(clip).tracks) {
    ++(track.path == Path::rotation      ? out.rotations
       : track.path == Path::translation ? out.translations
       : track.path == Path::scale       ? out.scales
                                         : out.channels);
    ++(track.moves ? out.moving : out.constant);
  }
  return out;
}

std::string costs_text(const Character& character) {
  std::string out;
  const Skeleton& skeleton = character.skeleton();
  Table frame("lrl");
  frame.row({"pose", grouped(pose_bytes(skeleton)), "bytes an instance"});
  frame.row({"palettes", grouped(palette_bytes(character)), "bytes a frame, 48 an entry"});
  frame.row({"skinned positions", grouped(placed_vertices(character) * sizeof(Vec3)),
             fmt::format("bytes a frame, {}", counted(placed_vertices(character), "vertex"))});
  out += frame.text();
  if (character.clips().empty()) return out;
  Table table("rrrrrrl");
  table.row({"clip", "keys", "bytes", "frames", "as snapshots", "ratio", "name"});
  for (const Clip& clip : character.clips()) {
    const std::uint64_t bytes = clip_bytes(clip), snapshots = snapshot_bytes(character, clip);
    const std::size_t keys = count(clip).keys;
    table.row({fmt::format("{}", clip.source_clip), clip.packed_bytes.empty() || keys ? grouped(keys) : "packed",
               grouped(bytes), grouped(snapshot_frames(clip)), grouped(snapshots),
               bytes && snapshots ? ratio(double(snapshots) / double(bytes)) : "-", name_text(clip.name)});
  }
  return out + table.text() +
         "  As snapshots: vertices x frames x 12 bytes. Frames: 30 a second from the first key to the last, both "
         "counted.\n";
}

std::string inspect_text(const std::string& file, const Input& input) {
  const Character& character = *input.character;
  std::string out = coloured(Colour::bold, shown(file)) + "\n";
  out += fmt::format("  {}, {}, {}; size {} (diagonal of the box at rest, in the file's unit)\n",
                     counted(skin_joint_count(character.skeleton()), "joint"),
                     counted(placed_vertices(character), "vertex"), counted(character.clips().size(), "clip"),
                     number(character.size()));
  out += fmt::format("  {} bytes as a runtime file{}\n", grouped(input.bytes.size()),
                     input.scene ? "" : ", which this is");
  out += skeleton_text(character.skeleton()) + skins_text(character) + meshes_text(character) + parts_text(character);
  return out + clips_text(character) + heading("Costs") + costs_text(character) + findings_text(input.report);
}

}  // namespace sinew::tool
