// SIMD: which instruction set (SSE4, AVX2, AVX-512, NEON, WASM or plain scalar code) the runtime's kernels use; chosen by itself, may be forced.
#pragma once

#include <span>
#include <string_view>

namespace sinew {

/// Instruction sets that the library was built for and this machine has, best first: on x86 `avx3` (AVX-512), `avx2`,
/// `sse4`, `scalar`; else `neon` or `wasm` alone. What the compiler may use anyway is the last: none below it is built
/// (`-march=haswell` leaves `avx3` and `avx2`). Results are equal to the bit on one of them, and within the documented
/// tolerances across them (fused multiply-adds differ).
std::span<const std::string_view> simd_targets();

/// The one in use: the best, until another is forced.
std::string_view simd_target();

/// Forces one of `simd_targets()`; an empty name goes back to the best. False, and nothing changes, for any other name.
/// Not to be called while a job runs.
bool set_simd_target(std::string_view name);

}  // namespace sinew
