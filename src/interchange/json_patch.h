// Reading and changing glTF JSON that may be wrong anywhere: nothing here throws or asserts, whatever the document
// holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "sinew/math.h"
#include "sinew/scene.h"

namespace sinew::glb {

using Json = nlohmann::json;

/// A member of an object; null where there is none, or where `value` is no object.
const Json* find(const Json* value, const char* key);
Json* find(Json* value, const char* key);
/// An element of an array; null where there is none.
Json* element(Json* array, std::int64_t index);
const Json* element(const Json* array, std::int64_t index);

/// A value that is an index; kNone where it is null, negative, fractional or over 2^31 - 1.
std::int32_t index_value(const Json* value);
/// The same of a member.
std::int32_t index_of(const Json* object, const char* key);
/// A member that counts bytes or elements; `missing` where it is not there or not a whole number from 0.
std::uint64_t size_of(const Json* object, const char* key, std::uint64_t missing = 0);
std::string string_of(const Json* object, const char* key);

/// The member made an array, or an object, where it is not one yet.
Json& array_in(Json& object, const char* key);
Json& object_in(Json& object, const char* key);
/// Appends to an array of the root (`nodes`, `meshes`) and returns the new element's index.
std::int32_t append(Json& root, const char* key, Json value);
/// Sets the member, or erases it where the index is kNone.
void set_index(Json& object, const char* key, std::int32_t index);
/// Sets the member, or erases it where the text or the list is empty.
void set_text(Json& object, const char* key, const std::string& text);
void set_array(Json& object, const char* key, Json list);

/// The float as the shortest decimal number that reads back as the same float: 0.1, not 0.10000000149011612.
Json number(float value);
Json numbers(std::span<const float> values);

/// Levels of arrays and objects inside one another.
std::size_t depth_of(const Json& root);
/// Names of all extensions that objects of the document carry, at any depth.
std::set<std::string> extensions_in_use(const Json& root);
/// Takes out of extensionsUsed and extensionsRequired what was in use `before` and is no longer.
void prune_extensions(Json& root, const std::set<std::string>& before);
/// Whether a vertex attribute has a component type that only KHR_mesh_quantization allows.
bool needs_mesh_quantization(const Json& root);

/// Calls `visit` with every place that holds an accessor's index, or a buffer view's.
void each_accessor_reference(Json& root, const std::function<void(Json&)>& visit);
void each_view_reference(Json& root, const std::function<void(Json&)>& visit);
/// Removes accessors and buffer views that nothing refers to any more, and renumbers the rest. Does nothing and returns
/// false where the document has an extension that might refer to them in ways unknown here.
bool compact(Json& root);

}  // namespace sinew::glb
