// What verbs read: a file that becomes a Character, and a moment (clip and time) in it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/result.h"
#include "sinew/scene.h"
#include "sinew/skin.h"
#include "sinew/write.h"

namespace sinew::tool {

struct InputOptions {
  std::string file;
  std::int32_t scene = kNone;
  std::uint32_t influences = 0;  ///< 0: all
  bool trim = false;
  bool stored_keys = false;  ///< each track has the keys of its file, for a verb that shows them
  SkinMethod method = SkinMethod::linear;
  std::vector<std::string>
      dual;  ///< patterns of joints that mixed skinning takes dual quaternions for; `auto`: by twist
};
/// FILE.
void add_file(CLI::App& verb, InputOptions& options);
/// FILE, for a verb that needs the source.
void add_source_file(CLI::App& verb, InputOptions& options);
/// --scene, --influences, --trim: last in the help, for they are needed least.
void add_import_options(CLI::App& verb, InputOptions& options);
/// Whole numbers from `least` on, for options; its range is not repeated in the help.
CLI::Validator at_least(int least);

/// A file read, made into a character and opened.
struct Input {
  std::optional<Scene> scene;  ///< nothing where the file is a .sinew
  Report report;               ///< what importing overlooked and writing changed
  Bytes bytes;                 ///< the runtime file; `character` looks into it
  std::optional<Character> character;
  SkinMethod method = SkinMethod::linear;
  std::vector<std::int32_t> dual_joints;  ///< nodes, as they were written
};
/// Reads a file by its content. Another format is imported, written and opened in memory.
Result<Input> load(const InputOptions& options);
/// Imports only, for a verb that needs the source: a .sinew is refused with what to give instead.
Result<Scene> import_source(const InputOptions& options, const std::string& verb);
/// What of the options `write` takes.
WriteOptions write_options(const InputOptions& options);
/// Writes and opens a scene in memory.
Result<Input> load_scene(Scene scene, const InputOptions& options);

/// Both reports. What importing has told of, writing may meet again: it is not counted twice.
Report joined(Report imported, const Report& changes);

struct MomentOptions {
  std::optional<std::string> clip, time;
  bool loop = false;
};
/// --clip, --time, --loop.
void add_moment_options(CLI::App& verb, MomentOptions& options);

/// A clip and a time in it; without a clip the rest pose.
struct Moment {
  const Clip* clip = nullptr;
  float time = 0;
};
/// The clip of that name, or, where no clip has the name, of that index in the source file. Errors are `bad_argument`.
Result<Moment> find_moment(const Character& character, const MomentOptions& options);
/// Checks what can be checked without a file.
Result<void> check(const MomentOptions& options);

/// Time within one cycle of the clip: its wrap period, or its duration; as it is where both are 0.
float wrapped(const Clip& clip, float time);
/// `rest pose`, or `clip 1 "walk" at 0.5 s`.
std::string describe(const Moment& moment);

}  // namespace sinew::tool
