// A built file beside its source: pairs of clips, and how far each strays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input.h"
#include "packing.h"

namespace sinew::tool {

/// A source file and a .sinew made of it, both opened.
struct SourceAndBuilt {
  Input source;  ///< of the clips that the built file has, too
  Input built;
  struct Pair {
    const Clip* source = nullptr;
    const Clip* built = nullptr;
  };
  std::vector<Pair> pairs;             ///< in the built file's order
  std::vector<std::string> unbuilt;    ///< names of clips that the built file has not
  std::vector<std::string> unsourced;  ///< and of those that the source has not
};
/// An error and the file that it is about.
struct FileError {
  std::string file;
  Error error;
};
/// Pairs clips by name, and those of one name in their order. Gives an error, among others, where the built file is none,
/// or has another skeleton or other meshes than the source.
std::optional<FileError> load_both(const InputOptions& source, const std::string& built, const std::string& verb,
                                   SourceAndBuilt& out);
/// `"walk", "run"`; a long list is cut.
std::string names_text(const std::vector<std::string>& names);

/// X.sinew, the second file.
CLI::Option* add_built_file(CLI::App& verb, std::string& file);

}  // namespace sinew::tool
