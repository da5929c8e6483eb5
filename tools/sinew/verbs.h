// The verbs of the command line, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace sinew::tool {

/// What the chosen verb does; gives the exit status. Set while the command line is read, run after it.
using Action = std::function<int()>;

/// `program`: how the tool was called, for the commands that demo suggests.
void add_demo(CLI::App& app, Action& action, const std::string& program);
void add_inspect(CLI::App& app, Action& action);
void add_skin(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_build(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_twist(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_shaders(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

}  // namespace sinew::tool
