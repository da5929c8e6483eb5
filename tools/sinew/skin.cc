// sinew skin: skinned vertices and all joints at a moment.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "backend.h"
#include "evaluate.h"
#include "json.h"
#include "method.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

struct SkinOptions {
  InputOptions input;
  MomentOptions moment;
  Backend backend = Backend::cpu;
  std::string format = "text";
  bool json = false;
};

Json part_json(const Character& character, const Part& part, const Instance& instance) {
  const SkinnedPart skinned = skin_part(character, part, instance);
  return {{"node", part.source_node},
          {"node_name", node_name(character, part)},
          {"mesh", part.source_mesh},
          {"primitive", part.source_primitive},
          {"vertex_count", skinned.positions.size()},
          {"positions", to_json(std::span<const Vec3>(skinned.positions))},
          {"normals", to_json(std::span<const Vec3>(skinned.normals))}};
}

std::string as_json(const SkinOptions& options, const Character& character, const Moment& moment,
                    const Skinned& skinned) {
  const Instance& instance = skinned.instance;
  Json out{{"asset", options.input.file}, {"clip", nullptr}, {"clip_index", nullptr}, {"time", moment.time}};
  if (options.input.method != SkinMethod::linear) out["method"] = to_string(options.input.method);
  if (moment.clip) {
    out["clip"] = moment.clip->name;
    out["clip_index"] = moment.clip->source_clip;
  }
  Json& meshes = out["meshes"] = Json::array();
  for (const Part& part : character.parts()) meshes.push_back(part_json(character, part, instance));
  Json& joints = out["joints"] = Json::array();
  const Skeleton& skeleton = character.skeleton();
  for (std::size_t row = 0; row < skeleton.joint_count(); ++row)
    joints.push_back({{"name", skeleton.names[row]},
                      {"node", skeleton.source_nodes[row]},
                      {"world", to_json(instance.model_from_joint[row])}});
  return to_text(out);
}

std::string part_text(const Character& character, const Part& part, const Instance& instance) {
  constexpr std::size_t kFirst = 4;
  const SkinnedPart skinned = skin_part(character, part, instance);
  if (skinned.positions.empty()) return {};
  Vec3 low = skinned.positions[0], high = low;
  double sum[3] = {};
  for (const Vec3& p : skinned.positions) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
      sum[axis] += p[axis];
    }
  }
  const double count = static_cast<double>(skinned.positions.size());
  const Vec3 mean(static_cast<float>(sum[0] / count), static_cast<float>(sum[1] / count),
                  static_cast<float>(sum[2] / count));
  std::string out = fmt::format("\n{}: {}\n", describe(character, part), counted(skinned.positions.size(), "vertex"));
  out += fmt::format("  bounds    {} to {}\n  centroid  {}\n", tuple(low), tuple(high), tuple(mean));
  for (std::size_t i = 0; i < std::min(kFirst, skinned.positions.size()); ++i) {
    out += fmt::format("  vertex {}  {}", i, tuple(skinned.positions[i]));
    out += skinned.normals.empty() ? "\n" : fmt::format("  normal {}\n", tuple(skinned.normals[i]));
  }
  return out;
}

std::string as_text(const SkinOptions& options, const Character& character, const Moment& moment,
                    const Skinned& skinned) {
  std::string out = fmt::format("{}: {}\n", shown(options.input.file), describe(moment));
  if (options.input.method != SkinMethod::linear) out += fmt::format("skinned by {}\n", describe(options.input.method));
  if (!skinned.device.empty())
    out += fmt::format("skinned by {} on {}\n", to_string(options.backend), shown(skinned.device));
  for (const Part& part : character.parts()) out += part_text(character, part, skinned.instance);
  if (character.parts().empty()) out += "no meshes\n";
  return out + fmt::format("\n{} of the skeleton. All numbers: --format json\n",
                           counted(character.skeleton().joint_count(), "row"));
}

int skin(const SkinOptions& options) {
  if (const Result<void> good = check(options.moment); !good) return failure("", good.error());
  const Result<Input> input = load(options.input);
  if (!input) return failure(options.input.file, input.error());
  print_notes(options.input.file, input->report);
  const Character& character = *input->character;
  const Result<Moment> moment = find_moment(character, options.moment);
  if (!moment) return failure(options.input.file, moment.error());
  const Result<Skinned> skinned = evaluate(character, *moment, options.backend, options.input.method);
  if (!skinned) return failure(options.input.file, skinned.error());
  const bool json = options.json || options.format == "json";
  return print((json ? as_json : as_text)(options, character, *moment, *skinned));
}

}  // namespace

void add_skin(CLI::App& app, Action& action) {
  auto options = std::make_shared<SkinOptions>();
  CLI::App* verb = app.add_subcommand("skin", "Print skinned vertices and joint matrices at a time");
  add_file(*verb, options->input);
  add_moment_options(*verb, options->moment);
  add_method_options(*verb, options->input);
  add_backend_option(*verb, options->backend);
  verb->add_option("--format", options->format, "text: a summary; json: every number, vertices in the source's order")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  verb->add_flag("--json", options->json, "The same as --format json");
  add_import_options(*verb, options->input);
  verb->footer(
      "Examples: sinew skin biped.glb --clip walk --time 0.25 --format json\n"
      "          sinew skin biped.glb --clip walk --time 0.25 --backend vulkan-compute\n"
      "Positions and normals are in model space (the file's scene space); a joint's `world` is its\n"
      "model_from_joint as 16 numbers, column-major. All backends print the same form, and numbers within 2e-6 of the\n"
      "model's size; vulkan-vertex reads its vertices back by transform feedback. On a GPU, or without one on the CPU\n"
      "(lavapipe). SINEW_VALIDATION=1: Vulkan's validation layer listens.");
  verb->callback([options, &action] { action = [options] { return skin(*options); }; });
}

}  // namespace sinew::tool
