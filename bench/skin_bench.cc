// Skinning on the CPU against a copy of the bytes that it cannot do without, in one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sinew/sinew.h"
#include "sinew/write.h"

namespace sinew {
namespace {

/// A rod along y on `joints` joints, each vertex moved by the `influences` nearest of them, vertices in no order.
Scene rod(std::size_t vertices, int joints, int influences) {
  Scene scene;
  Scene::Skin& skin = scene.skins.emplace_back();
  for (int j = 0; j < joints; ++j) {
    Scene::Node& node = scene.nodes.emplace_back();
    node.rest.translation = {0, j == 0 ? 0.0f : 1.0f, 0};
    node.parent = j - 1;
    if (j > 0) scene.nodes[std::size_t(j - 1)].children.push_back(j);
    skin.joints.push_back(j);
    Affine& matrix = skin.inverse_bind_matrices.emplace_back();
    matrix.rows[1][3] = -float(j);
  }
  Scene::Primitive& p = scene.meshes.emplace_back().primitives.emplace_back();
  p.topology = Topology::points;
  p.influences.resize(std::size_t(influences + 3) / 4);
  for (Scene::InfluenceSet& set : p.influences) set.joints.resize(vertices), set.weights.resize(vertices);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (std::size_t v = 0; v < vertices; ++v) {
    const float a = 6.28f * uniform(random), y = uniform(random) * float(joints - 1);
    p.positions.emplace_back(0.3f * std::cos(a), y, 0.3f * std::sin(a));
    p.normals.emplace_back(std::cos(a), 0, std::sin(a));
    p.tangents.emplace_back(0, 1, 0, 1);
    const int first = std::clamp(int(y) - (influences - 1) / 2, 0, joints - influences);
    float sum = 0;
    for (int i = 0; i < influences; ++i) sum += 1 / (0.1f + std::fabs(y - float(first + i)));
    for (int i = 0; i < influences; ++i) {
      Scene::InfluenceSet& set = p.influences[std::size_t(i) / 4];
      set.joints[v][std::size_t(i) % 4] = std::uint16_t(first + i);
      set.weights[v][i % 4] = 1 / (0.1f + std::fabs(y - float(first + i))) / sum;
    }
  }
  Scene::Node& node = scene.nodes.emplace_back();
  node.mesh = 0, node.skin = 0;
  return scene;
}

struct Subject {
  Bytes bytes;
  Character character;
  std::vector<Affine> palette;
  DualPalette dual, stretched;
};

Subject& subject(std::size_t vertices, int joints, int influences) {
  static std::map<std::string, Subject> all;
  const std::string name = std::to_string(vertices) + "/" + std::to_string(joints) + "/" + std::to_string(influences);
  if (const auto found = all.find(name); found != all.end()) return found->second;
  std::vector<std::int32_t> half(std::size_t(joints) / 2);
  std::iota(half.begin(), half.end(), 0);
  Bytes bytes = write(rod(vertices, joints, influences), {.dual_joints = half}).value();
  Character character = open(bytes).value();
  const Skin& skin = character.skins()[0];
  std::vector<Affine> model, palette(skin.joints.size());
  DualPalette dual(skin), stretched(skin);
  for (const float stretch : {1.1f, 1.0f}) {
    model.clear();
    for (std::size_t j = 0; j < palette.size(); ++j)
      model.push_back(
          to_affine({{0.1f * float(j), 0.2f, -0.1f}, quat_axis_angle({1, 2, 3}, 0.1f * float(j)), Vec3(stretch)}) *
          skin.inverse_bind_matrices[0] * *inverse(skin.inverse_bind_matrices[j]));
    run(PaletteJob{skin, model, palette, stretch > 1 ? &stretched : &dual});
  }
  return all
      .emplace(name, Subject{std::move(bytes), std::move(character), std::move(palette), std::move(dual),
                             std::move(stretched)})
      .first->second;
}

/// The mesh with its vertices in the source's order, which a program may have reasons to keep.
struct SourceOrder {
  std::vector<Vec3> positions, normals;
  std::vector<Vec4> tangents;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  Mesh mesh;

