#include "xfb.h"

#include <map>
#include <set>
#include <span>
#include <stdexcept>

namespace sinew::test {
namespace {

using Words = std::vector<std::uint32_t>;

// Numbers of the SPIR-V specification.
enum Op : std::uint32_t {
  kEntryPoint = 15,
  kExecutionMode = 16,
  kCapability = 17,
  kTypePointer = 32,
  kVariable = 59,
  kDecorate = 71,
  kMemberDecorate = 72,
};
enum Decoration : std::uint32_t { kBuiltIn = 11, kLocation = 30, kOffset = 35, kXfbBuffer = 36, kXfbStride_ = 37 };
constexpr std::uint32_t kOutput = 3, kTransformFeedback = 53, kXfbMode = 11, kPosition = 0;
constexpr std::size_t kHeader = 5;

struct Module {
  std::uint32_t entry = 0;
  std::set<std::uint32_t> position_ids;                      ///< of variables, or of structs whose member 0 it is
  std::map<std::uint32_t, std::uint32_t> locations;          ///< of variables
  std::map<std::uint32_t, std::uint32_t> pointees, outputs;  ///< of pointer types; output variables and their types
};

template <class Visit>
void each(const Words& words, const Visit& visit) {
  for (std::size_t at = kHeader; at < words.size(); at += words[at] >> 16) {
    if (words[at] >> 16 == 0) throw std::runtime_error("no SPIR-V");
    visit(Op(words[at] & 0xffff), std::span(words).subspan(at, words[at] >> 16));
  }
}

Module read(const Words& words) {
  Module out;
  each(words, [&](Op op, std::span<const std::uint32_t> i) {
    if (op == kEntryPoint) out.entry = i[2];
    if (op == kDecorate && i[2] == kLocation) out.locations[i[1]] = i[3];
    if (op == kDecorate && i[2] == kBuiltIn && i[3] == kPosition) out.position_ids.insert(i[1]);
    if (op == kMemberDecorate && i[2] == 0 && i[3] == kBuiltIn && i[4] == kPosition) out.position_ids.insert(i[1]);
    if (op == kTypePointer && i[2] == kOutput) out.pointees[i[1]] = i[3];
    if (op == kVariable && i[3] == kOutput) out.outputs[i[2]] = i[1];
  });
  return out;
}

void add(Words& to, Op op, std::initializer_list<std::uint32_t> operands) {
  to.push_back(std::uint32_t(operands.size() + 1) << 16 | op);
  to.insert(to.end(), operands);
}

Words decorations(const Module& module) {
  Words out;
  bool position = false;
  const std::uint32_t offsets[] = {16, 28, 36};
  for (const auto& [variable, type] : module.outputs) {
    const std::uint32_t block = module.pointees.at(type);
    const auto location = module.locations.find(variable);
    if (module.position_ids.count(variable)) {
      add(out, kDecorate, {variable, kOffset, 0});
      position = true;
    } else if (module.position_ids.count(block)) {
      add(out, kMemberDecorate, {block, 0, kOffset, 0});
      position = true;
    } else if (location != module.locations.end()) {
      add(out, kDecorate, {variable, kOffset, offsets[location->second]});
    } else {
      continue;
    }
    add(out, kDecorate, {variable, kXfbBuffer, 0});
    add(out, kDecorate, {variable, kXfbStride_, kXfbStride});
  }
  if (!position) throw std::runtime_error("the vertex shader has no position");
  return out;
}

}  // namespace

std::vector<std::uint32_t> with_transform_feedback(const std::vector<std::uint32_t>& words) {
  const Module module = read(words);
  Words out(words.begin(), words.begin() + kHeader);
  add(out, kCapability, {kTransformFeedback});
  bool mode = false, decorated = false;
  each(words, [&](Op op, std::span<const std::uint32_t> i) {
    if (!decorated && (op == kDecorate || op == kMemberDecorate)) {
      const Words more = decorations(module);
      out.insert(out.end(), more.begin(), more.end());
      decorated = true;
    }
    out.insert(out.end(), i.begin(), i.end());
    if (!mode && op == kEntryPoint) {
      add(out, kExecutionMode, {module.entry, kXfbMode});
      mode = true;
    }
  });
  return out;
}

}  // namespace sinew::test
