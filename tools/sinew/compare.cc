// sinew compare: a built file beside its source, in numbers and in pictures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "backend.h"
#include "compare_methods.h"
#include "compare_picture.h"
#include "gpu/context.h"
#include "method.h"
#include "output.h"
#include "render/codec.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  InputOptions input;
  std::string built, plot;
  std::vector<std::string> methods;
  std::optional<std::string> clip, tolerance;
  RenderOptions picture;  // output, size, camera, background, film, fps, times
  bool json = false;
};

/// Both files, and what was measured of the clips that are compared.
struct Compared {
  std::vector<SourceAndBuilt::Pair> pairs;
  std::vector<ClipError> errors;
  std::vector<Actor> actors;  // source, compressed
  std::size_t shown = 0;      // of the pairs, the one that is drawn
  double tolerance = 0;
};

Result<void> choose_clips(const CompareOptions& options, const SourceAndBuilt& both, Compared& out) {
  out.pairs = both.pairs;
  if (out.pairs.empty())
    return fail(ErrorCode::unsupported, "", "has no clip that the source has, too: there is nothing to compare",
                "sinew inspect shows what it has");
  if (!options.clip) return {};
  MomentOptions wanted;
  wanted.clip = options.clip;
  const Result<Moment> moment = find_moment(*both.built.character, wanted);
  if (!moment) return Unexpected(moment.error());
  std::erase_if(out.pairs, [&](const SourceAndBuilt::Pair& pair) { return pair.built != moment->clip; });
  if (!out.pairs.empty()) return {};
  return fail(ErrorCode::bad_argument, "--clip", fmt::format("the source has no clip {}", in_quotes(*options.clip)),
              "leave out --clip to compare all that both have");
}

std::optional<FileError> load_compared(const CompareOptions& options, const Tolerance& tolerance, Compared& out) {
  SourceAndBuilt both;
  if (auto error = load_both(options.input, options.built, "compare", both)) return error;
  print_notes(options.input.file, both.source.report);
  if (const Result<void> chosen = choose_clips(options, both, out); !chosen)
    return FileError{options.built, chosen.error()};
  const CompressOptions distance = distances(tolerance, *both.source.character);
  out.tolerance = distance.tolerance;
  {
    Progress progress(out.pairs.size());
    for (const SourceAndBuilt::Pair& pair : out.pairs) {
      progress.step(pair.built->name);
      Result<ClipError> error =
          measure_error(*both.source.character, *pair.source, *both.built.character, *pair.built, distance.shell);
      if (!error) return FileError{options.built, error.error()};
      out.errors.push_back(std::move(*error));
    }
  }
  const auto worst = std::ranges::max_element(out.errors, {}, &ClipError::largest);
  out.shown = static_cast<std::size_t>(worst - out.errors.begin());
  out.actors.emplace_back(std::move(both.source));
  out.actors.emplace_back(std::move(both.built));
  return std::nullopt;
}

Result<void> write_sheet(ComparePicture& picture, const CompareOptions& options, const RenderPlan& plan) {
  const Result<render::Picture> sheet = picture.sheet();
  if (!sheet) return Unexpected(sheet.error());
  return write_picture(plan.kind, options.picture.output, *sheet);
}

/// What was drawn.
struct Drawn {
  std::uint32_t width = 0, height = 0;
  std::size_t times = 0;
};

Result<Drawn> draw_compared(const CompareOptions& options, const RenderPlan& plan, Compared& compared) {
  constexpr std::size_t kUsualTimes = 6;
  const bool film = options.picture.film;
  const ComparedClip clip{compared.actors, compared.pairs[compared.shown], compared.errors[compared.shown],
                          compared.tolerance};
  Result<std::vector<float>> times =
      film ? film_times(*clip.pair.source, plan.fps)
           : sheet_times(*clip.pair.source, clip.error,
                         static_cast<std::size_t>(options.picture.times.value_or(kUsualTimes)));
  if (!times) return Unexpected(times.error());
  gpu::ContextOptions wanted;
  wanted.graphics = true;
  const Result<gpu::Context> context = gpu::Context::create(wanted);
  if (!context) return Unexpected(context.error());
  Result<ComparePicture> picture = ComparePicture::create(*context, clip, plan, *times);
  if (!picture) return Unexpected(picture.error());
  const Drawn drawn{picture->width(film), picture->height(film), times->size()};
  if (std::uint64_t(drawn.width) * drawn.height > render::kPixelLimit)
    return fail(ErrorCode::bad_argument, "--size", fmt::format("{} x {} pixels in all", drawn.width, drawn.height),
                "the limit is 64 million: give a smaller --size");
  const Result<void> written =
      film ? write_film(plan.kind, options.picture.output, {drawn.width, drawn.height, plan.fps}, times->size(),
                        [&](std::size_t i) { return picture->frame((*times)[i]); })
           : write_sheet(*picture, options, plan);
  if (!written) return Unexpected(written.error());
  if (const Result<void> quiet = check_messages(*context); !quiet) return Unexpected(quiet.error());
  return drawn;
}

