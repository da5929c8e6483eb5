// sinew build: source file to runtime file (.sinew).
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "costs.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct BuildOptions {
  InputOptions input;
  std::string output;
  bool json = false;
};

/// Of FILE alone: a .gltf's buffers may lie in other files.
std::uint64_t source_size(const BuildOptions& options) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(options.input.file, error);
  return error ? 0 : size;
}

std::string as_text(const BuildOptions& options, const std::string& output, const Input& input) {
  const Character& character = *input.character;
  std::string out = fmt::format("{}: {} bytes, from {} ({} bytes)\n", shown(output), grouped(input.bytes.size()),
                                shown(options.input.file), grouped(source_size(options)));
  Table table("lrl");
  for (const Share& share : file_shares(character, input.bytes.size()))
    if (share.bytes > 0) table.row({std::string(share.name), grouped(share.bytes), share.of});
  return out + table.text();
}

std::string as_json(const BuildOptions& options, const std::string& output, const Input& input) {
  Json shares = Json::object();
  for (const Share& share : file_shares(*input.character, input.bytes.size()))
    shares[std::string(share.name)] = share.bytes;
  return to_text({{"source", options.input.file},
                  {"source_bytes", source_size(options)},
                  {"output", output},
                  {"output_bytes", input.bytes.size()},
                  {"bytes", shares},
                  {"findings", to_json(input.report)}});
}

int build(const BuildOptions& options) {
  const std::string& file = options.input.file;
  Result<Scene> scene = import_source(options.input, "build");
  if (!scene) return failure(file, scene.error());
  const Result<Input> input = load_scene(std::move(*scene), options.input);
  if (!input) return failure(file, input.error());
  print_notes(file, input->report);
  const std::string output =
      options.output.empty() ? fs::path(file).replace_extension(".sinew").string() : options.output;
  std::error_code error;
  if (fs::equivalent(file, output, error))
    return failure(output, Error{ErrorCode::bad_argument, "-o", "is the source file itself", "give another name"});
  if (const Result<void> written = write_file(output, input->bytes); !written) return failure(output, written.error());
  return print((options.json ? as_json : as_text)(options, output, *input));
}

}  // namespace

void add_build(CLI::App& app, Action& action) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* verb = app.add_subcommand("build", "Make the runtime file (.sinew) from a source file");
  add_file(*verb, options->input);
  verb->add_option("-o,--output", options->output, "File to write (default: FILE with the ending .sinew)")
      ->type_name("OUT");
  verb->add_flag("--json", options->json, "Print sizes and findings as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Example: sinew build biped.glb -o biped.sinew\n"
      "Clips are stored as keyframes, uncompressed. The format is unstable: build again after an upgrade.");
  verb->callback([options, &action] { action = [options] { return build(*options); }; });
}

}  // namespace sinew::tool
