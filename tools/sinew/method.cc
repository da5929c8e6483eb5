#include "method.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "packing.h"
#include "sinew/dual_joints.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr std::pair<const char*, SkinMethod> kMethods[] = {
    {"lbs", SkinMethod::linear}, {"dqs", SkinMethod::dual_quaternion}, {"mixed", SkinMethod::mixed}};
constexpr const char* kAutomatic = "auto";

}  // namespace

const char* to_string(SkinMethod method) {
  for (const auto& [name, known] : kMethods)
    if (known == method) return name;
  return "";
}

const char* describe(SkinMethod method) {
  constexpr const char* kNames[] = {"linear blending", "dual quaternions",
                                    "linear blending mixed with dual quaternions"};
  return kNames[std::size_t(method)];
}

Result<SkinMethod> read_method(const std::string& text) {
  for (const auto& [name, known] : kMethods)
    if (text == name) return known;
  return fail(ErrorCode::bad_argument, "--methods", fmt::format("there is no method {}", in_quotes(text)),
              "the methods are lbs, dqs, mixed and twist");
}

void add_dual_option(CLI::App& verb, InputOptions& options) {
  verb.add_option("--dual", options.dual,
                  "Joints that mixed skinning takes dual quaternions for: names, * and ? as in --clips; auto: those of "
                  "arms, and those that the clips twist by 120 degrees or more")
      ->type_name("NAME,...|auto")
      ->delimiter(',');
}

void add_method_options(CLI::App& verb, InputOptions& options) {
  verb.add_option_function<std::string>(
          "--method", [&options](const std::string& wanted) { options.method = *read_method(wanted); },
          "How vertices are skinned: linear blending (default), dual quaternions, or each where it is better")
      ->type_name("lbs|dqs|mixed")
      ->check(CLI::IsMember({kMethods[0].first, kMethods[1].first, kMethods[2].first}).description(""));
  add_dual_option(verb, options);
}

Result<std::vector<std::int32_t>> dual_nodes(const Character& character, const InputOptions& options) {
  std::set<std::int32_t> nodes;
  const Skeleton& skeleton = character.skeleton();
  std::vector<std::string> patterns = options.dual;
  if (patterns.empty()) patterns.emplace_back(kAutomatic);
  for (const std::string& pattern : patterns) {
    if (pattern == kAutomatic) {
      for (const std::int32_t node : choose_dual_joints(character)) nodes.insert(node);
      continue;
    }
    bool any = false;
    for (std::size_t row = 0; row < skeleton.joint_count(); ++row) {
      if (!has(skeleton.flags[row], JointFlags::skin) || !fits_pattern(pattern, skeleton.names[row])) continue;
      nodes.insert(skeleton.source_nodes[row]);
      any = true;
    }
    if (!any)
      return fail(ErrorCode::bad_argument, "--dual",
                  fmt::format("no joint of a skin has a name like {}", in_quotes(pattern)),
                  "sinew inspect lists the joints");
  }
  return std::vector<std::int32_t>(nodes.begin(), nodes.end());
}

}  // namespace sinew::tool
