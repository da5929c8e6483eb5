// JSON as the tool prints it: keys in the order written, floats in the fewest digits that read back the same.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/math.h"
#include "sinew/result.h"

namespace sinew::tool {

/// Numbers are float, as the library's are: a double would print 0.1f as 0.10000000149011612.
using Json =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

/// One line; bytes that are not UTF-8 become U+FFFD.
inline std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

inline Json to_json(Vec3 v) { return Json::array({v.x, v.y, v.z}); }
inline Json to_json(Vec4 v) { return Json::array({v.x, v.y, v.z, v.w}); }
inline Json to_json(Quat q) { return Json::array({q.x, q.y, q.z, q.w}); }
/// 16 numbers, column-major, as glTF writes matrices.
inline Json to_json(const Affine& m) {
  Json out = Json::array();
  for (int column = 0; column < 4; ++column) {
    for (const float(&row)[4] : m.rows) out.push_back(row[column]);
    out.push_back(column == 3 ? 1.0f : 0.0f);
  }
  return out;
}
inline Json to_json(const Transform& t) {
  return {{"translation", to_json(t.translation)}, {"rotation", to_json(t.rotation)}, {"scale", to_json(t.scale)}};
}
/// Vector after vector, flat.
inline Json to_json(std::span<const Vec3> vectors) {
  Json::array_t out;
  out.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

inline Json to_json(const Report& report) {
  Json out = Json::array();
  for (const Finding& f : report)
    out.push_back({{"severity", to_string(f.severity)},
                   {"code", f.code},
                   {"where", f.where},
                   {"what", f.what},
                   {"what_to_do", f.what_to_do},
                   {"count", f.count}});
  return out;
}

}  // namespace sinew::tool
