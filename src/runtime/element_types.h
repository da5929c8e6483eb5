// Which element type of the schema a C++ type is stored as.
#pragma once

#include <cstdint>

#include "character_generated.h"
#include "sinew/math.h"
#include "sinew/skeleton.h"

namespace sinew::detail {

template <class T>
inline constexpr schema::ElementType kElementType = schema::ElementType(-1);
template <>
inline constexpr schema::ElementType kElementType<std::uint8_t> = schema::ElementType_u8;
template <>
inline constexpr schema::ElementType kElementType<JointFlags> = schema::ElementType_u8;
template <>
inline constexpr schema::ElementType kElementType<std::uint16_t> = schema::ElementType_u16;
template <>
inline constexpr schema::ElementType kElementType<std::int32_t> = schema::ElementType_i32;
template <>
inline constexpr schema::ElementType kElementType<std::uint32_t> = schema::ElementType_u32;
template <>
inline constexpr schema::ElementType kElementType<float> = schema::ElementType_f32;
template <>
inline constexpr schema::ElementType kElementType<Vec2> = schema::ElementType_vec2;
template <>
inline constexpr schema::ElementType kElementType<Vec3> = schema::ElementType_vec3;
template <>
inline constexpr schema::ElementType kElementType<Vec4> = schema::ElementType_vec4;
template <>
inline constexpr schema::ElementType kElementType<Affine> = schema::ElementType_affine;

}  // namespace sinew::detail
