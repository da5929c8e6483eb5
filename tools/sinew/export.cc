// sinew export: files for other programs.
#include "sinew/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "evaluate.h"
#include "json.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  InputOptions input;
  MomentOptions moment;
  std::string output;
  bool posed = false, baked = false, json = false;
};

Result<void> check_usage(const ExportOptions& options) {
  if (options.posed || options.baked) return check(options.moment);
  const char* given = options.moment.clip             ? "--clip"
                      : options.input.scene != kNone  ? "--scene"
                      : options.input.influences != 0 ? "--influences"
                                                      : nullptr;
  if (given)
    return fail(ErrorCode::bad_argument, given, "changes nothing in a copy of the whole file",
                "add --posed (skeleton kept, in that pose) or --baked (plain meshes)");
  return check(options.moment);
}

struct Made {
  Bytes bytes;
  Report report;
  std::string kind;
};

Result<Made> make(const ExportOptions& options, Scene scene) {
  Made made;
  Result<Bytes> bytes = Bytes{};
  if (!options.posed && !options.baked) {
    Report changes;
    made.kind = "whole";
    bytes = export_glb(scene, &changes);
    made.report = joined(scene.findings, changes);
  } else {
    Result<Input> input = load_scene(std::move(scene), options.input);
    if (!input) return Unexpected(input.error());
    const Result<Moment> moment = find_moment(*input->character, options.moment);
    if (!moment) return Unexpected(moment.error());
    made.report = std::move(input->report);
    made.kind = fmt::format("{}, {}", options.baked ? "baked" : "posed", describe(*moment));
    bytes = (options.baked ? export_baked_glb : export_posed_glb)(*input->scene, *input->character,
                                                                  evaluate(*input->character, *moment).pose);
  }
  if (!bytes) return Unexpected(bytes.error());
  made.bytes = std::move(*bytes);
  return made;
}

int export_file(const ExportOptions& options) {
  const std::string& file = options.input.file;
  if (const Result<void> good = check_usage(options); !good) return failure("", good.error());
  Result<Scene> scene = import_source(options.input, "export");
  if (!scene) return failure(file, scene.error());
  const Result<Made> made = make(options, std::move(*scene));
  if (!made) return failure(file, made.error());
  print_notes(file, made->report);
  std::error_code error;
  if (fs::equivalent(file, options.output, error))
    return failure(options.output,
                   Error{ErrorCode::bad_argument, "-o", "is the source file itself", "give another name"});
  if (const Result<void> written = write_file(options.output, made->bytes); !written)
    return failure(options.output, written.error());
  if (options.json)
    return print(to_text({{"source", file},
                          {"output", options.output},
                          {"output_bytes", made->bytes.size()},
                          {"kind", made->kind},
                          {"findings", to_json(made->report)}}));
  return print(fmt::format("{}: {} bytes ({})\n", shown(options.output), grouped(made->bytes.size()), made->kind));
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = app.add_subcommand("export", "Write a GLB that other programs open: whole, posed or baked");
  add_file(*verb, options->input);
  verb->add_option("-o,--output", options->output, "File to write")->type_name("OUT")->required();
  auto* posed =
      verb->add_flag("--posed", options->posed, "Keep skeleton and skins; the moment becomes the rest pose, clips go");
  verb->add_flag("--baked", options->baked, "Skinned vertices of the moment as plain meshes")->excludes(posed);
  add_moment_options(*verb, options->moment);
  verb->add_flag("--json", options->json, "Print what was written as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Examples: sinew export biped.glb -o copy.glb\n"
      "          sinew export biped.glb --clip walk --time 0.25 --baked -o step.glb\n"
      "Materials, images and extensions that sinew does not model pass through. Needs the source file, not a .sinew.");
  verb->callback([options, &action] { action = [options] { return export_file(*options); }; });
}

}  // namespace sinew::tool
