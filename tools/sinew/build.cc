// sinew build: source file to runtime file (.sinew).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "clip_plot.h"
#include "costs.h"
#include "input.h"
#include "json.h"
#include "method.h"
#include "output.h"
#include "packing.h"
#include "promise.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

struct BuildOptions {
  InputOptions input;
  std::string output, plot;
  std::optional<std::string> tolerance;
  std::vector<std::string> clips;
  bool keyframes = false, json = false;
};

/// The runtime file, and how its clips came about.
struct Built {
  Input plain;                      ///< all clips as keyframes
  std::optional<Bytes> compressed;  ///< nothing with --keyframes
  std::optional<Character> packed;  ///< of it
  std::vector<ClipError> errors;    ///< of each clip
  double tolerance = 0, seconds = 0;
  const Bytes& bytes() const { return compressed ? *compressed : plain.bytes; }
  const Character& character() const { return packed ? *packed : *plain.character; }
  ClipSizes sizes(std::size_t clip) const { return clip_sizes(*packed, packed->clips()[clip], errors[clip]); }
};

/// Of FILE alone: a .gltf's buffers may lie in other files.
std::uint64_t source_size(const BuildOptions& options) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(options.input.file, error);
  return error ? 0 : size;
}

std::string of_bytes(std::uint64_t more, std::uint64_t bytes) {
  return bytes > 0 ? ratio(static_cast<double>(more) / static_cast<double>(bytes)) : "-";
}

std::string clip_sizes_text(const Built& built) {
  const auto kib = [](std::uint64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1024); };
  Table table("lrrrrrrr");
  table.row({"clip", "frames", "28 a joint", "40 a joint", "snapshots", "compressed", "KiB", "ratio to 28"});
  const auto add = [&](const std::string& name, const ClipSizes& sizes) {
    table.row({name, grouped(sizes.frames), grouped(sizes.raw_28), grouped(sizes.raw_40), grouped(sizes.snapshots),
               grouped(sizes.bytes), kib(sizes.bytes), of_bytes(sizes.raw_28, sizes.bytes)});
  };
  ClipSizes sum;
  for (std::size_t i = 0; i < built.errors.size(); ++i) {
    add(clip_name(built.packed->clips()[i]), built.sizes(i));
    sum += built.sizes(i);
  }
  add("total", sum);
  return "\n" + coloured(Colour::bold, "Bytes of clips") + "\n" + table.text() +
         "  28, 40 a joint: raw samples, a joint a frame, without and with scale; snapshots: 12 a vertex a frame\n";
}

std::string clip_errors_text(const Built& built) {
  Table table("lrrrl");
  table.row({"clip", "largest", "99 %", "at", "where"});
  const ClipError* worst = nullptr;
  for (std::size_t i = 0; i < built.errors.size(); ++i) {
    const ClipError& error = built.errors[i];
    table.row(error_cells(clip_name(built.packed->clips()[i]), *built.packed, error));
    if (!worst || error.largest > worst->largest) worst = &error;
  }
  return "\n" +
         coloured(Colour::bold, "Errors, measured: every point strays by at most " +
                                    describe_distance(built.tolerance, *built.packed)) +
         "\n" + table.text() +
         fmt::format("  {}: at most {} mm, compressed in {:.2f} s\n", counted(built.errors.size(), "clip"),
                     millimetres(worst->largest), built.seconds);
}

/// Names of the joints that mixed skinning takes dual quaternions for.
std::vector<std::string> dual_names(const Built& built) {
  std::vector<std::string> out;
  for (const std::int32_t node : built.plain.dual_joints)
    out.push_back(built.plain.scene->nodes[static_cast<std::size_t>(node)].name);
  return out;
}

