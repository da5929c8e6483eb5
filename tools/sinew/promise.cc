#include "promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "costs.h"
#include "text.h"

namespace sinew::tool {

namespace {

/// Leaves the clips that the built file has, too, in the source's order.
void keep_built_clips(const Character& built, Scene& scene, std::vector<std::string>& unbuilt) {
  std::map<std::string, std::size_t, std::less<>> wanted;
  for (const Clip& clip : built.clips()) ++wanted[std::string(clip.name)];
  std::erase_if(scene.clips, [&](const Scene::Clip& clip) {
    std::size_t& left = wanted[clip.name];
    if (left > 0) return --left, false;
    unbuilt.push_back(clip.name);
    return true;
  });
}

void pair_clips(SourceAndBuilt& both) {
  const std::span<const Clip> sources = both.source.character->clips();
  std::vector<bool> taken(sources.size(), false);
  for (const Clip& built : both.built.character->clips()) {
    std::size_t i = 0;
    while (i < sources.size() && (taken[i] || sources[i].name != built.name)) ++i;
    if (i == sources.size()) {
      both.unsourced.emplace_back(built.name);
      continue;
    }
    taken[i] = true;
    both.pairs.push_back({&sources[i], &built});
  }
}

std::string figures_of(const Character& character) {
  return fmt::format("{} and {}", counted(character.skeleton().joint_count(), "row"),
                     counted(placed_vertices(character), "vertex"));
}

Result<void> check_alike(const SourceAndBuilt& both) {
  const Character &source = *both.source.character, &built = *both.built.character;
  const auto meshes_alike = [&] {
    return std::ranges::equal(source.parts(), built.parts(), [&](const Part& a, const Part& b) {
      return source.meshes()[a.mesh].vertex_count() == built.meshes()[b.mesh].vertex_count();
    });
  };
  if (source.skeleton().id == built.skeleton().id && meshes_alike()) return {};
  const std::string advice =
      both.unsourced.empty() ? "" : "; it has clips that the source has not: " + names_text(both.unsourced);
  return fail(
      ErrorCode::inconsistent, "",
      fmt::format("was built from another source, or with other options: it has a skeleton and meshes of {}, and "
                  "the source gives others of {}{}",
                  figures_of(built), figures_of(source), advice),
      "give the file that it was built from, and --scene, --influences and --trim as then");
}

}  // namespace

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) out += (i ? ", " : "") + in_quotes(names[i]);
  return names.size() > kShown ? out + fmt::format(" and {} more", names.size() - kShown) : out;
}

std::optional<FileError> load_both(const InputOptions& source, const std::string& built, const std::string& verb,
                                   SourceAndBuilt& out) {
  Result<Scene> scene = import_source(source, verb);
  if (!scene) return FileError{source.file, scene.error()};
  InputOptions built_options;
  built_options.file = built;
  Result<Input> opened = load(built_options);
  if (!opened) return FileError{built, opened.error()};
  if (opened->scene)
    return FileError{
        built, {ErrorCode::bad_argument, "", "is no built .sinew", "give the source file first, then the .sinew"}};
  out.built = std::move(*opened);
  keep_built_clips(*out.built.character, *scene, out.unbuilt);
  Result<Input> written = load_scene(std::move(*scene), source);
  if (!written) return FileError{source.file, written.error()};
  out.source = std::move(*written);
  pair_clips(out);
  if (const Result<void> alike = check_alike(out); !alike) return FileError{built, alike.error()};
  return std::nullopt;
}

CLI::Option* add_built_file(CLI::App& verb, std::string& file) {
  return verb.add_option("BUILT", file, "The .sinew that was built from it")->type_name("")->required();
}

}  // namespace sinew::tool
