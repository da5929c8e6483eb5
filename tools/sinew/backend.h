// Where vertices are skinned: --backend, and a moment skinned by it.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/context.h"
#include "input.h"
#include "sinew/sinew.h"

namespace sinew::tool {

enum class Backend : std::uint8_t { cpu, vulkan_compute, vulkan_vertex };
/// As --backend has it: `vulkan-compute`.
const char* to_string(Backend backend);
/// --backend.
void add_backend_option(CLI::App& verb, Backend& backend);

/// An instance at a moment, and the name of the device that skinned it: empty for the CPU.
struct Skinned {
  Instance instance;
  std::string device;
};
/// As `evaluate`: pose and palettes are made on the CPU whatever the backend. Errors: no device, or none that can do it,
/// with what to do instead.
Result<Skinned> evaluate(const Character& character, const Moment& moment, Backend backend,
                         SkinMethod method = SkinMethod::linear);

/// An error where the validation layer listens and has spoken: then nothing of what the device gave is to be trusted.
Result<void> check_messages(const gpu::Context& context);

}  // namespace sinew::tool
