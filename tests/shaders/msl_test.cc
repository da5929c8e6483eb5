// The exported MSL against the oracle: compiled as C++ on the host, for want of a Metal device.
#include "msl.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "exported.h"

namespace sinew::test {
namespace {

auto shader(const Variant& variant) {
  const auto found = msl_shaders().find(variant.name());
  if (found == msl_shaders().end()) throw std::runtime_error(variant.name() + " is not compiled here");
  return found->second;
}

/// A buffer that a kernel only reads; it is not const there.
template <class T>
void* at(const std::vector<T>& values) {
  return const_cast<T*>(values.data());
}

/// Aligned as Metal's types are.
template <class T>
struct alignas(16) Aligned {
  T value;
};

Skinned compute(const Variant& variant, const Case& data) {
  const auto run = shader(variant);
  Skinned out;
  const std::size_t total = std::size_t(data.vertex_count()) * data.instances;
  out.vertices.resize(total + 1);  // one more, which nothing may touch
  if (data.tangents) out.tangents.resize(total + 1);
  const std::vector<float> palette = palette_floats(variant, data);
  const std::vector<std::byte> counts = compute_counts(data);
  MslCall call;
  call.buffers = {at(data.vertices),   out.vertices.data(), at(palette),
                  at(counts),          at(data.more),       at(data.tangent_stream),
                  out.tangents.data(), at(data.deltas),     at(data.morph_weights)};
  const std::uint32_t threads = (data.vertex_count() + 63) / 64 * 64;  // those past the end return
  for (call.thread_y = 0; call.thread_y < data.instances; ++call.thread_y)
    for (call.thread_x = 0; call.thread_x < threads; ++call.thread_x) run(call);
  EXPECT_EQ(out.vertices.back().position, Vec4(0.0f)) << "a thread past the vertex count wrote";
  out.vertices.pop_back();
  if (data.tangents) out.tangents.pop_back();
  return out;
}

Skinned draw(const Variant& variant, const Case& data) {
  const auto run = shader(variant);
  Skinned out;
  const std::vector<float> palette = palette_floats(variant, data);
  const std::vector<std::byte> uniforms = vertex_uniforms(data);
  MslCall call;
  call.buffers[11] = at(uniforms);
  call.buffers[12] = at(palette);
  call.buffers[13] = at(data.deltas);
  call.buffers[14] = at(data.morph_weights);
  for (call.instance = 0; call.instance < data.instances; ++call.instance)
    for (call.vertex = 0; call.vertex < data.vertex_count(); ++call.vertex) {
      const PackedVertex& vertex = data.vertices[call.vertex];
      const MoreInfluences& more = data.more[call.vertex];
      call.position = vertex.position;
      call.normal = Vec3(vertex.normal);
      call.uv = vertex.uv;
      for (int i = 0; i < 4; ++i) {
        call.joints[i] = vertex.joints[i], call.weights[i] = vertex.weights[i];
        call.joints[i + 4] = more.joints[i], call.weights[i + 4] = more.weights[i];
      }
      if (data.tangents) call.tangent = data.tangent_stream[call.vertex];
      run(call);
      out.vertices.push_back({call.clip_position, Vec4(call.out_normal, 0), call.out_uv});
      if (data.tangents) out.tangents.push_back(call.out_tangent);
    }
  undo_view(out);
  return out;
}

TEST(MslAgreement, Compute) { expect_agreement("MSL compute on the host", {}, compute); }
TEST(MslAgreement, Vertex) { expect_agreement("MSL vertex on the host", {.vertex_stage = true}, draw); }

}  // namespace
}  // namespace sinew::test
