// GPU skinning on the device at hand, beside that device's own copy and fill in the same run: gpu_bench [--small].
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "copy.comp.spv.h"
#include "fill.comp.spv.h"
#include "gpu/pipelines.h"
#include "gpu_support.h"

namespace {

using namespace sinew;
using namespace sinew::bench;
using gpu::Buffer;
using gpu::Context;
using gpu::Memory;

/// Palettes of `joints` entries, instance after instance, as a kernel reads them.
std::vector<std::byte> packed_palettes(const SkinKernel& kernel, std::span<const Affine> entries,
                                       std::uint32_t joints) {
  const std::size_t each = joints * palette_entry_bytes(kernel), count = entries.size() / joints;
  const LooseSkin skin(joints);
  std::vector<std::byte> out(each * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const Affine> matrices = entries.subspan(i * joints, joints);
    const DualPalette dual = skin.dual(matrices);
    pack_palette(kernel, matrices, dual.rigid(), dual.stretch(), std::span(out).subspan(i * each, each));
  }
  return out;
}

class Bench {
 public:
  explicit Bench(bool small) : context_(must(Context::create())), small_(small) {}
  void all();

 private:
  void measure_copy(VkDeviceSize bytes);
  void measure_fill(VkDeviceSize bytes);
  /// Whether a thousand vertices of an instance are as the CPU has them; ends the program where not.
  void check(const Mesh& mesh, const MeshLayout& layout, std::span<const Affine> palette, std::size_t instance,
             std::size_t first, const Buffer& positions, const Buffer& normals);
  /// Both normal modes, from one packing; of other methods than linear the exact one. Seconds of that one.
  double skin(const Mesh& mesh, MeshLayoutOptions options, std::uint32_t instances, const std::string& name);
  /// Linear, then the other methods beside it.
  void methods(const Mesh& mesh, MeshLayoutOptions options, std::uint32_t instances, const std::string& name);
  void single(std::size_t vertices);
  void crowd(Order order, std::uint32_t instances, std::size_t vertices);
  Buffer room(VkDeviceSize bytes) {
    return must(context_.make_buffer(std::max<VkDeviceSize>(bytes, 16), Memory::device));
  }
  double kernel(std::span<const std::uint32_t> words, VkDeviceAddress from, VkDeviceAddress to, std::uint32_t rows);

  Context context_;
  bool small_;
  double copy_ = 0, fill_ = 0;  ///< bytes a second: read and written; written
  float worst_ = 0;             ///< of what was checked, as a share of what is allowed
};

double Bench::kernel(std::span<const std::uint32_t> words, VkDeviceAddress from, VkDeviceAddress to,
                     std::uint32_t rows) {
  struct Constants {
    VkDeviceAddress from, to;
    std::uint32_t rows, groups;
  };
  const gpu::PushPipeline made = must(gpu::make_push_pipeline(context_, words, sizeof(Constants)));
  const std::uint32_t groups = (rows + 255) / 256, across = std::min(groups, 32768u);
  const Constants constants{from, to, rows, across};
  return seconds(context_, [&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.pipeline);
    vkCmdPushConstants(commands, made.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof constants, &constants);
    vkCmdDispatch(commands, across, (groups + across - 1) / across, 1);
  });
}

void Bench::measure_copy(VkDeviceSize bytes) {
  const Buffer from = room(bytes), to = room(bytes);
  const double by_command = 2.0 * double(bytes) / seconds(context_, [&](VkCommandBuffer commands) {
                              const VkBufferCopy region{0, 0, bytes};
                              vkCmdCopyBuffer(commands, from, to, 1, &region);
                            });
  const double by_kernel =
      2.0 * double(bytes) / kernel(shaders::copy_comp, from.address(), to.address(), std::uint32_t(bytes / 16));
  copy_ = std::max(by_command, by_kernel);
  std::printf("%-58s %8.1f GB/s (vkCmdCopyBuffer %.1f, a kernel %.1f)\n", "copy, read + written", copy_ / 1e9,
              by_command / 1e9, by_kernel / 1e9);
}

