#include "compare_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "backend.h"
#include "clip_plot.h"
#include "gpu/context.h"
#include "json.h"
#include "method.h"
#include "methods.h"
#include "output.h"
#include "render/codec.h"
#include "sinew/dual_joints.h"
#include "sinew/twist.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr double kRate = 30;  // times a second that are measured

/// All runs, and the clip that they play.
struct MethodsCompared {
  std::vector<MethodRun> runs;
  std::size_t clip = 0;  // of the character's: the same in all runs
  std::vector<float> times;
  std::vector<MethodSummary> summaries;
  const Clip& clip_of(const MethodRun& run) const { return run.actor.character().clips()[clip]; }
};

constexpr const char* kTwist = "twist";
constexpr std::uint32_t kTwistJoints = 3;

/// Twist joints for every joint that a clip twists far, or else for the one that is twisted farthest; then linear.
Result<Input> load_twisted(const InputOptions& options) {
  Result<Scene> scene = import_source(options, "compare --methods twist");
  if (!scene) return Unexpected(scene.error());
  Result<Input> plain = load_scene(*scene, options);
  if (!plain) return Unexpected(plain.error());
  const Character& character = *plain->character;
  std::vector<JointTwist> twists = measure_twist(character);
  if (twists.empty()) return fail(ErrorCode::unsupported, "", "has no joints that could twist", "leave out twist");
  std::ranges::sort(twists, std::ranges::greater(), &JointTwist::radians);
  const auto far = std::ranges::find_if(twists, [](const JointTwist& t) { return t.radians < kFarTwist; });
  twists.erase(std::max(far, twists.begin() + 1), twists.end());
  for (const JointTwist& twist : twists) {
    const std::int32_t node = character.skeleton().source_nodes[twist.joint];
    const std::string& name = scene->nodes[static_cast<std::size_t>(node)].name;
    const bool named = std::ranges::count(scene->nodes, name, &Scene::Node::name) == 1;
    Result<Twisted> twisted = add_twist_joints(*scene, {named ? name : std::to_string(node), kTwistJoints});
    if (!twisted) return Unexpected(twisted.error());
    scene = std::move(twisted->scene);
  }
  return load_scene(std::move(*scene), options);
}

/// What was drawn.
struct MethodsDrawn {
  std::uint32_t width = 0, height = 0;
  std::size_t times = 0;
};

Result<Input> load_method(const CompareMethodsOptions& options, const std::string& name) {
  if (name == kTwist) {
    InputOptions plain = options.input;
    plain.dual.clear();
    return load_twisted(plain);
  }
  const Result<SkinMethod> method = read_method(name);
  if (!method) return Unexpected(method.error());
  InputOptions input = options.input;
  input.method = *method;
  if (*method != SkinMethod::mixed) input.dual.clear();
  return load(input);
}

/// The clip that is asked for, or the one in which a joint twists farthest.
Result<std::size_t> choose_clip(const CompareMethodsOptions& options, const Character& character) {
  if (character.clips().empty())
    return fail(ErrorCode::unsupported, "", "has no clip: at rest all methods give the same", "give a file with clips");
  if (options.clip) {
    MomentOptions wanted;
    wanted.clip = options.clip;
    const Result<Moment> moment = find_moment(character, wanted);
    if (!moment) return Unexpected(moment.error());
    return static_cast<std::size_t>(moment->clip - character.clips().data());
  }
  const std::vector<JointTwist> twists = measure_twist(character);
  const auto worst = std::ranges::max_element(twists, {}, &JointTwist::radians);
  const bool any = worst != twists.end() && worst->clip != kNone;
  return any ? static_cast<std::size_t>(worst->clip) : std::size_t(0);
}

