// GPU skinning in a compute shader: three copies of a character, each at its own time, in one dispatch; checked against
// the CPU. An engine has its own device and buffers; here a context without a window lends them.
#include <sinew/sinew.h>
#include <sinew/vulkan.h>
#include <sinew/write.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "biped/biped.h"
#include "gpu/context.h"

namespace {

namespace gpu = sinew::gpu;

constexpr std::uint32_t kCopies = 3;
constexpr float kNearEnough = 1e-5f;  // metres

sinew::vulkan::Region all_of(const gpu::Buffer& buffer) { return {buffer.address(), buffer.size()}; }

template <class T>
T must(sinew::Result<T> result) {
  if (!result) {
    std::puts(result.error().message().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace

int main() {
  const sinew::Bytes bytes = must(sinew::write(sinew::make_biped()));
  const sinew::Character character = must(sinew::open(bytes));
  const sinew::Clip* walk = character.find_clip("walk");
  if (!walk) return std::puts("the built-in character lacks a clip"), 1;
  const sinew::Part& part = character.parts()[0];
  const sinew::Mesh& mesh = character.meshes()[part.mesh];
  const gpu::Context context = must(gpu::Context::create());

  // Once: the mesh in the form that the kernel reads, and the kernel for that form.
  const sinew::MeshLayout layout = must(sinew::layout_mesh(mesh));
  const gpu::Buffer vertices = must(context.make_buffer(layout.size, gpu::Memory::host));
  sinew::pack_mesh(mesh, layout, vertices.mapped());
  const sinew::vulkan::Device device{context.instance(), context.physical_device(), context.device(),
                                     context.instance_proc_addr()};
  const sinew::vulkan::Skinner skinner = must(sinew::vulkan::Skinner::create(device, {&layout.kernel, 1}));
  const gpu::Buffer positions = must(context.make_buffer(kCopies * layout.output_positions, gpu::Memory::host)),
                    normals = must(context.make_buffer(kCopies * layout.output_normals, gpu::Memory::host)),
                    tangents = must(context.make_buffer(kCopies * layout.output_tangents + 16, gpu::Memory::host));

  // Each frame: a pose and a palette a copy on the CPU, one after another in a buffer.
  const std::size_t entries = character.skins()[part.skin].joints.size();
  const gpu::Buffer palettes = must(context.make_buffer(kCopies * entries * sizeof(sinew::Affine), gpu::Memory::host));
  std::vector<sinew::Instance> copies(kCopies, sinew::Instance(character));
  for (std::uint32_t i = 0; i < kCopies; ++i) {
    sinew::run(sinew::SampleJob{*walk, character.skeleton(), 0.2f * float(i), copies[i].pose});
    sinew::run(sinew::InstanceJob{character, copies[i]});
    std::ranges::copy(copies[i].palettes[part.skin].matrices(),
                      palettes.mapped_as<sinew::Affine>().subspan(i * entries).begin());
  }
  must(context.submit_and_wait([&](VkCommandBuffer commands) {
    const sinew::vulkan::SkinSource source{.layout = layout,
                                           .mesh = all_of(vertices),
                                           .palettes = all_of(palettes),
                                           .palette_stride = std::uint32_t(entries),
                                           .instance_count = kCopies};
    sinew::vulkan::run(
        sinew::vulkan::SkinDispatch{skinner, commands, source, all_of(positions), all_of(normals), all_of(tangents)});
  }));

  float worst = 0;
  for (std::uint32_t i = 0; i < kCopies; ++i) {
    const auto skinned = positions.mapped_as<sinew::Vec3>().subspan(i * layout.output_positions / sizeof(sinew::Vec3));
    const auto wanted = copies[i].vertices[0].positions();
    for (std::size_t v = 0; v < wanted.size(); ++v) worst = std::max(worst, glm::length(skinned[v] - wanted[v]));
  }
  std::printf("%u copies of %zu vertices on %s: at most %.1e m from the CPU's\n", kCopies, mesh.vertex_count(),
              context.properties().deviceName, worst);
  return worst <= kNearEnough ? 0 : 1;
}
