#include "backend.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <vector>

#include "evaluate.h"
#include "gpu/skin_reader.h"
#include "text.h"

namespace sinew::tool {

namespace {

constexpr std::pair<const char*, Backend> kBackends[] = {
    {"cpu", Backend::cpu}, {"vulkan-compute", Backend::vulkan_compute}, {"vulkan-vertex", Backend::vulkan_vertex}};

/// What went wrong on a device need not stop who only wants the numbers.
Error with_way_out(Error error) {
  error.what_to_do += error.what_to_do.empty() ? "" : "; ";
  error.what_to_do += "--backend cpu needs no device";
  return error;
}

template <class T>
void put(const std::vector<T>& values, const Strided<T>& places) {
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(places.at(i), &values[i], sizeof(T));
}

Result<void> skin_parts(const Character& character, gpu::SkinReader& reader, Instance& instance) {
  for (std::size_t i = 0; i < character.parts().size(); ++i) {
    const Part& part = character.parts()[i];
    const DualPalette& dual = instance.dual_palettes[part.skin];
    const gpu::SkinnedInstance given{instance.palettes[part.skin].matrices(),
                                     instance.pose.channels().subspan(part.first_channel, part.channel_count),
                                     dual.rigid(), dual.stretch()};
    const auto skinned = reader.skin(character.meshes()[part.mesh], std::span(&given, 1));
    if (!skinned) {
      Error error = skinned.error();
      error.where = fmt::format("part {}{}{}", i, error.where.empty() ? "" : ": ", error.where);
      return Unexpected(error);
    }
    const VertexOutput places = instance.vertices[i];
    put(skinned->front().positions, places.positions);
    put(skinned->front().normals, places.normals);
    put(skinned->front().tangents, places.tangents);
  }
  return {};
}

Result<Skinned> evaluate_on_device(const Character& character, const Moment& moment, SkinStage stage,
                                   SkinMethod method) {
  const bool draws = stage == SkinStage::vertex;
  const Result<gpu::Context> context = gpu::Context::create({.graphics = draws, .transform_feedback = draws});
  if (!context) return Unexpected(context.error());
  Result<Skinned> out(Skinned{Instance(character), context->properties().deviceName});
  Instance& instance = out->instance;
  instance.pose = pose_at(character, moment);
  run(ModelJob{character.skeleton(), instance.pose, instance.model_from_joint});
  for (std::size_t i = 0; i < instance.palettes.size(); ++i)
    run(PaletteJob{character.skins()[i], instance.model_from_joint, instance.palettes[i].matrices(),
                   method == SkinMethod::linear ? nullptr : &instance.dual_palettes[i]});
  gpu::SkinReader reader(*context, {.stage = stage, .layout = {.method = method}});
  if (const Result<void> done = skin_parts(character, reader, instance); !done) return Unexpected(done.error());
  if (const Result<void> quiet = check_messages(*context); !quiet) return Unexpected(quiet.error());
  return out;
}

}  // namespace

const char* to_string(Backend backend) {
  for (const auto& [name, known] : kBackends)
    if (known == backend) return name;
  return "";
}

void add_backend_option(CLI::App& verb, Backend& backend) {
  verb.add_option_function<std::string>(
          "--backend",
          [&backend](const std::string& wanted) {
            for (const auto& [name, known] : kBackends)
              if (wanted == name) backend = known;
          },
          "Where vertices are skinned (default: cpu)")
      ->type_name("cpu|vulkan-compute|vulkan-vertex")
      ->check(CLI::IsMember({kBackends[0].first, kBackends[1].first, kBackends[2].first}).description(""));
}

Result<Skinned> evaluate(const Character& character, const Moment& moment, Backend backend, SkinMethod method) {
  if (backend == Backend::cpu) return Skinned{evaluate(character, moment, method), ""};
  Result<Skinned> out = evaluate_on_device(
      character, moment, backend == Backend::vulkan_compute ? SkinStage::compute : SkinStage::vertex, method);
  return out ? std::move(out) : Unexpected(with_way_out(out.error()));
}

Result<void> check_messages(const gpu::Context& context) {
  const std::vector<std::string> messages = context.messages();
  if (messages.empty()) return {};
  return fail(ErrorCode::bad_value, "Vulkan validation",
              fmt::format("{} messages; the first: {}", messages.size(), messages[0]), "");
}

}  // namespace sinew::tool
