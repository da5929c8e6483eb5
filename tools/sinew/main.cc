// sinew: the command line. One file a verb; data on standard output, notes and errors on standard error.
#include <fmt/format.h>

#include <new>
#include <string>
#include <string_view>

#include "output.h"
#include "simd_choice.h"
#include "sinew/config.h"
#include "text.h"
#include "verbs.h"

namespace {

/// The verb whose options were being read, for the hint that follows a mistake.
std::string verb_of(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? "" : " " + used.front()->get_name();
}

/// Whether the first word is meant as a verb and is none.
bool unknown_verb(const CLI::App& app, int argc, char** argv) {
  return argc > 1 && argv[1][0] != '-' &&
         app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == argv[1]; }).empty();
}

std::string verbs(const CLI::App& app) {
  std::string out;
  for (const CLI::App* verb : app.get_subcommands({})) out += (out.empty() ? "" : ", ") + verb->get_name();
  return out;
}

/// What CLI11 says of a mistake, in our words where its own are hard to follow.
std::string plain(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    std::string extras;
    for (const std::string& word : app.remaining(true)) extras += (extras.empty() ? "" : " ") + word;
    return "not expected: " + extras;
  }
  // `--backend: 1 required cpu|vulkan-compute missing`
  constexpr std::string_view kRequired = ": 1 required ", kMissing = " missing";
  if (const std::size_t at = text.find(kRequired); at != text.npos && text.ends_with(kMissing)) {
    text.resize(text.size() - kMissing.size());
    text.replace(at, kRequired.size(), " needs a value: ");
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sinew::tool;
  using sinew::ErrorCode;
  CLI::App app("Skeletal animation from a file to skinned vertices.", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("REQUIRED", "(required)");
  app.footer(
      "`sinew VERB --help` tells more of each. `sinew demo` needs no file.\n"
      "Exit status: 0 done, 1 the data is bad, 2 the command line is.\n" +
      fmt::format("SINEW_TARGET={} in the environment forces that instruction set.", simd_targets_joined("|")));
  if (const sinew::Result<void> taken = take_simd_target(); !taken) return failure("", taken.error());
  Action action;
  add_demo(app, action, argc > 0 ? argv[0] : "sinew");
  add_inspect(app, action);
  add_skin(app, action);
  add_explain(app, action);
  add_build(app, action);
  add_verify(app, action);
  add_compare(app, action);
  add_export(app, action);
  add_twist(app, action);
  add_render(app, action);
  add_shaders(app, action);
  add_bench(app, action);
  for (CLI::App* verb : app.get_subcommands({})) verb->group("Verbs");
  if (unknown_verb(app, argc, argv))
    return misuse(fmt::format("there is no verb {}", in_quotes(argv[1])),
                  fmt::format("the verbs are {}; see sinew --help", verbs(app)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted) == 0 ? kSuccess : kBadUsage;
  } catch (const CLI::ParseError& error) {
    return misuse(plain(app, error), fmt::format("see sinew{} --help", verb_of(app)));
  }
  if (!action) return misuse("no verb is given", fmt::format("the verbs are {}; see sinew --help", verbs(app)));
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return failure("", {ErrorCode::too_large, "", "there is not enough memory", ""});
  }
}
