// sinew twist: twist joints along a limb, so that plain linear blend skinning keeps its volume.
#include "sinew/twist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>

#include "input.h"
#include "json.h"
#include "output.h"
#include "sinew/export.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct TwistVerbOptions {
  InputOptions input;
  TwistOptions twist;
  std::string output;
  bool json = false;
};

double in_degrees(float radians) { return static_cast<double>(radians) * 180 / std::numbers::pi; }
/// One decimal place; what rounds to nothing has no sign.
std::string degrees_text(float radians) {
  const std::string text = fmt::format("{:.1f}", in_degrees(radians));
  return text == "-0.0" ? "0.0" : text;
}

/// What half way between two joints of the row is left of the radius, where `parts` of them share a twist.
double radius_kept(float twist, std::size_t parts) {
  return std::fabs(std::cos(static_cast<double>(twist) / static_cast<double>(2 * parts)));
}
std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string clips_table(const Twisted& made) {
  Table table("lrrrrr");
  table.row({"clip", "greatest twist", "radius before", "after", "keys", "added"});
  for (std::size_t i = 0; i < made.clips.size(); ++i) {
    const TwistedClip& clip = made.clips[i];
    table.row({in_quotes(made.scene.clips[i].name), degrees_text(clip.greatest) + " deg",
               percent(radius_kept(clip.greatest, 1)), percent(radius_kept(clip.greatest, made.joints.size() + 1)),
               clip.keys == 0 ? "-" : grouped(clip.keys), grouped(clip.added)});
  }
  return table.text() +
         "  radius: what linear blend skinning leaves of it half way between two joints of the row, at the greatest "
         "twist\n"
         "  keys: of each twist joint; added: those at times where the joint itself has none\n";
}

std::string twist_text(const TwistVerbOptions& options, const Twisted& made, std::size_t bytes) {
  const Scene& scene = made.scene;
  const auto name = [&](std::int32_t node) {
    const std::string& text = scene.nodes[static_cast<std::size_t>(node)].name;
    return text.empty() ? fmt::format("node {}", node) : in_quotes(text);
  };
  const std::size_t clips = static_cast<std::size_t>(
      std::ranges::count_if(made.clips, [](const TwistedClip& clip) { return clip.keys > 0; }));
  std::string out = fmt::format("{}: {} bytes\n", shown(options.output), grouped(bytes));
  Table table("ll");
  table.row({"limb", fmt::format("{} to {}", name(made.parent), name(made.joint))});
  table.row({"added", fmt::format("{}: {}", counted(made.joints.size(), "joint"), name(made.joints.front())) +
                          (made.joints.size() > 1 ? " to " + name(made.joints.back()) : "")});
  table.row({"weights", counted(made.vertices, "vertex") + " changed"});
  if (made.crowded > 0) {
    table.row({"", counted(made.crowded, "vertex") + " had no room for two neighbours in the row:"});
    table.row(
        {"", fmt::format("at most {} of a weight was taken from other joints, {} moved to the nearer of the two",
                         rounded(static_cast<double>(made.dropped), 2), rounded(static_cast<double>(made.moved), 2))});
  }
  table.row({"rest pose", fmt::format("{} deg of twist from the bind pose", degrees_text(made.rest))});
  table.row({"clips", fmt::format("{} of {} twist the limb", clips, made.clips.size())});
  out += table.text();
  return made.clips.empty() ? out : out + "\n" + clips_table(made);
}

std::string twist_json(const TwistVerbOptions& options, const Twisted& made, std::size_t bytes, const Report& report) {
  const auto name = [&](std::int32_t node) { return made.scene.nodes[static_cast<std::size_t>(node)].name; };
  Json joints = Json::array(), clips = Json::array();
  for (const std::int32_t joint : made.joints) joints.push_back({{"node", joint}, {"name", name(joint)}});
  for (std::size_t i = 0; i < made.clips.size(); ++i) {
    const TwistedClip& clip = made.clips[i];
    clips.push_back({{"name", made.scene.clips[i].name},
                     {"clip", i},
                     {"greatest_degrees", static_cast<float>(in_degrees(clip.greatest))},
                     {"radius_before", static_cast<float>(radius_kept(clip.greatest, 1))},
                     {"radius_after", static_cast<float>(radius_kept(clip.greatest, made.joints.size() + 1))},
                     {"keys", clip.keys},
                     {"added_keys", clip.added}});
  }
  return to_text({{"source", options.input.file},
                  {"output", options.output},
                  {"output_bytes", bytes},
                  {"joint", name(made.joint)},
                  {"parent", name(made.parent)},
                  {"twist_joints", joints},
                  {"vertices", made.vertices},
                  {"crowded_vertices", made.crowded},
                  {"largest_dropped", made.dropped},
                  {"largest_moved", made.moved},
                  {"rest_degrees", static_cast<float>(in_degrees(made.rest))},
                  {"clips", clips},
                  {"findings", to_json(report)}});
}

/// The library speaks of its options, the command line of its own.
Error of_command_line(Error error) {
  if (error.where == "joint" || error.where == "count") error.where = "--" + error.where;
  return error;
}

int twist(const TwistVerbOptions& options) {
  const std::string& file = options.input.file;
  std::error_code trouble;
  if (fs::equivalent(file, options.output, trouble))
    return failure(options.output,
                   Error{ErrorCode::bad_argument, "-o", "is the source file itself", "give another name"});
  Result<Scene> scene = import_source(options.input, "twist");
  if (!scene) return failure(file, scene.error());
  Report changes;
  const Result<Twisted> made = add_twist_joints(std::move(*scene), options.twist, &changes);
  if (!made) return failure(file, of_command_line(made.error()));
  const Result<Bytes> bytes = export_glb(made->scene, &changes);
  if (!bytes) return failure(file, bytes.error());
  const Report report = joined(made->scene.findings, changes);
  print_notes(file, report);
  if (const Result<void> written = write_file(options.output, *bytes); !written)
    return failure(options.output, written.error());
  return print(options.json ? twist_json(options, *made, bytes->size(), report)
                            : twist_text(options, *made, bytes->size()));
}

}  // namespace

void add_twist(CLI::App& app, Action& action) {
  auto options = std::make_shared<TwistVerbOptions>();
  CLI::App* verb = app.add_subcommand("twist", "Add twist joints along a limb: a GLB that keeps its volume anywhere");
  add_source_file(*verb, options->input);
  verb->add_option("--joint", options->twist.joint,
                   "Joint at the limb's end, whose twist is shared (a hand, a foot): its name, or its node's index "
                   "where no node has that name")
      ->type_name("NAME|INDEX")
      ->required();
  verb->add_option("--count", options->twist.count, "Twist joints between it and its parent")
      ->type_name("N")
      ->default_val(options->twist.count)
      ->check(CLI::Range(1u, kMostTwistJoints).description(""));
  verb->add_option("-o,--output", options->output, "GLB to write")->type_name("OUT.glb")->required();
  verb->add_flag("--json", options->json, "Print what was added, and findings, as JSON");
  verb->footer(
      "Examples: sinew twist biped.glb --joint hand.L --count 2 -o twisted.glb\n"
      "          sinew twist twisted.glb --joint hand.R --count 2 -o both.glb\n"
      "Weights of the joint's parent are spread over the new joints, and every clip gets their tracks. Everything "
      "else\n"
      "of the file passes through. Needs the source file, not a .sinew. docs/twist.md tells how it is done.");
  verb->callback([options, &action] { action = [options] { return twist(*options); }; });
}

}  // namespace sinew::tool