std::string compare_text(const CompareOptions& options, const Compared& compared, const std::optional<Drawn>& drawn) {
  const Character& character = compared.actors[1].character();
  std::string out = coloured(Colour::bold, shown(options.built)) + " beside " + shown(options.input.file) +
                    ": how far points are apart\n";
  Table table("lrrrl");
  table.row({"clip", "largest", "99 %", "at", "where"});
  for (std::size_t i = 0; i < compared.pairs.size(); ++i)
    table.row(error_cells(clip_name(*compared.pairs[i].built), character, compared.errors[i]));
  out += table.text();
  if (drawn)
    out += fmt::format("{}: {} x {} pixels, {} of clip {}\n", shown(options.picture.output), drawn->width,
                       drawn->height, counted(drawn->times, options.picture.film ? "frame" : "time"),
                       in_quotes(compared.pairs[compared.shown].built->name));
  return out;
}

std::string compare_json(const CompareOptions& options, const Compared& compared, const std::optional<Drawn>& drawn) {
  const Character& character = compared.actors[1].character();
  Json clips = Json::array();
  for (std::size_t i = 0; i < compared.pairs.size(); ++i)
    clips.push_back({{"name", compared.pairs[i].built->name},
                     {"clip", compared.pairs[i].built->source_clip},
                     {"error", error_json(character, compared.errors[i])}});
  Json out{{"source", options.input.file}, {"built", options.built}, {"clips", clips}, {"picture", nullptr}};
  if (drawn)
    out["picture"] = {{"output", options.picture.output},
                      {"clip", compared.pairs[compared.shown].built->name},
                      {"width", drawn->width},
                      {"height", drawn->height},
                      {"times", drawn->times}};
  return to_text(out);
}

/// The picture's options, with this verb's own defaults.
Result<RenderPlan> understand_picture(CompareOptions& options) {
  RenderOptions& picture = options.picture;
  if (picture.output.empty()) {
    const char* given = picture.times                 ? "--times"
                        : picture.fps                 ? "--fps"
                        : !picture.size.empty()       ? "--size"
                        : !picture.camera.empty()     ? "--camera"
                        : !picture.background.empty() ? "--background"
                        : picture.focus               ? "--focus"
                                                      : nullptr;
    if (!given) return RenderPlan{};
    return fail(ErrorCode::bad_argument, given, "says nothing without a picture", "add -o OUT");
  }
  const std::string ending = fs::path(picture.output).extension().string();
  picture.film = ending == ".webp" || ending == ".gif" || ending == ".mp4";
  picture.sheet = !picture.film;
  // Every clip has a film; which one, the files say.
  picture.moment.clip = options.clip.value_or("");
  if (picture.size.empty()) picture.size = picture.film ? "400x480" : "240x300";
  return understand(picture);
}

/// Another file, or other methods.
Result<void> check_pair(const CompareOptions& options) {
  const auto misused = [](const char* where, const char* what, const char* advice) {
    return fail(ErrorCode::bad_argument, where, what, advice);
  };
  if (options.methods.empty()) {
    if (options.built.empty())
      return misused("", "there is nothing to compare with", "give a built .sinew, or --methods lbs,dqs");
    if (!options.input.dual.empty()) return misused("--dual", "is for --methods", "add --methods lbs,mixed");
    if (!options.plot.empty()) return misused("--plot", "is for --methods", "of a built file verify draws one");
    if (options.picture.focus) return misused("--focus", "is for --methods", "leave it out");
    return {};
  }
  if (!options.built.empty())
    return misused("--methods", "compares ways to skin one file", "leave out the second file, or --methods");
  if (options.tolerance) return misused("--tolerance", "says nothing of methods", "leave it out");
  return {};
}

