#include "input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "method.h"
#include "sinew/import.h"
#include "text.h"

namespace sinew::tool {

namespace {

namespace fs = std::filesystem;

/// Whether the file says that it is a .sinew, whole or not. Only its first bytes are looked at: `open` knows its own.
bool is_runtime_file(const fs::path& path) {
  alignas(kAlignment) std::array<std::byte, kAlignment> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto opened = open(std::span<const std::byte>(head.data(), static_cast<std::size_t>(file.gcount())));
  return opened || opened.error().code != ErrorCode::unrecognized;
}

/// Reading a folder or a pipe would fail, or wait, in ways that say little.
Result<void> check_readable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const bool missing = !error || error == std::errc::no_such_file_or_directory;
    return fail(ErrorCode::io, "", missing ? "there is no such file" : "cannot be read: " + error.message(),
                "check the path");
  }
  if (fs::is_directory(status)) return fail(ErrorCode::io, "", "is a folder", "give a file inside it");
  if (!fs::is_regular_file(status))
    return fail(ErrorCode::io, "", "is not a regular file", "save the data to a file first");
  const std::uint64_t size = fs::file_size(path, error);
  if (error) return fail(ErrorCode::io, "", "cannot be read: " + error.message(), "check the permissions");
  if (size == 0) return fail(ErrorCode::unrecognized, "", "is empty (0 bytes)", "export or download it again");
  return {};
}

Result<Input> load_runtime_file(const InputOptions& options) {
  const char* given = options.scene != kNone ? "--scene"
                      : options.influences   ? "--influences"
                      : options.trim         ? "--trim"
                                             : nullptr;
  if (given)
    return fail(ErrorCode::bad_argument, "",
                fmt::format("{} applies when a source file is imported; this is a built .sinew", given),
                "build it again with that option");
  Result<Bytes> bytes = read_file(options.file);
  if (!bytes) return Unexpected(bytes.error());
  Result<Input> input(Input{});
  input->bytes = std::move(*bytes);
  Result<Character> character = open(input->bytes);
  if (!character) return Unexpected(character.error());
  input->character = std::move(*character);
  return input;
}

std::string clip_list(const Character& character) {
  constexpr std::size_t kShown = 24;
  std::string out;
  for (const Clip& clip : character.clips()) {
    if (!out.empty()) out += ", ";
    if (&clip == &character.clips()[0] + kShown)
      return out + fmt::format("and {} more", character.clips().size() - kShown);
    out += fmt::format("{} {}", clip.source_clip, in_quotes(clip.name));
  }
  return out.empty() ? "the file has no clips" : "the clips are " + out;
}

Result<const Clip*> find_clip(const Character& character, const std::string& text) {
  const Clip* found = nullptr;
  for (const Clip& clip : character.clips()) {
    if (clip.name != text) continue;
    if (found)
      return fail(
          ErrorCode::bad_argument, "--clip",
          fmt::format("clips {} and {} are both named {}", found->source_clip, clip.source_clip, in_quotes(text)),
          "give the index");
    found = &clip;
  }
  if (found) return found;
  std::int32_t index = kNone;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error == std::errc() && end == text.data() + text.size() && index >= 0)
    for (const Clip& clip : character.clips())
      if (clip.source_clip == index) return &clip;
  return fail(ErrorCode::bad_argument, "--clip", fmt::format("no clip has the name or index {}", in_quotes(text)),
              clip_list(character));
}

Result<float> parse_time(const std::string& text) {
  // Not strtod: the decimal point must not depend on the locale.
  double value = 0;
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  if (!number || std::abs(value) > std::numeric_limits<float>::max())
    return fail(ErrorCode::bad_argument, "--time", fmt::format("{} is not a finite number of seconds", in_quotes(text)),
                "for example --time 0.5");
  return static_cast<float>(value);
}

}  // namespace

Report joined(Report imported, const Report& changes) {
  const std::size_t count = imported.size();
  for (const Finding& change : changes) {
    const auto known = std::find_if(imported.begin(), imported.begin() + static_cast<std::ptrdiff_t>(count),
                                    [&](const Finding& f) { return f.code == change.code; });
    if (known == imported.begin() + static_cast<std::ptrdiff_t>(count)) imported.push_back(change);
  }
  return imported;
}

CLI::Validator at_least(int least) {
  return CLI::Range(least, std::numeric_limits<std::int32_t>::max()).description("");
}

void add_file(CLI::App& verb, InputOptions& options) {
  verb.add_option("FILE", options.file, "A glTF file (.gltf, .glb, .vrm) or a .sinew; told apart by content")
      ->type_name("")
      ->required();
}

void add_source_file(CLI::App& verb, InputOptions& options) {
  verb.add_option("FILE", options.file, "The source, a glTF file (.gltf, .glb, .vrm)")->type_name("")->required();
}