std::string dual_text(const Built& built) {
  const std::vector<std::string> names = dual_names(built);
  if (names.empty()) return {};
  std::size_t vertices = 0, all = 0;
  for (const Mesh& mesh : built.character().meshes()) {
    all += mesh.vertex_count();
    vertices += static_cast<std::size_t>(std::ranges::count_if(mesh.dual_weights, [](float w) { return w > 0; }));
  }
  return fmt::format("  mixed skinning: dual quaternions for {} of {} vertices, of {}\n", grouped(vertices),
                     grouped(all), names_text(names));
}

std::string as_text(const BuildOptions& options, const std::string& output, const Built& built) {
  const std::uint64_t bytes = built.bytes().size();
  std::string out = fmt::format("{}: {} bytes, from {} ({} bytes)\n", shown(output), grouped(bytes),
                                shown(options.input.file), grouped(source_size(options)));
  Table table("lrl");
  for (const Share& share : file_shares(built.character(), bytes))
    if (share.bytes > 0) table.row({std::string(share.name), grouped(share.bytes), share.of});
  out += table.text();
  out += dual_text(built);
  return built.errors.empty() ? out : out + clip_sizes_text(built) + clip_errors_text(built);
}

Json built_clips_json(const Built& built) {
  Json out = Json::array();
  for (std::size_t i = 0; i < built.errors.size(); ++i) {
    const Clip& clip = built.packed->clips()[i];
    const ClipSizes sizes = built.sizes(i);
    out.push_back({{"name", clip.name},
                   {"clip", clip.source_clip},
                   {"frames", sizes.frames},
                   {"raw_28_bytes", sizes.raw_28},
                   {"raw_40_bytes", sizes.raw_40},
                   {"snapshot_bytes", sizes.snapshots},
                   {"bytes", sizes.bytes},
                   {"error", error_json(*built.packed, built.errors[i])}});
  }
  return out;
}

std::string as_json(const BuildOptions& options, const std::string& output, const Built& built) {
  Json shares = Json::object();
  for (const Share& share : file_shares(built.character(), built.bytes().size()))
    shares[std::string(share.name)] = share.bytes;
  Json out{{"source", options.input.file},
           {"source_bytes", source_size(options)},
           {"output", output},
           {"output_bytes", built.bytes().size()},
           {"bytes", shares}};
  if (built.packed) {
    out["tolerance"] = static_cast<float>(built.tolerance);
    out["height"] = static_cast<float>(height(*built.packed));
    out["compression_seconds"] = static_cast<float>(built.seconds);
    out["clips"] = built_clips_json(built);
  }
  if (!built.plain.dual_joints.empty()) out["dual_joints"] = dual_names(built);
  out["findings"] = to_json(built.plain.report);
  return to_text(out);
}

/// Clips compressed, written and opened again.
Result<void> compress_clips(const BuildOptions& options, const Tolerance& tolerance, Built& built) {
  const auto started = std::chrono::steady_clock::now();
  CompressOptions wanted = distances(tolerance, *built.plain.character);
  wanted.write = write_options(options.input);
  wanted.write.dual_joints = built.plain.dual_joints;
  Result<Compression> compression = compress(*built.plain.scene, wanted);
  if (!compression) {
    Error error = compression.error();
    // Without one of the user's the tolerance is no mistake of the command line.
    if (!options.tolerance && error.code == ErrorCode::bad_argument) error.code = ErrorCode::unsupported;
    error.what_to_do = "give a larger --tolerance, or --keyframes to store clips uncompressed";
    return Unexpected(error);
  }
  wanted.write.compressed = compression->clips;
  Result<Bytes> bytes = write(*built.plain.scene, wanted.write);
  if (!bytes) return Unexpected(bytes.error());
  built.compressed = std::move(*bytes);
  Result<Character> packed = open(*built.compressed);
  if (!packed) return Unexpected(packed.error());
  built.packed = std::move(*packed);
  built.errors = std::move(compression->errors);
  built.tolerance = wanted.tolerance;
  built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return {};
}

