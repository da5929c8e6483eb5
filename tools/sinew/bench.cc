// sinew bench: what the stages cost for a given file, on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench_stages.h"
#include "costs.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "simd_choice.h"
#include "sinew/simd.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

constexpr std::size_t kUsualInstances = 1000;
constexpr std::uint64_t kMiB = 1 << 20, kMostCrowdBytes = 1024 * kMiB;
constexpr double kUsualSeconds = 4, kMostSeconds = 600;

struct BenchOptions {
  InputOptions input;
  MomentOptions moment;  // --clip alone
  std::optional<std::size_t> instances;
  double seconds = kUsualSeconds;
  bool json = false;
};

/// What was timed, and how long it took.
struct BenchResult {
  const Character& character;
  const Clip* clip;
  std::size_t instances;
  std::vector<Stage> stages;
  Timings timings;
};

Result<void> check_seconds(double seconds) {
  if (seconds > 0 && seconds <= kMostSeconds) return {};
  return fail(ErrorCode::bad_argument, "--seconds",
              fmt::format("{} is not a time from above 0 to {} seconds", seconds, kMostSeconds),
              fmt::format("for example --seconds {}", kUsualSeconds));
}

/// So many as were asked for, or else as many of the usual number as there is room for.
Result<std::size_t> crowd_size(const BenchOptions& options, const Character& character, const Clip* clip) {
  const std::uint64_t each = crowd_bytes(character, clip);
  const std::size_t most = static_cast<std::size_t>(std::max<std::uint64_t>(1, kMostCrowdBytes / each));
  const std::size_t wanted = options.instances.value_or(kUsualInstances);
  if (wanted <= most) return wanted;
  if (!options.instances) return most;
  return fail(ErrorCode::bad_argument, "--instances",
              fmt::format("{} of this character need {} MiB, and {} MiB is the most", counted(wanted, "instance"),
                          grouped(static_cast<std::uint64_t>(double(wanted) * double(each) / double(kMiB))),
                          grouped(kMostCrowdBytes / kMiB)),
              fmt::format("give {} or fewer", grouped(most)));
}

/// Three digits or, from 100 on, all.
std::string digits(double value) {
  if (value >= 99.95) return grouped(static_cast<std::uint64_t>(value + 0.5));
  return fmt::format("{:.{}f}", value, value >= 9.995 ? 1 : 2);
}
std::string nanoseconds(double seconds) { return digits(seconds * 1e9); }

std::uint32_t most_influences(const Character& character) {
  std::uint32_t most = 0;
  for (const Mesh& mesh : character.meshes()) most = std::max(most, mesh.influence_count);
  return most;
}

std::string figures_text(const BenchOptions& options, const BenchResult& result) {
  const Character& character = result.character;
  const Skeleton& skeleton = character.skeleton();
  const std::uint32_t influences = most_influences(character);
  std::string out = coloured(Colour::bold, shown(options.input.file)) + "\n";
  out += fmt::format("  {}, {} of skins; {}, {}{}; {}\n", counted(skeleton.joint_count(), "joint"),
                     grouped(skin_joint_count(skeleton)), counted(character.parts().size(), "mesh part"),
                     counted(placed_vertices(character), "vertex"),
                     influences ? fmt::format(" of up to {}", counted(influences, "influence")) : "",
                     counted(character.clips().size(), "clip"));
  if (const Clip* clip = result.clip)
    out += fmt::format("  clip {} {}: {} s, {}{}, {} bytes\n", clip->source_clip, in_quotes(clip->name),
                       number(clip->duration), clip->packed_bytes.empty() ? "" : "packed, ",
                       clip->groups.empty() && !clip->packed_bytes.empty()
                           ? "no keys kept"
                           : counted(clip->groups.size(), "group") + " of keys",
                       grouped(clip_bytes(*clip)));
  else
    out += "  no clip: poses are at rest, and sampling is left out\n";
  if (character.parts().empty()) out += "  no mesh: skinning is left out\n";
  return out + fmt::format("  SIMD target {} (of {}), one thread\n", simd_target(), simd_targets_joined(", "));
}