int compare(CompareOptions options) {
  if (const Result<void> good = check_pair(options); !good) return failure("", good.error());
  const Result<Tolerance> tolerance = read_tolerance(options.tolerance);
  if (!tolerance) return failure("", tolerance.error());
  const Result<RenderPlan> plan = understand_picture(options);
  if (!plan) return failure("", plan.error());
  if (!options.methods.empty())
    return compare_methods({options.input, options.methods, options.clip, options.plot, options.picture, options.json},
                           *plan);
  const std::string& output = options.picture.output;
  std::error_code error;
  for (const std::string* file : {&options.input.file, &options.built})
    if (!output.empty() && fs::equivalent(*file, output, error))
      return failure(output, {ErrorCode::bad_argument, "-o", "is one of the files compared", "give another name"});
  Compared compared;
  if (const auto trouble = load_compared(options, *tolerance, compared)) return failure(trouble->file, trouble->error);
  const bool nothing = !compared.actors[0].has_mesh();
  std::optional<Drawn> drawn;
  if (!output.empty() && !nothing) {
    const Result<Drawn> made = draw_compared(options, *plan, compared);
    if (!made) return failure(output, made.error());
    drawn = *made;
  }
  const int printed = print((options.json ? compare_json : compare_text)(options, compared, drawn));
  if (printed != kSuccess || output.empty() || !nothing) return printed;
  return failure(options.input.file,
                 {ErrorCode::unsupported, "", "has no mesh: there is nothing to draw, only numbers", "leave out -o"});
}

void add_picture_options(CLI::App& verb, RenderOptions& options) {
  verb.add_option("-o,--output", options.output,
                  "Picture to write: a sheet of times as .png, a film as .webp, .gif, .mp4")
      ->type_name("OUT");
  verb.add_option("--times", options.times, "Times of a sheet (default: 6)")
      ->type_name("N")
      ->check(CLI::Range(1, 32).description(""));
  verb.add_option("--fps", options.fps, "Frames a second of a film (default: 30)")->type_name("N");
  verb.add_option("--size", options.size,
                  "Pixels of each of the three pictures of a time (default: 240x300, film 400x480)")
      ->type_name("WxH");
  verb.add_option("--camera", options.camera,
                  "front, side, three-quarter (default), back, or degrees round it and above it")
      ->type_name("NAME|AZIMUTH,ELEVATION");
  verb.add_option("--focus", options.focus, "With --methods: what this joint moves, by name or node, from near by")
      ->type_name("JOINT");
  verb.add_option("--background", options.background, "Colour as RRGGBB")->type_name("COLOUR");
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* verb = app.add_subcommand(
      "compare", "Show a .sinew beside its source, or ways to skin beside one another, with a heat map in mm");
  add_file(*verb, options->input);
  add_built_file(*verb, options->built)->required(false);
  verb->add_option("--methods", options->methods,
                   "Ways to skin FILE, instead of BUILT: of lbs, dqs, mixed, and twist, which is lbs with three "
                   "twist joints in each limb that twists far")
      ->type_name("METHOD,...")
      ->delimiter(',');
  add_dual_option(*verb, options->input);
  verb->add_option("--clip", options->clip,
                   "Clip by name, or by index where no clip has that name (default: all; drawn is the worst)")
      ->type_name("NAME|INDEX");
  add_picture_options(*verb, options->picture);
  verb->add_option("--tolerance", options->tolerance, kToleranceHelp)->type_name("DISTANCE");
  verb->add_option("--plot", options->plot, "With --methods: limbs and volume over time, as SVG")->type_name("OUT.svg");
  verb->add_flag("--json", options->json, "Print the numbers as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Examples: sinew compare biped.glb biped.sinew -o sheet.png\n"
      "          sinew compare biped.glb biped.sinew --clip walk -o walk.webp\n"
      "          sinew compare biped.glb --clip wrist_twist --methods lbs,dqs,mixed,twist -o wrist.png --focus "
      "left_hand\n"
      "Three pictures of each time: the source, the compressed clip in the source's materials, and the source coloured "
      "by\n"
      "how far each vertex is from its own in the other. The scale ends at the tolerance, where the clip keeps to it.\n"
      "Of a sheet one time is that of the largest error.");
  verb->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace sinew::tool
