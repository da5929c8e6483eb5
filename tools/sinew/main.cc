// sinew: the command line. One file a verb; data on standard output, notes and errors on standard error.
#include <fmt/format.h>

#include "output.h"
#include "sinew/config.h"
#include "verbs.h"

namespace {

/// The verb whose options were being read, for the hint that follows a mistake.
std::string verb_of(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? "" : " " + used.front()->get_name();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sinew::tool;
  CLI::App app("Skeletal animation from a file to skinned vertices.", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(1);
  app.footer("`sinew VERB --help` tells more of each. `sinew demo` needs no file.\n"
             "Exit status: 0 done, 1 the data is bad, 2 the command line is.");
  Action action;
  add_demo(app, action, argc > 0 ? argv[0] : "sinew");
  add_inspect(app, action);
  add_skin(app, action);
  add_explain(app, action);
  add_build(app, action);
  add_export(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted) == 0 ? kSuccess : kBadUsage;
  } catch (const CLI::ParseError& error) {
    return misuse(error.what(), fmt::format("see sinew{} --help", verb_of(app)));
  }
  return action();
}