void add_import_options(CLI::App& verb, InputOptions& options) {
  verb.add_option("--scene", options.scene, "Only what scene N of the file shows (default: everything in the file)")
      ->type_name("N")
      ->check(at_least(0));
  verb.add_option("--influences", options.influences, "Keep the strongest N influences a vertex (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535).description(""));
  verb.add_flag("--trim", options.trim, "Shift each clip so that its first key is at 0 s");
}

namespace {

/// Written again, with mixed skinning in it: which joints twist, the first character told.
Result<void> write_dual(Input& input, const InputOptions& options) {
  Result<std::vector<std::int32_t>> nodes = dual_nodes(*input.character, options);
  if (!nodes) return Unexpected(nodes.error());
  input.dual_joints = std::move(*nodes);
  WriteOptions again = write_options(options);
  again.dual_joints = input.dual_joints;
  Result<Bytes> bytes = write(*input.scene, again);
  if (!bytes) return Unexpected(bytes.error());
  input.character.reset();
  input.bytes = std::move(*bytes);
  Result<Character> character = open(input.bytes);
  if (!character) return Unexpected(character.error());
  input.character = std::move(*character);
  return {};
}

}  // namespace

WriteOptions write_options(const InputOptions& options) {
  WriteOptions out;
  out.unite_tracks = !options.stored_keys;
  out.influences = options.influences;
  out.scene = options.scene;
  return out;
}

Result<Input> load_scene(Scene scene, const InputOptions& options) {
  Result<Input> input(Input{});
  Report changes;
  Result<Bytes> bytes = write(scene, write_options(options), &changes);
  if (!bytes) return Unexpected(bytes.error());
  input->report = joined(scene.findings, changes);
  input->bytes = std::move(*bytes);
  Result<Character> character = open(input->bytes);
  if (!character) return Unexpected(character.error());
  input->character = std::move(*character);
  input->scene = std::move(scene);
  input->method = options.method;
  if (options.method == SkinMethod::mixed || !options.dual.empty())
    if (const Result<void> written = write_dual(*input, options); !written) return Unexpected(written.error());
  return input;
}

Result<Scene> import_source(const InputOptions& options, const std::string& verb) {
  if (const auto size = check_readable(options.file); !size) return Unexpected(size.error());
  if (is_runtime_file(options.file))
    return fail(ErrorCode::bad_argument, "", fmt::format("is a built .sinew, and {} needs the source file", verb),
                "give the .glb or .gltf that it was built from");
  ImportOptions import_options;
  import_options.trim_clips = options.trim;
  return import_file(options.file, import_options);
}

Result<Input> load(const InputOptions& options) {
  if (const auto size = check_readable(options.file); !size) return Unexpected(size.error());
  if (is_runtime_file(options.file)) {
    if (!options.dual.empty())
      return fail(ErrorCode::bad_argument, "--dual", "says nothing of a built file, which has its joints chosen",
                  "build it again with --dual, or give the source");
    Result<Input> input = load_runtime_file(options);
    if (input) input->method = options.method;
    return input;
  }
  Result<Scene> scene = import_source(options, "");
  return scene ? load_scene(std::move(*scene), options) : Unexpected(scene.error());
}

void add_moment_options(CLI::App& verb, MomentOptions& options) {
  verb.add_option("--clip", options.clip,
                  "Clip by name, or by index where no clip has that name (default: the rest pose)")
      ->type_name("NAME|INDEX");
  verb.add_option("--time", options.time, "Seconds on the clip's own clock (default: its first key)")->type_name("S");
  verb.add_flag("--loop", options.loop, "Wrap the time into the clip's cycle (its wrap period, or its duration)");
}

Result<void> check(const MomentOptions& options) {
  if (!options.clip && (options.time || options.loop))
    return fail(ErrorCode::bad_argument, options.time ? "--time" : "--loop", "says nothing without a clip",
                "add --clip NAME_OR_INDEX");
  if (!options.time) return {};
  const Result<float> time = parse_time(*options.time);
  return time ? Result<void>() : Unexpected(time.error());
}

Result<Moment> find_moment(const Character& character, const MomentOptions& options) {
  if (const Result<void> good = check(options); !good) return Unexpected(good.error());
  Moment moment;
  if (!options.clip) return moment;
  const Result<const Clip*> clip = find_clip(character, *options.clip);
  if (!clip) return Unexpected(clip.error());
  moment.clip = *clip;
  moment.time = options.time ? *parse_time(*options.time) : moment.clip->first_key;
  if (options.loop) moment.time = wrapped(*moment.clip, moment.time);
  return moment;
}

float wrapped(const Clip& clip, float time) {
  const float period = clip.wrap_period > 0 ? clip.wrap_period : clip.duration;
  if (!(period > 0)) return time;
  const float rest = std::fmod(time, period);
  // A tiny negative rest plus the period rounds to the period itself, which is the next cycle's start.
  return rest < 0 ? (rest + period < period ? rest + period : 0.0f) : rest;
}

std::string describe(const Moment& moment) {
  if (!moment.clip) return "rest pose";
  return fmt::format("clip {} {} at {} s", moment.clip->source_clip, in_quotes(moment.clip->name), number(moment.time));
}

}  // namespace sinew::tool
