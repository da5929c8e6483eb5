// sinew explain: one vertex, every step from keys to its place.
#include "explain.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "output.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

struct ExplainOptions {
  InputOptions input;
  MomentOptions moment;
  std::uint32_t vertex = 0;
  std::optional<std::int32_t> part, node, mesh, primitive;
  bool json = false;
};

bool fits(const Character& character, const Part& part, const ExplainOptions& options) {
  const auto index = static_cast<std::int32_t>(&part - character.parts().data());
  return options.part.value_or(index) == index && options.node.value_or(part.source_node) == part.source_node &&
         options.mesh.value_or(part.source_mesh) == part.source_mesh &&
         options.primitive.value_or(part.source_primitive) == part.source_primitive;
}

std::string part_list(const Character& character) {
  constexpr std::size_t kShown = 8;
  const std::span<const Part> parts = character.parts();
  std::string list;
  for (const Part& part : parts.first(std::min(kShown, parts.size())))
    list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", describe(character, part),
                        counted(character.meshes()[part.mesh].vertex_count(), "vertex"));
  return parts.size() > kShown ? list + fmt::format("; and {} more", parts.size() - kShown) : list;
}

Result<const Part*> find_part(const Character& character, const ExplainOptions& options) {
  if (character.parts().empty())
    return fail(ErrorCode::unsupported, "", "has no mesh, so there is no vertex to explain",
                "sinew inspect shows what it has");
  std::vector<const Part*> found;
  for (const Part& part : character.parts())
    if (fits(character, part, options)) found.push_back(&part);
  if (found.size() == 1) return found.front();
  if (found.empty())
    return fail(ErrorCode::bad_argument, "", "no part fits --part, --node, --mesh and --primitive as given",
                "the parts are " + part_list(character));
  return fail(ErrorCode::bad_argument, "",
              fmt::format("{} parts fit, and a vertex number alone does not say which is meant", found.size()),
              "add --part P; the parts are " + part_list(character));
}

int explain(const ExplainOptions& options) {
  const std::string& file = options.input.file;
  if (const Result<void> good = check(options.moment); !good) return failure("", good.error());
  InputOptions input_options = options.input;
  input_options.stored_keys = true;
  const Result<Input> input = load(input_options);
  if (!input) return failure(file, input.error());
  print_notes(file, input->report);
  const Character& character = *input->character;
  const Result<Moment> moment = find_moment(character, options.moment);
  if (!moment) return failure(file, moment.error());
  const Result<const Part*> part = find_part(character, options);
  if (!part) return failure(file, part.error());
  const std::size_t count = character.meshes()[(*part)->mesh].vertex_count();
  if (options.vertex >= count)
    return failure(file, Error{ErrorCode::bad_argument, "--vertex",
                               fmt::format("{} is not in {}, which has {}", options.vertex, describe(character, **part),
                                           counted(count, "vertex")),
                               fmt::format("give 0 to {}", count - 1)});
  const VertexTrace traced = trace(character, **part, options.vertex, *moment);
  return print(options.json ? to_text(explain_json(file, character, **part, *moment, traced))
                            : explain_text(file, character, **part, *moment, traced));
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb =
      app.add_subcommand("explain", "Show every step of one vertex: keys, transforms, matrices, weights, blend");
  const CLI::Validator index = at_least(0);
  add_file(*verb, options->input);
  verb->add_option("--vertex", options->vertex, "Vertex, as numbered in the source file's primitive")
      ->type_name("N")
      ->check(index)
      ->required();
  add_moment_options(*verb, options->moment);
  verb->add_option("--part", options->part, "Part of the character (see sinew inspect)")->type_name("P")->check(index);
  verb->add_option("--node", options->node, "The part by its node in the source file")->type_name("N")->check(index);
  verb->add_option("--mesh", options->mesh, "The part by its mesh in the source file")->type_name("M")->check(index);
  verb->add_option("--primitive", options->primitive, "The part by its primitive in that mesh")
      ->type_name("P")
      ->check(index);
  verb->add_flag("--json", options->json, "Print the same as JSON");
  add_import_options(*verb, options->input);
  verb->footer("Example: sinew explain biped.glb --vertex 100 --clip walk --time 0.25");
  verb->callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace sinew::tool