Result<Built> make_file(const BuildOptions& options, const Tolerance& tolerance) {
  Result<Scene> scene = import_source(options.input, "build");
  if (!scene) return Unexpected(scene.error());
  if (const Result<void> kept = keep_clips(*scene, options.clips); !kept) return Unexpected(kept.error());
  Result<Input> plain = load_scene(std::move(*scene), options.input);
  if (!plain) return Unexpected(plain.error());
  Built built{std::move(*plain)};
  if (!options.keyframes && !built.plain.character->clips().empty())
    if (const Result<void> made = compress_clips(options, tolerance, built); !made) return Unexpected(made.error());
  return built;
}

Result<void> write_build_plot(const BuildOptions& options, const std::string& output, const Built& built) {
  std::vector<PlottedClip> clips;
  for (std::size_t i = 0; i < built.errors.size(); ++i) clips.push_back({&built.packed->clips()[i], &built.errors[i]});
  const std::string svg =
      plot_svg(fmt::format("{} from {}", output, options.input.file), built.character(), built.tolerance, clips);
  return write_file(options.plot, std::as_bytes(std::span(svg)));
}

int build(const BuildOptions& options) {
  const std::string& file = options.input.file;
  if (const Result<void> named = check_plot_name(options.plot); !named) return failure("", named.error());
  const Result<Tolerance> tolerance = read_tolerance(options.tolerance);
  if (!tolerance) return failure("", tolerance.error());
  const Result<Built> built = make_file(options, *tolerance);
  if (!built) return failure(file, built.error());
  print_notes(file, built->plain.report);
  const std::string output =
      options.output.empty() ? fs::path(file).replace_extension(".sinew").string() : options.output;
  std::error_code error;
  if (fs::equivalent(file, output, error))
    return failure(output, Error{ErrorCode::bad_argument, "-o", "is the source file itself", "give another name"});
  if (const Result<void> written = write_file(output, built->bytes()); !written)
    return failure(output, written.error());
  if (!options.plot.empty())
    if (const Result<void> written = write_build_plot(options, output, *built); !written)
      return failure(options.plot, written.error());
  return print((options.json ? as_json : as_text)(options, output, *built));
}

}  // namespace

void add_build(CLI::App& app, Action& action) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* verb = app.add_subcommand("build", "Make the runtime file (.sinew) from a source file");
  add_file(*verb, options->input);
  verb->add_option("-o,--output", options->output, "File to write (default: FILE with the ending .sinew)")
      ->type_name("OUT");
  CLI::Option* tolerance = verb->add_option("--tolerance", options->tolerance, kToleranceHelp)->type_name("DISTANCE");
  verb->add_option("--clips", options->clips, "Only clips of these names; * and ? stand for any characters and one")
      ->type_name("NAME,...")
      ->delimiter(',');
  add_dual_option(*verb, options->input);
  CLI::Option* plot = verb->add_option("--plot", options->plot, kPlotHelp)->type_name("OUT.svg");
  verb->add_flag("--keyframes", options->keyframes, "Store clips as they are, uncompressed")
      ->excludes(tolerance)
      ->excludes(plot);
  verb->add_flag("--json", options->json, "Print sizes, errors and findings as JSON");
  add_import_options(*verb, options->input);
  verb->footer(
      "Examples: sinew build biped.glb -o biped.sinew\n"
      "          sinew build biped.glb --tolerance 0.5mm --clips 'walk,run*' -o moves.sinew\n"
      "Clips are compressed: no vertex, and no point about a joint (at 3 / 180 of the height), strays by more than "
      "the\n"
      "tolerance, at any key, frame or halfway between, or nothing is written. `sinew verify` measures it again.\n"
      "Raw samples are of joints that a skin uses or a clip moves. With --clips the clips are numbered anew.\n"
      "The format is unstable: build again after an upgrade.");
  verb->callback([options, &action] { action = [options] { return build(*options); }; });
}

}  // namespace sinew::tool
