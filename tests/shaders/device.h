// Exported shaders as SPIR-V on a Vulkan device.
#pragma once

#include <string>
#include <vector>

#include "exported.h"

namespace sinew::test {

/// What differs between modules of one variant.
struct ModuleKind {
  std::string folder;             ///< with the modules
  bool packed_locations = false;  ///< attributes have the first locations in order, without gaps (HLSL compiled back)
};
Skinned compute_on_device(const ModuleKind& kind, const Variant& variant, const Case& data);
/// By transform feedback.
Skinned draw_on_device(const ModuleKind& kind, const Variant& variant, const Case& data);
/// What the validation layer has said since the device was made.
std::vector<std::string> device_messages();

}  // namespace sinew::test
