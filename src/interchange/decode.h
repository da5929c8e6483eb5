// Decoding of accessors' values into plain vectors: floats, joint numbers, indices.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "interchange/data.h"
#include "sinew/math.h"

namespace sinew::gltf {

/// Component types that are allowed somewhere.
enum class Allowed : std::uint8_t {
  floats,      ///< FLOAT only
  normalized,  ///< FLOAT, or any normalized 8 or 16 bit integer
  quantized,   ///< FLOAT, or any 8 or 16 bit integer, normalized or not (KHR_mesh_quantization)
};

/// Reads vectors of floats; `where` is what asks for them, in messages. Integers become what they stand for.
/// Error `bad_type`: another number of components, a type that is not allowed; `bad_value`: a number that is not
/// finite; `too_large`: over the memory limit.
bool read(Reader& reader, const Elements& elements, Allowed allowed, Json where, std::vector<Vec2>& out);
bool read(Reader& reader, const Elements& elements, Allowed allowed, Json where, std::vector<Vec3>& out);
bool read(Reader& reader, const Elements& elements, Allowed allowed, Json where, std::vector<Vec4>& out);
/// All components in one row, `components` an element (1, 3, 4 or 16).
bool read(Reader& reader, const Elements& elements, Allowed allowed, int components, Json where,
          std::vector<float>& out);
/// Joint numbers: four unsigned integers.
bool read_joints(Reader& reader, const Elements& elements, Json where, std::vector<std::array<std::uint16_t, 4>>& out);
/// Indices: one unsigned integer.
bool read_indices(Reader& reader, const Elements& elements, Json where, std::vector<std::uint32_t>& out);

}  // namespace sinew::gltf
