// sinew verify: measures again, from the files, how far a built file's clips stray from their source.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "clip_plot.h"
#include "output.h"
#include "promise.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

struct VerifyOptions {
  InputOptions input;
  std::string built, plot;
  std::optional<std::string> tolerance;
  bool json = false;
};

struct Verified {
  SourceAndBuilt both;
  std::vector<ClipError> errors;  ///< one a pair
  double tolerance = 0;

  bool holds(std::size_t pair) const { return errors[pair].largest <= tolerance; }
  std::size_t over() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) count += !holds(i);
    return count;
  }
  bool good() const { return over() == 0 && both.unsourced.empty(); }
};

std::string verify_text(const VerifyOptions& options, const Verified& verified) {
  const Character& character = *verified.both.built.character;
  std::string out = coloured(Colour::bold, shown(options.built)) + ": every point is to stray from " +
                    shown(options.input.file) + " by at most " + describe_distance(verified.tolerance, character) +
                    "\n";
  Table table("lrrrll");
  table.row({"clip", "largest", "99 %", "at", "verdict", "where"});
  for (std::size_t i = 0; i < verified.errors.size(); ++i) {
    std::vector<std::string> cells =
        error_cells(clip_name(*verified.both.pairs[i].built), character, verified.errors[i]);
    cells.insert(cells.end() - 1, verified.holds(i) ? coloured(Colour::green, "PASS") : coloured(Colour::red, "FAIL"));
    table.row(std::move(cells));
  }
  for (const std::string& name : verified.both.unsourced)
    table.row({name.empty() ? "(no name)" : shown(name), "-", "-", "-", coloured(Colour::red, "FAIL"),
               "the source has no such clip"});
  return out + table.text();
}

Json verify_json(const VerifyOptions& options, const Verified& verified) {
  const Character& character = *verified.both.built.character;
  Json clips = Json::array();
  for (std::size_t i = 0; i < verified.errors.size(); ++i)
    clips.push_back({{"name", verified.both.pairs[i].built->name},
                     {"clip", verified.both.pairs[i].built->source_clip},
                     {"holds", verified.holds(i)},
                     {"error", error_json(character, verified.errors[i])}});
  return {{"source", options.input.file},
          {"built", options.built},
          {"tolerance", static_cast<float>(verified.tolerance)},
          {"height", static_cast<float>(height(character))},
          {"holds", verified.good()},
          {"clips", clips},
          {"not_in_source", verified.both.unsourced},
          {"not_in_built", verified.both.unbuilt}};
}

Result<void> measure(Verified& verified, double shell) {
  Progress progress(verified.both.pairs.size());
  for (const SourceAndBuilt::Pair& pair : verified.both.pairs) {
    progress.step(pair.built->name);
    Result<ClipError> error = measure_error(*verified.both.source.character, *pair.source,
                                            *verified.both.built.character, *pair.built, shell);
    if (!error) return Unexpected(error.error());
    verified.errors.push_back(std::move(*error));
  }
  return {};
}

Result<void> write_plot(const VerifyOptions& options, const Verified& verified) {
  std::vector<PlottedClip> clips;
  for (std::size_t i = 0; i < verified.errors.size(); ++i)
    clips.push_back({verified.both.pairs[i].built, &verified.errors[i]});
  const std::string svg = plot_svg(fmt::format("{} against {}", options.built, options.input.file),
                                   *verified.both.built.character, verified.tolerance, clips);
  return write_file(options.plot, std::as_bytes(std::span(svg)));
}

/// What is wrong, on standard error.
int verdict(const VerifyOptions& options, const Verified& verified) {
  if (verified.good()) return kSuccess;
  std::string what;
  if (verified.over() > 0)
    what = fmt::format("clips that stray by more than {} mm: {} of {}", millimetres(verified.tolerance),
                       verified.over(), verified.errors.size());
  if (!verified.both.unsourced.empty())
    what += fmt::format("{}{} cannot be measured: the source has no {}", what.empty() ? "" : ", and ",
                        counted(verified.both.unsourced.size(), "clip"), names_text(verified.both.unsourced));
  return failure(options.built, {ErrorCode::inconsistent, "", what,
                                 verified.over() > 0 ? "give the --tolerance of the build, or build it again"
                                                     : "give the file that it was built from"});
}

int verify(const VerifyOptions& options) {
  const Result<Tolerance> tolerance = read_tolerance(options.tolerance);
  if (!tolerance) return failure("", tolerance.error());
  if (const Result<void> named = check_plot_name(options.plot); !named) return failure("", named.error());
  Verified verified;
  if (const auto error = load_both(options.input, options.built, "verify", verified.both))
    return failure(error->file, error->error);
  print_notes(options.input.file, verified.both.source.report);
  const CompressOptions wanted = distances(*tolerance, *verified.both.source.character);
  verified.tolerance = wanted.tolerance;
  if (const Result<void> measured = measure(verified, wanted.shell); !measured)
    return failure(options.built, measured.error());
  if (!options.plot.empty())
    if (const Result<void> written = write_plot(options, verified); !written)
      return failure(options.plot, written.error());
  std::string text = options.json ? to_text(verify_json(options, verified)) : verify_text(options, verified);
  if (!options.json && !verified.both.unbuilt.empty())
    text += fmt::format("  not in {}: {}\n", shown(options.built), names_text(verified.both.unbuilt));
  const int printed = print(text), judged = verdict(options, verified);
  return printed == kSuccess ? judged : printed;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = app.add_subcommand("verify", "Measure again how far the clips of a .sinew stray from their source");
  add_source_file(*verb, options->input);
  add_built_file(*verb, options->built);
  verb->add_option("--tolerance", options->tolerance, kToleranceHelp)->type_name("DISTANCE");
  verb->add_option("--plot", options->plot, kPlotHelp)->type_name("OUT.svg");
  verb->add_flag("--json", options->json, "Print the same as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Example: sinew verify biped.glb biped.sinew\n"
      "Exit status 1 where a clip strays by more than the tolerance. The file does not say with which one it was "
      "built.\n"
      "Clips are paired by name. --scene, --influences and --trim must be as in the build.");
  verb->callback([options, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace sinew::tool