void Bench::measure_fill(VkDeviceSize bytes) {
  const Buffer to = room(bytes);
  const double by_command =
      double(bytes) / seconds(context_, [&](VkCommandBuffer commands) { vkCmdFillBuffer(commands, to, 0, bytes, 7); });
  const double by_kernel = double(bytes) / kernel(shaders::fill_comp, 0, to.address(), std::uint32_t(bytes / 16));
  fill_ = std::max(by_command, by_kernel);
  std::printf("%-58s %8.1f GB/s (vkCmdFillBuffer %.1f, a kernel %.1f)\n", "fill, written", fill_ / 1e9,
              by_command / 1e9, by_kernel / 1e9);
}

void Bench::check(const Mesh& mesh, const MeshLayout& layout, std::span<const Affine> palette, std::size_t instance,
                  std::size_t first, const Buffer& positions, const Buffer& normals) {
  constexpr std::size_t kCount = 1000;
  Mesh part = mesh;
  part.positions = part.positions.subspan(first, kCount), part.normals = part.normals.subspan(first, kCount);
  part.dual_weights = part.dual_weights.subspan(first, kCount);
  part.joints = part.joints.subspan(4 * first, 4 * kCount), part.weights = part.weights.subspan(4 * first, 4 * kCount);
  Vertices wanted(part);
  const DualPalette dual = LooseSkin(mesh.palette_limit).dual(palette);
  run(SkinJob{part, palette, wanted, {}, layout.kernel.normal_mode, layout.kernel.method, &dual});
  const bool streams = layout.kernel.format == VertexFormat::streams, full = layout.kernel.format == VertexFormat::full;
  const std::size_t stride = streams ? 12 : full ? 48 : 20;
  const auto read = [&](const Buffer& from, std::size_t each) {
    return must(context_.read_back(from, instance * each + first * stride, kCount * stride));
  };
  const std::vector<std::byte> bytes = read(positions, layout.output_positions),
                               apart = layout.output_normals ? read(normals, layout.output_normals) : bytes;
  float size = 0, off = 0, turned = 0;
  for (std::size_t v = 0; v < kCount; ++v) {
    CompactVertex got;
    if (streams || full) {
      std::memcpy(&got.position, bytes.data() + v * stride, 12);
      std::memcpy(&got.normal, apart.data() + v * stride + (full ? 16 : 0), 12);
    } else {
      got = read_compact(std::span(bytes).subspan(v * stride).first<20>());
    }
    size = std::max(size, glm::length(wanted.positions()[v]));
    off = std::max(off, glm::distance(got.position, wanted.positions()[v]));
    if (layout.kernel.normals) turned = std::max(turned, glm::distance(got.normal, wanted.normals()[v]));
  }
  const float most = streams || full ? 2e-6f : 1e-4f;
  worst_ = std::max(worst_, off / size / most);
  if (off <= most * size && turned <= 3 * most) return;
  std::printf("wrong: instance %zu, vertices from %zu on: positions off by %g of %g, normals by %g\n", instance, first,
              double(off), double(size), double(turned));
  std::exit(1);
}

