#include "runtime/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/skin_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "runtime/skin_dual-inl.h"
#include "runtime/skin_shared-inl.h"
#include "runtime/skin_streams-inl.h"
#include "runtime/skin_unshared-inl.h"
#include "runtime/skin_vertices-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kernels::HWY_NAMESPACE {
namespace {

enum class NormalOutput : std::uint8_t { none, fast, exact };

/// kDual: dual quaternions, where the job's method has them.
template <NormalOutput kNormals, bool kTangents, bool kDual>
class Skinner {
 public:
  HWY_INLINE explicit Skinner(const SkinJob& job)
      : job_(job),
        positions_(source<3>(job.mesh->positions.data(), job.mesh->target_positions)),
        normals_(source<3>(job.mesh->normals.data(), job.mesh->target_normals)),
        tangents_(source<4>(job.mesh->tangents.data(), job.mesh->target_tangents)),
        positions_out_(sink<3>(job.output.positions)),
        normals_out_(sink<3>(job.output.normals)),
        tangents_out_(sink<4>(job.output.tangents)),
        unshared_(*job.mesh, job.palette),
        stretches_(*job.mesh, kDual ? job.dual->stretch() : std::span<const Affine>()),
        duals_(*job.mesh, kDual ? job.dual->rigid() : std::span<const DualQuaternion>()) {}

  HWY_INLINE void skin() {
    const Mesh& mesh = *job_.mesh;
    const JointRuns& runs = mesh.runs;
    const bool theirs = runs.of_joints == mesh.joints.data() && runs.of_weights == mesh.weights.data() &&
                        !runs.ends.empty() && runs.ends.back() == mesh.vertex_count();
    if (!theirs) {
      skin_unshared(0, mesh.vertex_count());
    } else {
      std::size_t begin = 0, joints = 0;
      const float* weights = runs.weights.data();
      for (const std::size_t end : runs.ends) {
        const std::size_t count = runs.joints[joints++];
        if (count == 0) {
          skin_unshared(begin, end);
        } else {
          skin_shared(begin, end, runs.joints.subspan(joints, count), weights);
          weights += (count - 1) * (end - begin);
        }
        joints += count;
        begin = end;
      }
    }
    positions_out_.finish();
    if constexpr (kHasNormals) normals_out_.finish();
    if constexpr (kTangents) tangents_out_.finish();
  }

 private:
  static constexpr bool kHasNormals = kNormals != NormalOutput::none;

  template <std::size_t C, class T>
  HWY_INLINE Source<C> source(const T* values, std::span<const Vec3> targets) const {
    const std::size_t used = job_.channels.empty() ? 0 : job_.mesh->target_count;
    return {reinterpret_cast<const float*>(values), job_.mesh->vertex_count(),
            targets.empty() ? nullptr : &targets.data()->x, job_.channels.first(used)};
  }
  template <std::size_t C, class T>
  HWY_INLINE Sink<C> sink(const Strided<T>& to) const {
    return {to.at(0), to.stride(), job_.mesh->vertex_count()};
  }

  /// Up to 16 vertices at a time: `matrices(i, n)` are those of kWidth vertices from i on, of which n exist.
  /// kRigid: the matrices are rotations, through which normals go as they are.
  template <bool kRigid = false, class M>
  HWY_INLINE void skin_block(std::size_t first, std::size_t count, M matrices) {
    const float* const positions = positions_.at(first);
    float* const positions_to = positions_out_.at(first);
    const float *normals = nullptr, *tangents = nullptr;
    float *normals_to = nullptr, *tangents_to = nullptr;
    if constexpr (kHasNormals) normals = normals_.at(first), normals_to = normals_out_.at(first);
    if constexpr (kTangents) tangents = tangents_.at(first), tangents_to = tangents_out_.at(first);
    for (std::size_t i = 0; i < count; i += kWidth) {
      const Matrices m = matrices(i, count - i);
      store_three(point(m, load_three(positions + 3 * i)), positions_to + 3 * i);
      if constexpr (kHasNormals) {
        constexpr bool kExact = kNormals == NormalOutput::exact && !kRigid;
        const Directions n = load_three(normals + 3 * i);
        store_three(unit(kExact ? cofactors(m, n) : direction(m, n), m, n, kExact), normals_to + 3 * i);
      }
      if constexpr (kTangents) {
        const Lanes d;
        Floats x, y, z, w;
        hn::LoadInterleaved4(d, tangents + 4 * i, x, y, z, w);
        const Directions t = {x, y, z}, turned = unit(direction(m, t), m, t, false);
        hn::StoreInterleaved4(turned.x, turned.y, turned.z, w, d, tangents_to + 4 * i);
      }
    }
  }

