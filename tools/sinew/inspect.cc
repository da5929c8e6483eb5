// sinew inspect: what is in a file, and what it costs.
#include "inspect.h"

#include <fmt/format.h>

#include <memory>

#include "costs.h"
#include "evaluate.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace sinew::tool {

namespace {

struct InspectOptions {
  InputOptions input;
  bool json = false;
};

int inspect(const InspectOptions& options) {
  const Result<Input> input = load(options.input);
  if (!input) return failure(options.input.file, input.error());
  return print(options.json ? to_text(inspect_json(options.input.file, *input))
                            : inspect_text(options.input.file, *input));
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = app.add_subcommand("inspect", "Print skeleton, skins, meshes, parts, clips, costs and findings");
  add_file(*verb, options->input);
  verb->add_flag("--json", options->json, "Print the same as JSON");
  add_import_options(*verb, options->input);
  verb->footer("Example: sinew inspect biped.glb");
  verb->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace sinew::tool
