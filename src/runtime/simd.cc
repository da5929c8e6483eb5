#include "sinew/simd.h"

#include <hwy/targets.h>

#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {
namespace {

struct Targets {
  std::vector<std::int64_t> bits;  // best first, as Highway numbers them
  std::vector<std::string> texts;
  std::vector<std::string_view> names;
  std::atomic<std::size_t> in_use = 0;

  Targets() {
    const std::int64_t usable = HWY_TARGETS & HWY_SUPPORTED_TARGETS;
    for (int i = 0; i < 63; ++i) {
      const std::int64_t bit = std::int64_t(1) << i;
      if ((usable & bit) == 0 && bit != HWY_STATIC_TARGET) continue;
      bits.push_back(bit);
      std::string name = hwy::TargetName(bit);
      for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
      // The compilers' baselines: some emulate vectors of four lanes, which is scalar code all the same.
      texts.push_back(bit == HWY_EMU128 || bit == HWY_SCALAR ? "scalar" : name);
    }
    names.assign(texts.begin(), texts.end());
  }
};

Targets& targets() {
  static Targets all;
  return all;
}

}  // namespace

std::span<const std::string_view> simd_targets() { return targets().names; }

std::string_view simd_target() { return targets().names[targets().in_use]; }

bool set_simd_target(std::string_view name) {
  Targets& all = targets();
  std::size_t chosen = 0;
  if (!name.empty()) {
    while (chosen < all.names.size() && all.names[chosen] != name) ++chosen;
    if (chosen == all.names.size()) return false;
  }
  hwy::SetSupportedTargetsForTest(name.empty() ? 0 : all.bits[chosen]);  // 0: all
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  all.in_use = chosen;
  return true;
}

}  // namespace sinew