  HWY_INLINE void skin_shared(std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                              const float* weights) {
    if constexpr (kDual)
      if (skin_dual(begin, end, joints, weights)) return;
    const SharedJoints shared(job_.palette.data(), joints);
    for (std::size_t first = begin; first < end; first += kBlock) {
      const std::size_t count = std::min(kBlock, end - first);
      skin_block(first, count, [&](std::size_t i, std::size_t) HWY_ATTR { return shared.blended(weights + i, count); });
      weights += (joints.size() - 1) * count;
    }
  }

  /// False: these vertices are linear ones. `joints`: which all of them share, or none.
  HWY_NOINLINE bool skin_dual(std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                              const float* weights) {
    bool mixes = false;
    if (job_.method == SkinMethod::mixed) {
      const auto [least, most] = std::ranges::minmax(job_.mesh->dual_weights.subspan(begin, end - begin));
      if (most <= 0) return false;
      mixes = least < 1;
    }
    const bool plain = !mixes && job_.dual->stretch().empty();
    if (!joints.empty()) {
      const SharedDuals shared(job_.dual->rigid().data(), joints);
      if (shared.agree) {
        if (!plain) return mix_shared(begin, end, joints, weights, shared, mixes), true;
        for (std::size_t first = begin; first < end; first += kBlock) {
          const std::size_t count = std::min(kBlock, end - first);
          skin_block<true>(first, count, [&](std::size_t i, std::size_t) HWY_ATTR {
            return matrices_of(shared.blended(weights + i, count));
          });
          weights += (joints.size() - 1) * count;
        }
        return true;
      }
    }
    duals_.prepare(end - begin);
    if (!plain) return mix_unshared(begin, end, mixes), true;
    for (std::size_t first = begin; first < end; first += kBlock)
      skin_block<true>(first, std::min(kBlock, end - first),
                       [&](std::size_t i, std::size_t n) HWY_ATTR { return matrices_of(duals_.blend(first + i, n)); });
    return true;
  }

  /// Of kWidth vertices from `vertex` on, of which n exist: `dual` of the way from `linear` matrices.
  HWY_INLINE Matrices mixed(const Matrices& dual, const Matrices& linear, std::size_t vertex, std::size_t n) const {
    const Lanes d;
    alignas(64) float shares[kWidth] = {};
    std::ranges::copy(job_.mesh->dual_weights.subspan(vertex, std::min(n, kWidth)), shares);
    const Floats share = hn::Load(d, shares);
    Matrices out;
    for (std::size_t c = 0; c < 12; ++c) out.m[c] = hn::MulAdd(share, hn::Sub(dual.m[c], linear.m[c]), linear.m[c]);
    return out;
  }