std::string bench_text(const BenchOptions& options, const BenchResult& result) {
  std::string out = figures_text(options, result);
  out += fmt::format("\nNanoseconds, medians of {} with their quartiles\n", counted(result.timings.rounds, "round"));
  Table table("lrrrlrr");
  const auto dim = [](const char* text) { return coloured(Colour::dim, text); };
  table.row({dim("stage"), dim("a call"), dim("quartiles"), dim("a unit"), "", dim("copy"), dim("ratio")});
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    const Stage& stage = result.stages[i];
    const Timing& t = result.timings.of[i];
    table.row({stage.name, nanoseconds(t.call.median), nanoseconds(t.call.lower) + " to " + nanoseconds(t.call.upper),
               nanoseconds(t.call.median / static_cast<double>(stage.units)), "a " + stage.unit,
               nanoseconds(t.copy.median), digits(t.ratio.median)});
  }
  return out + table.text() +
         "  Copy: a memcpy that moves as many bytes as the stage reads and writes. Ratio: stage over copy, round by\n"
         "  round, which says more than times where the machine is busy. A crowd's instances have memory of their own\n"
         "  and take turns, so that a large one meets cold caches.\n";
}

Json quartiles_json(const Quartiles& q, double scale) {
  return {{"lower", static_cast<float>(q.lower * scale)},
          {"median", static_cast<float>(q.median * scale)},
          {"upper", static_cast<float>(q.upper * scale)}};
}

Json bench_json(const BenchOptions& options, const BenchResult& result) {
  const Character& character = result.character;
  Json stages = Json::array();
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    const Stage& stage = result.stages[i];
    const Timing& t = result.timings.of[i];
    stages.push_back({{"stage", stage.id},
                      {"part", stage.part == kNone ? Json() : Json(stage.part)},
                      {"unit", stage.unit},
                      {"units", stage.units},
                      {"bytes", stage.work.bytes},
                      {"calls", t.calls},
                      {"call_ns", quartiles_json(t.call, 1e9)},
                      {"unit_ns", quartiles_json(t.call, 1e9 / static_cast<double>(stage.units))},
                      {"copy_ns", quartiles_json(t.copy, 1e9)},
                      {"ratio", quartiles_json(t.ratio, 1)}});
  }
  Json out{{"asset", options.input.file},
           {"simd_target", simd_target()},
           {"joint_count", skin_joint_count(character.skeleton())},
           {"row_count", character.skeleton().joint_count()},
           {"part_count", character.parts().size()},
           {"vertex_count", placed_vertices(character)},
           {"influence_count", most_influences(character)},
           {"clip_count", character.clips().size()},
           {"clip", nullptr},
           {"clip_index", nullptr}};
  if (result.clip) {
    out["clip"] = result.clip->name, out["clip_index"] = result.clip->source_clip;
    out["groups"] = result.clip->groups.size(), out["key_bytes"] = clip_bytes(*result.clip);
    out["packed"] = !result.clip->packed_bytes.empty();
  }
  out["instances"] = result.instances, out["rounds"] = result.timings.rounds, out["stages"] = std::move(stages);
  return out;
}

int bench(const BenchOptions& options) {
  const std::string& file = options.input.file;
  if (const Result<void> good = check_seconds(options.seconds); !good) return failure("", good.error());
  const Result<Input> input = load(options.input);
  if (!input) return failure(file, input.error());
  const Character& character = *input->character;
  const Result<Moment> moment = find_moment(character, options.moment);
  if (!moment) return failure(file, moment.error());
  if (character.skeleton().joint_count() == 0)
    return failure(file, {ErrorCode::unsupported, "", "has no joint, no mesh and no clip: there is nothing to time",
                          "sinew inspect shows what it has"});
  const Clip* clip = moment->clip || character.clips().empty() ? moment->clip : &character.clips()[0];
  const Result<std::size_t> instances = crowd_size(options, character, clip);
  if (!instances) return failure(file, instances.error());

  print_notes(file, input->report);
  BenchResult result{character, clip, *instances, stages_of(character, clip, *instances), {}};
  std::vector<Work> works;
  for (const Stage& stage : result.stages) works.push_back(stage.work);
  {
    Progress progress(kRounds);
    result.timings = time_in_turn(works, options.seconds, [&] { progress.step("timing"); });
  }
  return print(options.json ? to_text(bench_json(options, result)) : bench_text(options, result));
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand("bench", "Time the CPU stages for a file on this machine, beside a memory copy");
  add_file(*verb, options->input);
  verb->add_option("--clip", options->moment.clip,
                   "Clip by name, or by index where no clip has that name (default: the first)")
      ->type_name("NAME|INDEX");
  verb->add_option("--instances", options->instances, "Instances of the crowd (default: 1000)")
      ->type_name("N")
      ->check(at_least(1));
  verb->add_option("--seconds", options->seconds, "About how long to measure (default: 4); longer is steadier")
      ->type_name("S");
  verb->add_flag("--json", options->json, "Print figures and times as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Example: sinew bench biped.glb --clip walk\n"
      "Times differ from machine to machine and from moment to moment; compare ratios, of runs on an idle machine.\n"
      "SINEW_TARGET=scalar sinew bench biped.glb: the same in plain code.");
  verb->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace sinew::tool