Result<void> measure_methods(const CompareMethodsOptions& options, MethodsCompared& out) {
  for (const std::string& name : options.methods) {
    Result<Input> input = load_method(options, name);
    if (!input) return Unexpected(input.error());
    if (out.runs.empty()) {
      print_notes(options.input.file, input->report);
      const Result<std::size_t> clip = choose_clip(options, *input->character);
      if (!clip) return Unexpected(clip.error());
      out.clip = *clip;
      const Clip& of = input->character->clips()[out.clip];
      out.times = spread_times(
          of,
          static_cast<std::size_t>(std::clamp(std::ceil(double(of.duration - of.first_key) * kRate), 1.0, 1e5)) + 1);
    }
    out.runs.push_back({name, Actor(std::move(*input)), {}});
  }
  if (options.picture.focus) {
    for (MethodRun& run : out.runs) {
      const Result<std::int32_t> row = find_joint(run.actor.character(), *options.picture.focus, "--focus");
      if (!row) return Unexpected(row.error());
      run.actor.focus(*row);
    }
  }
  if (!options.picture.output.empty() && !out.runs[0].actor.has_mesh())
    return fail(ErrorCode::unsupported, "", "has no mesh: there is nothing to draw, only numbers", "leave out -o");
  Progress progress(out.runs.size());
  for (MethodRun& run : out.runs) {
    progress.step(run.name);
    const LimbMeter meter(run.actor.character());
    for (const float time : out.times) {
      run.actor.pose({&out.clip_of(run), time});
      run.shapes.push_back(meter.measure(run.actor.instance()));
    }
    out.summaries.push_back(summarize(run, out.times));
  }
  return {};
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string joint_name(const Character& character, std::int32_t row) {
  if (row == kNone) return "-";
  const Skeleton& skeleton = character.skeleton();
  const auto at = static_cast<std::size_t>(row);
  return skeleton.names[at].empty() ? fmt::format("node {}", skeleton.source_nodes[at]) : in_quotes(skeleton.names[at]);
}

std::string methods_text(const CompareMethodsOptions& options, const MethodsCompared& compared,
                         const std::optional<MethodsDrawn>& drawn) {
  std::string out =
      coloured(Colour::bold, shown(options.input.file)) +
      fmt::format(": clip {} skinned in {} ways, {} times\n", in_quotes(compared.clip_of(compared.runs[0]).name),
                  compared.runs.size(), compared.times.size());
  Table table("lrlrrlrr");
  table.row({"method", "thinnest", "of", "at", "bulge", "of", "at", "volume"});
  for (std::size_t i = 0; i < compared.runs.size(); ++i) {
    const MethodRun& run = compared.runs[i];
    const MethodSummary& s = compared.summaries[i];
    const Character& character = run.actor.character();
    const std::string volume =
        s.worst.volume ? fmt::format("{} to {}", percent(s.least_volume), percent(s.most_volume)) : "-";
    table.row({run.name, percent(s.worst.thinnest), joint_name(character, s.worst.thin_joint),
               fmt::format("{:.3f} s", s.thin_time), percent(s.worst.bulge), joint_name(character, s.worst.bulge_joint),
               fmt::format("{:.3f} s", s.bulge_time), volume});
  }
  out += table.text() +
         "  thinnest: a joint's vertices' mean distance from its bones, of that at rest; bulge: how far one goes "
         "beyond\n"
         "  that, of the limb's width; volume: of closed meshes, of that at rest\n";
  if (drawn)
    out += fmt::format("{}: {} x {} pixels, {}\n", shown(options.picture.output), drawn->width, drawn->height,
                       counted(drawn->times, options.picture.film ? "frame" : "time"));
  return out;
}

std::string methods_json(const CompareMethodsOptions& options, const MethodsCompared& compared,
                         const std::optional<MethodsDrawn>& drawn) {
  Json methods = Json::array();
  for (std::size_t i = 0; i < compared.runs.size(); ++i) {
    const MethodRun& run = compared.runs[i];
    const MethodSummary& s = compared.summaries[i];
    const auto name = [&](std::int32_t row) {
      return row == kNone ? Json(nullptr) : Json(run.actor.character().skeleton().names[static_cast<std::size_t>(row)]);
    };
    Json one{{"method", run.name},
             {"thinnest", {{"share", s.worst.thinnest}, {"joint", name(s.worst.thin_joint)}, {"time", s.thin_time}}},
             {"bulge", {{"share", s.worst.bulge}, {"joint", name(s.worst.bulge_joint)}, {"time", s.bulge_time}}},
             {"volume", nullptr}};
    if (s.worst.volume) one["volume"] = {{"least", s.least_volume}, {"most", s.most_volume}};
    methods.push_back(std::move(one));
  }
  Json out{{"file", options.input.file},
           {"clip", compared.clip_of(compared.runs[0]).name},
           {"times", compared.times.size()},
           {"methods", methods},
           {"picture", nullptr}};
  if (drawn)
    out["picture"] = {{"output", options.picture.output},
                      {"width", drawn->width},
                      {"height", drawn->height},
                      {"times", drawn->times}};
  return to_text(out);
}

Result<MethodsDrawn> draw_methods(const CompareMethodsOptions& options, const RenderPlan& plan,
                                  MethodsCompared& compared) {
  constexpr std::size_t kColumns = 6;
  const RenderOptions& picture = options.picture;
  const Clip& clip = compared.clip_of(compared.runs[0]);
  Result<std::vector<float>> times =
      picture.film ? film_times(clip, plan.fps)
                   : spread_times(clip, static_cast<std::size_t>(picture.times.value_or(kColumns)));
  if (!times) return Unexpected(times.error());
  if (!picture.film) {  // one of them is the worst
    const float worst = compared.summaries[0].thin_time;
    *std::ranges::min_element(*times, {}, [&](float t) { return std::abs(t - worst); }) = worst;
  }
  gpu::ContextOptions wanted;
  wanted.graphics = true;
  const Result<gpu::Context> context = gpu::Context::create(wanted);
  if (!context) return Unexpected(context.error());
  Result<MethodsPicture> drawn = MethodsPicture::create(*context, compared.runs, compared.clip, plan, *times);
  if (!drawn) return Unexpected(drawn.error());
  const bool row = picture.film || times->size() == 1;
  const std::uint32_t width = drawn->width(row), height = drawn->height(row);
  if (std::uint64_t(width) * height > render::kPixelLimit)
    return fail(ErrorCode::bad_argument, "--size", fmt::format("{} x {} pixels in all", width, height),
                fmt::format("the limit is {} pixels", render::kPixelLimit));
  const auto write_sheet = [&]() -> Result<void> {
    const Result<render::Picture> sheet = row ? drawn->frame(times->front()) : drawn->sheet();
    return sheet ? write_picture(plan.kind, picture.output, *sheet) : Unexpected(sheet.error());
  };
  const Result<void> written = picture.film
                                   ? write_film(plan.kind, picture.output, {width, height, plan.fps}, times->size(),
                                                [&](std::size_t i) { return drawn->frame((*times)[i]); })
                                   : write_sheet();
  if (!written) return Unexpected(written.error());
  if (const Result<void> quiet = check_messages(*context); !quiet) return Unexpected(quiet.error());
  return MethodsDrawn{width, height, times->size()};
}

}  // namespace

int compare_methods(const CompareMethodsOptions& options, const RenderPlan& plan) {
  if (const Result<void> named = check_plot_name(options.plot); !named) return failure("", named.error());
  MethodsCompared compared;
  if (const Result<void> measured = measure_methods(options, compared); !measured)
    return failure(options.input.file, measured.error());
  std::optional<MethodsDrawn> drawn;
  if (!options.picture.output.empty()) {
    const Result<MethodsDrawn> made = draw_methods(options, plan, compared);
    if (!made) return failure(options.picture.output, made.error());
    drawn = *made;
  }
  if (!options.plot.empty()) {
    const std::string svg =
        methods_svg(fmt::format("{}, clip {}", options.input.file, clip_name(compared.clip_of(compared.runs[0]))),
                    compared.runs, compared.times);
    if (const Result<void> written = write_file(options.plot, std::as_bytes(std::span(svg))); !written)
      return failure(options.plot, written.error());
  }
  return print((options.json ? methods_json : methods_text)(options, compared, drawn));
}

}  // namespace sinew::tool