  /// Vertices that stretch, or are between the two methods: mixing matrices is as good as mixing what they give.
  HWY_NOINLINE void mix_shared(std::size_t begin, std::size_t end, std::span<const std::uint16_t> joints,
                               const float* weights, const SharedDuals& shared, bool mixes) {
    const bool stretches = !job_.dual->stretch().empty();
    // What is not needed is made of one joint, which costs least.
    const SharedJoints linear(job_.palette.data(), mixes ? joints : joints.first(1));
    const SharedJoints stretch(stretches ? job_.dual->stretch().data() : job_.palette.data(),
                               stretches ? joints : joints.first(1));
    for (std::size_t first = begin; first < end; first += kBlock) {
      const std::size_t count = std::min(kBlock, end - first);
      skin_block(first, count, [&](std::size_t i, std::size_t n) HWY_ATTR {
        Matrices out = matrices_of(shared.blended(weights + i, count));
        if (stretches) out = product(out, stretch.blended(weights + i, count));
        if (mixes) out = mixed(out, linear.blended(weights + i, count), first + i, n);
        return out;
      });
      weights += (joints.size() - 1) * count;
    }
  }

  HWY_NOINLINE void mix_unshared(std::size_t begin, std::size_t end, bool mixes) {
    const bool stretches = !job_.dual->stretch().empty();
    unshared_.prepare(mixes ? end - begin : 0);
    stretches_.prepare(stretches ? end - begin : 0);
    for (std::size_t first = begin; first < end; first += kBlock)
      skin_block(first, std::min(kBlock, end - first), [&](std::size_t i, std::size_t n) HWY_ATTR {
        Matrices out = matrices_of(duals_.blend(first + i, n)), other;
        if (stretches) {
          stretches_.blend(first + i, n, other);
          out = product(out, other);
        }
        if (mixes) {
          unshared_.blend(first + i, n, other);
          out = mixed(out, other, first + i, n);
        }
        return out;
      });
  }

  HWY_NOINLINE void skin_unshared(std::size_t begin, std::size_t end) {
    if constexpr (kDual)
      if (skin_dual(begin, end, {}, nullptr)) return;
    unshared_.prepare(end - begin);
    std::size_t first = begin;
    for (; unshared_.fours() && first + kBlock <= end; first += kBlock)
      skin_block(first, kBlock, [&](std::size_t i, std::size_t) HWY_ATTR { return unshared_.blend_four(first + i); });
    for (; first < end; first += kBlock) {
      skin_block(first, std::min(kBlock, end - first), [&](std::size_t i, std::size_t n) HWY_ATTR {
        Matrices out;
        unshared_.blend(first + i, n, out);
        return out;
      });
    }
  }

  const SkinJob& job_;
  Source<3> positions_, normals_;
  Source<4> tangents_;
  Sink<3> positions_out_, normals_out_;
  Sink<4> tangents_out_;
  UnsharedJoints unshared_, stretches_;
  OwnDuals duals_;
};

template <NormalOutput kNormals, bool kTangents, bool kDual>
HWY_NOINLINE void skin_with(const SkinJob& job) {
  Skinner<kNormals, kTangents, kDual>(job).skin();
}

template <bool kTangents, bool kDual>
HWY_INLINE void skin_with(const SkinJob& job) {
  if (job.output.normals.empty())
    skin_with<NormalOutput::none, kTangents, kDual>(job);
  else if (job.normal_mode == NormalMode::fast)
    skin_with<NormalOutput::fast, kTangents, kDual>(job);
  else
    skin_with<NormalOutput::exact, kTangents, kDual>(job);
}

template <bool kDual>
HWY_INLINE void skin_with(const SkinJob& job) {
  job.output.tangents.empty() ? skin_with<false, kDual>(job) : skin_with<true, kDual>(job);
}

HWY_ATTR void skin(const SkinJob& job) {
  const bool linear =
      job.method == SkinMethod::linear || (job.method == SkinMethod::mixed && job.mesh->dual_weights.empty());
  linear ? skin_with<false>(job) : skin_with<true>(job);
}

}  // namespace
}  // namespace sinew::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::kernels {

HWY_EXPORT(skin);

void skin(const SkinJob& job) { HWY_DYNAMIC_DISPATCH(skin)(job); }

}  // namespace sinew::kernels
#endif