double Bench::skin(const Mesh& mesh, MeshLayoutOptions options, std::uint32_t instances, const std::string& name) {
  const MeshLayout packed_layout = must(layout_mesh(mesh, options));
  std::vector<std::byte> packed(packed_layout.size);
  pack_mesh(mesh, packed_layout, packed);
  const Buffer vertices = must(context_.make_buffer(packed, Memory::device));
  const std::vector<Affine> entries = palette_of(instances, mesh.palette_limit);
  const Buffer palettes =
      must(context_.make_buffer(packed_palettes(packed_layout.kernel, entries, mesh.palette_limit), Memory::device));
  const Buffer positions = room(packed_layout.output_positions * instances),
               normals = room(packed_layout.output_normals * instances);
  const auto all_of = [](const Buffer& b) { return vulkan::Region{b.address(), b.size()}; };
  const bool linear = options.method == SkinMethod::linear;
  double exact = 0;
  for (const NormalMode mode : {NormalMode::exact, NormalMode::fast}) {
    if (mode == NormalMode::fast && (!packed_layout.kernel.normals || !linear)) continue;
    options.normal_mode = mode;
    const MeshLayout layout = must(layout_mesh(mesh, options));
    const vulkan::Skinner skinner = must(vulkan::Skinner::create(
        {context_.instance(), context_.physical_device(), context_.device(), context_.instance_proc_addr()},
        std::span(&layout.kernel, 1)));
    const double time = seconds(context_, [&](VkCommandBuffer commands) {
      run(vulkan::SkinDispatch{skinner,
                               commands,
                               {layout, all_of(vertices), all_of(palettes), mesh.palette_limit, {}, 0, instances},
                               all_of(positions),
                               all_of(normals)});
    });
    if (mode == NormalMode::exact) exact = time;
    const std::size_t last = instances - 1, end = mesh.vertex_count() - 1000;
    for (const std::size_t first : {std::size_t(0), end / 2, end})
      for (const std::size_t i : {std::size_t(0), last})
        check(mesh, layout, std::span(entries).subspan(i * mesh.palette_limit, mesh.palette_limit), i, first, positions,
              normals);
    const double count = double(mesh.vertex_count()) * instances;
    const double written = double(layout.output_positions + layout.output_normals) * instances;
    const double read = double(layout.size) + double(palettes.size());
    const std::string line = name + (!layout.kernel.normals      ? ""
                                     : mode == NormalMode::exact ? ", exact normals"
                                                                 : ", fast normals");
    if (instances == 1)
      std::printf("%-58s %8.2f G vertices/s, %7.1f GB/s, %.3f of copy\n", line.c_str(), count / time / 1e9,
                  (read + written) / time / 1e9, (read + written) / time / copy_);
    else
      std::printf("%-58s %8.2f G vertices/s, %7.1f GB/s written, %.3f of fill\n", line.c_str(), count / time / 1e9,
                  written / time / 1e9, written / time / fill_);
    std::fflush(stdout);
  }
  return exact;
}

void Bench::methods(const Mesh& mesh, MeshLayoutOptions options, std::uint32_t instances, const std::string& name) {
  const double linear = skin(mesh, options, instances, name);
  const struct {
    const char* name;
    SkinMethod method;
    bool stretch;
  } kOthers[] = {{"dual quaternion", SkinMethod::dual_quaternion, false},
                 {"dual quaternion, stretch", SkinMethod::dual_quaternion, true},
                 {"mixed", SkinMethod::mixed, false},
                 {"mixed, stretch", SkinMethod::mixed, true}};
  for (const auto& other : kOthers) {
    options.method = other.method, options.stretch = other.stretch;
    const double time = skin(mesh, options, instances, name + ", " + other.name);
    std::printf("%-58s %8.3f of linear's time\n", "", time / linear);
  }
}

void Bench::single(std::size_t vertices) {
  const BigMesh big(vertices, Order::by_joint_set);
  std::printf("one mesh of %zu vertices, 64 joints, 4 influences, positions + normals\n", vertices);
  skin(big.mesh, {VertexFormat::full}, 1, "full, 64 in, 48 out");
  skin(big.mesh, {VertexFormat::compact}, 1, "compact, 32 in, 20 out");
  methods(big.mesh, {VertexFormat::streams}, 1, "streams, 48 in, 24 out");
}

void Bench::crowd(Order order, std::uint32_t instances, std::size_t vertices) {
  const BigMesh mesh(vertices, order);
  std::printf("a crowd of %u instances of %zu vertices, own palettes of 64 joints, %s\n", instances, vertices,
              order == Order::by_joint_set ? "ordered by joint set" : "in random order");
  methods(mesh.mesh, {VertexFormat::streams}, instances, "positions + normals");
  methods(mesh.mesh, {VertexFormat::streams, false}, instances, "positions");
}

void Bench::all() {
  std::printf("device: %s\n", context_.properties().deviceName);
  const std::size_t scale = small_ ? 1000 : 1;
  measure_copy((std::size_t(1) << 31) / (small_ ? 1024 : 1));
  measure_fill((std::size_t(4) << 30) / (small_ ? 1024 : 1));
  single(40'000'000 / scale);
  crowd(Order::by_joint_set, std::uint32_t(20'000 / scale), 10'000);
  crowd(Order::file, std::uint32_t(20'000 / scale), 10'000);
  std::printf("positions agree with the CPU: at most %.2f of what is allowed (2e-6 of the size, compact 1e-4)\n",
              double(worst_));
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc == 2 && std::strcmp(argv[1], "--small") == 0;
  if (argc > 1 && !small) return std::fprintf(stderr, "usage: gpu_bench [--small]\n"), 2;
  Bench(small).all();
}
