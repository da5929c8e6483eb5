// sinew shaders: the skinning shaders for other APIs, as the build translated them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "output.h"
#include "sinew/bytes.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct ShadersOptions {
  std::string target, stage;
  std::uint32_t influences = 4;
  bool tangents = false, morphs = false, instances = false;
  std::string normal_mode = "exact", palette = "3x4", method = "lbs";
  bool stretch = false;
  std::optional<std::string> palette_in;
  std::optional<std::string> output;
};

/// File name extension of a target.
std::string extension(const std::string& target) {
  return target == "spirv" ? "spv" : target == "msl" ? "metal" : target;
}

bool is_webgl2(const ShadersOptions& options) { return options.target == "essl" && options.stage == "vertex"; }

bool in_constants(const ShadersOptions& options) {
  return options.palette_in ? *options.palette_in == "constants" : is_webgl2(options);
}

Unexpected unsupported(const char* where, std::string what, std::string what_to_do) {
  return fail(ErrorCode::bad_argument, where, std::move(what), std::move(what_to_do));
}

/// Whether there is such a shader.
Result<void> check_usage(const ShadersOptions& options) {
  if (options.method == "lbs" && options.stretch)
    return unsupported("--stretch", "is of dual quaternions, and --method lbs has none", "use --method dqs or mixed");
  if (options.method != "lbs" && options.palette != "3x4")
    return unsupported("--palette", "4x4 is there with --method lbs only", "leave --palette out");
  if (options.method != "lbs" && options.normal_mode != "exact")
    return unsupported("--normal-mode", "fast is there with --method lbs only",
                       "leave --normal-mode out: without --stretch dqs turns normals as fast does");
  if (is_webgl2(options)) {
    const std::string instead = "use another target, or --stage compute, which is ESSL 310";
    if (!in_constants(options))
      return unsupported("--palette-in", "ESSL 300 (WebGL2) has no storage buffers", "use --palette-in constants");
    if (options.morphs) return unsupported("--morphs", "ESSL 300 (WebGL2) has no buffer to read targets from", instead);
    if (options.instances)
      return unsupported("--instances", "ESSL 300 (WebGL2) has no room for palettes of many instances", instead);
  } else if (in_constants(options)) {
    if (options.target != "hlsl")
      return unsupported("--palette-in",
                         fmt::format("constants are for hlsl, and for the vertex stage of essl, not for {} {}",
                                     options.target, options.stage),
                         "use --palette-in buffer");
    if (options.morphs || options.instances)
      return unsupported(options.morphs ? "--morphs" : "--instances",
                         "is not there with the palette in constants, which hold one", "use --palette-in buffer");
  }
  return {};
}

/// As shaders/export/translate.cmake names it.
std::string file_name(const ShadersOptions& options) {
  return fmt::format(
      "skin_{}_{}{}{}_{}_{}{}{}.{}", options.stage, options.influences, options.tangents ? "_tangents" : "",
      options.morphs      ? "_morphs"
      : options.instances ? "_instances"
                          : "",
      options.normal_mode, options.method == "lbs" ? options.palette : options.method,
      options.stretch ? "_stretch" : "", in_constants(options) ? "_constants" : "", extension(options.target));
}

/// The folder of the shaders: as installed beside the program, or in the build folder that it was built in.
std::optional<fs::path> shader_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  for (const char* from_program : {SINEW_SHADERS_FROM_BIN, "../../share/sinew/shaders"}) {
    fs::path folder = (program.parent_path() / from_program).lexically_normal();
    if (fs::is_directory(folder, error)) return folder;
  }
  return std::nullopt;
}

int write_shader(const ShadersOptions& options) {
  if (const Result<void> good = check_usage(options); !good) return failure("", good.error());
  if (options.target == "spirv" && !options.output && isatty(STDOUT_FILENO))
    return failure("", Error{ErrorCode::bad_argument, "--target", "spirv is binary", "add -o FILE, or a pipe"});
  const std::optional<fs::path> folder = shader_folder();
  if (!folder)
    return failure("", Error{ErrorCode::io, "", "the folder with the shaders is not beside this program",
                             "install sinew as a whole, or build it with SINEW_SHADERS=ON"});
  const fs::path file = *folder / options.target / file_name(options);
  const Result<Bytes> bytes = read_file(file);
  if (!bytes) return failure(file.string(), bytes.error());
  const std::span<const std::byte> content(*bytes);
  if (!options.output) return print({reinterpret_cast<const char*>(content.data()), content.size()});
  if (const Result<void> written = write_file(*options.output, content); !written)
    return failure(*options.output, written.error());
  return print(fmt::format("{}: {} bytes\n", shown(*options.output), grouped(content.size())));
}

}  // namespace

void add_shaders(CLI::App& app, Action& action) {
  auto options = std::make_shared<ShadersOptions>();
  CLI::App* verb = app.add_subcommand("shaders", "Print or write the skinning shaders for another API");
  verb->add_option("--target", options->target, "GLSL 4.30; ESSL 310 (compute) or 300 (vertex); MSL 2.1; HLSL 5.0")
      ->type_name("NAME")
      ->required()
      ->check(CLI::IsMember({"spirv", "glsl", "essl", "msl", "hlsl", "wgsl"}));
  verb->add_option("--stage", options->stage, "compute: vertices into a buffer; vertex: while drawing")
      ->type_name("NAME")
      ->required()
      ->check(CLI::IsMember({"compute", "vertex"}));
  verb->add_option("--influences", options->influences, "Joints a vertex: 1, 2, 4 or 8")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 2, 4, 8}));
  verb->add_flag("--tangents", options->tangents, "Tangents too");
  verb->add_flag("--morphs", options->morphs, "Morph targets are added before skinning (implies --instances)");
  verb->add_flag("--instances", options->instances, "Many instances with own palettes in one dispatch or draw");
  verb->add_option("--method", options->method, "lbs: linear blend; dqs: dual quaternions; mixed: by a share a vertex")
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::IsMember({"lbs", "dqs", "mixed"}));
  verb->add_flag("--stretch", options->stretch, "dqs, mixed: joints stretch too");
  verb->add_option("--normal-mode", options->normal_mode, "exact: right under any scale; fast: uniform scale only")
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::IsMember({"exact", "fast"}));
  verb->add_option("--palette", options->palette, "3x4: three rows, 48 bytes a joint; 4x4: four columns, 64 bytes")
      ->type_name("NAME")
      ->capture_default_str()
      ->check(CLI::IsMember({"3x4", "4x4"}));
  verb->add_option("--palette-in", options->palette_in, "buffer, or constants (hlsl; essl vertex, which has no other)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"buffer", "constants"}));
  verb->add_option("-o,--output", options->output, "File to write; standard output without")->type_name("OUT");
  verb->footer(
      "Examples: sinew shaders --target msl --stage compute > skin.metal\n"
      "          sinew shaders --target hlsl --stage vertex --influences 8 --tangents -o skin.hlsl\n"
      "Bindings and layouts: docs/shaders.md.");
  verb->callback([options, &action] { action = [options] { return write_shader(*options); }; });
}

}  // namespace sinew::tool