  explicit SourceOrder(const Mesh& from)
      : positions(from.vertex_count()),
        normals(from.vertex_count()),
        tangents(from.vertex_count()),
        joints(from.joints.size()),
        weights(from.weights.size()),
        mesh(from) {
    for (std::size_t i = 0; i < from.vertex_count(); ++i) {
      const std::size_t v = from.source_vertices[i], k = from.influence_count;
      positions[v] = from.positions[i], normals[v] = from.normals[i], tangents[v] = from.tangents[i];
      for (std::size_t j = 0; j < k; ++j)
        joints[v * k + j] = from.joints[i * k + j], weights[v * k + j] = from.weights[i * k + j];
    }
    mesh.positions = positions, mesh.normals = normals, mesh.tangents = tangents;
    mesh.joints = joints, mesh.weights = weights;
  }
};

enum class Order { file, source };

void skin(benchmark::State& state, Order order, NormalMode mode, bool tangents, SkinMethod method = SkinMethod::linear,
          bool stretched = false) {
  Subject& s = subject(std::size_t(state.range(0)), int(state.range(1)), int(state.range(2)));
  const Mesh& written = s.character.meshes()[0];
  const SourceOrder in_source_order(written);
  const Mesh& mesh = order == Order::file ? written : in_source_order.mesh;
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  std::vector<Vec4> tangents_out(tangents ? mesh.vertex_count() : 0);
  for (auto _ : state) {
    run(SkinJob{.mesh = mesh,
                .palette = s.palette,
                .output = {positions, normals, tangents_out},
                .normal_mode = mode,
                .method = method,
                .dual = stretched ? &s.stretched : &s.dual});
    benchmark::ClobberMemory();
  }
  state.counters["ns_vertex"] = benchmark::Counter(
      double(mesh.vertex_count()) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// As many bytes read and written as the job's arrays have.
void copy(benchmark::State& state) {
  const std::size_t vertices = std::size_t(state.range(0)), k = std::size_t(state.range(1));
  const std::size_t size = vertices * (24 + 6 * k + 24) / 2;
  std::vector<char> from(size, 1), to(size);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), size);
    benchmark::ClobberMemory();
  }
  state.counters["ns_vertex"] = benchmark::Counter(
      double(vertices) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

#define SIZES                   \
  Args({1 << 20, 60, 4})        \
      ->Args({1 << 20, 60, 2})  \
      ->Args({1 << 20, 60, 1})  \
      ->Args({1 << 18, 60, 4})  \
      ->Args({1 << 16, 60, 4})  \
      ->Args({1 << 14, 60, 4})  \
      ->Args({1 << 14, 400, 4}) \
      ->Args({1 << 12, 60, 4})
BENCHMARK_CAPTURE(skin, fast, Order::file, NormalMode::fast, false)->SIZES;
BENCHMARK_CAPTURE(skin, exact, Order::file, NormalMode::exact, false)->SIZES;
BENCHMARK_CAPTURE(skin, tangents, Order::file, NormalMode::exact, true)->SIZES;
BENCHMARK_CAPTURE(skin, fast_source_order, Order::source, NormalMode::fast, false)->SIZES;
BENCHMARK_CAPTURE(skin, exact_source_order, Order::source, NormalMode::exact, false)->SIZES;
constexpr auto kDual = SkinMethod::dual_quaternion, kMixed = SkinMethod::mixed;
BENCHMARK_CAPTURE(skin, dual, Order::file, NormalMode::exact, false, kDual)->SIZES;
BENCHMARK_CAPTURE(skin, dual_tangents, Order::file, NormalMode::exact, true, kDual)->SIZES;
BENCHMARK_CAPTURE(skin, dual_source_order, Order::source, NormalMode::exact, false, kDual)->SIZES;
BENCHMARK_CAPTURE(skin, dual_stretched, Order::file, NormalMode::exact, false, kDual, true)->SIZES;
BENCHMARK_CAPTURE(skin, mixed, Order::file, NormalMode::exact, false, kMixed)->SIZES;

void palette(benchmark::State& state, bool dual) {
  Subject& s = subject(1 << 12, int(state.range(0)), 4);
  const Skin& skin = s.character.skins()[0];
  std::vector<Affine> model;
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    model.push_back(s.palette[j] * *inverse(skin.inverse_bind_matrices[j]));
  for (auto _ : state) {
    run(PaletteJob{skin, model, s.palette, dual ? &s.dual : nullptr});
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(palette, matrices, false)->Arg(60);
BENCHMARK_CAPTURE(palette, dual, true)->Arg(60);

BENCHMARK(copy)->Args({1 << 20, 4})->Args({1 << 18, 4})->Args({1 << 16, 4})->Args({1 << 14, 4});

}  // namespace
}  // namespace sinew
