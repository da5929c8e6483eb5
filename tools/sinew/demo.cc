// sinew demo: the whole pipeline on the built-in character, and a table of checks.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "biped/biped.h"
#include "costs.h"
#include "demo_checks.h"
#include "evaluate.h"
#include "inspect.h"
#include "output.h"
#include "sinew/export.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  std::string folder = "sinew-demo";
  std::string program;
  bool json = false;
};

/// A failure with the file that it is about.
struct Trouble {
  std::string file;
  Error error;
};

/// Makes and writes all files; nothing where all went well.
std::optional<Trouble> write_files(const Input& built, const DemoFiles& files) {
  std::error_code error;
  const fs::path folder = files.glb.parent_path();
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    return Trouble{folder.string(),
                   Error{ErrorCode::io, "", "cannot be made a folder" + (error ? ": " + error.message() : ""),
                         "give another with -o"}};
  const Pose pose = evaluate(*built.character, posed_moment(*built.character)).pose;
  const std::pair<fs::path, Result<Bytes>> glbs[] = {
      {files.glb, export_glb(*built.scene)},
      {files.posed, export_posed_glb(*built.scene, *built.character, pose)},
      {files.baked, export_baked_glb(*built.scene, *built.character, pose)}};
  for (const auto& [path, bytes] : glbs) {
    if (!bytes) return Trouble{path.string(), bytes.error()};
    if (const Result<void> written = write_file(path, *bytes); !written) return Trouble{path.string(), written.error()};
  }
  if (const Result<void> written = write_file(files.sinew, built.bytes); !written)
    return Trouble{files.sinew.string(), written.error()};
  return std::nullopt;
}

struct Row {
  std::string name;
  Check check;
};

std::vector<Row> run_checks(const std::vector<DemoCheck>& checks) {
  Progress progress(checks.size());
  std::vector<Row> rows;
  for (const DemoCheck& check : checks) {
    progress.step(check.name);
    rows.push_back({check.name, check.measure()});
  }
  return rows;
}

std::string checks_text(const std::vector<Row>& rows) {
  Table table("llll");
  table.row({"", coloured(Colour::dim, "check"), coloured(Colour::dim, "measured"), coloured(Colour::dim, "allowed")});
  for (const Row& row : rows)
    table.row({row.check.passed ? coloured(Colour::green, "PASS") : coloured(Colour::red, "FAIL"), row.name,
               shown(row.check.measured), row.check.limit});
  return table.text();
}

std::string files_text(const DemoFiles& files, const Moment& moment) {
  const auto size = [](const fs::path& path) {
    std::error_code error;
    return grouped(fs::file_size(path, error)) + " bytes";
  };
  Table table("lrl");
  table.row({shown(files.glb.string()), size(files.glb), "the character with its clips: open it in any glTF viewer"});
  table.row({shown(files.sinew.string()), size(files.sinew), "the same as a runtime file"});
  table.row({shown(files.posed.string()), size(files.posed),
             fmt::format("skeleton and skin, resting in {}", describe(moment))});
  table.row({shown(files.baked.string()), size(files.baked), "the skinned vertices of that moment as a plain mesh"});
  return table.text();
}

/// As a POSIX shell takes it.
std::string shell_word(const std::string& text) {
  const bool plain =
      !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+") ==
                           std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string next_text(const DemoOptions& options, const DemoFiles& files) {
  const std::string sinew = "  " + shell_word(options.program) + " ", glb = shell_word(files.glb.string());
  return sinew + "inspect " + glb + "\n" +                                                    //
         sinew + "skin " + shell_word(files.sinew.string()) + " --clip walk --time 0.25\n" +  //
         sinew + "explain " + glb + " --vertex 100 --clip walk --time 0.25\n" +               //
         sinew + "render " + glb + " --clip run --film -o " +
         shell_word((fs::path(options.folder) / "run.webp").string()) + "\n" +  //
         sinew + "export " + glb + " --clip jump --time 0.5 --baked -o " +
         shell_word((fs::path(options.folder) / "jump.glb").string()) + "\n";
}

std::string as_text(const DemoOptions& options, const Input& built, const DemoFiles& files,
                    const std::vector<Row>& rows) {
  const auto heading = [](std::string text) { return "\n" + coloured(Colour::bold, std::move(text)) + "\n"; };
  std::size_t failed = 0;
  for (const Row& row : rows) failed += !row.check.passed;
  std::string out = coloured(Colour::bold, "sinew demo: the built-in character through every stage") + "\n";
  out += "  import > write > open > sample > blend > model > palette > skin > export\n";
  out += heading("Checks") + checks_text(rows);
  out += heading("Costs") + costs_text(*built.character);
  out += heading("Files") + files_text(files, posed_moment(*built.character));
  out += heading("Next") + next_text(options, files);
  return out + "\n" +
         (failed ? coloured(Colour::red, fmt::format("{} of {} FAILED", failed, counted(rows.size(), "check")))
                 : coloured(Colour::green, fmt::format("all {} passed", counted(rows.size(), "check")))) +
         "\n";
}

Json as_json(const DemoFiles& files, const std::vector<Row>& rows) {
  Json checks = Json::array();
  for (const Row& row : rows)
    checks.push_back({{"name", row.name},
                      {"measured", row.check.measured},
                      {"allowed", row.check.limit},
                      {"passed", row.check.passed}});
  return {{"checks", checks},
          {"files", {files.glb.string(), files.sinew.string(), files.posed.string(), files.baked.string()}}};
}

int demo(const DemoOptions& options) {
  const fs::path folder = options.folder;
  const DemoFiles files{folder / "biped.glb", folder / "biped.sinew", folder / "biped_posed.glb",
                        folder / "biped_baked.glb"};
  const Result<Input> built = load_scene(make_biped(), {});
  if (!built) return failure("the built-in character", built.error());
  print_notes("the built-in character", built->report);
  if (const std::optional<Trouble> trouble = write_files(*built, files)) return failure(trouble->file, trouble->error);
  const std::vector<Row> rows = run_checks(demo_checks(*built, files));
  const int printed = print(options.json ? to_text(as_json(files, rows)) : as_text(options, *built, files, rows));
  for (const Row& row : rows)
    if (!row.check.passed) return kBadData;
  return printed;
}

}  // namespace

void add_demo(CLI::App& app, Action& action, const std::string& program) {
  auto options = std::make_shared<DemoOptions>();
  options->program = program;
  CLI::App* verb =
      app.add_subcommand("demo", "Run every stage on the built-in character; write its files; print a table of checks");
  verb->add_option("-o,--output", options->folder, "Folder for the files (default: sinew-demo)")->type_name("DIR");
  verb->add_flag("--json", options->json, "Print the checks as JSON");
  verb->footer("Example: sinew demo -o out/demo\nExit status 1 where a check fails.");
  verb->callback([options, &action] { action = [options] { return demo(*options); }; });
}

}  // namespace sinew::tool
